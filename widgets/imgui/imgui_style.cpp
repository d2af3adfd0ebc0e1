// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/imgui/imgui_style.h"

#include <algorithm>

namespace vqscope {
namespace {

ImVec4 colourVector(const QColor& colour) { return {colour.redF(), colour.greenF(), colour.blueF(), colour.alphaF()}; }

QColor faded(QColor colour, double alpha) {
  colour.setAlphaF(static_cast<float>(alpha));
  return colour;
}

}  // namespace

ImU32 packed(const QColor& colour) { return IM_COL32(colour.red(), colour.green(), colour.blue(), colour.alpha()); }

void applyPalette(const Palette& p, ImGuiStyle& style) {
  style = ImGuiStyle();
  style.WindowPadding = {14, 8};
  style.FramePadding = {8, 3};
  style.CellPadding = {10, 3};
  style.ItemSpacing = {6, 6};
  style.ItemInnerSpacing = {6, 4};
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 3;
  style.FrameRounding = 5;
  style.PopupRounding = 5;
  style.WindowBorderSize = 0;
  style.FrameBorderSize = 1;
  style.AntiAliasedLinesUseTex = false;  // the rasterizer reads single texels

  const QColor hover = mixed(p.raised, p.text, 0.08);
  const QColor muted = mixed(p.raised, p.accent, p.dark ? 0.28 : 0.16);
  const QColor thumb = mixed(p.line, p.secondary, 0.35);
  const QColor clear = faded(p.panel, 0);
  // Elements that our panels do not use get the neutral surface, not ImGui's own blue.
  for (auto& colour : style.Colors) colour = colourVector(p.raised);
  const std::pair<int, QColor> colours[] = {{ImGuiCol_Text, p.text},
                                            {ImGuiCol_TextDisabled, p.secondary},
                                            {ImGuiCol_WindowBg, p.panel},
                                            {ImGuiCol_ChildBg, clear},
                                            {ImGuiCol_PopupBg, p.panel},
                                            {ImGuiCol_Border, p.line},
                                            {ImGuiCol_BorderShadow, clear},
                                            {ImGuiCol_FrameBgHovered, hover},
                                            {ImGuiCol_FrameBgActive, hover},
                                            {ImGuiCol_ScrollbarBg, clear},
                                            {ImGuiCol_ScrollbarGrab, thumb},
                                            {ImGuiCol_ScrollbarGrabHovered, p.secondary},
                                            {ImGuiCol_ScrollbarGrabActive, p.secondary},
                                            {ImGuiCol_CheckMark, p.accent},
                                            {ImGuiCol_ButtonHovered, hover},
                                            {ImGuiCol_ButtonActive, p.line},
                                            {ImGuiCol_Header, muted},
                                            {ImGuiCol_HeaderHovered, hover},
                                            {ImGuiCol_HeaderActive, muted},
                                            {ImGuiCol_Separator, p.line},
                                            {ImGuiCol_SeparatorHovered, p.accent},
                                            {ImGuiCol_SeparatorActive, p.accent},
                                            {ImGuiCol_TableHeaderBg, p.panel},
                                            {ImGuiCol_TableBorderStrong, p.line},
                                            {ImGuiCol_TableBorderLight, p.line},
                                            {ImGuiCol_TableRowBg, clear},
                                            {ImGuiCol_TableRowBgAlt, clear},
                                            {ImGuiCol_TextSelectedBg, faded(p.accent, 0.35)},
                                            {ImGuiCol_NavHighlight, p.accent}};
  for (const auto& [id, colour] : colours) style.Colors[id] = colourVector(colour);
}

float textWidth(const std::string& text) { return ImGui::CalcTextSize(text.c_str(), text.c_str() + text.size()).x; }

std::string fitting(const std::string& text, float room) {
  if (textWidth(text) <= room) return text;
  const char* end = nullptr;
  ImGui::GetFont()->CalcTextSizeA(ImGui::GetFontSize(), std::max(0.0F, room - textWidth("…")), 0, text.c_str(),
                                  text.c_str() + text.size(), &end);
  return std::string(text.c_str(), end) + "…";
}

}  // namespace vqscope
