// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "widgets/form/control/slider_scale.h"

#include <QLineEdit>

namespace vqscope {

/// The exact text of an integer (all of its 64 bits), a real, a list of numbers, a tensor's name or another short text.
/// Enter or leaving the box commits, Escape brings the last good value back. A text that is not allowed stays, in red,
/// with the value unchanged.
class EntryBox : public QLineEdit {
  Q_OBJECT
 public:
  explicit EntryBox(const ParameterSpec& spec, QWidget* parent = nullptr);

  /// A text not committed stays while the value stays: another parameter's edit must not wipe it.
  void setValue(const ParameterValue& value);
  const ParameterValue& value() const { return m_value; }
  /// What an empty box stands for now, shown in grey.
  void setInForce(const QString& used);

 signals:
  void committed(const vqscope::ParameterValue& value);
  /// Why the text is not allowed; empty: it is.
  void refused(const QString& sentence);
  /// Arrow keys (Shift: coarse, Ctrl: octave), page keys, the wheel while the box has the focus.
  void stepped(int count, vqscope::Step step);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  bool isNumber() const { return m_spec.kind == ParameterKind::integer || m_spec.kind == ParameterKind::real; }
  bool commit();
  void review(const QString& text);
  void restore();
  void show(const ParameterValue& value);
  void mark(const QString& sentence, bool invalid);
  void step(int count, Qt::KeyboardModifiers modifiers);

  const ParameterSpec m_spec;
  ParameterValue m_value;
  bool m_invalid = false;
  int m_wheel = 0;  ///< eighths of a degree not yet worth a step
};

}  // namespace vqscope
