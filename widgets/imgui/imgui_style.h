// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/palette.h"

#include <imgui.h>

namespace vqscope {

ImU32 packed(const QColor& colour);

/// The workbench's colours, spacings and corners as Dear ImGui's, in device-independent pixels.
void applyPalette(const Palette& palette, ImGuiStyle& style);

}  // namespace vqscope
