// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the row debugger above its table.
#include "core/base/text.h"
#include "widgets/imgui/imgui_style.h"
#include "widgets/mask/row/row_debugger.h"

#include <QAction>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace vqscope {
namespace {

constexpr std::size_t tipRanges = 40;
constexpr float narrowestSentence = 150;
constexpr float roomForTitle = 420;
constexpr int roomForFormat = 480;
constexpr int roomForEnds = 560;

void coloured(const QColor& colour, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, packed(colour));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
}

void tip(const std::string& text) {
  if (!text.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text.c_str());
}

/// Draws a group at the right end of the line, or on its own line if it does not fit. `width` is
/// its width in the last frame.
template <class Draw>
void drawAtRight(float& width, const Draw& draw) {
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionAvail().x;
  if (room < width)
    ImGui::NewLine();
  else
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - width);
  ImGui::BeginGroup();
  draw();
  ImGui::EndGroup();
  width = ImGui::GetItemRectSize().x;
}

bool segment(const char* text, bool on) {
  const Palette& p = currentPalette();
  if (on) {
    for (const int part : {ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive})
      ImGui::PushStyleColor(part, packed(p.accent));
    ImGui::PushStyleColor(ImGuiCol_Text, packed(p.accentText));
  }
  const bool clicked = ImGui::Button(text);
  if (on) ImGui::PopStyleColor(4);
  return clicked;
}

const char* const searchTitles[] = {"Next empty", "Next different", "Next broken rule"};
const char* const filterTitles[] = {"All", "Visible", "Masked", "Different"};

}  // namespace

void RowDebugger::drawPanel() {
  const Palette& p = currentPalette();
  ImGui::AlignTextToFramePadding();
  if (!m_oneLine && ImGui::GetContentRegionAvail().x > roomForTitle) {
    ImGui::PushFont(fontOf(Face::bold));
    ImGui::TextUnformatted("Row debugger");
    ImGui::PopFont();
    ImGui::SameLine(0, 12);
  }
  if (!m_table.content().mask) {
    coloured(p.secondary, m_mask ? "Evaluating the keys of the row…" : "No mask is shown.");
    return;
  }
  if (m_oneLine)
    drawOneLine();
  else
    drawLines();
  if (isFolded()) {
    m_least = static_cast<int>(std::ceil(ImGui::GetItemRectMax().y - ImGui::GetWindowPos().y)) +
              static_cast<int>(ImGui::GetStyle().WindowPadding.y);
    return;
  }
  if (report().empty()) {
    ImGui::PushTextWrapPos(0);
    coloured(p.error, neutral_weights_sentence(report(), m_format));
    ImGui::PopTextWrapPos();
  }
  ImGui::PushFont(fontOf(Face::mono));
  // The sentence comes and goes with the row: the panel must not.
  if (!report().empty())
    m_least = static_cast<int>(
        std::ceil(ImGui::GetCursorPosY() + KeyTable::leastHeight() + ImGui::GetStyle().WindowPadding.y));
  if (const auto key = m_table.draw(m_cell.col, hasFocus()))
    m_requests.emplace_back([this, key] { pick({m_cell.row, *key}); });
  ImGui::PopFont();
}

void RowDebugger::drawLines() {
  drawRowControls();
  drawOutermostKeys();
  drawFacts();
  drawAtRight(m_searchesWidth, [this] { drawSearches(); });
  drawSentence(m_choicesWidth);
  drawAtRight(m_choicesWidth, [this] {
    drawFilters();
    // Hidden if there is no space; the menu has the commands.
    if (width() > roomForFormat && !m_table.content().second) drawFormat();
  });
}

/// The sentence on two masks is longer than what one line leaves: it has the next one.
void RowDebugger::drawOneLine() {
  const bool below = m_table.content().second && !isFolded();
  drawRowControls();
  ImGui::SameLine(0, 14);
  if (!below) drawSentence(m_choicesWidth);
  drawAtRight(m_choicesWidth, [this] {
    if (!isFolded()) drawMenus();
    if (m_foldable) drawFold();
  });
  if (below) drawSentence(0);
}

