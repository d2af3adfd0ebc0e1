// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

struct ImDrawData;

namespace vqscope {

/// Paints Dear ImGui's draw lists over the image, on the CPU: textured triangles with a colour at
/// each corner, within their clip rectangles. `image` is ARGB32_Premultiplied in device pixels,
/// display size x framebuffer scale.
///
/// A pixel belongs to the shape that contains its centre, so adjacent shapes leave no gap and paint
/// no pixel twice. Unscaled glyphs are moved to whole pixels, so text is sharp at any scale.
void paintDrawData(const ImDrawData& data, QImage& image);

}  // namespace vqscope
