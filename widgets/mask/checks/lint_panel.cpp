// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/checks/lint_panel.h"

#include "core/base/text.h"
#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "widgets/mask/checks/backend_list.h"
#include "widgets/mask/checks/lint_parts.h"
#include "widgets/mask/source/sample_strip.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/plot/value_summary.h"
#include "widgets/session/workbench.h"
#include "widgets/theme/icons.h"
#include "widgets/view/overlay.h"

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

LintRuleInfo infoOf(const std::string& rule) {
  const auto rules = lint_rules();
  return *std::ranges::find(rules, rule, &LintRuleInfo::id);
}

/// A sample that cannot be checked has no rule.
QString ruleTitle(const std::string& rule) {
  return rule == unchecked_rule ? LintPanel::tr("Not checked") : text(infoOf(rule).title);
}

/// "2 errors, 1 warning", and the progress of a check that was stopped.
QString summaryOf(const LintReport& report) {
  const std::string summary = report.summary();
  return text(report.complete ? summary.substr(0, summary.find(';')) : summary);
}

/// Names what a check without findings has not decided.
QString questionsOf(std::size_t count) {
  if (count == 0) return {};
  return QLatin1Char(' ') +
         (count == 1 ? LintPanel::tr("One input is missing.") : LintPanel::tr("%1 inputs are missing.").arg(count));
}

/// More cards than a user goes through.
constexpr std::ptrdiff_t mostElsewhere = 200;

/// What differs between the masks of a file.
QString nounOf(const BatchOverview& batch) {
  return batch.samples > 1 || batch.heads == 1 ? LintPanel::tr("sample") : LintPanel::tr("head");
}

/// "3 samples", "4 heads", "3 samples and 4 heads".
QString countOf(const BatchOverview& batch) {
  QStringList parts;
  if (batch.samples > 1) parts << LintPanel::tr("%1 samples").arg(batch.samples);
  if (batch.heads > 1) parts << LintPanel::tr("%1 heads").arg(batch.heads);
  return parts.join(LintPanel::tr(" and "));
}

}  // namespace

LintPanel::LintPanel(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      m_workbench(workbench),
      m_pages(new QStackedWidget(this)),
      m_backends(new BackendList),
      m_overlay(new Overlay(m_pages, Overlay::Banner::top)) {
  m_pages->addWidget(scrolled(makeChecks()));
  m_pages->addWidget(scrolled(m_backends));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(makeSegments());
  layout->addWidget(m_pages);
  connect(m_backends, &BackendList::copied, this, &LintPanel::copied);
  connect(m_backends, &BackendList::refused, this, &LintPanel::refused);
  setCase(nullptr);
}

QWidget* LintPanel::makeSegments() {
  auto* around = new QWidget(this);
  auto* margins = new QHBoxLayout(around);
  margins->setContentsMargins(14, 10, 14, 6);
  const Segments segments = segmented({tr("Findings"), tr("Backends")}, around);
  margins->addWidget(segments.frame);
  margins->addStretch(1);
  segments.group->button(0)->setChecked(true);
  connect(segments.group, &QButtonGroup::idClicked, m_pages, &QStackedWidget::setCurrentIndex);
  return around;
}

QWidget* LintPanel::makeChecks() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 4, 0, 12);
  column->setSpacing(6);
  const auto section = [column] {  // the form has margins of its own
    auto* made = new QVBoxLayout;
    made->setContentsMargins(14, 0, 14, 0);
    made->setSpacing(6);
    column->addLayout(made);
    return made;
  };
  auto* above = section();
  auto* top = new QHBoxLayout;
  m_summary = paragraph(content, "secondary");
  top->addWidget(m_summary, 1);
  m_copy = new QToolButton(content);
  m_copy->setIcon(icon("copy"));
  m_copy->setToolTip(tr("Copy the command that runs this check"));
  m_copy->setAccessibleName(m_copy->toolTip());
  connect(m_copy, &QToolButton::clicked, this, &LintPanel::copyCommandLine);
  top->addWidget(m_copy, 0, Qt::AlignTop);
  above->addLayout(top);
  m_objective = paragraph(content, "secondary");
  above->addWidget(m_objective);
  m_findings = new QVBoxLayout;
  m_findings->setSpacing(8);
  above->addLayout(m_findings);
  m_test = new QPushButton(content);
  m_test->setObjectName(QStringLiteral("testMask"));
  m_test->setText(tr("Test with a small model"));
  m_test->setToolTip(tr("Forward passes that show what the mask lets through: later tokens, padding, other documents"));
  connect(m_test, &QPushButton::clicked, this, &LintPanel::testRequested);
  above->addWidget(m_test);
  m_form = new LintForm(m_workbench, content);
  column->addWidget(m_form);
  auto* layout = section();
  m_checkedHeading = paragraph(content, "heading");
  m_checkedHeading->setText(tr("Checked"));
  layout->addWidget(m_checkedHeading);
  m_checked = paragraph(content, "secondary");
  layout->addWidget(m_checked);
  layout->addSpacing(6);
  m_skippedButton = new QToolButton(content);
  m_skippedButton->setCheckable(true);
  m_skippedButton->setToolTip(tr("Rules skipped because an input is missing or does not apply"));
  layout->addWidget(m_skippedButton, 0, Qt::AlignLeft);
  m_skipped = paragraph(content, "secondary");
  layout->addWidget(m_skipped);
  connect(m_skippedButton, &QToolButton::toggled, this, &LintPanel::showRules);
  column->addStretch(1);
  return content;
}

