// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/method/parameter.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace vqscope {

class ParameterModel;
class ResetDot;
class ValueEditor;

/// One parameter of a form: dot, label, what edits it, and beneath it what is wrong. The value is the model's, under
/// the parameter's name: the row shows it whenever it is set, and enters there what a person makes of it.
///
/// Its parts are found by object name: the field `<name>`, `<name>.slider`, `<name>.reset`, `<name>.error`.
class ParameterRow : public QWidget {
  Q_OBJECT
 public:
  /// The model has the name.
  ParameterRow(ParameterSpec spec, ParameterModel& model, QWidget* parent = nullptr);

  const ParameterSpec& spec() const { return m_spec; }
  /// The model is about to go on without this row, or to go.
  void unbind();
  void setError(const QString& sentence);
  /// Why what is typed here is not the value; empty: it is, or is not entered yet.
  const QString& refusal() const { return m_refusal; }
  /// What is used while the value is automatic; nothing: that is not known.
  void setInForce(const ParameterValue* used);
  void setCitation(const Citation& citation);
  /// Ends what changes the value by itself.
  void stop();

 signals:
  void refusalChanged();

 private:
  void reset();
  void showValue();
  void build();
  void showError();

  const ParameterSpec m_spec;
  ParameterModel& m_model;
  QString m_refusal;  ///< of what is typed here
  QString m_error;    ///< told from outside
  ResetDot* m_dot;
  ValueEditor* m_editor;
  QLabel* m_sentence;
};

/// Help, range, default and source, as rich text.
QString parameterToolTip(const ParameterSpec& spec, const Citation& citation);

}  // namespace vqscope
