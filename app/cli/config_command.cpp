// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/option_table.h"
#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/config/compare/compare.h"
#include "core/config/config_text.h"
#include "core/config/model_config.h"
#include "core/config/model_values.h"
#include "core/config/report/report_output.h"
#include "core/io/bytes/path_text.h"
#include "core/method/value_json.h"

namespace vqscope {
namespace {

struct ConfigArguments {
  bool help = false;
  bool json = false;
  std::vector<std::string> files;
};

OptionTable<ConfigArguments> configOptions() { return {jsonOption<ConfigArguments>()}; }

Result<void> readFile(ConfigArguments& arguments, const std::string& path) {
  if (path.empty())
    return refusedOption(
        "MODEL", path, "a config.json, params.json or GGUF file, a model's folder, ORG/NAME, or - for standard input");
  if (arguments.files.size() == 2)
    return invalid("config expects one or two models, {}, {} and {} were given", shown_path(arguments.files[0]),
                   shown_path(arguments.files[1]), shown_path(path));
  arguments.files.push_back(path);
  return {};
}

Result<ConfigArguments> parseConfigArguments(const std::vector<std::string>& arguments) {
  ConfigArguments parsed;
  if (auto read = readArguments<ConfigArguments>(parsed, arguments, configOptions(), readFile); !read)
    return read.error();
  if (!parsed.help && parsed.files.empty()) return invalid("config needs a MODEL, or - for standard input");
  if (parsed.files.size() == 2 && parsed.files[0] == "-" && parsed.files[1] == "-")
    return invalid("standard input can be one of the two models only");
  return parsed;
}

JsonObject configToJson(const ConfigFinding& finding) {
  return {{"severity", severity_name(finding.severity)},
          {"path", finding.path},
          {"line", finding.place.line},
          {"column", finding.place.column},
          {"message", finding.sentence}};
}

JsonObject configToJson(const ConfigKey& key) {
  return {{"path", key.path},
          {"line", key.place.line},
          {"value", key.value},
          {"use", key_use_name(key.use)},
          {"note", key.note}};
}

JsonObject configToJson(const ConfigPair& pair) {
  return {{"inv_freq", pair.inv_freq},         {"plain_inv_freq", pair.plain_inv_freq},
          {"wavelength", pair.wavelength},     {"trained_turns", pair.trained_turns},
          {"served_turns", pair.served_turns}, {"fate", fate_name(pair.fate)}};
}

JsonObject configToJson(const RopeImplementation& each) {
  return {{"name", each.name},
          {"rule", each.rule},
          {"seq_len", each.seq_len},
          {"attention_factor", each.attention_factor},
          {"softmax_factor", each.softmax_factor},
          {"logit_factor", each.logit_factor()},
          {"differing_pair", each.differing_pair ? JsonValue(*each.differing_pair) : JsonValue()},
          {"ratio", each.ratio},
          {"inv_freq", each.inv_freq}};
}

JsonObject configToJson(const LayerKind& kind) {
  return {{"name", kind.name},
          {"count", kind.count},
          {"window", kind.window > 0 ? JsonValue(kind.window) : JsonValue()},
          {"two_sided", kind.two_sided},
          {"rope", kind.rope},
          {"attention", name_of(kind.attention)},
          {"topk", kind.topk > 0 ? JsonValue(kind.topk) : JsonValue()},
          {"compress_ratio", kind.compress_ratio > 0 ? JsonValue(kind.compress_ratio) : JsonValue()}};
}

JsonObject configToJson(const PositionTable& table) {
  return {{"key", table.key}, {"positions", table.length}, {"learned", table.learned}};
}

JsonObject configToJson(const ConfigView& view) {
  return {{"title", view.title}, {"method", view.method}, {"parameters", json_of(view.values)}};
}

JsonObject configToJson(const RopeUse& use);

JsonObject configToJson(const ReaderCell& cell) {
  return {{"value", cell.value},
          {"differs", cell.differs},
          {"consequence", cell.differs ? JsonValue(cell.consequence) : JsonValue()}};
}

JsonObject configToJson(const ReaderRow& row);

JsonObject configToJson(const ConfigDifference& each) {
  return {{"fact", each.fact}, {"a", each.a}, {"b", each.b}, {"meaning", each.meaning}, {"weight", Index{each.weight}}};
}

template <class T>
JsonArray arrayOf(const std::vector<T>& items) {
  JsonArray array;
  for (const auto& item : items) array.push_back(configToJson(item));
  return array;
}

JsonObject configToJson(const ReaderRow& row) {
  return {{"fact", row.fact}, {"layers", row.layers}, {"cells", arrayOf(row.cells)}};
}

JsonObject configToJson(const RopeUse& use) {
  const auto axes = use.axis_names();
  return {{"layers", use.layers},
          {"path", use.path},
          {"rope_type", use.rope_type},
          {"rope_theta", use.rope_theta},
          {"factor", rope_type(use.scaling.rope_type).reads("factor") ? JsonValue(use.scaling.factor) : JsonValue()},
          {"head_dim", use.scaling.head_dim},
          {"rotary_dim", use.scaling.rotated()},
          {"pair_layout", order_of(use.pair_layout())},
          {"pairs_apart", pairs_apart(use.scaling.pairs(), use.pair_layout(), use.scaling.head_dim)},
          {"mrope_section", use.mrope_section},
          {"xdrope_section", use.xdrope_section},
          {"mrope_axes", JsonArray(axes.begin(), axes.end())},
          {"mrope_interleaved", use.mrope_interleaved},
          {"max_position_embeddings", use.max_position_embeddings},
          {"seq_len", use.seq_len},
          {"trained_length", use.scaling.original_max_position_embeddings},
          {"kept", use.count(PairFate::kept)},
          {"blended", use.count(PairFate::blended)},
          {"scaled", use.count(PairFate::scaled)},
          {"attention_factor", use.attention_factor},
          {"softmax_factor", use.softmax_factor},
          {"logit_factor", use.logit_factor()},
          {"pairs", arrayOf(use.pairs)},
          {"implementations", arrayOf(use.implementations)}};
}

JsonValue checkpointJson(const Checkpoint& checkpoint) {
  if (checkpoint.is_empty()) return {};
  return JsonObject{{"files", checkpoint.files},
                    {"missing", checkpoint.missing},
                    {"unread", checkpoint.unread},
                    {"damaged", checkpoint.problems},
                    {"tensors", std::ssize(checkpoint.tensors)}};
}

std::string configAsJson(const OpenedConfig& opened) {
  const ConfigReport& report = opened.report;
  ConfigReport shown = report;
  const auto leftOut = shorten_lists(shown);
  const JsonObject all{
      {"name", opened.place.name},
      {"file", opened.place.file},
      {"checkpoint", checkpointJson(opened.checkpoint)},
      {"kind", kind_name(report.kind)},
      {"model_type", report.model_type},
      {"summary", report.summary},
      {"findings", arrayOf(shown.findings)},
      {"ropes", arrayOf(shown.ropes)},
      {"layers", arrayOf(shown.layers)},
      {"tables", arrayOf(report.tables)},
      {"views", arrayOf(shown.views)},
      {"readers", JsonObject{{"names", JsonArray(report.readers.readers.begin(), report.readers.readers.end())},
                             {"facts", arrayOf(shown.readers.rows)}}},
      {"keys", arrayOf(shown.keys)},
      {"left_out", JsonArray(leftOut.begin(), leftOut.end())},
      {"schedule", schedule_json(shown.schedule)},
      {"cache", cache_json(report)},
      {"num_heads", report.heads > 0 ? JsonValue(report.heads) : JsonValue()},
      {"model_values", json_of(model_values(report))},
      {"dual_chunk_attention_config", dual_chunk_json(report.dual_chunk)},
      {"logn_length", report.logn_length > 0 ? JsonValue(report.logn_length) : JsonValue()},
      {"dynamic_ntk_length", report.dynamic_ntk_length > 0 ? JsonValue(report.dynamic_ntk_length) : JsonValue()}};
  return indented_json(all);
}

/// What the two were given as, unless both look alike.
std::pair<std::string, std::string> labelsOf(const ConfigArguments& arguments,
                                             const std::vector<OpenedConfig>& models) {
  std::pair labels(shown_path(arguments.files[0]), shown_path(arguments.files[1]));
  const bool same = labels.first == labels.second && arguments.files[0] != arguments.files[1];
  return same ? told_apart(models[0].place, models[1].place) : labels;
}

int runComparison(const ConfigArguments& arguments) {
  std::vector<OpenedConfig> models;
  for (const std::string& file : arguments.files) {
    auto model = open_model(file);
    if (!model) return fail(model.error());
    models.push_back(std::move(*model));
  }
  const auto& [a, b] = labelsOf(arguments, models);
  const auto [nameOfA, nameOfB] = told_apart(models[0].place, models[1].place);
  const auto differences = compare_configs(models[0].report, models[1].report, {nameOfA, nameOfB});
  auto shown = differences;
  const auto leftOut = shorten_differences(shown);
  const JsonObject all{{"a", a},
                       {"b", b},
                       {"file_a", models[0].place.file},
                       {"file_b", models[1].place.file},
                       {"summary_a", models[0].report.summary},
                       {"summary_b", models[1].report.summary},
                       {"same", differences.empty()},
                       {"differences", arrayOf(shown)},
                       {"findings_a", arrayOf(models[0].report.findings)},
                       {"findings_b", arrayOf(models[1].report.findings)},
                       {"left_out", JsonArray(leftOut.begin(), leftOut.end())}};
  const std::string errors = errors_text(a, models[0].report) + errors_text(b, models[1].report);
  const int status = print(arguments.json ? indented_json(all) : comparison_text(a, b, differences, errors));
  if (status != exitDone) return status;
  return differences.empty() && errors.empty() ? exitDone : exitFindings;
}

/// A file that was found by a folder or an id is named first.
std::string textOf(const OpenedConfig& opened) {
  const std::string found =
      opened.place.found ? fmt::format("{}: {}\n", opened.place.name, shown_path(opened.place.file)) : std::string();
  const Checkpoint& checkpoint = opened.checkpoint;
  const std::string weights =
      checkpoint.files.empty() ? std::string()
                               : fmt::format("checkpoint: {} tensors in {} {}\n", checkpoint.tensors.size(),
                                             checkpoint.files.size(), checkpoint.files.size() == 1 ? "file" : "files");
  return found + weights + config_report_text(opened.report);
}

int runConfig(const std::vector<std::string>& arguments) {
  const auto parsed = parseConfigArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(configCommand()));
  if (parsed->files.size() == 2) return runComparison(*parsed);
  const auto opened = open_model(parsed->files.front());
  if (!opened) return fail(opened.error());
  if (const int status = print(parsed->json ? configAsJson(*opened) : textOf(*opened)); status != exitDone)
    return status;
  const ConfigReport& report = opened->report;
  const bool bad = report.count(ConfigSeverity::error) > 0 || report.count(ConfigSeverity::warning) > 0;
  return bad ? exitFindings : exitDone;
}

}  // namespace

