// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/contract.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/view/matrix_view.h"

#include <QWidget>

#include <memory>

class QLabel;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace vqscope {

class DialectList;

/// What of the contract a mask breaks, as it is edited, and how to say the mask to each library. The check runs off
/// this thread; the last findings stay until the new ones are there.
class ContractPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ContractPanel(QWidget* parent = nullptr);

  /// Nothing: no mask to check.
  void setCase(std::shared_ptr<const ContractCase> given);

  bool isBusy() const { return m_scheduler.isBusy(); }
  /// Of the last check.
  const ContractReport& report() const { return m_report; }

 signals:
  void cellPicked(vqscope::Cell cell);
  void copied(const QString& sentence);

 private:
  struct Outcome {
    ContractReport report;
    MaskStructure structure;
  };

  QWidget* makeSegments();
  QWidget* makeChecks();
  void showOutcome(const Outcome& outcome);
  void showFindings();
  void showRules();

  QStackedWidget* m_pages;
  QLabel* m_summary = nullptr;
  QVBoxLayout* m_findings = nullptr;
  QLabel* m_checkedHeading = nullptr;
  QLabel* m_checked = nullptr;
  QToolButton* m_notAskedButton = nullptr;  ///< most rules need what nobody said: folded up
  QLabel* m_notAsked = nullptr;
  DialectList* m_dialects;
  FieldScheduler m_scheduler;
  std::shared_ptr<const ContractCase> m_case;
  ContractReport m_report;
};

}  // namespace vqscope
