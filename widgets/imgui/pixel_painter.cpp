// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/imgui/pixel_painter.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vqscope {
namespace {

constexpr float farAway = 1e6F;  ///< device pixels: fixed-point edges below stay within 64 bits
constexpr int subpixels = 256;

/// a * b / 255, rounded.
constexpr quint32 scaled(quint32 a, quint32 b) {
  const quint32 product = a * b + 128;
  return (product + (product >> 8)) >> 8;
}

/// `source` over `target`, both premultiplied.
QRgb over(QRgb source, QRgb target) {
  const quint32 rest = 255 - static_cast<quint32>(qAlpha(source));
  const auto channel = [&](int shift) { return (source >> shift & 0xff) + scaled(target >> shift & 0xff, rest); };
  return channel(24) << 24 | channel(16) << 16 | channel(8) << 8 | channel(0);
}

quint32 channelOf(ImU32 colour, int shift) { return colour >> shift & 0xff; }

QRgb premultiplied(ImU32 colour, quint32 coverage) {
  const quint32 alpha = scaled(channelOf(colour, IM_COL32_A_SHIFT), coverage);
  const auto channel = [&](int shift) { return scaled(channelOf(colour, shift), alpha); };
  return alpha << 24 | channel(IM_COL32_R_SHIFT) << 16 | channel(IM_COL32_G_SHIFT) << 8 | channel(IM_COL32_B_SHIFT);
}

bool isNear(const Corner& corner) { return std::abs(corner.x) < farAway && std::abs(corner.y) < farAway; }

PixelBox common(const PixelBox& a, const PixelBox& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

/// Edge function of the side from p to q: the distance of a point to the inner side, in squared
/// subpixels.
class Edge {
 public:
  Edge(const Corner& p, const Corner& q)
      : m_perX(fixed(p.y) - fixed(q.y)),
        m_perY(fixed(q.x) - fixed(p.x)),
        m_atOrigin(-(m_perX * fixed(p.x) + m_perY * fixed(p.y))) {}

  qint64 at(const Corner& corner) const { return m_atOrigin + m_perX * fixed(corner.x) + m_perY * fixed(corner.y); }
  qint64 atMiddle(int x, int y) const {
    return m_atOrigin + m_perX * (x * subpixels + subpixels / 2) + m_perY * (y * subpixels + subpixels / 2);
  }
  /// Top-left rule: points on a shared side belong to the triangle whose left or top side it is.
  qint64 least() const { return m_perX > 0 || (m_perX == 0 && m_perY > 0) ? 0 : 1; }

 private:
  static qint64 fixed(float value) { return std::llround(static_cast<double>(value) * subpixels); }

  qint64 m_perX;
  qint64 m_perY;
  qint64 m_atOrigin;
};

/// Barycentric weights of a pixel's centre, or nothing outside the triangle.
std::optional<std::array<float, 3>> fractionsAt(const std::array<Edge, 3>& edges, float whole, int x, int y) {
  std::array<float, 3> fractions;
  for (std::size_t i = 0; i < 3; ++i) {
    const qint64 distance = edges[i].atMiddle(x, y);
    if (distance < edges[i].least()) return std::nullopt;
    fractions[i] = static_cast<float>(distance) / whole;
  }
  return fractions;
}

}  // namespace

int pixelFrom(float x) { return static_cast<int>(std::ceil(std::clamp(x, -farAway, farAway) - 0.5F)); }

PixelPainter::PixelPainter(QImage& image, const AlphaTexture* texture, const PixelBox& clip)
    : m_bits(reinterpret_cast<QRgb*>(image.bits())),
      m_stride(image.bytesPerLine() / 4),
      m_texture(texture),
      m_clip(common(clip, {0, 0, image.width(), image.height()})) {}

quint32 PixelPainter::texel(float u, float v) const {
  if (!m_texture) return 255;
  const auto within = [](float at, int size) {
    return static_cast<int>(std::clamp(std::floor(at), 0.0F, static_cast<float>(size - 1)));
  };
  return m_texture->alpha[within(v, m_texture->height) * m_texture->width + within(u, m_texture->width)];
}

bool PixelPainter::rectangle(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
  const bool upright = a.x == d.x && b.x == c.x && a.y == b.y && c.y == d.y && a.x <= b.x && a.y <= d.y;
  if (!upright || a.colour != b.colour || a.colour != c.colour || a.colour != d.colour) return false;
  if (isPlain(a, c)) {
    fill(a, c);
    return true;
  }
  constexpr float rounding = 0.3F;
  const bool sameSize =
      std::abs((c.x - a.x) - (c.u - a.u)) < rounding && std::abs((c.y - a.y) - (c.v - a.v)) < rounding;
  const bool inside = a.u >= 0 && a.v >= 0 && c.u <= static_cast<float>(m_texture->width) &&
                      c.v <= static_cast<float>(m_texture->height);
  if (!sameSize || !inside || !isNear(a) || a.u != d.u || b.u != c.u || a.v != b.v || c.v != d.v) return false;
  glyph(a, c);
  return true;
}

void PixelPainter::fill(const Corner& a, const Corner& c) {
  const PixelBox box = common({pixelFrom(a.x), pixelFrom(a.y), pixelFrom(c.x), pixelFrom(c.y)}, m_clip);
  const QRgb source = premultiplied(a.colour, texel(a.u, a.v));
  if (box.isEmpty() || qAlpha(source) == 0) return;
  for (int y = box.top; y < box.bottom; ++y) {
    if (qAlpha(source) == 255)
      std::fill(line(y) + box.left, line(y) + box.right, source);
    else
      for (int x = box.left; x < box.right; ++x) line(y)[x] = over(source, line(y)[x]);
  }
}

void PixelPainter::glyph(const Corner& a, const Corner& c) {
  const int left = qRound(a.x);
  const int top = qRound(a.y);
  const int u = qRound(a.u);
  const int v = qRound(a.v);
  const PixelBox box = common({left, top, left + qRound(c.u) - u, top + qRound(c.v) - v}, m_clip);
  for (int y = box.top; y < box.bottom; ++y) {
    const uchar* texels = m_texture->alpha + std::ptrdiff_t{v + y - top} * m_texture->width + u - left;
    for (int x = box.left; x < box.right; ++x)
      if (texels[x] > 0) line(y)[x] = over(premultiplied(a.colour, texels[x]), line(y)[x]);
  }
}

QRgb PixelPainter::mixedColour(const Corners& corners, const std::array<float, 3>& fractions) const {
  const auto mix = [&](const auto& valueOf) {
    return valueOf(corners[0]) * fractions[0] + valueOf(corners[1]) * fractions[1] + valueOf(corners[2]) * fractions[2];
  };
  const auto part = [](const Corner& corner, int shift) { return static_cast<float>(channelOf(corner.colour, shift)); };
  const float alpha = mix([&](const Corner& corner) { return part(corner, IM_COL32_A_SHIFT); });
  if (alpha <= 0) return 0;
  // Premultiplied before mixing, so that a transparent corner does not tint the others.
  const auto channel = [&](int shift) {
    const float sum = mix([&](const Corner& corner) { return part(corner, shift) * part(corner, IM_COL32_A_SHIFT); });
    return static_cast<quint32>(std::clamp(sum / alpha + 0.5F, 0.0F, 255.0F));
  };
  const quint32 coverage =
      texel(mix([](const Corner& corner) { return corner.u; }), mix([](const Corner& corner) { return corner.v; }));
  return premultiplied(IM_COL32(channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT),
                                static_cast<quint32>(std::clamp(alpha + 0.5F, 0.0F, 255.0F))),
                       coverage);
}

