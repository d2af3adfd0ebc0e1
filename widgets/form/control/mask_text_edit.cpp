// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/mask_text_edit.h"

#include "core/base/text.h"
#include "core/mask/language/kept_program.h"
#include "widgets/form/control/mask_highlighter.h"
#include "widgets/form/control/mask_typing.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/palette.h"

#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>
#include <span>

namespace vqscope {
namespace {

constexpr int fewestLines = 5;
constexpr int mostLines = 18;
constexpr int pauseMilliseconds = 900;
constexpr std::size_t mostMarks = 100;  // limit of underlined warnings: further ones usually repeat them

QString sentenceOf(const SourceError& error) {
  return QStringLiteral("line %1, column %2: %3")
      .arg(error.line)
      .arg(error.column)
      .arg(QString::fromStdString(error.message));
}

}  // namespace

MaskTextEdit::MaskTextEdit(QWidget* parent)
    : QPlainTextEdit(parent), m_highlighter(new MaskHighlighter(document())), m_typing(new MaskTyping(this)) {
  setFont(scaledFont(monospaceFont(), 0.9));
  setLineWrapMode(NoWrap);
  setTabChangesFocus(true);
  setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  m_pause.setSingleShot(true);
  m_pause.setInterval(pauseMilliseconds);
  connect(&m_pause, &QTimer::timeout, this, &MaskTextEdit::finish);
  connect(this, &QPlainTextEdit::textChanged, this, &MaskTextEdit::onTextChanged);
}

/// The highlighter sets its colours later, which Qt also reports as changes of the text.
void MaskTextEdit::onTextChanged() {
  QString now = toPlainText();
  if (now == m_known) return;
  m_known = std::move(now);
  updateGeometry();
  if (!m_setting) check();
}

void MaskTextEdit::setMaskText(const QString& text) {
  if (text == toPlainText()) return;
  m_setting = true;
  setPlainText(text);
  m_setting = false;
  if (isNothing(text)) return underline(std::nullopt, {});
  const auto parse = kept_program(text.toStdString());
  underline(parse || parse.error.lacks_value ? std::nullopt : std::optional(parse.error),
            parse ? parse.program->warnings() : std::vector<SourceError>{});
}

void MaskTextEdit::allowNothing(const QString& example) {
  m_nothingAllowed = true;
  setPlaceholderText(example);
}

bool MaskTextEdit::isNothing(const QString& text) const { return m_nothingAllowed && text.trimmed().isEmpty(); }

QSize MaskTextEdit::sizeHint() const {
  const int lines = std::clamp(document()->blockCount(), fewestLines, mostLines);
  const QMargins margins = contentsMargins();
  const int bar = horizontalScrollBar()->isVisible() ? horizontalScrollBar()->height() : 0;
  return {240, lines * fontMetrics().lineSpacing() + 2 * static_cast<int>(document()->documentMargin()) +
                   margins.top() + margins.bottom() + 2 * frameWidth() + bar};
}

void MaskTextEdit::check() {
  const QString text = toPlainText();
  const bool nothing = isNothing(text);
  const auto parse = kept_program(text.toStdString());
  if (!nothing && !parse && !parse.error.lacks_value) {
    underline(parse.error, {});
    return emit refused(sentenceOf(parse.error));
  }
  underline(std::nullopt, nothing || !parse ? std::vector<SourceError>{} : parse.program->warnings());
  emit refused({});
  m_unfinished = true;
  m_pause.start();
  emit accepted(text, false);
}

void MaskTextEdit::finish() {
  m_pause.stop();
  if (!m_unfinished) return;
  m_unfinished = false;
  const QString text = toPlainText();
  const bool nothing = isNothing(text);
  const auto parse = nothing ? MaskParse{} : kept_program(text.toStdString());
  if (nothing || parse || parse.error.lacks_value) emit accepted(text, true);
}

void MaskTextEdit::underline(const std::optional<SourceError>& error, const std::vector<SourceError>& warnings) {
  m_review = {error, warnings};
  emit reviewed();
  QList<QTextEdit::ExtraSelection> marks;
  const QString whole = toPlainText();
  const auto add = [&](const SourceError& place, const QColor& colour) {
    const Range range = charactersOf(place, whole);
    QTextEdit::ExtraSelection mark;
    mark.cursor = textCursor();
    mark.cursor.setPosition(static_cast<int>(range.begin));
    mark.cursor.setPosition(static_cast<int>(range.end), QTextCursor::KeepAnchor);
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(colour);
    mark.format.setToolTip(QString::fromStdString(place.message));
    marks.append(mark);
  };
  for (const SourceError& warning : std::span(warnings).first(std::min(warnings.size(), mostMarks)))
    add(warning, currentPalette().warning);
  if (error) add(*error, currentPalette().error);
  setExtraSelections(marks);
  setToolTip(error ? sentenceOf(*error) : !warnings.empty() ? sentenceOf(warnings.front()) : QString());
}

void MaskTextEdit::keyPressEvent(QKeyEvent* event) {
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (m_typing->take(event)) return;
  if (isReturn) return finish();  // with Ctrl
  QPlainTextEdit::keyPressEvent(event);
  m_typing->follow(*event);
}

void MaskTextEdit::focusOutEvent(QFocusEvent* event) {
  QPlainTextEdit::focusOutEvent(event);
  if (event->reason() != Qt::PopupFocusReason) finish();
}

void MaskTextEdit::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_highlighter->restyle();
}

bool MaskTextEdit::event(QEvent* event) {
  // As in EntryBox, Ctrl+E belongs to the window and does not move to the end of the line.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_E && key->modifiers() == Qt::ControlModifier) {
      event->ignore();
      return true;
    }
  }
  return QPlainTextEdit::event(event);
}

}  // namespace vqscope
