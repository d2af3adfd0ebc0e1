// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/lint.h"
#include "core/method/parameter.h"
#include "widgets/view/matrix_view.h"

#include <QFrame>
#include <QWidget>

#include <functional>
#include <optional>

class QToolButton;
class QVBoxLayout;

namespace vqscope {

class ParameterForm;
class Workbench;

/// One finding as a card: severity, rule, sentence. A click, Enter or space picks the
/// counterexample.
class FindingRow : public QFrame {
  Q_OBJECT
 public:
  /// `place`: the sample or the side of a comparison that has it; empty: the one that is shown.
  /// `isElsewhere`: it is another sample.
  FindingRow(const Finding& finding, const QString& title, QWidget* parent, const QString& place = {},
             bool isElsewhere = false);

  /// A button below the sentence.
  void addButton(const QString& text, const QString& tip, const std::function<void()>& run);
  /// What a click does on a card without a cell to go to.
  void setJump(const QString& tip, std::function<void()> run);

  /// The counterexample; for a finding about a row or a key only, the cell is at the border of the
  /// map.
  std::optional<Cell> cell() const { return m_cell; }

 signals:
  /// A counterexample of the mask that is shown.
  void picked(vqscope::Cell cell);
  /// A finding of another sample.
  void placePicked();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  bool isPickable() const { return m_cell || m_isElsewhere || m_jump; }
  void makePickable(const QString& tip);
  void pick();

  bool m_isElsewhere;
  std::optional<Cell> m_cell;
  QVBoxLayout* m_buttons = nullptr;
  std::function<void()> m_jump;  ///< of a card without a place to go to
};

/// The form *Expected mask*: the user's expectations of the mask on the current page, and how it is
/// passed to a library. Each edit is an edit of the workbench. Folded at first.
class LintForm : public QWidget {
  Q_OBJECT
 public:
  explicit LintForm(Workbench& workbench, QWidget* parent = nullptr);

  /// Shows the values of the session; hidden on pages without lint settings.
  void sync();
  /// Opens the form at a field; false if it has no such field.
  bool focusOn(const QString& name);
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