const Command& configCommand() {
  static const Command command{.usage = "config MODEL|- [MODEL] [--json]",
                               .summary = "what a model's config means for positions; of two models, what differs",
                               .run = runConfig,
                               .about = R"(
MODEL is a file (config.json, params.json or GGUF), a model's folder, a folder models--ORG--NAME or a snapshot of a hub
cache, or ORG/NAME or ORG/NAME@REVISION (a branch, a tag, a commit or the beginning of one) in that cache: HF_HUB_CACHE,
else HF_HOME/hub, else ~/.cache/huggingface/hub; then TRANSFORMERS_CACHE. Nothing is downloaded. A path that exists
wins over an id.

Describes how a model encodes positions, from its Hugging Face config.json and the defaults of its model_type, from
Mistral's or Meta's params.json, or from the head of a GGUF file: encoding, windows and layers without positions; for
RoPE the frequency, wavelength and turns of every pair, whether the pair is kept, blended or scaled, and the attention
factor; what Hugging Face 4 and 5, vLLM, SGLang and llama.cpp each use of the config, and what follows where they
differ; and keys that are ignored, misspelt or contradict each other. Names and shapes of the weights beside a
config.json (the heads of safetensors files and their index), or those of the tensors of a GGUF file, are held against
it: heads, layers, vocabulary, tied embeddings. With two models, prints what differs in meaning (the same angles written
with other keys are no difference), then the errors of each.
)",
                               .ending = R"(
Exit status: 0 clean, notes allowed; 1 errors or warnings; 2 no such model or not a config, with one line on stderr.
With two models: 0 no difference in meaning and no error; 1 differences or errors.

Examples: vqscope config Llama-3.1-8B/config.json
          vqscope config model.gguf
          vqscope config mistralai/Mistral-7B-v0.3
          vqscope config before/config.json after/config.json
)",
                               .options = [] { return linesOf(configOptions()); }};
  return command;
}

}  // namespace vqscope
