// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/mask_typing.h"

#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/source_tokens.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>

#include <string>

namespace vqscope {
namespace {

constexpr int shortestPrefix = 2;

bool isWordPart(QChar c) { return c.isLetterOrNumber() || c == QLatin1Char('_') || c == QLatin1Char('.'); }

const QStringList& languageWords() {
  static const QStringList all = [] {
    QStringList words{"return", "def", "and", "or", "not", "if", "else"};
    for (const auto* names : {&language::known_variables(), &language::known_functions()})
      for (const auto name : *names) words << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    return words;
  }();
  return all;
}

}  // namespace

MaskTyping::MaskTyping(QPlainTextEdit* edit)
    : QObject(edit), m_edit(*edit), m_completer(new QCompleter(edit)), m_words(new QStringListModel(this)) {
  m_completer->setModel(m_words);
  m_completer->setWidget(edit);
  m_completer->setCaseSensitivity(Qt::CaseInsensitive);
  connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &MaskTyping::complete);
}

QStringList MaskTyping::words(const QString& typed) const {
  QStringList all = languageWords();
  const std::string text = m_edit.toPlainText().toStdString();
  for (const SourceToken& token : tokens(text)) {
    if (token.kind != SourceTokenKind::name) continue;
    const QString name = QString::fromUtf8(text.data() + token.range.begin, static_cast<qsizetype>(token.range.size()));
    if (name != typed) all << name;
  }
  all.removeDuplicates();
  all.sort();
  return all;
}

QString MaskTyping::wordBeforeCursor() const {
  const QString line = m_edit.textCursor().block().text();
  const int end = m_edit.textCursor().positionInBlock();
  int begin = end;
  while (begin > 0 && isWordPart(line[begin - 1])) --begin;
  return line.mid(begin, end - begin);
}

void MaskTyping::offer(bool requested) {
  const QString word = wordBeforeCursor();
  if (!requested && word.size() < shortestPrefix) return m_completer->popup()->hide();
  m_words->setStringList(words(word));
  m_completer->setCompletionPrefix(word);
  const bool whole = m_completer->completionCount() == 1 && m_completer->currentCompletion() == word;
  if (whole || m_completer->completionCount() == 0) return m_completer->popup()->hide();
  m_completer->popup()->setCurrentIndex(m_completer->completionModel()->index(0, 0));
  QRect place = m_edit.cursorRect();
  place.setWidth(m_completer->popup()->sizeHintForColumn(0) + 24);
  m_completer->complete(place);
}

void MaskTyping::complete(const QString& word) {
  QTextCursor cursor = m_edit.textCursor();
  cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(wordBeforeCursor().size()));
  cursor.insertText(word);
  m_edit.setTextCursor(cursor);
}

void MaskTyping::indentNewLine() {
  const QString line = m_edit.textCursor().block().text().left(m_edit.textCursor().positionInBlock());
  QString indent;
  for (const QChar c : line) {
    if (!c.isSpace()) break;
    indent += c;
  }
  if (line.trimmed().endsWith(QLatin1Char(':'))) indent += QStringLiteral("    ");
  m_edit.textCursor().insertText(QLatin1Char('\n') + indent);
  m_edit.ensureCursorVisible();
}

bool MaskTyping::take(QKeyEvent* event) {
  const int key = event->key();
  const bool isReturn = key == Qt::Key_Return || key == Qt::Key_Enter;
  if (m_completer->popup()->isVisible() && (isReturn || key == Qt::Key_Tab || key == Qt::Key_Escape)) {
    event->ignore();  // the completion list takes the key
    return true;
  }
  if (key == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) {
    offer(true);
    return true;
  }
  if (isReturn && event->modifiers() != Qt::ControlModifier) {
    indentNewLine();
    return true;
  }
  return false;
}

void MaskTyping::follow(const QKeyEvent& event) {
  if (!event.text().isEmpty() && isWordPart(event.text().front()))
    offer(false);
  else
    m_completer->popup()->hide();
}

}  // namespace vqscope
