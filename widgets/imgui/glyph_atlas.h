// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/imgui/pixel_painter.h"

#include <QFont>

#include <vector>

struct ImFont;
struct ImFontAtlas;

namespace vqscope {

/// Qt's glyphs as Dear ImGui's fonts: the faces, hinting and substitutes of the rest of the window,
/// at any pixel ratio. Latin, Greek, arrows and the symbols of tables; Qt substitutes characters
/// that a face lacks.
class GlyphAtlas {
 public:
  /// Replaces the atlas's fonts by `faces`, in this order. Must not be called within a frame.
  void build(ImFontAtlas& atlas, const std::vector<QFont>& faces, double pixelRatio);

 private:
  AlphaTexture m_texture;  ///< the atlas's own pixels
};

}  // namespace vqscope
