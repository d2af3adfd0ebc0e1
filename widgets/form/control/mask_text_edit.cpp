// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/mask_text_edit.h"

#include "core/base/text.h"
#include "core/mask/language/kept_program.h"
#include "core/mask/language/names/known_names.h"
#include "widgets/form/control/mask_highlighter.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/palette.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStringListModel>

#include <algorithm>
#include <span>

namespace vqscope {
namespace {

constexpr int fewestLines = 5;
constexpr int mostLines = 18;
constexpr int pauseMilliseconds = 900;
constexpr int shortestPrefix = 2;
constexpr std::size_t mostMarks = 100;  // limit of underlined warnings: further ones usually repeat them

QString sentenceOf(const SourceError& error) {
  return QStringLiteral("line %1, column %2: %3")
      .arg(error.line)
      .arg(error.column)
      .arg(QString::fromStdString(error.message));
}

bool isWordPart(QChar c) { return c.isLetterOrNumber() || c == QLatin1Char('_') || c == QLatin1Char('.'); }

}  // namespace

MaskTextEdit::MaskTextEdit(QWidget* parent)
    : QPlainTextEdit(parent),
      m_highlighter(new MaskHighlighter(document())),
      m_completer(new QCompleter(this)),
      m_words(new QStringListModel(this)) {
  setFont(scaledFont(monospaceFont(), 0.9));
  setLineWrapMode(NoWrap);
  setTabChangesFocus(true);
  setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  QStringList words;
  for (const auto& names : {language::known_variables(), language::known_functions()})
    for (const auto name : names) words << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
  words << "return"
        << "def"
        << "and"
        << "or"
        << "not"
        << "if"
        << "else";
  words.sort();
  m_words->setStringList(words);
  m_completer->setModel(m_words);
  m_completer->setWidget(this);
  m_completer->setCaseSensitivity(Qt::CaseInsensitive);
  connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &MaskTextEdit::complete);
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
  if (!m_setting) review();
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

void MaskTextEdit::review() {
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

QString MaskTextEdit::wordBeforeCursor() const {
  const QString line = textCursor().block().text();
  const int end = textCursor().positionInBlock();
  int begin = end;
  while (begin > 0 && isWordPart(line[begin - 1])) --begin;
  return line.mid(begin, end - begin);
}

void MaskTextEdit::offerCompletion(bool requested) {
  const QString word = wordBeforeCursor();
  m_completer->setCompletionPrefix(word);
  const bool whole = m_completer->completionCount() == 1 && m_completer->currentCompletion() == word;
  const bool wanted = requested || word.size() >= shortestPrefix;
  if (!wanted || whole || m_completer->completionCount() == 0) return m_completer->popup()->hide();
  m_completer->popup()->setCurrentIndex(m_completer->completionModel()->index(0, 0));
  QRect place = cursorRect();
  place.setWidth(m_completer->popup()->sizeHintForColumn(0) + 24);
  m_completer->complete(place);
}

void MaskTextEdit::complete(const QString& word) {
  QTextCursor cursor = textCursor();
  cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(wordBeforeCursor().size()));
  cursor.insertText(word);
  setTextCursor(cursor);
}

void MaskTextEdit::indentNewLine() {
  const QString line = textCursor().block().text().left(textCursor().positionInBlock());
  QString indent;
  for (const QChar c : line) {
    if (!c.isSpace()) break;
    indent += c;
  }
  if (line.trimmed().endsWith(QLatin1Char(':'))) indent += QStringLiteral("    ");
  textCursor().insertText(QLatin1Char('\n') + indent);
  ensureCursorVisible();
}

void MaskTextEdit::keyPressEvent(QKeyEvent* event) {
  const bool listed = m_completer->popup()->isVisible();
  const int key = event->key();
  if (listed && (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Tab || key == Qt::Key_Escape))
    return event->ignore();  // the completion list takes the key
  if (key == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) return offerCompletion(true);
  if ((key == Qt::Key_Return || key == Qt::Key_Enter) && event->modifiers() == Qt::ControlModifier) return finish();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) return indentNewLine();
  QPlainTextEdit::keyPressEvent(event);
  if (!event->text().isEmpty() && isWordPart(event->text().front()))
    offerCompletion(false);
  else
    m_completer->popup()->hide();
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
