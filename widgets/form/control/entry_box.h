// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "widgets/form/control/slider_scale.h"

#include <QLineEdit>

namespace vqscope {

/// Edits the exact text of an integer (64 bits), a real, a list of numbers, a tensor's name or
/// another short text. A number is selected when the box is entered, so that typing replaces it.
/// Enter or leaving the box commits, Escape restores the last valid value. An invalid text stays,
/// in red, and the value does not change.
class EntryBox : public QLineEdit {
  Q_OBJECT
 public:
  explicit EntryBox(const ParameterSpec& spec, QWidget* parent = nullptr);

  /// An uncommitted text stays while the value stays, so that editing another parameter does not
  /// erase it.
  void setValue(const ParameterValue& value);
  const ParameterValue& value() const { return m_value; }
  /// The current value of an empty box, shown in grey.
  void setInForce(const QString& used);
  /// The width that shows all of the text.
  int widthOfText() const;

 signals:
  void committed(const vqscope::ParameterValue& value);
  /// Why the text is invalid; empty: it is valid.
  void refused(const QString& sentence);
  /// Arrow keys (Shift: coarse, Ctrl: octave), page keys, the wheel while the box has the focus.
  void stepped(int count, vqscope::Step step);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  bool isNumber() const { return m_spec.kind == ParameterKind::integer || m_spec.kind == ParameterKind::real; }
  bool commit();
  void review(const QString& text);
  void restore();
  void show(const ParameterValue& value);
  void mark(const QString& sentence, bool invalid);
  void fitPlaceholder();
  void step(int count, Qt::KeyboardModifiers modifiers);

  const ParameterSpec m_spec;
  ParameterValue m_value;
  QString m_inForce;
  bool m_invalid = false;
  bool m_entered = false;  ///< by the click that has not ended yet
  int m_wheel = 0;         ///< wheel movement below one step, in eighths of a degree
};

}  // namespace vqscope