void PixelPainter::triangle(Corner a, Corner b, Corner c) {
  if (!isNear(a) || !isNear(b) || !isNear(c)) return;
  if (Edge(a, b).at(c) < 0) std::swap(b, c);
  const qint64 area = Edge(a, b).at(c);
  if (area == 0) return;
  // Each side gives the weight of the opposite corner.
  const std::array edges{Edge(b, c), Edge(c, a), Edge(a, b)};
  const PixelBox box = common({pixelFrom(std::min({a.x, b.x, c.x})), pixelFrom(std::min({a.y, b.y, c.y})),
                               pixelFrom(std::max({a.x, b.x, c.x})) + 1, pixelFrom(std::max({a.y, b.y, c.y})) + 1},
                              m_clip);
  const bool plain = a.colour == b.colour && a.colour == c.colour && isPlain(a, b) && isPlain(a, c);
  const QRgb source = plain ? premultiplied(a.colour, texel(a.u, a.v)) : 0;
  for (int y = box.top; y < box.bottom; ++y)
    for (int x = box.left; x < box.right; ++x)
      if (const auto fractions = fractionsAt(edges, static_cast<float>(area), x, y))
        line(y)[x] = over(plain ? source : mixedColour({a, b, c}, *fractions), line(y)[x]);
}

}  // namespace vqscope
