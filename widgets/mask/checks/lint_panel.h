// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/fix/text_fix.h"
#include "core/lint/lint.h"
#include "core/lint/stated_structure.h"
#include "widgets/mask/source/batch_overview.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/view/matrix_view.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QButtonGroup;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace vqscope {

class LintForm;
class BackendList;
class FindingList;
class Overlay;
struct Suggestion;
class Workbench;

/// Findings of the lint for a mask while it is edited, and how to pass the mask to each library.
/// The form *Expected mask* adds expectations, which the session keeps. The check runs in the
/// background; the previous findings stay, marked, until the new ones are ready.
class LintPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LintPanel(Workbench& workbench, QWidget* parent = nullptr);

  /// A mask with its own expectations, to check together with those of the session. Null: no mask
  /// to check. `second`: the mask that it is compared with; the user chooses of which the checks are.
  void setCase(std::shared_ptr<const LintCase> base, std::shared_ptr<const LintCase> second = nullptr);
  /// The side of a comparison that the form edits; the checks turn to it.
  void setEditedSide(bool second);
  /// The samples of the file that the mask is one of: their findings stand below those of the mask.
  void setBatch(const BatchOverview& batch);
  /// The case to check; null if there is no mask or the stated values do not fit it.
  std::shared_ptr<const LintCase> givenCase() const { return m_cases[main()]; }
  LintForm* form() const { return m_form; }

  /// Freshness of the mask compared with the values in the form.
  void setFreshness(const Freshness& freshness);
  bool isBusy() const;
  /// Writes the fix into the mask's text, as one step.
  void applyFix();
  /// Report of the last check.
  const LintReport& report() const { return m_report; }

 signals:
  /// givenCase() has changed.
  void caseChanged();
  void cellPicked(vqscope::Cell cell);
  /// A finding of another sample, with its counterexample if it has one.
  void samplePicked(vqscope::Index sample, vqscope::Index head, const std::optional<vqscope::Cell>& cell);
  void copied(const QString& sentence);
  void testRequested();
  /// A question asks for a parameter of the sequence, which another form has.
  void parameterRequested(const QString& name);
  /// A comparison of the mask's text that mends a finding; nothing: there is none.
  void fixFound(const std::optional<vqscope::TextFix>& fix);
  /// Why nothing can be copied now.
  void refused(const QString& sentence);

 private:
  struct Outcome {
    std::array<LintReport, 2> reports = {};
    StatedStructure shownStructure = {};
  };
  enum class Side { a, b, both };

  QWidget* makeSegments();
  QWidget* makeSides(QWidget* parent);
  Side side() const;
  /// The side of backends and rules: 0 or 1.
  std::size_t main() const;
  void check();
  void searchFix();
  QWidget* makeChecks();
  Result<LintCase> stated(const LintCase& base) const;
  void copyCommandLine();
  void showOutcome(const Result<Outcome>& outcome);
  Freshness freshness() const;
  void showFreshness();
  void showSummary();
  /// Leaves out stated values that do not fit the mask.
  std::shared_ptr<const LintCase> shownCase() const;
  void showFindings();
  void apply(const Suggestion& suggestion);
  QString sidesOf(const Finding& finding) const;
  std::vector<Finding> elsewhere(std::vector<Finding> LintReport::*findings) const;
  void showRules();

  Workbench& m_workbench;
  QStackedWidget* m_pages;
  QLabel* m_summary = nullptr;
  QToolButton* m_copy = nullptr;
  QPushButton* m_test = nullptr;
  QLabel* m_objective = nullptr;
  LintForm* m_form = nullptr;
  FindingList* m_findings = nullptr;
  QLabel* m_checkedHeading = nullptr;
  QLabel* m_checked = nullptr;
  QToolButton* m_skippedButton = nullptr;  ///< folded at first, because most rules need inputs that are not given
  QLabel* m_skipped = nullptr;
  BackendList* m_backends;
  QButtonGroup* m_sides = nullptr;
  QWidget* m_sideRow = nullptr;
  FieldScheduler m_scheduler;
  std::array<std::shared_ptr<const LintCase>, 2> m_bases;  ///< A and B with the expectations of the masks themselves
  ParameterValues m_stated;                                ///< values of the session from which m_cases were made
  std::array<std::shared_ptr<const LintCase>, 2> m_cases;
  bool m_editsSecond = false;
  QString m_problem;  ///< why the stated values do not fit
  std::array<LintReport, 2> m_reports;
  LintReport m_report;  ///< of the side that is shown, or of both
  std::optional<TextFix> m_fix;
  QTimer m_fixTimer;  ///< until typing rests: each comparison that is tried is another text to compile
  FieldScheduler m_fixes;
  BatchOverview m_batch;
  Freshness m_given;
  QString m_failure;  ///< why the check failed
  Overlay* m_overlay;
};

}  // namespace vqscope
