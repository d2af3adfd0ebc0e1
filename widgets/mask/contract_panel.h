// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/contract.h"
#include "core/lint/told_structure.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/view/matrix_view.h"

#include <QWidget>

#include <memory>

class QLabel;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace vqscope {

class ContractForm;
class DialectList;
class Veil;
class Workbench;

/// What of the contract a mask breaks, as it is edited, and how to say the mask to each library. Expected mask beyond
/// what the mask says is stated here and kept in the session. The check runs off this thread; the last findings stay,
/// marked, until the new ones are there.
class ContractPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ContractPanel(Workbench& workbench, QWidget* parent = nullptr);

  /// A mask with what it says of itself, to be checked with what the session states. Nothing: no mask to check.
  void setCase(std::shared_ptr<const ContractCase> base);
  /// What is checked; nothing where there is no mask or what is stated does not fit it.
  std::shared_ptr<const ContractCase> givenCase() const { return m_case; }
  ContractForm* form() const { return m_form; }

  /// Of the mask, against the values in the form.
  void setFreshness(const Freshness& freshness);
  bool isBusy() const;
  /// Of the last check.
  const ContractReport& report() const { return m_report; }

 signals:
  /// givenCase() is another one.
  void caseChanged();
  void cellPicked(vqscope::Cell cell);
  void copied(const QString& sentence);
  void testAsked();
  /// What cannot be copied now.
  void refused(const QString& sentence);

 private:
  struct Outcome {
    ContractReport report;
    ToldStructure told;
  };

  QWidget* makeSegments();
  QWidget* makeChecks();
  Result<ContractCase> stated(const ContractCase& base) const;
  void copyCommandLine();
  void showOutcome(const Result<Outcome>& outcome);
  Freshness freshness() const;
  void showFreshness();
  void showSummary();
  /// What is stated of it is left out where it does not fit.
  std::shared_ptr<const ContractCase> shownCase() const;
  void showFindings();
  void showRules();

  Workbench& m_workbench;
  QStackedWidget* m_pages;
  QLabel* m_summary = nullptr;
  QToolButton* m_copy = nullptr;
  QLabel* m_objective = nullptr;
  ContractForm* m_form = nullptr;
  QVBoxLayout* m_findings = nullptr;
  QLabel* m_checkedHeading = nullptr;
  QLabel* m_checked = nullptr;
  QToolButton* m_notAskedButton = nullptr;  ///< most rules need what nobody said: folded up
  QLabel* m_notAsked = nullptr;
  DialectList* m_dialects;
  FieldScheduler m_scheduler;
  std::shared_ptr<const ContractCase> m_base;  ///< what the mask says of itself
  ParameterValues m_stated;                    ///< of the session, when m_case was made
  std::shared_ptr<const ContractCase> m_case;
  QString m_problem;  ///< why what is stated does not fit
  ContractReport m_report;
  Freshness m_given;
  QString m_failure;  ///< why the check came to nothing
  Veil* m_veil;
};

}  // namespace vqscope
