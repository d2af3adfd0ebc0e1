// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing and mouse handling of KeyTable.
#include "core/base/text.h"
#include "widgets/imgui/imgui_style.h"
#include "widgets/mask/row/key_table.h"
#include "widgets/paint/colour_map.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vqscope {
namespace {

constexpr float cellPadding = 9;
constexpr float linePadding = 3;
constexpr float widestTitle = 190;
constexpr float narrowTitle = 64;       ///< where not all columns fit
constexpr float narrowestReason = 160;  ///< below this width, the table scrolls sideways
constexpr float wideReason = 460;
constexpr float leastReason = 48;  ///< of one that ends at the border of the table
constexpr float mostReason = 320;  ///< of the former of two reasons
constexpr float markWidth = 3;     ///< where A and B differ
constexpr float swatchSide = 8;
constexpr float swatch = swatchSide + 6;
constexpr float scrollBarWidth = 8;
constexpr float shortestHandle = 24;
constexpr float narrowestTable = 100;
constexpr int linesPerNotch = 3;
constexpr float pixelsPerNotch = 100;

float lineHeight() { return std::ceil(ImGui::GetFontSize() + 2 * linePadding); }

void addText(float x, float y, const QColor& colour, const std::string& text) {
  ImGui::GetWindowDrawList()->AddText({x, y}, packed(colour), text.c_str(), text.c_str() + text.size());
}

struct VerdictMark {
  const char* text;
  QColor colour;
};

VerdictMark markOf(Verdict verdict) {
  const Palette& p = currentPalette();
  switch (verdict) {
    case Verdict::yes: return {"✓", p.good};
    case Verdict::no: return {"✗", p.error};
    case Verdict::skipped: return {"–", p.secondary};
    case Verdict::error: break;
  }
  return {"!", p.warning};
}

std::optional<QColor> backgroundOf(bool selected, bool active, bool under) {
  const Palette& p = currentPalette();
  if (selected) return mixed(p.panel, p.accent, (p.dark ? 0.28 : 0.16) * (active ? 1 : 0.6));
  return under ? std::optional(mixed(p.panel, p.text, 0.05)) : std::nullopt;
}

}  // namespace

float KeyTable::leastHeight() {
  constexpr float lines = 4;
  return (lines + 1) * lineHeight() + 1 + ImGui::GetStyle().ScrollbarSize;
}

void KeyTable::measure(float room) {
  Column& why = widest();
  for (Column& column : m_columns) {
    if (column.kind == Kind::key) column.content = std::max(column.content, textWidth(to_text(m_content.row.keys)));
    if (column.kind == Kind::additive)
      column.content = std::max(column.content, textWidth(short_additive_text(m_content.format, false)));
    if (&column == &why) continue;
    const float most = column.kind == Kind::why ? mostReason : room;
    for (const Line& line : m_lines)
      column.content = std::max(column.content, std::min(most, textWidth(drawnText(column, line))));
  }
  for (const Line& line : m_lines) m_reason = std::max(m_reason, textWidth(drawnText(why, line)));
  setWidths(widestTitle);
  const bool narrow = room - contentWidth() < narrowestReason;
  if (narrow) setWidths(narrowTitle);
  orderColumns(narrow);
  widest().width = narrow ? narrowReason(room) : room - contentWidth();
}

/// Columns behind it give way before it is cut.
float KeyTable::narrowReason(float room) const {
  const Kind kind = m_content.second ? Kind::why_b : Kind::why;
  float before = 2 * cellPadding;
  for (const Column& column : m_columns) {
    if (column.kind == kind) break;
    before += column.width + 2 * cellPadding;
  }
  const float left = room - contentWidth();
  const float wanted = std::clamp(m_reason, narrowestReason, wideReason);
  return std::max({left, narrowestReason, std::min(wanted, room - before)});
}

float KeyTable::shownWidth(const Column& column, float left, float right) {
  const float shown = std::min(column.width, right - left - cellPadding);
  if (shown >= column.width) return column.width;
  const bool isReason = column.kind == Kind::why || column.kind == Kind::why_b;
  return isReason && shown >= leastReason ? shown : 0;
}

