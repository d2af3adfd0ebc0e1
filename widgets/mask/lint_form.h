// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QWidget>

class QToolButton;

namespace vqscope {

class ParameterForm;
class Workbench;

/// The form *Expected mask*: the user's expectations of the mask on the current page, and how it is passed to a
/// library. Each edit is an edit of the workbench. Folded at first.
class LintForm : public QWidget {
  Q_OBJECT
 public:
  explicit LintForm(Workbench& workbench, QWidget* parent = nullptr);

  /// Shows the values of the session; hidden on pages without lint settings.
  void sync();
  /// Shows an error below the parameter that begins the sentence; empty: no error.
  void setError(const QString& sentence);
  ParameterForm* form() const { return m_form; }

 private:
  void onEdited(const QString& name, const ParameterValue& value, bool finished);
  void showFold();

  Workbench& m_workbench;
  std::vector<ParameterSpec> m_specs;
  QToolButton* m_fold;
  ParameterForm* m_form;
};

}  // namespace vqscope
