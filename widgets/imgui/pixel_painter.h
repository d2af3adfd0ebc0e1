// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include <imgui.h>

#include <array>

namespace vqscope {

/// Target of an ImTextureID: the alpha of each texel, which scales the vertex colour. Without an
/// ID, alpha is 1 everywhere.
struct AlphaTexture {
  const uchar* alpha = nullptr;  ///< [height, width], row-major
  int width = 0;
  int height = 0;
};

/// Pixels [left, right) x [top, bottom).
struct PixelBox {
  int left, top, right, bottom;
  bool isEmpty() const { return left >= right || top >= bottom; }
};

/// The first pixel whose centre is at x or to the right of x.
int pixelFrom(float x);

/// One corner of a triangle in device pixels and texels.
struct Corner {
  float x, y, u, v;
  ImU32 colour;
};

/// Paints rectangles and triangles over the pixels of an image, within a clip box.
class PixelPainter {
 public:
  /// Without a texture, shapes have a plain colour.
  PixelPainter(QImage& image, const AlphaTexture* texture, const PixelBox& clip);

  bool isEmpty() const { return m_clip.isEmpty(); }

  /// The fast path for corners in ImGui's order of a rectangle. Returns false and paints nothing if
  /// they are not a rectangle, have several colours, or stretch a texture.
  bool rectangle(const Corner& a, const Corner& b, const Corner& c, const Corner& d);

  void triangle(Corner a, Corner b, Corner c);

 private:
  using Corners = std::array<Corner, 3>;

  bool isPlain(const Corner& a, const Corner& b) const { return !m_texture || (a.u == b.u && a.v == b.v); }
  QRgb* line(int y) { return m_bits + y * m_stride; }
  quint32 texel(float u, float v) const;
  void fill(const Corner& a, const Corner& c);
  void glyph(const Corner& a, const Corner& c);
  /// At the point with these barycentric weights.
  QRgb mixedColour(const Corners& corners, const std::array<float, 3>& fractions) const;

  QRgb* m_bits;
  qsizetype m_stride;
  const AlphaTexture* m_texture;
  PixelBox m_clip;
};

}  // namespace vqscope