void KeyTable::setWidths(float mostTitle) {
  for (Column& column : m_columns)
    column.width = std::max(column.content, std::min(mostTitle, textWidth(column.title)) + (column.term ? swatch : 0));
  widest().width = 0;
}

void KeyTable::orderColumns(bool narrow) {
  if (std::exchange(m_factsLast, narrow) == narrow) return;
  const auto place = [narrow](const Column& column) {
    if (column.kind == Kind::key || column.kind == Kind::token) return 0;
    return column.kind != Kind::fact ? 2 : narrow ? 3 : 1;
  };
  std::ranges::stable_sort(m_columns, {}, place);
}

KeyTable::Column& KeyTable::widest() {
  const Kind kind = m_content.second ? Kind::why_b : Kind::why;
  return *std::ranges::find(m_columns, kind, &Column::kind);
}

float KeyTable::contentWidth() const {
  float width = 0;
  for (const Column& column : m_columns) width += column.width + 2 * cellPadding;
  return width;
}

void KeyTable::drawHeader(float left, float top, float right) {
  const Palette& p = currentPalette();
  for (const Column& column : m_columns) {
    if (shownWidth(column, left, right) <= 0) return;
    const float width = column.width + 2 * cellPadding;
    const bool isRight = column.kind == Kind::key || column.kind == Kind::fact || column.kind == Kind::additive ||
                         column.kind == Kind::weight;
    const float room = std::min(textWidth(column.title) + (column.term ? swatch : 0), column.width);
    const float slack = column.width - room;
    float shift = column.kind == Kind::verdict ? slack / 2 : isRight ? slack : 0;
    shift = std::floor(shift) + cellPadding;
    if (column.term) {
      const float y = top + std::floor((lineHeight() - swatchSide) / 2) + 1;
      ImGui::GetWindowDrawList()->AddRectFilled({left + shift, y}, {left + shift + swatchSide, y + swatchSide},
                                                packed(QColor(maskColours(p.dark).ofTerm(column.title, *column.term))));
      shift += swatch;
    }
    addText(left + shift, top + linePadding, column.isDimmed ? mixed(p.secondary, p.panel, 0.15) : p.secondary,
            fitting(column.title, room - (column.term ? swatch : 0)));
    if (ImGui::IsMouseHoveringRect({left, top}, {left + width, top + lineHeight()}))
      ImGui::SetTooltip("%s", column.help.c_str());
    left += width;
  }
}

void KeyTable::drawCell(const Column& column, const Line& line, float left, float top, float width) {
  const Palette& p = currentPalette();
  const float y = top + linePadding;
  const float x = left + cellPadding;
  if (column.kind == Kind::verdict) {
    const VerdictMark mark =
        markOf(column.verdict < line.verdicts.size() ? line.verdicts[column.verdict] : Verdict::skipped);
    return addText(x + std::floor((column.width - textWidth(mark.text)) / 2), y, mark.colour, mark.text);
  }
  const std::string text = textOf(column, line);
  if (column.kind == Kind::visible) return addText(x, y, line.visible ? p.good : p.error, text);
  if (column.kind == Kind::side_a) return addText(x, y, line.term.empty() ? p.good : p.error, text);
  if (column.kind == Kind::side_b) return addText(x, y, line.second_term.empty() ? p.good : p.error, text);
  if (column.kind == Kind::why || column.kind == Kind::why_b) {
    const std::string drawn = drawnText(column, line);
    addText(x, y, p.secondary, fitting(drawn, width));
    if (textWidth(drawn) > width && ImGui::IsMouseHoveringRect({x, top}, {x + width, top + lineHeight()}))
      ImGui::SetTooltip("%s", text.c_str());
    return;
  }
  const bool isPlain = column.kind == Kind::key || column.kind == Kind::token;
  const float indent = column.kind == Kind::token ? 0 : std::floor(column.width - textWidth(text));
  addText(x + indent, y, isPlain ? p.text : p.secondary, text);
}

void KeyTable::drawLine(const Line& line, float left, float top, float right) {
  for (const Column& column : m_columns) {
    const float width = shownWidth(column, left, right);
    if (width <= 0) return;
    drawCell(column, line, left, top, width);
    left += column.width + 2 * cellPadding;
  }
}

