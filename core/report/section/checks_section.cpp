// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/report/section/shown.h"

#include <algorithm>

namespace vqscope {
namespace {

const char* word(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::question: break;
  }
  return "question";
}

/// "First at query 12, key 8; 128 cells in all."
std::string place_of(const Finding& finding) {
  std::string place;
  if (finding.row) place = fmt::format("First at query {}", *finding.row);
  if (finding.row && finding.key) place += fmt::format(", key {}", *finding.key);
  if (!finding.unit.empty())
    place += fmt::format("{}{} {} in all", place.empty() ? "" : "; ", grouped_count(finding.count), finding.unit);
  return place.empty() ? place : place + ".";
}

ReportFinding block_of(const Finding& finding) {
  static const auto rules = lint_rules();
  const auto rule = std::ranges::find(rules, finding.rule, &LintRuleInfo::id);
  const bool is_known = rule != rules.end();
  ReportFinding block{.severity = word(finding.severity), .title = is_known ? rule->title : finding.rule};
  const std::string place = place_of(finding);
  block.sentence = finding.sentence + "." + (place.empty() ? "" : " " + place);
  if (is_known) block.rule = rule->checks;
  return block;
}

ReportTable expectations_of(const ReportShown& shown) {
  ReportTable table{.caption = "What the mask was held against", .headings = {"Expected", "Value", "Meaning"}};
  table.rows.push_back({{"objective", CellTone::heading},
                        {objective_text(*shown.expected)},
                        {"What the model predicts, which determines the keys that a query may see."}});
  for (const auto& spec : lint_parameters()) {
    const ParameterValue* value = shown.page.lint.find(spec.name);
    if (spec.name != "objective" && value && *value != spec.default_value)
      table.rows.push_back({{spec.name, CellTone::heading}, {short_text(*value)}, {spec.help}});
  }
  return table;
}

}  // namespace

ReportSection checks_section(const ReportShown& shown) {
  ReportSection section{.title = "Checks"};
  section.add(ReportText{fmt::format("{}.", shown.checks.summary())});
  for (const auto* all : {&shown.checks.findings, &shown.checks.questions})
    for (const auto& finding : *all) section.add(block_of(finding));
  section.add(expectations_of(shown));
  return section;
}

}  // namespace vqscope