Result<LintCase> LintPanel::stated(const LintCase& base) const {
  const ParameterValues& values = m_workbench.current().lint;
  return values.map().empty() ? base : lint_case(base, values);
}

void LintPanel::setCase(std::shared_ptr<const LintCase> base) {
  const ParameterValues& statedNow = m_workbench.current().lint;
  // Colours and comparison do not affect the check.
  if (base && m_base && base->mask == m_base->mask && statedNow == m_stated) return;
  m_base = std::move(base);
  m_stated = statedNow;
  const auto given = m_base ? std::optional(stated(*m_base)) : std::nullopt;
  m_problem = given && !*given ? text(given->error().message) : QString();
  m_case = given && *given ? std::make_shared<const LintCase>(**given) : nullptr;
  m_form->sync();
  m_form->setError(m_problem);
  m_test->setVisible(m_base && mask_test().values);
  m_failure.clear();
  emit caseChanged();
  if (!m_base) {
    m_scheduler.stop();
    return showOutcome(Outcome());
  }
  // Even if the stated values do not fit the mask, it can be passed to a library.
  m_scheduler.run<Result<Outcome>>(
      [given = m_case, shown = shownCase()](std::stop_token stop) -> Result<Outcome> {
        return Outcome{given ? lint_mask(*given, {.stop = stop}) : LintReport(), stated_structure(*shown, stop)};
      },
      [this, shown = shownCase()](const Result<Outcome>& outcome) {
        if (shown == shownCase()) showOutcome(outcome);
      });
  showFreshness();
}

bool LintPanel::isBusy() const { return m_scheduler.isBusy() || m_backends->isBusy(); }

void LintPanel::setFreshness(const Freshness& freshness) {
  if (freshness == m_given) return;
  m_given = freshness;
  showFreshness();
}

Freshness LintPanel::freshness() const {
  if (!m_failure.isEmpty()) return worse(m_given, Freshness::outdated(m_failure));
  return m_scheduler.isBusy() ? worse(m_given, Freshness::computing()) : m_given;
}

void LintPanel::showFreshness() {
  m_overlay->setFreshness(freshness());
  m_backends->setFreshness(freshness());
  showSummary();
}

