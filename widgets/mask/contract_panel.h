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
class QPushButton;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace vqscope {

class ContractForm;
class DialectList;
class Veil;
class Workbench;

/// Findings of the lint for a mask while it is edited, and how to pass the mask to each library. The form *Expected
/// mask* adds expectations, which the session keeps. The check runs in the background; the previous findings stay,
/// marked, until the new ones are ready.
class ContractPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ContractPanel(Workbench& workbench, QWidget* parent = nullptr);

  /// A mask with its own expectations, to check together with those of the session. Null: no mask to check.
  void setCase(std::shared_ptr<const ContractCase> base);
  /// The case to check; null if there is no mask or the stated values do not fit it.
  std::shared_ptr<const ContractCase> givenCase() const { return m_case; }
  ContractForm* form() const { return m_form; }

  /// Of the mask, against the values in the form.
  void setFreshness(const Freshness& freshness);
  bool isBusy() const;
  /// Of the last check.
  const ContractReport& report() const { return m_report; }

 signals:
  /// givenCase() has changed.
  void caseChanged();
  void cellPicked(vqscope::Cell cell);
  void copied(const QString& sentence);
  void testAsked();
  /// Why nothing can be copied now.
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
  /// Leaves out stated values that do not fit the mask.
  std::shared_ptr<const ContractCase> shownCase() const;
  void showFindings();
  void showRules();

  Workbench& m_workbench;
  QStackedWidget* m_pages;
  QLabel* m_summary = nullptr;
  QToolButton* m_copy = nullptr;
  QPushButton* m_test = nullptr;
  QLabel* m_objective = nullptr;
  ContractForm* m_form = nullptr;
  QVBoxLayout* m_findings = nullptr;
  QLabel* m_checkedHeading = nullptr;
  QLabel* m_checked = nullptr;
  QToolButton* m_notAskedButton = nullptr;  ///< folded at first, because most rules need inputs that are not given
  QLabel* m_notAsked = nullptr;
  DialectList* m_dialects;
  FieldScheduler m_scheduler;
  std::shared_ptr<const ContractCase> m_base;  ///< expectations of the mask itself
  ParameterValues m_stated;                    ///< values of the session from which m_case was made
  std::shared_ptr<const ContractCase> m_case;
  QString m_problem;  ///< why the stated values do not fit
  ContractReport m_report;
  Freshness m_given;
  QString m_failure;  ///< why the check failed
  Veil* m_veil;
};

}  // namespace vqscope
