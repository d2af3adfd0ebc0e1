// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/option_table.h"
#include "app/cli/captures/opened_capture.h"
#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/capture/rope/rope_file.h"
#include "core/capture/rope/rope_of_capture.h"
#include "core/capture/rope/rope_of_config.h"
#include "core/capture/rope/rope_sentence.h"
#include "core/config/model_config.h"
#include "core/io/json/json_value.h"

#include <filesystem>

namespace vqscope {
namespace {

struct RopeArguments {
  bool help = false;
  bool json = false;
  std::string file;
  RopeTensorNames names;
  std::optional<Index> batch;
  std::optional<Index> layer;
  std::string config;
};

Option<RopeArguments> nameOption(const char* name, std::string RopeTensorNames::*member, const char* help) {
  return {{.name = name, .value = "NAME", .help = help},
          [=](RopeArguments& a, const std::string& text) -> Result<void> {
            if (text.empty()) return refusedOption(name, text, "a tensor of FILE");
            a.names.*member = text;
            return {};
          }};
}

OptionTable<RopeArguments> ropeOptions() {
  return {nameOption("--before", &RopeTensorNames::before, "the vectors before the rotation, with --after"),
          nameOption("--after", &RopeTensorNames::after, "the same vectors after it"),
          nameOption("--cos", &RopeTensorNames::cos, "a table of cosines, with --sin"),
          nameOption("--sin", &RopeTensorNames::sin, "a table of sines"),
          {{"--batch", "N", "the sample to read, by default 0"},
           [](RopeArguments& a, const std::string& text) { return readArrayIndex("--batch", a.batch, text); }},
          {{"--layer", "N", "of a capture, the layer to read, by default the first"},
           [](RopeArguments& a, const std::string& text) { return readArrayIndex("--layer", a.layer, text); }},
          {{"--config", "MODEL", "what the tensors are held against: config.json, folder or id of a model"},
           [](RopeArguments& a, const std::string& text) -> Result<void> {
             if (text.empty()) return refusedOption("--config", text, "a config.json, a folder or an id");
             a.config = text;
             return {};
           }},
          jsonOption<RopeArguments>()};
}

Result<RopeArguments> parseRopeArguments(const std::vector<std::string>& arguments) {
  RopeArguments parsed;
  const auto word = [](RopeArguments& a, const std::string& path) -> Result<void> {
    if (path.empty()) return refusedOption("FILE", path, "a file of tensors");
    if (!a.file.empty())
      return invalid("rope expects one FILE, {} and {} were given", shown_path(a.file), shown_path(path));
    a.file = path;
    return {};
  };
  if (auto read = readArguments<RopeArguments>(parsed, arguments, ropeOptions(), word); !read) return read.error();
  if (parsed.help) return parsed;
  if (parsed.file.empty()) return invalid("rope needs a FILE with q and q_rot, k and k_rot, or cos and sin");
  if (parsed.names.before.empty() != parsed.names.after.empty())
    return invalid("--before and --after are given together");
  if (parsed.names.cos.empty() != parsed.names.sin.empty()) return invalid("--cos and --sin are given together");
  if (!parsed.names.cos.empty() && !parsed.names.before.empty())
    return invalid("a rotation is told from --before and --after or from --cos and --sin, not from both");
  if (parsed.layer && !(parsed.names.before.empty() && parsed.names.cos.empty()))
    return invalid("--layer is of a capture, whose tensors have names of their own");
  return parsed;
}

/// What was told, and what it was held against: of a capture by default the config within it.
struct ToldRope {
  WhichRope rope;
  std::string config;  ///< empty: none
  std::vector<std::string> differences = {};
  std::string notCompared = {};  ///< why not with the config of the capture
};

Result<ToldRope> told(const RopeArguments& arguments) {
  std::optional<ConfigReport> config;
  std::string name;
  if (!arguments.config.empty()) {
    auto opened = open_model(arguments.config);
    if (!opened) return opened.error();
    config = std::move(opened->report);
    name = opened->place.name;
  }
  std::error_code ignored;
  const Index batch = arguments.batch.value_or(0);
  std::optional<Result<WhichRope>> rope;
  std::string notCompared;
  if (arguments.layer || std::filesystem::is_directory(arguments.file, ignored)) {
    const auto capture = openedCapture(arguments.file);
    if (!capture) return capture.error();
    rope = which_rope_of_capture(*capture, arguments.layer.value_or(capture->layers.begin()->first), batch);
    if (!config && capture->info.config) {
      auto within = examine_model_config(*capture->info.config);
      if (!within) notCompared = within.error().message;
      if (within) config = std::move(*within), name = "config";
    }
  } else {
    rope = which_rope_of_file(arguments.file, arguments.names, batch);
  }
  if (!*rope) return rope->error();
  ToldRope all{**rope, config ? name : ""};
  all.notCompared = std::move(notCompared);
  if (config) all.differences = differences_from_config(all.rope, *config);
  return all;
}

template <class T>
JsonValue orNull(const std::optional<T>& value) {
  return value ? JsonValue(*value) : JsonValue();
}

JsonObject positionsJson(const WhichRope& rope) {
  const auto& list = rope.positions.front();
  if (rope.counts_on()) return {{"rule", "arange"}, {"first", list.front()}, {"step", Index{1}}, {"list", JsonValue()}};
  JsonObject all{
      {"rule", rope.positions.size() == 3 ? "three_axes" : "irregular"}, {"first", JsonValue()}, {"step", JsonValue()}};
  JsonArray axes;
  for (const auto& axis : rope.positions) axes.emplace_back(axis);
  all["list"] = axes.size() == 1 ? axes.front() : JsonValue(axes);
  return all;
}

std::string asJson(const ToldRope& all) {
  const WhichRope& rope = all.rope;
  JsonObject object{
      {"pair_layout", rope.pair_layout ? JsonValue(name_of(*rope.pair_layout)) : JsonValue()},
      {"rotary_dim", orNull(rope.rotary_dim)},
      {"head_dim", orNull(rope.head_dim)},
      {"rope_type", orNull(rope.rope_type)},
      {"rope_theta", orNull(rope.rope_theta)},
      {"factor", orNull(rope.factor)},
      {"original_max_position_embeddings", orNull(rope.original_max_position_embeddings)},
      {"attention_factor", rope.attention_factor},
      {"positions", positionsJson(rope)},
      {"inv_freq", rope.inv_freq},
      {"cast", rope.cast ? JsonValue(JsonObject{{"what", rope.cast->what}, {"dtype", rope.cast->dtype}}) : JsonValue()},
      {"residual", rope.residual},
      {"sentence", rope_sentence(rope)},
      {"undetermined", rope.undetermined}};
  if (!all.config.empty())
    object["config"] =
        JsonObject{{"name", all.config}, {"agrees", all.differences.empty()}, {"differences", all.differences}};
  return indented_json(object);
}

std::string asText(const ToldRope& all) {
  const WhichRope& rope = all.rope;
  std::string text = rope_sentence(rope) + "\n";
  if (!rope.undetermined.empty()) {
    text += "not told by these tensors: ";
    for (std::size_t i = 0; i < rope.undetermined.size(); ++i) text += (i > 0 ? ", " : "") + rope.undetermined[i];
    text += "\n";
  }
  text += "config: " + rope_parameters_text(rope) + "\n";
  if (!all.config.empty() && all.differences.empty()) text += all.config + ": the tensors turn as it says\n";
  for (const std::string& difference : all.differences) text += all.config + ": " + difference + "\n";
  return text;
}

int runRope(const std::vector<std::string>& arguments) {
  const auto parsed = parseRopeArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(ropeCommand()));
  const auto all = told(*parsed);
  if (!all) return fail(all.error());
  if (!all->notCompared.empty()) noteOfInput("the config of the capture is not compared: " + all->notCompared);
  const int printed = print(parsed->json ? asJson(*all) : asText(*all));
  return printed == 0 && !all->differences.empty() ? 1 : printed;
}

}  // namespace

