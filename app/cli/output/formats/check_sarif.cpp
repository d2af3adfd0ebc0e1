// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/formats/check_formats.h"

#include "core/base/sentence.h"
#include "core/io/bytes/uri_text.h"
#include "core/io/json/json_value.h"
#include "core/lint/finding_text.h"

#include <algorithm>

namespace vqscope {
namespace {

JsonObject message(const std::string& text) { return {{"text", text}}; }

/// A relative reference or a file URI (RFC 3986).
std::string uriOf(const std::string& path) { return (path.starts_with('/') ? "file://" : "") + uri_text(path); }

JsonArray rulesToSarif() {
  JsonArray rules;
  for (const LintRuleInfo& rule : lint_rules())
    rules.push_back(JsonObject{{"id", rule.id},
                               {"shortDescription", message(rule.title)},
                               {"fullDescription", message(rule.checks)},
                               {"help", message("Source: " + rule.source)}});
  return rules;
}

/// "query 3, key 4".
std::string cellOf(const Finding& finding) {
  std::string cell;
  if (finding.row) cell = fmt::format("query {}", *finding.row);
  if (finding.key) cell += fmt::format("{}key {}", cell.empty() ? "" : ", ", *finding.key);
  return cell;
}

JsonArray locationsOf(const Finding& finding, const CheckResult& result) {
  JsonObject location;
  if (!result.file.path.empty()) {
    JsonObject physical{{"artifactLocation", JsonObject{{"uri", uriOf(result.file.path)}}}};
    if (const auto place = placeOf(finding, result.output, result.file); place.line > 0)
      physical["region"] = JsonObject{{"startLine", place.line}, {"startColumn", place.column}};
    location["physicalLocation"] = physical;
  }
  if (const std::string cell = sample_of(finding) + cellOf(finding); !cell.empty())
    location["logicalLocations"] = JsonArray{JsonObject{{"fullyQualifiedName", cell}, {"kind", "element"}}};
  return location.empty() ? JsonArray() : JsonArray{location};
}

JsonObject resultToSarif(const Finding& finding, const CheckResult& result, const char* state) {
  const bool isQuestion = finding.severity == Severity::question;
  JsonObject json{{"ruleId", finding.rule},
                  {"level", isQuestion ? "none" : severity_word(finding.severity)},
                  {"kind", isQuestion ? "open" : "fail"},
                  {"message", message(sample_of(finding) + finding.sentence)},
                  {"locations", locationsOf(finding, result)},
                  {"partialFingerprints", JsonObject{{"vqscope/v1", fingerprintOf(finding, result.file)}}}};
  const auto rules = lint_rules();
  const auto rule = std::ranges::find(rules, finding.rule, &LintRuleInfo::id);
  if (rule != rules.end()) json["ruleIndex"] = rule - rules.begin();
  if (!result.baseline.empty()) json["baselineState"] = state;
  return json;
}

}  // namespace

std::string checkAsSarif(const CheckResult& result) {
  const LintReport& report = result.report;
  JsonArray results;
  for (const auto& all : {report.findings, report.questions})
    for (const Finding& finding : all) results.push_back(resultToSarif(finding, result, "new"));
  for (const Finding& finding : result.known) results.push_back(resultToSarif(finding, result, "unchanged"));
  const JsonObject driver{{"name", "VQScope"}, {"version", VQSCOPE_VERSION}, {"rules", rulesToSarif()}};
  const JsonObject run{{"tool", JsonObject{{"driver", driver}}},
                       {"columnKind", "unicodeCodePoints"},
                       {"invocations", JsonArray{JsonObject{{"executionSuccessful", report.complete}}}},
                       {"results", results}};
  return indented_json(JsonObject{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", JsonArray{run}}});
}

}  // namespace vqscope
