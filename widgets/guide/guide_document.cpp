// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/guide_document.h"

#include "widgets/guide/glossary.h"
#include "widgets/theme/fonts.h"

#include <QSet>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextTable>

#include <array>

namespace vqscope {
namespace {

constexpr std::array headingSizes{1.7, 1.25, 1.08, 1.0, 1.0, 1.0};

class Styler {
 public:
  Styler(QTextDocument& document, const GuidePage& page, const Palette& colours)
      : m_document(document), m_page(page), m_colours(colours) {}

  void style() {
    styleTables();
    for (QTextBlock block = m_document.begin(); block.isValid(); block = block.next()) {
      const int level = block.blockFormat().headingLevel();
      if (level > 0)
        styleHeading(block, level);
      else if (isCode(block))
        styleCode(block);
      else
        styleText(block);
    }
  }

 private:
  static bool isCode(const QTextBlock& block) {
    return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence) ||
           block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage) || block.blockFormat().nonBreakableLines();
  }
  static QTextCursor whole(const QTextBlock& block) {
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    return cursor;
  }

  void setAnchor(const QTextBlock& block, const QString& name) {
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
    QTextCharFormat format;
    format.setAnchor(true);
    format.setAnchorNames({name});
    cursor.mergeCharFormat(format);
  }

  void styleHeading(const QTextBlock& block, int level) {
    m_mentioned.clear();
    QTextCursor cursor = whole(block);
    QTextCharFormat letters;
    letters.setFont(scaledFont(uiFont(), headingSizes[static_cast<std::size_t>(std::min(level, 6) - 1)]));
    letters.setFontWeight(level == 1 ? QFont::Bold : QFont::DemiBold);
    letters.setForeground(m_colours.text);
    letters.clearProperty(QTextFormat::FontSizeAdjustment);
    cursor.setCharFormat(letters);
    QTextBlockFormat format;
    format.setTopMargin(level == 1 ? 4 : 20);
    format.setBottomMargin(6);
    cursor.mergeBlockFormat(format);
    setAnchor(block, guideAnchor(block.text()));
  }

  void styleCode(const QTextBlock& block) {
    QTextCursor cursor = whole(block);
    QTextCharFormat letters;
    letters.setFont(scaledFont(monospaceFont(), 0.94));
    letters.setForeground(m_colours.text);
    cursor.mergeCharFormat(letters);
    QTextBlockFormat format;
    format.setBackground(m_colours.raised);
    format.setLeftMargin(12);
    format.setNonBreakableLines(false);
    cursor.mergeBlockFormat(format);
  }

  void styleText(const QTextBlock& block) {
    QTextCursor cursor = whole(block);
    QTextBlockFormat format;
    const bool inTable = QTextCursor(block).currentTable();
    format.setLineHeight(inTable ? 115 : 130, QTextBlockFormat::ProportionalHeight);
    if (!inTable) format.setBottomMargin(block.textList() ? 4 : 8);
    cursor.mergeBlockFormat(format);
    styleSpans(block);
    linkTerms(block);
    if (m_page.id == QLatin1String("glossary") && block.textList()) anchorEntry(block);
  }

  /// Code and links within a text.
  void styleSpans(const QTextBlock& block) {
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QTextFragment span = it.fragment();
      QTextCharFormat format;
      if (span.charFormat().isAnchor()) {
        format.setForeground(m_colours.accent);
        format.setFontUnderline(false);
      } else if (span.charFormat().fontFixedPitch()) {
        format.setFont(scaledFont(monospaceFont(), 0.94));
        format.setForeground(m_colours.text);
        format.setBackground(m_colours.raised);
      } else {
        format.setForeground(m_colours.text);
      }
      m_spans.push_back({span.position(), span.length(), format});
    }
    applySpans();
  }

  struct Span {
    int first;
    int length;
    QTextCharFormat format;
  };
  /// A change of format joins and splits fragments, so all are found before the first is changed.
  void applySpans() {
    for (const Span& span : m_spans) {
      QTextCursor cursor(&m_document);
      cursor.setPosition(span.first);
      cursor.setPosition(span.first + span.length, QTextCursor::KeepAnchor);
      cursor.mergeCharFormat(span.format);
    }
    m_spans.clear();
  }

  void linkTerms(const QTextBlock& block) {
    for (const TermPlace& term : termsIn(block.text())) {
      if (m_mentioned.contains(term.entry) || isOwnTerm(*term.entry, block)) continue;
      QTextCursor cursor(&m_document);
      cursor.setPosition(block.position() + term.first);
      cursor.setPosition(block.position() + term.first + term.length, QTextCursor::KeepAnchor);
      if (touchesLink(cursor)) continue;
      m_mentioned.insert(term.entry);
      QTextCharFormat format;
      format.setAnchor(true);
      format.setAnchorHref(QStringLiteral("glossary:") + term.entry->anchor);
      format.setToolTip(term.entry->definition);
      format.setUnderlineStyle(QTextCharFormat::DotLine);
      format.setUnderlineColor(m_colours.secondary);
      cursor.mergeCharFormat(format);
    }
  }

  /// An entry of the glossary does not link to itself.
  bool isOwnTerm(const GlossaryEntry& entry, const QTextBlock& block) const {
    return m_page.id == QLatin1String("glossary") && block.text().simplified() == entry.definition;
  }

  static bool touchesLink(const QTextCursor& words) {
    QTextCursor at(words);
    for (int position = words.selectionStart(); position < words.selectionEnd(); ++position) {
      at.setPosition(position + 1);
      if (at.charFormat().isAnchor()) return true;
    }
    return false;
  }

  void anchorEntry(const QTextBlock& block) {
    for (const GlossaryEntry& entry : glossary())
      if (block.text().simplified() == entry.definition) setAnchor(block, entry.anchor);
  }

  void styleTables() {
    for (QTextFrame* frame : m_document.rootFrame()->childFrames()) {
      auto* table = qobject_cast<QTextTable*>(frame);
      if (!table) continue;
      QTextTableFormat format = table->format();
      format.setBorderCollapse(true);
      format.setBorder(1);
      format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
      format.setBorderBrush(m_colours.line);
      format.setCellPadding(5);
      format.setTopMargin(4);
      format.setBottomMargin(12);
      table->setFormat(format);
      for (int column = 0; column < table->columns(); ++column) {
        QTextTableCell cell = table->cellAt(0, column);
        QTextCharFormat header = cell.format();
        header.setBackground(m_colours.raised);
        cell.setFormat(header);
      }
    }
  }

  QTextDocument& m_document;
  const GuidePage& m_page;
  const Palette& m_colours;
  std::vector<Span> m_spans;
  QSet<const GlossaryEntry*> m_mentioned;  ///< in this section
};

}  // namespace

std::unique_ptr<QTextDocument> makeGuideDocument(const GuidePage& page, const Palette& colours) {
  auto document = std::make_unique<QTextDocument>();
  document->setUndoRedoEnabled(false);
  document->setDefaultFont(uiFont());
  document->setDocumentMargin(20);
  document->setMarkdown(page.markdown, QTextDocument::MarkdownDialectGitHub);
  Styler(*document, page, colours).style();
  return document;
}

}  // namespace vqscope
