// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/lint/finding_text.h"
#include "core/report/section/shown.h"

#include <algorithm>

namespace vqscope {
namespace {

/// "First at query 12, key 8."; the sentence has the count.
std::string place_of(const Finding& finding) {
  if (!finding.row) return {};
  const std::string key = finding.key ? fmt::format(", key {}", *finding.key) : std::string();
  return fmt::format("First at query {}{}.", *finding.row, key);
}

/// What to change in the text, or to set.
std::string fix_of(const ReportShown& shown, const Finding& finding) {
  const auto& fix = shown.fix;
  if (fix && fix->mends(finding)) return fmt::format("In the mask's text, {}.", fix->words());
  std::string all;
  for (const auto& suggestion : finding.suggestions) all += (all.empty() ? "Set " : ", or ") + suggestion.text();
  return all.empty() ? all : all + ".";
}

ReportFinding block_of(const ReportShown& shown, const Finding& finding) {
  static const auto rules = lint_rules();
  const auto rule = std::ranges::find(rules, finding.rule, &LintRuleInfo::id);
  const bool is_known = rule != rules.end();
  ReportFinding block{.severity = severity_word(finding.severity), .title = is_known ? rule->title : finding.rule};
  const std::string place = place_of(finding);
  block.sentence = as_sentence(sample_of(finding) + finding.sentence);
  if (!place.empty()) block.sentence += " " + place;
  if (is_known) block.rule = rule->checks;
  block.fix = fix_of(shown, finding);
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
  section.add(ReportText{as_sentence(shown.checks.summary())});
  for (const auto* all : {&shown.checks.findings, &shown.checks.questions})
    for (const auto& finding : *all) section.add(block_of(shown, finding));
  section.add(expectations_of(shown));
  return section;
}

}  // namespace vqscope
