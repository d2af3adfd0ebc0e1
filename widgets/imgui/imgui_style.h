// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/palette.h"

#include <imgui.h>

#include <string>

namespace vqscope {

ImU32 packed(const QColor& colour);

/// The workbench's colours, spacings and corners as Dear ImGui's, in device-independent pixels.
void applyPalette(const Palette& palette, ImGuiStyle& style);

/// The width of a text in the current font.
float textWidth(const std::string& text);

/// The whole characters of a text that fit into `room`, followed by "…" if they are not all.
std::string fitting(const std::string& text, float room);

}  // namespace vqscope
