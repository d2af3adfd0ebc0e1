// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/checks/check_words.h"

#include "widgets/parts/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace vqscope {
namespace {

QString checkText(const char* words) { return QCoreApplication::translate("checks", words); }

LintRuleInfo infoOf(const std::string& rule) {
  const auto rules = lint_rules();
  return *std::ranges::find(rules, rule, &LintRuleInfo::id);
}

/// "2 errors, 1 warning", and the progress of a check that was stopped.
QString countsOf(const LintReport& report) {
  const std::string summary = report.summary();
  return text(report.complete ? summary.substr(0, summary.find(';')) : summary);
}

/// Names what a check without findings has not decided.
QString missingInputs(std::size_t count) {
  if (count == 0) return {};
  return QLatin1Char(' ') +
         (count == 1 ? checkText("One input is missing.") : checkText("%1 inputs are missing.").arg(count));
}

/// What differs between the masks of a file.
QString nounOf(const BatchOverview& batch) {
  return batch.samples > 1 || batch.heads == 1 ? checkText("sample") : checkText("head");
}

/// "3 samples", "4 heads", "3 samples and 4 heads".
QString sizeOf(const BatchOverview& batch) {
  QStringList parts;
  if (batch.samples > 1) parts << checkText("%1 samples").arg(batch.samples);
  if (batch.heads > 1) parts << checkText("%1 heads").arg(batch.heads);
  return parts.join(checkText(" and "));
}

/// Without findings: of the mask alone, or of all samples of its file.
QString verdictOf(const CheckState& state) {
  const BatchOverview& batch = state.batch;
  const bool isSeveral = batch.samples * batch.heads > 1;
  const QString objective = text(objective_name(state.given.objective));
  if (isSeveral && batch.looks)
    return checkText("No rule is broken in any of %1 (objective: %2).").arg(sizeOf(batch), objective);
  if (isSeveral && !batch.problem.empty())
    return checkText("No rule is broken in this %1. The others are not checked: %2")
        .arg(nounOf(batch), text(batch.problem));
  if (isSeveral)
    return checkText("No rule is broken in this %1. All %2 are being checked.").arg(nounOf(batch), sizeOf(batch));
  if (state.given.file && state.given.file->masks > 1)
    return checkText("No rule is broken in this mask, one of %1 of its file.").arg(state.given.file->masks);
  return checkText("No rule is broken (objective: %1).").arg(objective);
}

QString wordsOf(const CheckState& state) {
  const auto own = state.report.findings.size(), others = state.elsewhere.size();
  const auto questions = state.report.questions.size() + state.questionsElsewhere;
  if (own + others == 0) return verdictOf(state) + missingInputs(questions);
  const QString noun = nounOf(state.batch);
  QString found = own > 0 ? countsOf(state.report) : checkText("No rule is broken in this %1").arg(noun);
  if (others == 1) found += checkText("; one finding in other %1s").arg(noun);
  if (others > 1) found += checkText("; %1 findings in other %2s").arg(others).arg(noun);
  return own == 0 && questions > 0 ? found + QLatin1Char('.') + missingInputs(questions) : found;
}

}  // namespace

QString titleOfRule(const std::string& rule) {
  return rule == unchecked_rule ? checkText("Not checked") : text(infoOf(rule).title);
}

Headline headlineOf(const CheckState& state) {
  const auto isError = [](const Finding& finding) { return finding.severity == Severity::error; };
  const QString words = wordsOf(state);
  if (std::ranges::any_of(state.report.findings, isError) || std::ranges::any_of(state.elsewhere, isError))
    return {QStringLiteral("✕ ") + words, "finding-error"};
  if (!state.report.findings.empty() || !state.elsewhere.empty())
    return {QStringLiteral("▲ ") + words, "finding-warning"};
  if (state.report.questions.size() + state.questionsElsewhere > 0) return {QStringLiteral("? ") + words, "secondary"};
  // No tick for samples that are not checked yet.
  const bool isPart = state.given.file && state.given.file->masks > 1;
  const bool isSeveral = isPart || state.batch.samples * state.batch.heads > 1;
  if (isSeveral && !state.batch.looks) return {words, "secondary"};
  return {QStringLiteral("✓ ") + words, "good"};
}

RuleLines linesOfRules(const LintReport& report) {
  RuleLines lines;
  for (const auto& outcome : report.outcomes) {
    const bool isBroken = std::ranges::count(report.findings, outcome.rule, &Finding::rule) > 0 ||
                          std::ranges::count(report.questions, outcome.rule, &Finding::rule) > 0;
    const LintRuleInfo info = infoOf(outcome.rule);
    if (outcome.skipped.empty() && !isBroken) lines.kept << QStringLiteral("✓ ") + text(info.checks);
    if (!outcome.skipped.empty())
      lines.skipped << QStringLiteral("· %1: %2").arg(text(info.title), text(outcome.skipped));
  }
  return lines;
}

}  // namespace vqscope