std::optional<Index> KeyTable::draw(Index selected, bool active) {
  if (m_columns.empty()) return std::nullopt;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = std::max(narrowestTable, room.x - scrollBarWidth);
  measure(width);
  const bool wide = contentWidth() > width;
  const float height = room.y - (wide ? ImGui::GetStyle().ScrollbarSize : 0);
  const float step = lineHeight();
  setPage(std::max<Index>(1, static_cast<Index>((height - step - 1) / step)));
  fillLines();
  measure(width);

  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("keys", {width, room.y}, false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
  const float left = ImGui::GetCursorScreenPos().x;  // moves as the child scrolls sideways
  drawHeader(left, corner.y, corner.x + width);
  ImGui::GetWindowDrawList()->AddRectFilled({corner.x, corner.y + step}, {corner.x + width, corner.y + step + 1},
                                            packed(currentPalette().line));
  std::optional<Index> picked;
  float top = corner.y + step + 1;
  for (const Line& line : m_lines) {
    const ImVec2 from{corner.x, top};
    const ImVec2 to{corner.x + width, top + step};
    const bool under = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, to);
    if (const auto colour = backgroundOf(line.key == selected, active, under))
      ImGui::GetWindowDrawList()->AddRectFilled(from, to, packed(*colour));
    if (m_content.second && line.differs())
      ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + markWidth, to.y}, packed(currentPalette().warning));
    if (under && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) picked = line.key;
    drawLine(line, left, top, to.x);
    top += step;
  }
  ImGui::Dummy({contentWidth(), height});
  if (ImGui::IsWindowHovered()) turnWheel();
  ImGui::EndChild();
  ImGui::PopStyleVar();
  drawScrollBar(corner.x + width, corner.y + step, height - step);
  return picked;
}

void KeyTable::setPage(Index lines) {
  m_stale = m_stale || lines != m_page;
  m_page = lines;
  scroll(0);
}

/// With Shift, or on wheels that have it, sideways.
void KeyTable::turnWheel() {
  const ImGuiIO& io = ImGui::GetIO();
  const float sideways = io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0);
  if (sideways != 0) ImGui::SetScrollX(ImGui::GetScrollX() - sideways * pixelsPerNotch);
  m_turned -= io.KeyShift ? 0 : io.MouseWheel * linesPerNotch;
  const auto whole = static_cast<Index>(m_turned);
  m_turned -= static_cast<float>(whole);
  scroll(whole);
}

void KeyTable::drawScrollBar(float left, float top, float height) {
  const Index last = lastFirst();
  if (last == 0 || height <= shortestHandle) return;
  const Palette& p = currentPalette();
  const double fraction = static_cast<double>(m_page) / static_cast<double>(m_content.keys.size());
  const float handle = std::max(shortestHandle, static_cast<float>(fraction) * height);
  const float track = height - handle;
  const auto handleTop = [&] {
    return top + static_cast<float>(static_cast<double>(m_first) / static_cast<double>(last)) * track;
  };
  ImGui::SetCursorScreenPos({left, top});
  ImGui::InvisibleButton("scroll", {scrollBarWidth, height});
  const float mouse = ImGui::GetIO().MousePos.y;
  if (ImGui::IsItemActivated()) {
    const float inside = mouse - handleTop();
    m_grabbed = inside >= 0 && inside <= handle ? inside : handle / 2;
  }
  if (ImGui::IsItemActive()) {
    const double fraction_above = std::clamp((mouse - m_grabbed - top) / track, 0.0F, 1.0F);
    scroll(std::llround(fraction_above * static_cast<double>(last)) - m_first);
  }
  const QColor colour =
      ImGui::IsItemHovered() || ImGui::IsItemActive() ? p.secondary : mixed(p.line, p.secondary, 0.35);
  ImGui::GetWindowDrawList()->AddRectFilled({left + 2, handleTop()}, {left + scrollBarWidth, handleTop() + handle},
                                            packed(colour), 3);
}

}  // namespace vqscope