void RowDebugger::drawRowControls() {
  const Palette& p = currentPalette();
  const Index last = m_mask ? m_mask->extent().rows - 1 : 0;
  const auto button = [&](const char* text, QAction* action, bool possible) {
    ImGui::BeginDisabled(!possible);
    if (ImGui::Button(text)) m_requests.emplace_back([action] { action->trigger(); });
    ImGui::EndDisabled();
    tip((action->text() + QStringLiteral("  ") + action->shortcut().toString()).toStdString());
    ImGui::SameLine(0, 2);
  };
  const bool ends = !m_oneLine || width() > roomForEnds;  // else they are keys, and the sentence has their place
  coloured(p.secondary, "q");
  ImGui::SameLine();
  if (ends) button("«", m_steps[0], m_cell.row > 0);
  button("‹", m_steps[1], m_cell.row > 0);
  ImGui::PushFont(fontOf(Face::mono));
  ImGui::SetNextItemWidth(std::max(textWidth("00000"), textWidth(to_text(last))) + 24);
  const bool entered = ImGui::InputText("##row", m_typed.data(), m_typed.size(),
                                        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (entered) m_requests.emplace_back([this, typed = std::string(m_typed.data())] { goToTyped(typed); });
  if (!ImGui::IsItemActive()) std::snprintf(m_typed.data(), m_typed.size(), "%lld", static_cast<long long>(m_cell.row));
  ImGui::PopFont();
  tip("Row: enter a number and press Enter");
  ImGui::SameLine(0, 2);
  button("›", m_steps[2], m_cell.row < last);
  if (ends) button("»", m_steps[3], m_cell.row < last);
  ImGui::SameLine();
  if (ends) coloured(p.secondary, "of " + grouped(last + 1));
  if (m_oneLine) return;
  const std::string token = shown_token(m_tokens, m_past + m_cell.row);
  if (token.empty()) return;
  ImGui::SameLine();
  coloured(p.text, "“" + token + "”");
}

void RowDebugger::drawOutermostKeys() {
  if (report().empty()) return;
  const auto link = [&](const char* name, Index key) {
    const std::string text = name + to_text(key);
    ImGui::SameLine(0, 8);
    const float width = textWidth(text) + 2 * ImGui::GetStyle().FramePadding.x;
    if (ImGui::GetContentRegionAvail().x < width + m_searchesWidth) return ImGui::NewLine();
    if (ImGui::Button(text.c_str())) m_requests.emplace_back([this, key] { pick({m_cell.row, key}); });
    tip("Go to this key");
  };
  link("first ", report().first());
  link("last ", report().last());
}

void RowDebugger::drawFacts() {
  std::string facts;
  for (const auto& [name, value] : report().facts)
    if (name != "q_idx") facts += (facts.empty() ? "" : "   ") + name + " " + value;
  ImGui::SameLine(0, 14);
  const float room = ImGui::GetContentRegionAvail().x - m_searchesWidth - ImGui::GetStyle().ItemSpacing.x;
  if (textWidth(facts) < room) coloured(currentPalette().secondary, facts);
}

void RowDebugger::drawSearches() {
  const std::size_t shown = m_ruleSearch ? 3 : 2;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) ImGui::SameLine();
    const bool back = ImGui::GetIO().KeyShift;
    if (ImGui::Button(searchTitles[i]))
      m_requests.emplace_back([action = m_goals[i][back ? 1 : 0]] { action->trigger(); });
    const QString keys = m_goals[i][0]->shortcut().toString();
    tip((m_goals[i][0]->text() + QStringLiteral("  %1; with Shift the one before").arg(keys)).toStdString());
  }
}

