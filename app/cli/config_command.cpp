// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/config_command.h"

#include "app/cli/arguments/option_table.h"
#include "app/process/console.h"
#include "core/config/config_text.h"
#include "widgets/import/config_file.h"
#include "widgets/parts/file_name.h"
#include "widgets/session/json_reading.h"
#include "widgets/session/parameter_json.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace vqscope {
namespace {

struct ConfigArguments {
  bool help = false;
  bool json = false;
  QString file;
};

const OptionTable<ConfigArguments>& options() {
  static const OptionTable<ConfigArguments> all{jsonOption<ConfigArguments>()};
  return all;
}

Result<void> readFile(ConfigArguments& arguments, const QString& path) {
  if (path.isEmpty()) return refusedOption("FILE", path, "a config.json, or - for standard input");
  if (!arguments.file.isEmpty())
    return invalid("config takes one FILE, " + shownPath(arguments.file) + " and " + shownPath(path) + " were given");
  arguments.file = path;
  return {};
}

Result<ConfigArguments> parseArguments(const QStringList& arguments) {
  ConfigArguments parsed;
  if (auto read = readArguments<ConfigArguments>(parsed, arguments, options(), readFile); !read) return read.error();
  if (!parsed.help && parsed.file.isEmpty()) return invalid("config needs a FILE, or - for standard input");
  return parsed;
}

QJsonObject toJson(const ConfigFinding& finding) {
  return {{"severity", jsonText(severity_name(finding.severity))},
          {"path", jsonText(finding.path)},
          {"line", finding.place.line},
          {"column", finding.place.column},
          {"message", jsonText(finding.sentence)}};
}

QJsonObject toJson(const ConfigKey& key) {
  return {{"path", jsonText(key.path)},
          {"line", key.place.line},
          {"value", jsonText(key.value)},
          {"use", jsonText(key_use_name(key.use))},
          {"note", jsonText(key.note)}};
}

QJsonObject toJson(const ConfigPair& pair) {
  return {{"inv_freq", pair.inv_freq},         {"plain_inv_freq", pair.plain_inv_freq},
          {"wavelength", pair.wavelength},     {"trained_turns", pair.trained_turns},
          {"served_turns", pair.served_turns}, {"fate", jsonText(fate_name(pair.fate))}};
}

QJsonObject toJson(const RopeImplementation& each) {
  QJsonArray frequencies;
  for (const double inv_freq : each.inv_freq) frequencies.append(inv_freq);
  return {{"name", jsonText(each.name)},
          {"rule", jsonText(each.rule)},
          {"seq_len", qint64{each.seq_len}},
          {"attention_factor", each.attention_factor},
          {"softmax_factor", each.softmax_factor},
          {"logit_factor", each.logit_factor()},
          {"differing_pair", each.differing_pair ? QJsonValue(qint64{*each.differing_pair}) : QJsonValue()},
          {"ratio", each.ratio},
          {"inv_freq", frequencies}};
}

QJsonObject toJson(const LayerKind& kind) {
  return {{"name", jsonText(kind.name)},
          {"count", qint64{kind.count}},
          {"window", kind.window > 0 ? QJsonValue(qint64{kind.window}) : QJsonValue()},
          {"two_sided", kind.two_sided},
          {"rope", kind.rope}};
}

QJsonObject toJson(const PositionTable& table) {
  return {{"key", jsonText(table.key)}, {"positions", qint64{table.length}}, {"learned", table.learned}};
}

QJsonObject toJson(const ConfigView& view) {
  return {
      {"title", jsonText(view.title)}, {"method", jsonText(view.method)}, {"parameters", valuesToJson(view.values)}};
}

QJsonObject toJson(const RopeUse& use);

template <class T>
QJsonArray arrayOf(const std::vector<T>& items) {
  QJsonArray array;
  for (const auto& item : items) array.append(toJson(item));
  return array;
}

QJsonObject toJson(const RopeUse& use) {
  QJsonArray sections;
  for (const double each : use.mrope_section) sections.append(each);
  return {{"layers", jsonText(use.layers)},
          {"path", jsonText(use.path)},
          {"rope_type", jsonText(use.rope_type)},
          {"rope_theta", use.rope_theta},
          {"factor", rope_type(use.scaling.rope_type).reads("factor") ? QJsonValue(use.scaling.factor) : QJsonValue()},
          {"head_dim", qint64{use.scaling.head_dim}},
          {"rotary_dim", qint64{use.scaling.rotated()}},
          {"pair_layout", use.interleaved ? "interleaved" : "half_split"},
          {"mrope_section", sections},
          {"mrope_interleaved", use.mrope_interleaved},
          {"max_position_embeddings", qint64{use.max_position_embeddings}},
          {"seq_len", qint64{use.seq_len}},
          {"trained_length", qint64{use.scaling.original_max_position_embeddings}},
          {"kept", qint64{use.count(PairFate::kept)}},
          {"blended", qint64{use.count(PairFate::blended)}},
          {"scaled", qint64{use.count(PairFate::scaled)}},
          {"attention_factor", use.attention_factor},
          {"softmax_factor", use.softmax_factor},
          {"logit_factor", use.logit_factor()},
          {"pairs", arrayOf(use.pairs)},
          {"implementations", arrayOf(use.implementations)}};
}

std::string asJson(const ConfigReport& report) {
  const QJsonObject all{{"kind", jsonText(kind_name(report.kind))},
                        {"model_type", jsonText(report.model_type)},
                        {"summary", jsonText(report.summary)},
                        {"findings", arrayOf(report.findings)},
                        {"ropes", arrayOf(report.ropes)},
                        {"layers", arrayOf(report.layers)},
                        {"tables", arrayOf(report.tables)},
                        {"views", arrayOf(report.views)},
                        {"keys", arrayOf(report.keys)}};
  return QJsonDocument(all).toJson().toStdString();
}

int run(const QStringList& arguments) {
  const auto parsed = parseArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(configCommand(), options()));
  const auto report = readConfigFile(parsed->file);
  if (!report) return fail(report.error());
  if (const int status = print(parsed->json ? asJson(*report) : config_report_text(*report)); status != exitDone)
    return status;
  const bool bad = report->count(ConfigSeverity::error) > 0 || report->count(ConfigSeverity::warning) > 0;
  return bad ? exitFindings : exitDone;
}

}  // namespace

const Command& configCommand() {
  static const Command command{.usage = "config FILE|- [--json]",
                               .summary = "what a model's config.json means for its position encoding",
                               .run = run,
                               .about = R"(
How a model encodes positions, by its Hugging Face config.json and the defaults of its model_type: encoding, windows and
layers without positions; for RoPE the frequency, wavelength and turns of every pair, which are kept, blended or scaled,
the attention factor, what Hugging Face, vLLM, llama.cpp and the authors' code make of it, and
which keys were read, ignored, misspelt or contradict each other.
)",
                               .ending = R"(
Exit status: 0 clean, notes allowed; 1 errors or warnings; 2 no such file, or no config, with one line on stderr.

Example: vqscope config Llama-3.1-8B/config.json
)"};
  return command;
}

}  // namespace vqscope
