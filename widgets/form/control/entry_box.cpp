// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/entry_box.h"

#include "widgets/form/control/value_text.h"
#include "widgets/theme/fonts.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyle>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr int placeholderMargin = 10;  // padding and border of one side, as in the style sheet, and that of QLineEdit

Step stepOf(Qt::KeyboardModifiers modifiers) {
  if (modifiers & Qt::ControlModifier) return Step::octave;
  return modifiers & Qt::ShiftModifier ? Step::coarse : Step::fine;
}

}  // namespace

EntryBox::EntryBox(const ParameterSpec& spec, QWidget* parent)
    : QLineEdit(parent), m_spec(spec), m_value(spec.default_value) {
  setFont(uiFont());
  setMaxLength(1 << 20);            // longer than the longest valid list
  setFocusPolicy(Qt::StrongFocus);  // the wheel scrolls the panel until the box has the focus
  if (isNumber()) setAlignment(Qt::AlignRight);
  setInForce({});
  // Words use the proportional font.
  connect(this, &QLineEdit::textChanged, this,
          [this](const QString& text) { setFont(text.isEmpty() ? uiFont() : monospaceFont()); });
  connect(this, &QLineEdit::textEdited, this, &EntryBox::review);
  show(m_value);
}

void EntryBox::setValue(const ParameterValue& value) {
  if (isModified() && value == m_value) return;
  m_value = value;
  restore();
}

void EntryBox::setInForce(const QString& used) {
  m_inForce = used;
  fitPlaceholder();
}

/// The first text that fits: a narrow box has no space for the rule of the automatic value, which
/// the tooltip has, nor for all digits.
void EntryBox::fitPlaceholder() {
  if (m_spec.automatic.empty()) return;
  QStringList texts;
  if (m_inForce.isEmpty()) {
    if (!isNumber()) texts << tr("auto: %1").arg(QString::fromStdString(m_spec.automatic));
    texts << tr("auto");
  } else {
    texts << tr("auto %1").arg(m_inForce);
    bool real = false;
    if (const double number = m_inForce.toDouble(&real); real)
      for (const int digits : {7, 5}) texts << tr("auto %1").arg(number, 0, 'g', digits);
    texts << m_inForce;
  }
  const int room = width() - 2 * placeholderMargin;
  const QFontMetrics metrics(uiFont());
  const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= room; };
  const auto fitting = std::ranges::find_if(texts, fits);
  setPlaceholderText(fitting == texts.end() ? texts.front() : *fitting);
}

int EntryBox::widthOfText() const { return QFontMetrics(font()).horizontalAdvance(text()) + 2 * placeholderMargin; }

void EntryBox::resizeEvent(QResizeEvent* event) {
  QLineEdit::resizeEvent(event);
  fitPlaceholder();
}

void EntryBox::restore() {
  show(m_value);
  mark({}, false);
}

void EntryBox::show(const ParameterValue& value) {
  setText(hasFocus() ? plainText(m_spec, value) : shownText(m_spec, value));
}

void EntryBox::mark(const QString& sentence, bool invalid) {
  if (invalid != m_invalid) {
    m_invalid = invalid;
    setProperty("invalid", invalid);
    style()->unpolish(this);
    style()->polish(this);
  }
  emit refused(sentence);
}

void EntryBox::review(const QString& text) {
  const auto value = readValue(m_spec, text);
  if (!value) {
    // An incomplete number is not an error yet: report it when editing ends. Report an invalid list
    // at once.
    mark(is_number_list(m_spec.kind) ? QString::fromStdString(value.error().message) : QString(), true);
    return;
  }
  const auto checked = check_value(m_spec, *value);
  mark(checked ? QString() : QString::fromStdString(checked.error().message), !checked);
}

bool EntryBox::commit() {
  if (!isModified()) return !m_invalid;
  const auto value = readValue(m_spec, text());
  const auto checked = value ? check_value(m_spec, *value) : Result<void>(value.error());
  if (!checked) {
    mark(QString::fromStdString(checked.error().message), true);
    return false;
  }
  const bool changed = *value != m_value;
  m_value = *value;
  restore();
  if (changed) emit committed(*value);  // a listener may set another value meanwhile
  return true;
}

void EntryBox::step(int count, Qt::KeyboardModifiers modifiers) {
  if (commit()) emit stepped(count, stepOf(modifiers));
}

bool EntryBox::event(QEvent* event) {
  // A line edit takes the keys of undo and of terminal editing (Ctrl and a letter). Without typed
  // text there is nothing to undo in it, and Ctrl+E belongs to the window.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool undo = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
    const bool lineEnd = key->key() == Qt::Key_E && key->modifiers() == Qt::ControlModifier;
    if (lineEnd || (undo && !isModified())) {
      event->ignore();
      return true;
    }
  }
  return QLineEdit::event(event);
}

void EntryBox::keyPressEvent(QKeyEvent* event) {
  const auto modifiers = event->modifiers();
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (commit()) selectAll();
      return;
    case Qt::Key_Escape:
      if (!isModified() && !m_invalid) break;
      restore();
      selectAll();
      return;
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (!isNumber()) break;
      step(event->key() == Qt::Key_Up ? 1 : -1, modifiers);
      return;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
      if (!isNumber()) break;
      step(event->key() == Qt::Key_PageUp ? 1 : -1, Qt::ShiftModifier);
      return;
    default: break;
  }
  QLineEdit::keyPressEvent(event);
}

void EntryBox::wheelEvent(QWheelEvent* event) {
  if (!hasFocus() || !isNumber()) {
    event->ignore();
    return;
  }
  event->accept();
  m_wheel += event->angleDelta().y();
  const int notches = m_wheel / QWheelEvent::DefaultDeltasPerStep;
  m_wheel -= notches * QWheelEvent::DefaultDeltasPerStep;
  if (notches != 0) step(notches, event->modifiers());
}

void EntryBox::focusInEvent(QFocusEvent* event) {
  m_wheel = 0;
  if (!isModified()) show(m_value);
  QLineEdit::focusInEvent(event);
  m_entered = event->reason() == Qt::MouseFocusReason;
  if (event->reason() == Qt::PopupFocusReason && isNumber() && !isModified()) selectAll();
}

/// The press has put the cursor somewhere; a part that was dragged over stays selected.
void EntryBox::mouseReleaseEvent(QMouseEvent* event) {
  QLineEdit::mouseReleaseEvent(event);
  if (std::exchange(m_entered, false) && isNumber() && !hasSelectedText()) selectAll();
}

void EntryBox::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  if (event->reason() == Qt::PopupFocusReason) return;  // its own context menu
  if (commit()) show(m_value);
}

}  // namespace vqscope