const Command& ropeCommand() {
  static const Command command{.usage = "rope FILE [--before NAME --after NAME | --cos NAME --sin NAME] [options]",
                               .summary = "which RoPE tensors show: layout, type, theta, factor, positions, a cast",
                               .run = runRope,
                               .about = R"(
FILE holds vectors before and after their rotation (q and q_rot, k and k_rot), or tables cos and sin, as NumPy,
safetensors or torch file; other names by the options. Axes may be [B, H, T, d], [B, T, H, d], [H, T, d], [T, H, d]
or [T, d]; tables are [T, r] or [T, r / 2]. Of a folder that is a capture, a layer is read.

Tells from the numbers alone which two columns are a pair, how many columns turn, the frequency of each pair and the
formula they follow (default, linear, llama3, yarn, proportional, or none, as longrope's), theta, factor and trained
length, the attention factor, the position of each row (three axes under M-RoPE), and whether inv_freq, cos and sin
or the positions were rounded to bfloat16 or float16. What the tensors do not fix is left out and named. NTK at a
fixed length is a default with another theta: both readings are the same numbers. With a config, that of a capture or
by --config, each difference from it is a line: "the tensors turn with theta 10,000, the config says 500,000".
)",
                               .ending = R"(
Exit status: 0 told; 1 the config says otherwise; 2 no such file, or no rotation, with one line on stderr.

Examples: vqscope rope layer_0.safetensors
          vqscope rope dump.npz --before query --after query_rotated --json
          vqscope rope tables.npz --cos cos_cached --sin sin_cached
          vqscope rope capture --layer 3 --config model/config.json
)",
                               .options = [] { return linesOf(ropeOptions()); }};
  return command;
}

}  // namespace vqscope
