// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/method/parameter.h"

#include <QPointer>
#include <QWidget>

#include <optional>

class QMenu;
class QVBoxLayout;

namespace vqscope {

class ErrorLine;
class ParameterModel;
class ChainButton;
class ResetDot;
class RowLabel;
class ValueEditor;

/// One parameter of a form: dot, label, editor, and an error in the gap below. The row shows the
/// model's value of this parameter whenever it is set, and enters the user's edits in the model.
///
/// Its parts are found by object name: the field `<name>`, `<name>.slider`, `<name>.reset`,
/// `<name>.error`.
class ParameterRow : public QWidget {
  Q_OBJECT
 public:
  /// The model has the name.
  ParameterRow(ParameterSpec spec, ParameterModel& model, QWidget* parent = nullptr);
  ~ParameterRow() override;

  const ParameterSpec& spec() const { return m_spec; }
  /// Stops listening to the model, which outlives this row or is being destroyed.
  void unbind();
  void setError(const QString& sentence);
  /// Shown while there is no error.
  void setWarning(const QString& sentence);
  /// Why the typed text is not the value; empty: it is, or it is not entered yet.
  const QString& refusal() const { return m_refusal; }
  /// The value that is used while the parameter is automatic; nothing: unknown.
  void setInForce(const ParameterValue* used);
  /// Whether the parameter takes the value that all pages share; nothing: they do not share it.
  void setLinked(std::optional<bool> linked);
  void setCitation(const Citation& citation);
  /// Stops playing.
  void stop();
  /// Copy, paste, reset, copy for the command line; after the entries of a text field, if the menu
  /// is for it.
  QMenu* makeMenu(QWidget* field);

 signals:
  void refusalChanged();
  void linkRequested(bool linked);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void reset();
  void showValue();
  void build();
  void showError();
  void addPaste(QMenu& menu);

  const ParameterSpec m_spec;
  ParameterModel& m_model;
  QString m_refusal;  ///< error of the typed text
  QString m_error;    ///< set by setError()
  QString m_warning;  ///< set by setWarning()
  ResetDot* m_dot;
  RowLabel* m_label;
  ChainButton* m_chain;
  ValueEditor* m_editor;
  QPointer<ErrorLine> m_sentence;  ///< a sibling, because it covers the gap below
  QString m_tip;
};

/// Help, range, default and source, as rich text.
QString parameterToolTip(const ParameterSpec& spec, const Citation& citation);

}  // namespace vqscope
