// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/row/additive.h"
#include "core/mask/row/key_list.h"

#include <memory>
#include <optional>

namespace vqscope {

/// What a KeyTable shows: keys of one row, and how masked ones are written.
struct KeyTableContent {
  std::shared_ptr<const Mask> mask;
  RowReport row;
  KeyFilter filter = KeyFilter::all;
  KeyList keys;
  AdditiveFormat format;
};

/// A Dear ImGui table of a row's keys, one line each: its facts, what every term and comparison says of it, the
/// verdict, the additive value, the weight and why. Drawn within a frame; only the lines in view are asked for.
///
/// It scrolls by whole lines counted in integers: ImGui's own positions are floats, which at 2 million lines of 20
/// pixels lie 4 pixels apart.
class KeyTable {
 public:
  /// Keeps the key at the top.
  void setContent(KeyTableContent content);
  const KeyTableContent& content() const { return m_content; }
  void setFormat(AdditiveFormat format) {
    m_content.format = format;
    m_stale = true;
  }

  /// Fills what is left of the window; the key that was clicked, if any. `active`: keys move the selection.
  std::optional<Index> draw(Index selected, bool active);

  /// Scrolls until the key is in view.
  void reveal(Index key);
  void scroll(Index lines);
  /// Places in content().keys.
  Index firstLine() const { return m_first; }
  /// Lines that stand in the table in full, as of the last draw().
  Index page() const { return m_page; }

 private:
  enum class Kind { key, fact, verdict, visible, additive, weight, why };
  struct Column {
    Kind kind = Kind::key;
    std::string title;
    std::string help;
    bool quiet = false;               ///< a comparison beneath a term
    std::optional<std::size_t> term;  ///< whose colour on the map stands before the title
    float width = 0;  ///< grows with what it has shown, so that columns do not jump while the table scrolls
  };
  struct Line {
    Index key = 0;
    bool visible = false;
    TokenFacts facts;
    std::vector<Verdict> verdicts;
    std::string why;
  };

  void makeColumns();
  void fillLines();
  /// Of all columns; the last has what is left of the room.
  void measure(float room);
  std::string textOf(const Column& column, const Line& line) const;
  void drawHeader(float left, float top);
  void drawLine(const Line& line, float left, float top);
  void drawCell(const Column& column, std::size_t verdict, const Line& line, float left, float top);
  void setPage(Index lines);
  void turnWheel();
  void drawScrollBar(float left, float top, float height);
  float contentWidth() const;
  Index lastFirst() const;

  KeyTableContent m_content;
  std::vector<Column> m_columns;
  std::vector<Line> m_lines;  ///< those in view, from m_first on
  Index m_first = 0;
  Index m_page = 1;
  float m_turned = 0;   ///< of a line, by the wheel
  float m_grabbed = 0;  ///< where in the scroll bar's handle the mouse holds it, in pixels
  bool m_stale = true;  ///< m_lines are of another content or place
};

}  // namespace vqscope
