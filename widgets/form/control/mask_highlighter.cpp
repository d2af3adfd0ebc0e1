// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/mask_highlighter.h"

#include "widgets/theme/palette.h"

#include <QTextDocument>

#include <algorithm>

namespace vqscope {
namespace {

QTextCharFormat formatOf(SourceTokenKind kind) {
  const Palette& colours = currentPalette();
  QTextCharFormat format;
  switch (kind) {
    case SourceTokenKind::keyword:
      format.setForeground(colours.accent);
      format.setFontWeight(QFont::DemiBold);
      break;
    case SourceTokenKind::variable: format.setForeground(colours.accent); break;
    case SourceTokenKind::function: format.setForeground(colours.warning); break;
    case SourceTokenKind::number:
    case SourceTokenKind::string: format.setForeground(colours.good); break;
    case SourceTokenKind::comment:
      format.setForeground(colours.secondary);
      format.setFontItalic(true);
      break;
    case SourceTokenKind::unknown: format.setForeground(colours.error); break;
    case SourceTokenKind::name:
    case SourceTokenKind::symbol:
    case SourceTokenKind::newline: format.setForeground(colours.text); break;
  }
  return format;
}

/// Number of UTF-8 bytes of a UTF-16 character; the first half of a surrogate pair counts all four.
Index utf8BytesOf(QChar c) {
  if (c.isLowSurrogate()) return 0;
  if (c.isHighSurrogate()) return 4;
  return c.unicode() < 0x80 ? 1 : c.unicode() < 0x800 ? 2 : 3;
}

}  // namespace

MaskHighlighter::MaskHighlighter(QTextDocument* document) : QSyntaxHighlighter(static_cast<QObject*>(document)) {
  // Connected before the base class, which highlights blocks immediately.
  connect(document, &QTextDocument::contentsChange, this, [this] { m_read = false; });
  setDocument(document);
}

void MaskHighlighter::readTokens() {
  if (m_read) return;
  m_read = true;
  const QString now = document()->toPlainText();
  m_tokens = tokens(now.toStdString());
  m_at.clear();
  for (qsizetype i = 0; i < now.size(); ++i)
    for (Index byte = 0; byte < utf8BytesOf(now[i]); ++byte) m_at.push_back(i);
  m_at.push_back(now.size());
}

void MaskHighlighter::highlightBlock(const QString& text) {
  readTokens();
  const Index begin = currentBlock().position();
  const Index end = begin + text.size();
  const auto characterAt = [this](Index byte) { return m_at[static_cast<std::size_t>(byte)]; };
  auto token = std::ranges::partition_point(
      m_tokens, [&](const SourceToken& each) { return characterAt(each.range.end) <= begin; });
  for (; token != m_tokens.end() && characterAt(token->range.begin) < end; ++token) {
    const Index from = std::max(characterAt(token->range.begin), begin);
    const Index to = std::min(characterAt(token->range.end), end);
    if (from < to) setFormat(static_cast<int>(from - begin), static_cast<int>(to - from), formatOf(token->kind));
  }
}

Range charactersOf(const SourceError& error, const QString& text) {
  Index at = 0;
  for (Index line = 1; line < error.line; ++line) {
    const Index next = text.indexOf(QLatin1Char('\n'), at);
    if (next < 0) break;
    at = next + 1;
  }
  const auto forward = [&](Index from, Index characters) {
    for (; characters > 0 && from < text.size(); --characters) from += text[from].isHighSurrogate() ? 2 : 1;
    return std::min<Index>(from, text.size());
  };
  const Index begin = forward(at, error.column - 1);
  const Index end = forward(begin, std::max<Index>(error.length, 1));
  // At the end of the text, mark the last character.
  return begin == end && begin > 0 ? Range{begin - 1, begin} : Range{begin, end};
}

}  // namespace vqscope
