// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/checks/lint_panel.h"

#include "core/base/text.h"
#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "core/session/command_arguments.h"
#include "widgets/mask/checks/backend_list.h"
#include "widgets/mask/checks/check_words.h"
#include "widgets/mask/checks/finding_list.h"
#include "widgets/mask/checks/lint_parts.h"
#include "widgets/mask/source/sample_strip.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
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

constexpr int restMilliseconds = 1200;  ///< longer than typing needs to become an undo step

/// Sets the values of the expected mask, or those of the sequence, as a complete suggestion says.
void set(const Suggestion& suggestion, ParameterValues& stated, ParameterValues& values) {
  const auto specs = lint_parameters();
  for (const SuggestedValue& each : suggestion.settings)
    (find_spec(specs, each.name) ? stated : values).set(each.name, *each.value);
}

bool isSame(const Finding& a, const Finding& b) { return a.rule == b.rule && a.sentence == b.sentence; }

/// The findings of both masks, those that both have once.
LintReport joined(LintReport a, const LintReport& b) {
  for (const auto findings : {&LintReport::findings, &LintReport::questions})
    for (const Finding& finding : b.*findings)
      if (std::ranges::none_of(a.*findings, [&](const Finding& each) { return isSame(each, finding); }))
        (a.*findings).push_back(finding);
  return a;
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
  m_fixTimer.setSingleShot(true);
  m_fixTimer.setInterval(restMilliseconds);
  connect(&m_fixTimer, &QTimer::timeout, this, &LintPanel::searchFix);
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
  above->addWidget(makeSides(content));
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
  m_findings = new FindingList(content);
  above->addWidget(m_findings);
  connect(m_findings, &FindingList::cellPicked, this, &LintPanel::cellPicked);
  connect(m_findings, &FindingList::elsewherePicked, this, [this](const Finding& finding, const auto& cell) {
    emit samplePicked(finding.batch.value_or(m_batch.sample), finding.head.value_or(m_batch.head), cell);
  });
  connect(m_findings, &FindingList::fieldRequested, this, [this](const QString& name) {
    if (!m_form->focusOn(name)) emit parameterRequested(name);
  });
  connect(m_findings, &FindingList::suggestionChosen, this, &LintPanel::apply);
  connect(m_findings, &FindingList::fixChosen, this, &LintPanel::applyFix);
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

/// Which of two masks the checks are of.
QWidget* LintPanel::makeSides(QWidget* parent) {
  const Segments segments = segmented({tr("A, edited"), tr("B"), tr("A and B")}, parent);
  m_sides = segments.group;
  m_sideRow = segments.frame;
  m_sides->button(0)->setChecked(true);
  m_sideRow->hide();
  connect(m_sides, &QButtonGroup::idClicked, this, &LintPanel::check);
  return m_sideRow;
}

Result<LintCase> LintPanel::stated(const LintCase& base) const {
  const ParameterValues& values = m_workbench.current().lint;
  return values.map().empty() ? base : lint_case(base, values);
}

void LintPanel::setCase(std::shared_ptr<const LintCase> base, std::shared_ptr<const LintCase> second) {
  const ParameterValues& statedNow = m_workbench.current().lint;
  const auto isShown = [](const auto& now, const auto& shown) {
    return now ? shown && now->mask == shown->mask : !shown;
  };
  // Colours do not affect the check.
  if (base && isShown(base, m_bases[0]) && isShown(second, m_bases[1]) && statedNow == m_stated) return;
  m_bases = {std::move(base), std::move(second)};
  m_stated = statedNow;
  m_problem.clear();
  for (std::size_t side = 0; side < m_bases.size(); ++side) {
    const auto given = m_bases[side] ? std::optional(stated(*m_bases[side])) : std::nullopt;
    if (given && !*given && m_problem.isEmpty()) m_problem = text(given->error().message);
    m_cases[side] = given && *given ? std::make_shared<const LintCase>(**given) : nullptr;
  }
  m_sideRow->setVisible(m_bases[1] != nullptr);
  m_form->sync();
  m_form->setError(m_problem);
  m_test->setVisible(m_bases[0] && mask_test().values);
  check();
}

LintPanel::Side LintPanel::side() const { return m_bases[1] ? static_cast<Side>(m_sides->checkedId()) : Side::a; }

std::size_t LintPanel::main() const { return side() == Side::b ? 1 : 0; }

void LintPanel::setEditedSide(bool second) {
  m_sides->button(0)->setText(second ? tr("A") : tr("A, edited"));
  m_sides->button(1)->setText(second ? tr("B, edited") : tr("B"));
  if (std::exchange(m_editsSecond, second) == second || side() == Side::both) return;
  m_sides->button(second ? 1 : 0)->setChecked(true);
  check();
}

void LintPanel::check() {
  m_failure.clear();
  m_fixTimer.stop();
  m_fixes.stop();
  emit caseChanged();
  if (!m_bases[0]) {
    m_scheduler.stop();
    return showOutcome(Outcome());
  }
  // Even if the stated values do not fit the mask, it can be passed to a library.
  m_scheduler.run<Result<Outcome>>(
      [cases = m_cases, shown = shownCase()](const std::stop_token& stop) -> Result<Outcome> {
        Outcome outcome;
        for (std::size_t i = 0; i < cases.size(); ++i)
          if (cases[i]) outcome.reports[i] = lint_mask(*cases[i], {.stop = stop});
        outcome.shownStructure = stated_structure(*shown, stop);
        return outcome;
      },
      [this, shown = shownCase()](const Result<Outcome>& outcome) {
        if (shown == shownCase()) showOutcome(outcome);
      });
  showFreshness();
}

void LintPanel::searchFix() {
  const ShownPage& page = m_workbench.current();
  const ParameterValues values = carried_values(*find_method("visibility"), main() == 1 ? page.other : page.values);
  m_fixes.run<std::optional<TextFix>>(
      [values, expected = page.lint, report = m_reports[main()]](const std::stop_token& stop) {
        return fix_of_text(values, expected, report, {.stop = stop});
      },
      [this](const std::optional<TextFix>& fix) {
        if (!fix) return;
        m_fix = fix;
        showFindings();
        emit fixFound(m_fix);
      });
}

bool LintPanel::isBusy() const { return m_scheduler.isBusy() || m_backends->isBusy() || m_fixes.isBusy(); }

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

std::shared_ptr<const LintCase> LintPanel::shownCase() const {
  return m_cases[main()] ? m_cases[main()] : m_bases[main()];
}

/// Uses the session's values, which are valid unless the form shows an error.
void LintPanel::copyCommandLine() {
  if (m_given.isOutdated()) return emit refused(m_given.refusal());
  const Method& method = *find_method("visibility");
  const ShownPage& page = m_workbench.current();
  const ParameterValues values = carried_values(method, main() == 1 ? page.other : page.values);
  const auto beside = main() == 0 ? m_batch.beside({values, page.lint}) : std::nullopt;
  const std::string file = beside ? batch_arguments(m_batch.choice, true) : std::string();
  const SampleValues own = beside.value_or(SampleValues{values, page.lint});
  const std::string line =
      "vqscope check" + file + set_arguments(method, own.values) + lint_arguments(own.stated, method, own.values);
  QApplication::clipboard()->setText(text(line));
  emit copied(tr("Copied: %1").arg(text(shortened(line, 200))));
}

void LintPanel::showOutcome(const Result<Outcome>& outcome) {
  if (!outcome) {
    m_failure = text(outcome.error().message);
    return showFreshness();
  }
  m_reports = outcome->reports;
  m_report = side() == Side::both ? joined(m_reports[0], m_reports[1]) : m_reports[main()];
  m_fix.reset();
  emit fixFound(m_fix);
  if (m_report.findings.size() + m_report.questions.size() > 0) m_fixTimer.start();
  showFindings();
  showRules();
  const auto shown = shownCase();
  m_backends->setMask(shown ? std::optional(outcome->shownStructure.structure) : std::nullopt,
                      outcome->shownStructure.layout);
  showFreshness();
}

void LintPanel::showFindings() {
  const auto given = givenCase();
  m_objective->setVisible(given != nullptr);
  if (given)
    m_objective->setText(tr("objective: %1").arg(text(objective_text(*given))) +
                         (given->file ? QStringLiteral("\n") + text(mask_file_sentence(*given->file)) : QString()));
  m_copy->setVisible(given != nullptr);
  std::vector<CheckCard> cards;
  for (const auto findings : {&LintReport::findings, &LintReport::questions}) {
    for (const auto& finding : m_report.*findings) cards.push_back({finding, sidesOf(finding), false});
    for (const auto& finding : elsewhere(findings)) cards.push_back({finding, placeOf(finding), true});
  }
  m_findings->setCards(std::move(cards), given != nullptr, m_fix);
}

/// "A", "B", "A and B" while both are shown.
QString LintPanel::sidesOf(const Finding& finding) const {
  if (side() != Side::both) return {};
  const auto has = [&](const LintReport& report) {
    const auto same = [&](const Finding& each) { return isSame(each, finding); };
    return std::ranges::any_of(report.findings, same) || std::ranges::any_of(report.questions, same);
  };
  return has(m_reports[0]) ? has(m_reports[1]) ? tr("A and B") : tr("A") : tr("B");
}

void LintPanel::apply(const Suggestion& suggestion) {
  ShownPage next = m_workbench.current();
  set(suggestion, next.lint, main() == 1 ? next.other : next.values);
  const auto done = m_workbench.edit(tr("Set %1").arg(text(suggestion.text())), next);
  if (!done) emit refused(text(done.error().message));
}

void LintPanel::applyFix() {
  if (!m_fix) return;
  // The fix has the whole text: what was typed since then would be lost.
  if (!freshness().isCurrent()) return emit refused(freshness().refusal());
  ShownPage next = m_workbench.current();
  (main() == 1 ? next.other : next.values).set("mask_text", m_fix->text);
  const QString what = tr("Write %1 in place of %2").arg(text(m_fix->fix), text(m_fix->found));
  if (const auto done = m_workbench.edit(what, next); !done) emit refused(text(done.error().message));
}

std::vector<Finding> LintPanel::elsewhere(std::vector<Finding> LintReport::*findings) const {
  std::vector<Finding> all;
  if (!givenCase() || !m_batch.looks || side() == Side::b) return all;
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

/// Without the colour of a verdict while the result does not belong to the values in the form.
void LintPanel::showSummary() {
  const auto given = givenCase();
  Headline headline{m_problem, "finding-error"};
  if (m_problem.isEmpty() && !given)
    headline = {m_given.isCurrent() ? tr("This view has no rows of a mask. Choose Mask or Blocks to check it.")
                                    : tr("Checking…"),
                "secondary"};
  else if (m_problem.isEmpty())
    headline = headlineOf(
        {m_report, *given, m_batch, elsewhere(&LintReport::findings), elsewhere(&LintReport::questions).size()});
  const char* look = m_problem.isEmpty() && !freshness().isCurrent() ? "secondary" : headline.look;
  if (m_summary->property("class").toString() != QLatin1String(look)) {
    m_summary->setProperty("class", look);
    m_summary->style()->unpolish(m_summary);
    m_summary->style()->polish(m_summary);
  }
  m_summary->setText(headline.words);
}

void LintPanel::showRules() {
  const RuleLines lines = linesOfRules(m_report);
  m_checked->setText(lines.kept.join(QLatin1Char('\n')));
  m_skipped->setText(lines.skipped.join(QLatin1Char('\n')));
  for (auto* part : {m_checkedHeading, m_checked}) part->setVisible(!lines.kept.isEmpty());
  const bool open = m_skippedButton->isChecked();
  m_skippedButton->setText(
      tr("%1 %2 skipped").arg(open ? QStringLiteral("▾") : QStringLiteral("▸")).arg(lines.skipped.size()));
  m_skippedButton->setVisible(!lines.skipped.isEmpty());
  m_skipped->setVisible(open && !lines.skipped.isEmpty());
}

}  // namespace vqscope
