// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp/mcp_tools.h"

#include "app/cli/mcp/tool_words.h"

#include <algorithm>

namespace vqscope {
namespace {

using Words = Result<std::vector<std::string>>;

McpTool::Argument argument(std::string name, const char* type, std::string description, bool required = false) {
  return {std::move(name), JsonObject{{"type", type}, {"description", std::move(description)}}, required};
}

/// Those of every tool that takes a mask, and `more`.
std::vector<McpTool::Argument> maskArguments(std::vector<McpTool::Argument> more = {}) {
  std::vector<McpTool::Argument> all{
      argument("mask", "string",
               "FILE or FILE:NAME: a mask_mod (.py), a NumPy, safetensors or torch file, .csv, .png; or a preset"),
      argument("mask_text", "string", "the mask as FlexAttention's Python, in place of a file"),
      argument(
          "set", "object",
          "parameters by name: mask (a preset), q_length, kv_length, past_len, padding, document_lengths, "
          "sliding_window, free names of the text; for check also objective, window, dialect, labels and the others "
          "of vqscope check --list-rules"),
      argument("batch", "integer", "this sample alone"),
      argument("head", "integer", "this head alone"),
      argument("polarity", "string", "visible_true or masked_true: how cells are read")};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Words checkWords(const ConfigValue& arguments, const std::string& folder) {
  return ToolWords(arguments, folder, {"check", "--json"}).mask().option("objective", "--objective").take();
}

Words recogniseWords(const ConfigValue& arguments, const std::string& folder) {
  return ToolWords(arguments, folder, {"recognise"}).mask().take();
}

Words rowWords(const ConfigValue& arguments, const std::string& folder) {
  return ToolWords(arguments, folder, {"row", "--json"}).plain("row").mask().option("keys", "--keys").take();
}

Words compareWords(const ConfigValue& arguments, const std::string& folder) {
  if (!arguments.find("other_mask") && !arguments.find("other_mask_text") && !arguments.find("other_set"))
    return invalid("compare needs other_mask, other_mask_text or other_set");
  return ToolWords(arguments, folder, {"diff", "--json"})
      .mask()
      .option("other_mask", "--minus-mask")
      .textFile("other_mask_text", "--minus-mask")
      .settings("other_set", "--minus", "--minus")
      .take();
}

Words configWords(const ConfigValue& arguments, const std::string& folder) {
  return ToolWords(arguments, folder, {"config", "--json"}).plain("model").plain("other_model").take();
}

Words blockMaskWords(const ConfigValue& arguments, const std::string& folder) {
  return ToolWords(arguments, folder, {"export", "block_mask"})
      .mask()
      .option("block_size", "--set=block_size")
      .option("kv_block_size", "--set=kv_block_size")
      .option("trim", "--set=trim")
      .option("out", "--out")
      .take();
}

Words exportWords(const ConfigValue& arguments, const std::string& folder) {
  ToolWords words(arguments, folder, {"export"});
  words.plain("method").mask().settings("other_set", "--minus", "--minus").option("out", "--out");
  // A picture of about 1000 pixels, which models see whole.
  if (!arguments.find("out")) words.word("--out=" + folder + "/picture.png").word("--dpi=120");
  return words.take();
}

Words listWords(const ConfigValue& arguments, const std::string& folder) {
  return ToolWords(arguments, folder, {"list"}).plain("method").take();
}

std::vector<McpTool> makeTools() {
  const auto method = [](bool required) {
    return argument("method", "string", "a method of list, such as visibility or rope_phase", required);
  };
  return {
      {"check",
       "Lints a mask, its positions and labels: findings with rule, row and key, and questions about what is not "
       "stated",
       maskArguments({argument("objective", "string", "causal, prefix, bidirectional, cross, causal_spans, …")}),
       checkWords},
      {"recognise", "Names the pattern of a mask, such as causal ∧ window 128 ∧ documents [4, 2], and its exceptions",
       maskArguments(), recogniseWords},
      {"row", "The keys that one query sees, as ranges [begin, end), and why keys are masked",
       maskArguments({argument("row", "integer", "the query", true), argument("keys", "string", "A:B: these keys")}),
       rowWords},
      {"compare", "Counts the cells in which two masks differ, names the first, and says what the second is",
       maskArguments({argument("other_mask", "string", "file of the second mask"),
                      argument("other_mask_text", "string", "text of the second mask"),
                      argument("other_set", "object", "the second mask is the first with these parameters")}),
       compareWords},
      {"config",
       "What a model's config means for positions and layers; of two models what differs",
       {argument("model", "string", "config.json, params.json, GGUF file, folder, or ORG/NAME of the hub cache", true),
        argument("other_model", "string", "a second one to compare with")},
       configWords},
      {"block_mask", "Writes the block lists of FlexAttention's BlockMask, without the dense mask",
       maskArguments({argument("out", "string", "the file to write: .npz or .safetensors", true),
                      argument("block_size", "integer", "queries and keys of a block; 128"),
                      argument("kv_block_size", "integer", "keys of a block, if other"),
                      argument("trim", "boolean", "false: indices as wide as all blocks")}),
       blockMaskWords},
      {"export", "A method as a picture (PNG, the answer), or as a file: .png .svg .pdf .csv .npy .json",
       maskArguments({method(true), argument("out", "string", "the file to write; without, the picture is the answer"),
                      argument("other_set", "object", "subtracts the same method with these parameters")}),
       exportWords},
      {"list", "All methods; parameters, ranges and defaults of one", {method(false)}, listWords},
  };
}

}  // namespace

std::span<const McpTool> mcpTools() {
  static const std::vector<McpTool> all = makeTools();
  return all;
}

const McpTool* findTool(std::string_view name) {
  const auto found = std::ranges::find(mcpTools(), name, &McpTool::name);
  return found == mcpTools().end() ? nullptr : &*found;
}

JsonArray describedTools() {
  JsonArray tools;
  for (const McpTool& tool : mcpTools()) {
    JsonObject properties;
    JsonArray required;
    const bool takesParameters = std::ranges::count(tool.arguments, "set", &McpTool::Argument::name) > 0;
    for (const McpTool::Argument& each : tool.arguments) {
      properties[each.name] = each.schema;
      if (each.required) required.push_back(each.name);
    }
    JsonObject schema{{"type", "object"}, {"properties", properties}, {"additionalProperties", takesParameters}};
    if (!required.empty()) schema["required"] = required;
    tools.push_back(JsonObject{{"name", tool.name}, {"description", tool.description}, {"inputSchema", schema}});
  }
  return tools;
}

}  // namespace vqscope
