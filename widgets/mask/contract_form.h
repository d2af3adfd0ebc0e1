// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QWidget>

class QToolButton;

namespace vqscope {

class ParameterForm;
class Workbench;

/// What a person states of the mask on the current page: what is wanted of it and how it is handed over. Each edit is
/// one of the workbench. Folded up until it is asked for.
class ContractForm : public QWidget {
  Q_OBJECT
 public:
  explicit ContractForm(Workbench& workbench, QWidget* parent = nullptr);

  /// Shows what the session says now; hidden on pages without a contract.
  void sync();
  /// Beneath the parameter that the sentence begins with; empty: nothing is wrong.
  void setError(const QString& sentence);
  ParameterForm* form() const { return m_form; }

 private:
  void onEdited(const QString& name, const ParameterValue& value, bool finished);
  void showFold();

  Workbench& m_workbench;
  std::vector<ParameterSpec> m_specs;
  QToolButton* m_fold;
  ParameterForm* m_form;
  int m_dragKey = 0;
};

}  // namespace vqscope