void RowDebugger::drawSentence(float beside) {
  const Palette& p = currentPalette();
  ImGui::AlignTextToFramePadding();
  const float room = ImGui::GetContentRegionAvail().x - beside - 2 * ImGui::GetStyle().ItemSpacing.x;
  if (m_search.takesLong()) return coloured(p.secondary, "Searching for a row… Press Esc to stop");
  const std::string sentence = sentenceOfRow(tipRanges);
  coloured(report().empty() && !m_table.content().second ? p.error : p.text,
           fitting(sentence, m_oneLine ? room : std::max(room, narrowestSentence)));
  tip(report().empty() ? std::string() : sentence + "\n" + neutral_weights_sentence(report(), m_format));
}

void RowDebugger::drawFilters() {
  const std::size_t shown = m_table.content().second ? m_filters.size() : m_filters.size() - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    if (segment(filterTitles[i], m_filter == static_cast<KeyFilter>(i)))
      m_requests.emplace_back([action = m_filters[i]] { action->trigger(); });
    tip(m_filters[i]->text().toStdString());
    ImGui::SameLine(0, 2);
  }
}

void RowDebugger::drawMenus() {
  const auto menu = [](const char* id, const char* shown, const auto& fill) {
    ImGui::SetNextItemWidth(textWidth(shown) + textWidth("  ▾") + 4 * ImGui::GetStyle().FramePadding.x);
    if (!ImGui::BeginCombo(id, (std::string(shown) + "  ▾").c_str(), ImGuiComboFlags_NoArrowButton)) return;
    fill();
    ImGui::EndCombo();
  };
  const auto entry = [this](QAction* action, const std::string& title, bool on) {
    if (ImGui::Selectable(title.c_str(), on)) m_requests.emplace_back([action] { action->trigger(); });
  };
  menu("##searches", "Next", [&] {
    for (std::size_t i = 0; i < (m_ruleSearch ? 3 : 2); ++i) {
      QAction* action = m_goals[i][0];
      entry(action, (action->text() + QStringLiteral("  ") + action->shortcut().toString()).toStdString(), false);
    }
  });
  ImGui::SameLine(0, 6);
  menu("##filters", filterTitles[static_cast<std::size_t>(m_filter)], [&] {
    const std::size_t shown = m_table.content().second ? m_filters.size() : m_filters.size() - 1;
    for (std::size_t i = 0; i < shown; ++i)
      entry(m_filters[i], m_filters[i]->text().toStdString(), m_filter == static_cast<KeyFilter>(i));
  });
}

void RowDebugger::drawFold() {
  if (!isFolded()) ImGui::SameLine(0, 6);
  if (ImGui::Button(isFolded() ? "Keys ▲" : "▼")) m_requests.emplace_back([this] { m_fold->trigger(); });
  tip(isFolded() ? "Show the keys of the row, and why each is masked" : "Fold the keys of the row");
}

void RowDebugger::drawFormat() {
  const auto choice = [](const char* id, const std::string& shown, float width, const auto& fill) {
    ImGui::SameLine(0, 6);
    ImGui::SetNextItemWidth(width + textWidth("  ▾") + 2 * ImGui::GetStyle().FramePadding.x);
    // ImGui's own arrow is heavier than the other symbols.
    if (!ImGui::BeginCombo(id, (shown + "  ▾").c_str(), ImGuiComboFlags_NoArrowButton)) return;
    fill();
    ImGui::EndCombo();
  };
  ImGui::SameLine(0, 12);
  coloured(currentPalette().secondary, "Additive");
  const auto names = float_type_names();
  choice("##type", names[static_cast<std::size_t>(m_format.type)], textWidth("bfloat16"), [&] {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (ImGui::Selectable(names[i].c_str(), m_format.type == static_cast<FloatType>(i)))
        m_requests.emplace_back([action = m_types[i]] { action->trigger(); });
  });
  const bool infinite = m_format.masked == MaskedValue::minus_infinity;
  choice("##masked", infinite ? "-inf" : "lowest", textWidth("lowest"), [&] {
    if (ImGui::Selectable("lowest: the dtype's most negative number", !infinite) && infinite)
      m_requests.emplace_back([this] { m_infinite->trigger(); });
    if (ImGui::Selectable("-inf", infinite) && !infinite) m_requests.emplace_back([this] { m_infinite->trigger(); });
  });
}

}  // namespace vqscope
