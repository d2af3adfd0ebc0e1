// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/table_text.h"
#include "core/mask/row/additive.h"
#include "core/mask/row/row_report.h"
#include "core/session/subject/token_texts.h"

#include <memory>
#include <optional>

namespace vqscope {

/// Contents of a KeyTable: keys of one row, and the format of masked ones.
struct KeyTableContent {
  std::shared_ptr<const Mask> mask;
  RowReport row;
  KeyFilter filter = KeyFilter::all;
  KeyList keys;
  AdditiveFormat format;
  TokenTexts tokens = {};                        ///< of the keys; empty: no column for them
  std::shared_ptr<const Mask> second = nullptr;  ///< to compare with: the table has both; null: none
  RowReport second_row = {};
};

/// A Dear ImGui table of a row's keys, one line each: facts, the result of every term and
/// comparison, the verdict, the additive value, the weight and the reason. Of two masks: the facts,
/// and verdict, deciding term and reason of each, with a mark where they differ. Drawn within a
/// frame; only visible lines are computed.
///
/// It scrolls by whole lines counted in integers: ImGui's own positions are floats, which at 2
/// million lines of 20 pixels lie 4 pixels apart.
class KeyTable {
 public:
  /// Keeps the key at the top.
  void setContent(KeyTableContent content);
  const KeyTableContent& content() const { return m_content; }
  void setFormat(AdditiveFormat format) {
    m_content.format = format;
    m_stale = true;
  }

  /// The height that shows four lines below the titles, in the current font.
  static float leastHeight();
  /// Fills the rest of the window. Returns the clicked key, if any. `active`: cursor keys move the
  /// selection.
  std::optional<Index> draw(Index selected, bool active);

  /// Scrolls until the key is in view.
  void reveal(Index key);
  void scroll(Index lines);
  /// Indices into content().keys.
  Index firstLine() const { return m_first; }
  /// Number of fully visible lines at the last draw().
  Index page() const { return m_page; }

  /// The lines on screen and their columns in words, for screen readers.
  int shownLines() const { return static_cast<int>(m_lines.size()); }
  int columns() const { return static_cast<int>(m_columns.size()); }
  const std::string& title(int column) const { return m_columns[static_cast<std::size_t>(column)].title; }
  std::string words(int line, int column) const;
  /// For other programs: every key that the filter leaves, or `most` from the first one on screen on.
  TextTable asTable(Index most) const;
  Index keyAt(int line) const { return m_lines[static_cast<std::size_t>(line)].key; }

 private:
  enum class Kind { key, token, fact, verdict, visible, additive, weight, side_a, side_b, why, why_b };
  struct Column {
    Kind kind = Kind::key;
    std::string title;
    std::string help;
    bool isDimmed = false;            ///< a comparison below a term
    std::optional<std::size_t> term;  ///< the term whose map colour precedes the title
    std::size_t verdict = 0;          ///< index into Line::verdicts
    float content = 0;  ///< grows with the widest text shown, so that columns do not jump during scrolling
    float width = 0;
  };
  struct Line {
    Index key = 0;
    bool visible = false;
    TokenFacts facts;
    std::vector<Verdict> verdicts;
    std::string why;
    std::string term;  ///< that masks the key; empty: it is visible
    std::string second_why;
    std::string second_term;

    bool differs() const { return term.empty() != second_term.empty(); }
  };

  Line lineOf(Index place) const;
  std::string wordsOf(const Column& column, const Line& line) const;
  void makeColumns();
  void addVerdicts();
  void fillLines();
  void forgetReasons();
  /// Widths of all columns; the reason takes the remaining width.
  void measure(float room);
  /// All but that of the reason.
  void setWidths(float mostTitle);
  Column& widest();
  std::string textOf(const Column& column, const Line& line) const;
  /// The same as drawn: a reason leaves out the term that another column names where space is
  /// scarce, and that of B is "as A" where it is the same.
  std::string drawnText(const Column& column, const Line& line) const;
  /// That of a reason where not all columns fit.
  float narrowReason(float room) const;
  /// Of a column from `left` on, in a table that ends at `right`: a reason is cut there, and another
  /// column is left out, which is 0.
  static float shownWidth(const Column& column, float left, float right);
  void drawHeader(float left, float top, float right);
  void drawLine(const Line& line, float left, float top, float right);
  void drawCell(const Column& column, const Line& line, float left, float top, float width);
  void setPage(Index lines);
  void turnWheel();
  void drawScrollBar(float left, float top, float height);
  float contentWidth() const;
  /// Where not all columns fit, the facts follow the reason instead of pushing it out of sight.
  void orderColumns(bool narrow);
  Index lastFirst() const;

  KeyTableContent m_content;
  std::vector<Column> m_columns;
  bool m_factsLast = false;
  float m_reason = 0;         ///< width of the widest reason shown
  std::vector<Line> m_lines;  ///< visible lines, from m_first on
  Index m_first = 0;
  Index m_page = 1;
  float m_turned = 0;    ///< wheel movement, as a fraction of a line
  float m_grabbed = 0;   ///< offset of the mouse in the scroll bar's handle, in pixels
  bool m_newRow = true;  ///< m_lines are of another row or other keys
  bool m_stale = true;   ///< m_lines do not match the content or position
};

}  // namespace vqscope
