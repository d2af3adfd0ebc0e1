// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/option_table.h"
#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/capture/rope/rope_file.h"
#include "core/capture/rope/rope_sentence.h"
#include "core/io/json/json_value.h"

namespace vqscope {
namespace {

struct RopeArguments {
  bool help = false;
  bool json = false;
  std::string file;
  RopeTensorNames names;
  std::optional<Index> batch;
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
  return parsed;
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

std::string asJson(const WhichRope& rope) {
  return indented_json(JsonObject{
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
      {"undetermined", rope.undetermined}});
}

std::string asText(const WhichRope& rope) {
  std::string text = rope_sentence(rope) + "\n";
  if (!rope.undetermined.empty()) {
    text += "not told by these tensors: ";
    for (std::size_t i = 0; i < rope.undetermined.size(); ++i) text += (i > 0 ? ", " : "") + rope.undetermined[i];
    text += "\n";
  }
  return text + "config: " + rope_parameters_text(rope) + "\n";
}

int runRope(const std::vector<std::string>& arguments) {
  const auto parsed = parseRopeArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(ropeCommand()));
  const auto rope = which_rope_of_file(parsed->file, parsed->names, parsed->batch.value_or(0));
  if (!rope) return fail(rope.error());
  return print(parsed->json ? asJson(*rope) : asText(*rope));
}

}  // namespace

const Command& ropeCommand() {
  static const Command command{.usage = "rope FILE [--before NAME --after NAME | --cos NAME --sin NAME] [options]",
                               .summary = "which RoPE tensors show: layout, type, theta, factor, positions, a cast",
                               .run = runRope,
                               .about = R"(
FILE holds vectors before and after their rotation (q and q_rot, k and k_rot), or tables cos and sin, as NumPy,
safetensors or torch file; other names by the options. Axes may be [B, H, T, d], [B, T, H, d], [H, T, d], [T, H, d]
or [T, d]; tables are [T, r] or [T, r / 2].

Tells from the numbers alone which two columns are a pair, how many columns turn, the frequency of each pair and the
formula they follow (default, linear, llama3, yarn, proportional, or none, as longrope's), theta, factor and trained
length, the attention factor, the position of each row (three axes under M-RoPE), and whether inv_freq or cos and sin
were rounded to bfloat16 or float16. What the tensors do not fix is left out and named. NTK at a fixed length is a
default with another theta: both readings are the same numbers.
)",
                               .ending = R"(
Exit status: 0 told; 2 no such file, or no rotation, with one line on stderr.

Examples: vqscope rope layer_0.safetensors
          vqscope rope dump.npz --before query --after query_rotated --json
          vqscope rope tables.npz --cos cos_cached --sin sin_cached
)",
                               .options = [] { return linesOf(ropeOptions()); }};
  return command;
}

}  // namespace vqscope
