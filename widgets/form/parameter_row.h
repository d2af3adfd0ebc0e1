// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/method/parameter.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace vqscope {

class ResetDot;
class ValueEditor;

/// One parameter of a form: dot, label, what edits it, and beneath it what is wrong.
///
/// Its parts are found by object name: the field `<name>`, `<name>.slider`, `<name>.reset`, `<name>.error`.
class ParameterRow : public QWidget {
  Q_OBJECT
 public:
  explicit ParameterRow(ParameterSpec spec, QWidget* parent = nullptr);

  const ParameterSpec& spec() const { return m_spec; }
  /// Emits nothing, and keeps no value besides what the editor shows: that is for the form.
  void setValue(const ParameterValue& value);
  void setError(const QString& sentence);
  /// Why what is typed here is not the value; empty: it is, or is not entered yet.
  const QString& refusal() const { return m_refusal; }
  /// What is used while the value is automatic; nothing: that is not known.
  void setInForce(const ParameterValue* used);
  void setCitation(const Citation& citation);
  /// Ends what changes the value by itself.
  void stop();

 signals:
  void edited(const vqscope::ParameterValue& value, bool finished);
  void editedTogether(const vqscope::ParameterValues& values);
  void refusalChanged();

 private:
  void take(const ParameterValue& value, bool finished);
  void reset();
  void build();
  void showError();
  void showDot(const ParameterValue& value);

  const ParameterSpec m_spec;
  QString m_refusal;  ///< of what is typed here
  QString m_error;    ///< told from outside
  ResetDot* m_dot;
  ValueEditor* m_editor;
  QLabel* m_sentence;
};

/// Help, range, default and source, as rich text.
QString parameterToolTip(const ParameterSpec& spec, const Citation& citation);

}  // namespace vqscope