std::shared_ptr<const LintCase> LintPanel::shownCase() const { return m_case ? m_case : m_base; }

/// Uses the session's values, which are valid unless the form shows an error.
void LintPanel::copyCommandLine() {
  if (m_given.isOutdated()) return emit refused(m_given.refusal());
  const Method& method = *find_method("visibility");
  const ShownPage& page = m_workbench.current();
  const ParameterValues values = carried_values(method, page.values);
  const QString line =
      QStringLiteral("vqscope check") + setArguments(method, values) + lintArguments(page.lint, method, values);
  QApplication::clipboard()->setText(line);
  emit copied(tr("Copied: %1").arg(text(shortened(line.toStdString(), 200))));
}

void LintPanel::showOutcome(const Result<Outcome>& outcome) {
  if (!outcome) {
    m_failure = text(outcome.error().message);
    return showFreshness();
  }
  m_report = outcome->report;
  showFindings();
  showRules();
  const auto shown = shownCase();
  m_backends->setMask(shown ? std::optional(outcome->shownStructure.structure) : std::nullopt,
                      outcome->shownStructure.layout);
  showFreshness();
}

void LintPanel::showFindings() {
  while (auto* item = m_findings->takeAt(0)) {
    item->widget()->deleteLater();
    delete item;
  }
  m_objective->setVisible(m_case != nullptr);
  if (m_case)
    m_objective->setText(tr("objective: %1").arg(text(objective_text(*m_case))) +
                         (m_case->file ? QStringLiteral("\n") + text(mask_file_sentence(*m_case->file)) : QString()));
  m_copy->setVisible(m_case != nullptr);
  std::ptrdiff_t cards = 0;
  for (const auto& [finding, isElsewhere] : cardsInOrder())
    if (!isElsewhere || cards++ < mostElsewhere) addFinding(finding, isElsewhere);
}

/// The worst first, whichever sample it is of; of equal ones those of the sample that is shown.
std::vector<std::pair<Finding, bool>> LintPanel::cardsInOrder() const {
  std::vector<std::pair<Finding, bool>> cards;
  for (const auto findings : {&LintReport::findings, &LintReport::questions}) {
    for (const auto& finding : m_report.*findings) cards.emplace_back(finding, false);
    for (const auto& finding : elsewhere(findings)) cards.emplace_back(finding, true);
  }
  std::ranges::stable_sort(cards, {}, [](const auto& card) { return card.first.severity; });
  return cards;
}

void LintPanel::addFinding(const Finding& finding, bool isElsewhere) {
  auto* row = new FindingRow(finding, ruleTitle(finding.rule), this, isElsewhere ? placeOf(finding) : QString());
  connect(row, &FindingRow::picked, this, &LintPanel::cellPicked);
  connect(row, &FindingRow::placePicked, this, [this, finding, cell = row->cell()] {
    emit samplePicked(finding.batch.value_or(m_batch.sample), finding.head.value_or(m_batch.head), cell);
  });
  m_findings->addWidget(row);
}

std::vector<Finding> LintPanel::elsewhere(std::vector<Finding> LintReport::*findings) const {
  std::vector<Finding> all;
  if (!m_case || !m_batch.looks) return all;
  for (const Finding& finding : m_batch.looks->report.*findings)
    if (!m_batch.is_shown(finding)) all.push_back(finding);
  return all;
}

void LintPanel::setBatch(const BatchOverview& batch) {
  if (m_batch == batch) return;
  m_batch = batch;
  showFindings();
  showSummary();
}

