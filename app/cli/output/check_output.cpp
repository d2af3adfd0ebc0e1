// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/check_output.h"

#include "core/base/sentence.h"
#include "core/lint/finding_text.h"
#include "core/mask/import/stored_shape.h"
#include "core/method/value_json.h"

namespace vqscope {
namespace {

/// "; checked 3 of 3 samples; the file has the shape [3, 1, 6, 6], one for all heads" where there are several.
std::string checkedText(const Samples& samples) {
  const auto part = [](Index checked, Index all, const char* noun) -> std::string {
    if (all == 1) return {};
    return fmt::format("; checked {} of {} {}s", checked, all, noun);
  };
  std::string shape = samples.shape.size() < 3 ? "" : "; the file has the shape " + mask_shape_text(samples.shape);
  if (!samples.broadcast.empty()) shape += ", " + samples.broadcast;
  return part(samples.samplesChecked, samples.samples, "sample") + part(samples.headsChecked, samples.heads, "head") +
         shape;
}

JsonValue orNull(const std::optional<Index>& index) { return index ? JsonValue(*index) : JsonValue(); }

/// "  fix: line 4, column 32: write < in place of <=" and "  set: --set window=129", a line each.
std::string remediesOf(const Finding& finding, const std::optional<TextFix>& fix) {
  std::string lines;
  if (fix && fix->mends(finding)) lines += "  fix: " + fix->words() + "\n";
  // Where only the user knows the likeliest answer, the others are no advice.
  if (finding.suggestions.empty() || !finding.suggestions.front().is_complete()) return lines;
  for (const Suggestion& suggestion : finding.suggestions)
    if (suggestion.is_complete()) lines += "  set: " + suggestion.arguments() + "\n";
  return lines;
}

JsonValue fixAsJson(const Finding& finding, const std::optional<TextFix>& fix) {
  if (!fix || !fix->mends(finding)) return {};
  return JsonObject{{"line", fix->line}, {"column", fix->column}, {"found", fix->found}, {"replacement", fix->fix}};
}

JsonObject settingsAsJson(const Suggestion& suggestion) {
  JsonObject settings;
  for (const auto& [name, value] : suggestion.settings) settings[name] = value ? json_of(*value) : JsonValue();
  return settings;
}

JsonObject questionAsJson(const Finding& question, const std::optional<TextFix>& fix) {
  JsonArray alternatives;
  for (std::size_t i = 1; i < question.suggestions.size(); ++i)
    alternatives.push_back(settingsAsJson(question.suggestions[i]));
  return {{"rule", question.rule},
          {"batch", orNull(question.batch)},
          {"head", orNull(question.head)},
          {"row", orNull(question.row)},
          {"key", orNull(question.key)},
          {"message", question.sentence},
          {"settings", question.suggestions.empty() ? JsonObject() : settingsAsJson(question.suggestions.front())},
          {"alternatives", alternatives},
          {"fix", fixAsJson(question, fix)}};
}

}  // namespace

std::string reportAsText(const LintReport& report, const std::optional<TextFix>& fix) {
  std::string text;
  for (const auto& all : {report.findings, report.questions})
    for (const auto& finding : all)
      text += std::string(severity_word(finding.severity)) + ": " + finding.rule + ": " + sample_of(finding) +
              finding.sentence + "\n" + remediesOf(finding, fix);
  return text + report.summary();
}

std::string checkAsText(const CheckOutput& output) {
  const auto& [given, report, samples, fix] = output;
  const std::string assumed = "; the objective is assumed to be " + objective_name(given.objective);
  return reportAsText(report, fix) + checkedText(samples) + (given.objective_assumed ? assumed : "") + "\n";
}

JsonObject reportAsJson(const LintReport& report, const std::optional<TextFix>& fix) {
  JsonArray findings;
  for (const auto& finding : report.findings)
    findings.push_back(JsonObject{{"rule", finding.rule},
                                  {"severity", severity_word(finding.severity)},
                                  {"batch", orNull(finding.batch)},
                                  {"head", orNull(finding.head)},
                                  {"row", orNull(finding.row)},
                                  {"key", orNull(finding.key)},
                                  {"count", finding.count},
                                  {"unit", finding.unit},
                                  {"message", finding.sentence},
                                  {"fix", fixAsJson(finding, fix)}});
  JsonArray rules;
  for (const auto& outcome : report.outcomes)
    rules.push_back(
        JsonObject{{"rule", outcome.rule}, {"asked", outcome.skipped.empty()}, {"reason", outcome.skipped}});
  JsonArray questions;
  for (const auto& question : report.questions) questions.push_back(questionAsJson(question, fix));
  return {{"findings", findings},
          {"questions", questions},
          {"rules", rules},
          {"rows_checked", report.rows_checked},
          {"complete", report.complete},
          {"summary", report.summary()}};
}

JsonObject checkAsJson(const CheckOutput& output) {
  const auto& [given, report, samples, fix] = output;
  JsonObject json = reportAsJson(report, fix);
  json["objective"] = objective_name(given.objective);
  json["objective_assumed"] = given.objective_assumed;
  json["shape"] = JsonArray{given.layout.q_length(), given.layout.kv_length()};
  json["file_shape"] = samples.shape.empty() ? JsonValue() : JsonValue(samples.shape);
  json["broadcast"] = samples.broadcast.empty() ? JsonValue() : JsonValue(samples.broadcast);
  json["different_samples"] = samples.cases.size();
  json["samples"] = samples.samples;
  json["samples_checked"] = samples.samplesChecked;
  json["heads"] = samples.heads;
  json["heads_checked"] = samples.headsChecked;
  return json;
}

}  // namespace vqscope
