// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

struct ImDrawData;

namespace vqscope {

/// Paints what Dear ImGui wants drawn over the image, on the CPU: triangles with a colour at each corner and a texture,
/// within their clip rectangles. `image` is ARGB32_Premultiplied in device pixels, display size x framebuffer scale.
///
/// A pixel belongs to the shape that has its middle, so shapes that share an edge leave no gap and paint none twice.
/// Glyphs that are as large as their texels keep them, moved to whole pixels: text is sharp at any scale.
void paintDrawData(const ImDrawData& data, QImage& image);

}  // namespace vqscope