/// Without findings: of the mask alone, or of all samples of its file.
QString LintPanel::verdict() const {
  const bool isSeveral = m_batch.samples * m_batch.heads > 1;
  const QString objective = text(objective_name(m_case->objective));
  if (isSeveral && m_batch.looks)
    return tr("✓ No rule is broken in any of %1 (objective: %2).").arg(countOf(m_batch), objective);
  if (isSeveral && !m_batch.problem.empty())
    return tr("No rule is broken in this %1. The others are not checked: %2")
        .arg(nounOf(m_batch), text(m_batch.problem));
  if (isSeveral)
    return tr("No rule is broken in this %1. All %2 are being checked.").arg(nounOf(m_batch), countOf(m_batch));
  if (m_case->file && m_case->file->masks > 1)
    return tr("No rule is broken in this mask, one of %1 of its file.").arg(m_case->file->masks);
  return tr("✓ No rule is broken (objective: %1).").arg(objective);
}

/// Without the colour of a verdict while the result does not belong to the values in the form.
void LintPanel::showSummary() {
  const auto others = elsewhere(&LintReport::findings);
  const auto questions = m_report.questions.size() + elsewhere(&LintReport::questions).size();
  const auto isError = [](const Finding& finding) { return finding.severity == Severity::error; };
  const auto own = m_report.findings.size();
  const bool errors = m_report.count(Severity::error) > 0 || std::ranges::any_of(others, isError);
  const bool judged = m_case && freshness().isCurrent();
  const bool isPart = m_case && m_case->file && m_case->file->masks > 1;
  const bool isSeveral = isPart || m_batch.samples * m_batch.heads > 1;
  // No tick for samples that are not checked yet.
  const bool isPending = isSeveral && !m_batch.looks;
  const char* look = !m_problem.isEmpty()         ? "finding-error"
                     : !judged                    ? "secondary"
                     : errors                     ? "finding-error"
                     : own + others.size() > 0    ? "finding-warning"
                     : questions > 0 || isPending ? "secondary"
                                                  : "good";
  if (m_summary->property("class").toString() != QLatin1String(look)) {
    m_summary->setProperty("class", look);
    m_summary->style()->unpolish(m_summary);
    m_summary->style()->polish(m_summary);
  }
  QString found = own > 0 ? summaryOf(m_report) : tr("No rule is broken in this %1").arg(nounOf(m_batch));
  if (!others.empty())
    found += others.size() == 1 ? tr("; one finding in other %1s").arg(nounOf(m_batch))
                                : tr("; %1 findings in other %2s").arg(others.size()).arg(nounOf(m_batch));
  if (own == 0 && questions > 0) found += QLatin1Char('.') + questionsOf(questions);
  m_summary->setText(!m_problem.isEmpty()              ? m_problem
                     : !m_case && !m_given.isCurrent() ? tr("Checking…")
                     : !m_case                         ? tr("No mask is shown.")
                     : own + others.size() > 0         ? found
                                                       : verdict() + questionsOf(questions));
}

void LintPanel::showRules() {
  QStringList checked;
  QStringList skipped;
  for (const auto& outcome : m_report.outcomes) {
    const bool broken = std::ranges::count(m_report.findings, outcome.rule, &Finding::rule) > 0 ||
                        std::ranges::count(m_report.questions, outcome.rule, &Finding::rule) > 0;
    if (outcome.skipped.empty() && !broken) checked << QStringLiteral("✓ ") + text(infoOf(outcome.rule).checks);
    if (!outcome.skipped.empty())
      skipped << QStringLiteral("· %1: %2").arg(text(infoOf(outcome.rule).title), text(outcome.skipped));
  }
  m_checked->setText(checked.join(QLatin1Char('\n')));
  m_skipped->setText(skipped.join(QLatin1Char('\n')));
  for (auto* part : {m_checkedHeading, m_checked}) part->setVisible(!checked.isEmpty());
  const bool open = m_skippedButton->isChecked();
  m_skippedButton->setText(
      tr("%1 %2 skipped").arg(open ? QStringLiteral("▾") : QStringLiteral("▸")).arg(skipped.size()));
  m_skippedButton->setVisible(!skipped.isEmpty());
  m_skipped->setVisible(open && !skipped.isEmpty());
}

}  // namespace vqscope
