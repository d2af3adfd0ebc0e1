// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "core/lint/lint.h"
#include "core/mask/methods.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/method_list.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace vqscope::test {

/// name=value pairs of `visibility` and of the lint settings, as on the command line; a text makes
/// the mask custom.
struct Stated {
  ParameterValues preset = default_values(find_method(mask_methods(), "visibility")->parameters);
  ParameterValues lint = default_values(lint_parameters());

  explicit Stated(std::string_view settings, const std::string& text = {}) {
    if (!text.empty()) {
      preset.set("mask", std::string(text_mask_id));
      preset.set("mask_text", text);
      preset = completed_values(parameters_of(*find_method(mask_methods(), "visibility"), preset), preset);
    }
    for (const auto setting : split(settings, ' '))
      if (!setting.empty()) set(setting.substr(0, setting.find('=')), setting.substr(setting.find('=') + 1));
  }
  Result<LintCase> made() const {
    auto base = lint_case(preset);
    return base ? lint_case(*base, lint) : base;
  }

 private:
  /// Shared names set the mask if it uses them.
  void set(std::string_view name, std::string_view value) {
    const auto specs = lint_parameters();
    const auto* own = find_spec(specs, name);
    const auto* mask = find_spec(find_method(mask_methods(), "visibility")->parameters, name);
    const bool of_mask = mask && (!own || is_relevant(*mask, preset));
    const auto& spec = of_mask ? *mask : *own;
    (of_mask ? preset : lint).set(spec.name, *parse_value(spec, value));
  }
};

/// A mask given cell by cell, without bands.
class DrawnMask : public Mask {
 public:
  DrawnMask(Extent extent, std::function<bool(Index, Index)> visible)
      : m_extent(extent), m_visible(std::move(visible)) {}
  Extent extent() const override { return m_extent; }
  std::vector<std::string> terms() const override { return {"drawn"}; }
  std::optional<std::size_t> failing_term(Index q, Index kv) const override {
    return m_visible(q, kv) ? std::nullopt : std::optional<std::size_t>(0);
  }
  std::string why(Index, Index) const override { return {}; }
  void verdicts(Index, Index, std::vector<Verdict>& out) const override { out.clear(); }
  std::vector<std::pair<std::string, std::string>> facts(Index, Index) const override { return {}; }
  void row(Index q, std::vector<Range>& out) const override {
    out.clear();
    for (Index kv = 0; kv < m_extent.cols; ++kv) {
      if (!m_visible(q, kv)) continue;
      if (!out.empty() && out.back().end == kv)
        ++out.back().end;
      else
        out.push_back({kv, kv + 1});
    }
  }
  std::span<const Band> term_bands(std::size_t, Range rows, std::vector<Band>& scratch) const override {
    return bands(rows, scratch);
  }

 private:
  Extent m_extent;
  std::function<bool(Index, Index)> m_visible;
};

/// One line a finding: "error future_visible (0, 1) 28 cells: sentence".
inline std::string line(const Finding& finding) {
  const auto index = [](const std::optional<Index>& value) { return value ? to_text(*value) : std::string("-"); };
  return std::string(finding.severity == Severity::error ? "error " : "warning ") + finding.rule + " (" +
         index(finding.row) + ", " + index(finding.key) + ") " + std::to_string(finding.count) + " " + finding.unit +
         ": " + finding.sentence;
}

inline std::string lines(const LintReport& report) {
  std::string text;
  for (const auto& finding : report.findings) text += (text.empty() ? "" : "\n") + line(finding);
  return text;
}

/// Findings of a report, then its questions, a line each: "window_off asks: ...".
inline std::string findings_and_questions(const LintReport& report) {
  std::string out = lines(report);
  for (const auto& question : report.questions)
    out += (out.empty() ? "" : "\n") + question.rule + " asks: " + question.sentence;
  return out;
}

/// The same of all rules for a set-up, or why it is none.
inline std::string all_findings(std::string_view settings, const std::string& text = {}) {
  const auto given = Stated(settings, text).made();
  return given ? findings_and_questions(lint_mask(*given)) : given.error().message;
}

/// Output of one rule for a set-up: findings, a line each; "asks: " a question; "skipped: " a
/// reason.
inline std::string rule_findings(const char* rule, std::string_view settings, const std::string& text = {}) {
  const auto given = Stated(settings, text).made();
  if (!given) return given.error().message;
  const auto report = lint_mask(*given, {.rules = {rule}});
  if (const auto& why = report.outcomes.at(0).skipped; !why.empty()) return "skipped: " + why;
  std::string out = lines(report);
  for (const auto& question : report.questions) out += (out.empty() ? "asks: " : "\nasks: ") + question.sentence;
  return out;
}

}  // namespace vqscope::test
