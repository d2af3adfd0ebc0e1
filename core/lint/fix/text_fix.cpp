// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/fix/text_fix.h"

#include "core/base/sentence.h"
#include "core/mask/language/parse/source_error.h"
#include "core/mask/language/parse/source_tokens.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace vqscope {
namespace {

/// Fewer than the programs that are kept, so that the text as it is stays compiled.
constexpr std::size_t most_comparisons = 6;
/// Of one check, so that all of them take no longer than one that goes far.
constexpr Index most_steps_of_a_fix = most_steps_of_an_answer / static_cast<Index>(most_comparisons);

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> turned{
    {{"<=", "<"}, {"<", "<="}, {">=", ">"}, {">", ">="}}};

std::optional<LintReport> report_of(const ParameterValues& values, const ParameterValues& stated, LintOptions options) {
  if (!check_mask_text(values)) return {};
  auto base = lint_case(values);
  if (!base) return {};
  const auto given = stated.map().empty() ? std::move(base) : lint_case(std::move(*base), stated);
  if (!given) return {};
  options.most_steps = most_steps_of_a_fix;
  options.progress = {};
  LintReport report = lint_mask(*given, options);
  return report.complete ? std::optional(std::move(report)) : std::nullopt;
}

/// What is found of each rule.
std::vector<std::string> rules_of(const LintReport& report) {
  std::vector<std::string> rules;
  for (const auto* findings : {&report.findings, &report.questions})
    for (const Finding& finding : *findings) rules.push_back(finding.rule);
  std::ranges::sort(rules);
  return rules;
}

/// The one finding that is gone; null: none, several, or another one has come.
const Finding* mended(const LintReport& before, const LintReport& after) {
  const auto had = rules_of(before), has = rules_of(after);
  if (had.size() != has.size() + 1) return nullptr;
  std::vector<std::string> gone;
  std::ranges::set_difference(had, has, std::back_inserter(gone));
  if (gone.size() != 1) return nullptr;
  for (const auto* findings : {&before.findings, &before.questions})
    for (const Finding& finding : *findings)
      if (finding.rule == gone.front()) return &finding;
  return nullptr;
}

}  // namespace

std::string TextFix::words() const {
  return fmt::format("line {}, column {}: write {} in place of {}", line, column, fix, found);
}

std::optional<TextFix> fix_of_text(const ParameterValues& values, const ParameterValues& stated,
                                   const LintReport& report, const LintOptions& options) {
  const bool has_text = values.find("mask") && values.find("mask_text") && values.choice("mask") == text_mask_id;
  if (!has_text || rules_of(report).empty()) return {};
  const std::string text = values.text("mask_text");
  std::size_t tried = 0;
  for (const SourceToken& token : tokens(text)) {
    const auto begin = static_cast<std::size_t>(token.range.begin);
    const auto size = static_cast<std::size_t>(token.range.size());
    const auto turn = std::ranges::find(turned, std::string_view(text).substr(begin, size),
                                        &std::pair<std::string_view, std::string_view>::first);
    if (token.kind != SourceTokenKind::symbol || turn == turned.end()) continue;
    if (++tried > most_comparisons || options.stop.stop_requested()) return {};
    ParameterValues changed = values;
    std::string mended_text = text;
    mended_text.replace(begin, size, turn->second);
    changed.set("mask_text", mended_text);
    const auto after = report_of(changed, stated, options);
    const Finding* gone = after ? mended(report, *after) : nullptr;
    if (!gone) continue;
    const SourceError place = source_error(text, token.range, {});
    return TextFix{gone->rule,
                   place.line,
                   place.column,
                   std::string(turn->first),
                   std::string(turn->second),
                   gone->sentence,
                   std::move(mended_text)};
  }
  return {};
}

}  // namespace vqscope
