// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/imgui/pixel_painter.h"

#include <QFont>

#include <vector>

struct ImFont;
struct ImFontAtlas;

namespace vqscope {

/// Qt's glyphs as Dear ImGui's fonts: the faces, hinting and substitutes of the rest of the window, at any pixel ratio.
/// Latin, Greek, arrows and the marks of tables; what a face lacks comes from wherever Qt finds it.
class GlyphAtlas {
 public:
  /// Replaces the atlas's fonts by `faces`, in their order. Not within a frame.
  void build(ImFontAtlas& atlas, const std::vector<QFont>& faces, double pixelRatio);

 private:
  AlphaTexture m_texture;  ///< the atlas's own pixels
};

}  // namespace vqscope
