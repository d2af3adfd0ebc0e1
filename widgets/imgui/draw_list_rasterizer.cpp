// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/imgui/draw_list_rasterizer.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace vqscope {
namespace {

constexpr float farAway = 1e6F;  ///< device pixels: fixed-point edges below stay within 64 bits
constexpr double subpixels = 256;

/// Not premultiplied; 0 to 255.
struct Colour {
  float red, green, blue, alpha;
};

Colour colourOf(ImU32 packed) {
  const auto channel = [packed](int shift) { return static_cast<float>(packed >> shift & 0xff); };
  return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT), channel(IM_COL32_A_SHIFT)};
}

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

QRgb premultiplied(ImU32 packed, quint32 coverage) {
  const quint32 alpha = scaled(packed >> IM_COL32_A_SHIFT & 0xff, coverage);
  const auto channel = [&](int shift) { return scaled(packed >> shift & 0xff, alpha); };
  return alpha << 24 | channel(IM_COL32_R_SHIFT) << 16 | channel(IM_COL32_G_SHIFT) << 8 | channel(IM_COL32_B_SHIFT);
}

/// The first pixel whose middle is at or behind x.
int pixelFrom(float x) { return static_cast<int>(std::ceil(std::clamp(x, -farAway, farAway) - 0.5F)); }

/// Pixels [left, right) x [top, bottom).
struct Box {
  int left, top, right, bottom;
  bool isEmpty() const { return left >= right || top >= bottom; }
};

Box common(const Box& a, const Box& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

/// One corner in device pixels and texels.
struct Corner {
  float x, y, u, v;
  ImU32 colour;
};

class Painter {
 public:
  Painter(QImage& image, const AlphaTexture* texture, const Box& clip)
      : m_bits(reinterpret_cast<QRgb*>(image.bits())),
        m_stride(image.bytesPerLine() / 4),
        m_texture(texture),
        m_clip(common(clip, {0, 0, image.width(), image.height()})) {}

  bool isEmpty() const { return m_clip.isEmpty(); }

  /// Corners in the order in which ImGui lists those of a rectangle; false when it is none of one colour.
  bool rectangle(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
    const bool upright = a.x == d.x && b.x == c.x && a.y == b.y && c.y == d.y && a.x <= b.x && a.y <= d.y;
    if (!upright || a.colour != b.colour || a.colour != c.colour || a.colour != d.colour) return false;
    if (isPlain(a, c)) return fill(a, c), true;
    const bool sameSize = std::abs((c.x - a.x) - (c.u - a.u)) < 0.3F && std::abs((c.y - a.y) - (c.v - a.v)) < 0.3F;
    if (!sameSize || a.u != d.u || b.u != c.u || a.v != b.v || c.v != d.v) return false;
    return glyph(a, c), true;
  }

  void triangle(Corner a, Corner b, Corner c);

 private:
  bool isPlain(const Corner& a, const Corner& b) const { return !m_texture || (a.u == b.u && a.v == b.v); }
  QRgb* line(int y) { return m_bits + y * m_stride; }

  quint32 texel(int u, int v) const {
    if (!m_texture) return 255;
    u = std::clamp(u, 0, m_texture->width - 1);
    v = std::clamp(v, 0, m_texture->height - 1);
    return m_texture->alpha[v * m_texture->width + u];
  }
  quint32 texelAt(const Corner& corner) const {
    return texel(static_cast<int>(std::floor(corner.u)), static_cast<int>(std::floor(corner.v)));
  }

  void fill(const Corner& a, const Corner& c) {
    const Box box = common({pixelFrom(a.x), pixelFrom(a.y), pixelFrom(c.x), pixelFrom(c.y)}, m_clip);
    const QRgb source = premultiplied(a.colour, texelAt(a));
    if (box.isEmpty() || qAlpha(source) == 0) return;
    for (int y = box.top; y < box.bottom; ++y) {
      if (qAlpha(source) == 255)
        std::fill(line(y) + box.left, line(y) + box.right, source);
      else
        for (int x = box.left; x < box.right; ++x) line(y)[x] = over(source, line(y)[x]);
    }
  }

  void glyph(const Corner& a, const Corner& c) {
    const int left = qRound(a.x);
    const int top = qRound(a.y);
    const int u = qRound(a.u);
    const int v = qRound(a.v);
    const Box box = common({left, top, left + qRound(c.u) - u, top + qRound(c.v) - v}, m_clip);
    for (int y = box.top; y < box.bottom; ++y)
      for (int x = box.left; x < box.right; ++x) {
        const quint32 coverage = texel(u + x - left, v + y - top);
        if (coverage > 0) line(y)[x] = over(premultiplied(a.colour, coverage), line(y)[x]);
      }
  }

  QRgb* m_bits;
  qsizetype m_stride;
  const AlphaTexture* m_texture;
  Box m_clip;
};

/// The side of a triangle from p to q: how far a point lies to its inner side, in squares of subpixels.
struct Edge {
  qint64 atOrigin, perX, perY;

  Edge(qint64 px, qint64 py, qint64 qx, qint64 qy) : perX(py - qy), perY(qx - px) {
    atOrigin = -(perX * px + perY * py);
  }
  qint64 at(qint64 x, qint64 y) const { return atOrigin + perX * x + perY * y; }
  /// Of two triangles that share this side, the one to whose left or top it is has the points on it.
  qint64 least() const { return perX > 0 || (perX == 0 && perY > 0) ? 0 : 1; }
};

void Painter::triangle(Corner a, Corner b, Corner c) {
  const auto fixed = [](float value) { return static_cast<qint64>(std::llround(value * subpixels)); };
  for (const Corner* corner : {&a, &b, &c})
    if (!(std::abs(corner->x) < farAway && std::abs(corner->y) < farAway)) return;
  const auto area = [&] { return Edge(fixed(a.x), fixed(a.y), fixed(b.x), fixed(b.y)).at(fixed(c.x), fixed(c.y)); };
  if (area() == 0) return;
  if (area() < 0) std::swap(b, c);
  const auto whole = static_cast<float>(area());
  // Each against the corner across from it, whose share it measures.
  const std::array edges{Edge(fixed(b.x), fixed(b.y), fixed(c.x), fixed(c.y)),
                         Edge(fixed(c.x), fixed(c.y), fixed(a.x), fixed(a.y)),
                         Edge(fixed(a.x), fixed(a.y), fixed(b.x), fixed(b.y))};
  const Box box = common({pixelFrom(std::min({a.x, b.x, c.x})), pixelFrom(std::min({a.y, b.y, c.y})),
                          pixelFrom(std::max({a.x, b.x, c.x})) + 1, pixelFrom(std::max({a.y, b.y, c.y})) + 1},
                         m_clip);
  const bool oneColour = a.colour == b.colour && a.colour == c.colour;
  const bool plain = isPlain(a, b) && isPlain(a, c);
  const QRgb onlySource = premultiplied(a.colour, plain ? texelAt(a) : 255);
  const std::array colours{colourOf(a.colour), colourOf(b.colour), colourOf(c.colour)};
  for (int y = box.top; y < box.bottom; ++y)
    for (int x = box.left; x < box.right; ++x) {
      std::array<float, 3> share;
      bool inside = true;
      for (std::size_t i = 0; i < 3; ++i) {
        const qint64 distance = edges[i].at(x * 256 + 128, y * 256 + 128);
        inside = inside && distance >= edges[i].least();
        share[i] = static_cast<float>(distance) / whole;
      }
      if (!inside) continue;
      QRgb& pixel = line(y)[x];
      if (oneColour && plain) {
        pixel = over(onlySource, pixel);
        continue;
      }
      const auto mix = [&](float p, float q, float r) { return p * share[0] + q * share[1] + r * share[2]; };
      const quint32 coverage = plain ? texelAt(a)
                                     : texel(static_cast<int>(std::floor(mix(a.u, b.u, c.u))),
                                             static_cast<int>(std::floor(mix(a.v, b.v, c.v))));
      const float alpha = mix(colours[0].alpha, colours[1].alpha, colours[2].alpha);
      // Premultiplied before they are mixed: a corner that is not seen lends no colour to those that are.
      const auto channel = [&](float Colour::*of) {
        if (alpha <= 0) return quint32{0};
        return static_cast<quint32>(
            std::lround(mix(colours[0].*of * colours[0].alpha, colours[1].*of * colours[1].alpha,
                            colours[2].*of * colours[2].alpha) /
                        alpha));
      };
      const ImU32 mixed = IM_COL32(channel(&Colour::red), channel(&Colour::green), channel(&Colour::blue),
                                   static_cast<quint32>(std::lround(alpha)));
      pixel = over(premultiplied(mixed, coverage), pixel);
    }
}

class ListPainter {
 public:
  ListPainter(const ImDrawData& data, const ImDrawList& list, QImage& image)
      : m_origin(data.DisplayPos), m_scale(data.FramebufferScale), m_list(list), m_image(image) {}

  void paint(const ImDrawCmd& command) const {
    const auto* texture = static_cast<const AlphaTexture*>(command.GetTexID());
    const ImVec4& clip = command.ClipRect;
    Painter painter(m_image, texture,
                    {pixelFrom(deviceX(clip.x)), pixelFrom(deviceY(clip.y)), pixelFrom(deviceX(clip.z)),
                     pixelFrom(deviceY(clip.w))});
    if (painter.isEmpty()) return;
    const ImDrawIdx* index = m_list.IdxBuffer.Data + command.IdxOffset;
    const ImDrawVert* vertices = m_list.VtxBuffer.Data + command.VtxOffset;
    const auto corner = [&](unsigned i) {
      const ImDrawVert& vertex = vertices[index[i]];
      const float width = texture ? static_cast<float>(texture->width) : 1;
      const float height = texture ? static_cast<float>(texture->height) : 1;
      return Corner{deviceX(vertex.pos.x), deviceY(vertex.pos.y), vertex.uv.x * width, vertex.uv.y * height,
                    vertex.col};
    };
    for (unsigned i = 0; i + 3 <= command.ElemCount; i += 3) {
      const bool four = i + 6 <= command.ElemCount && index[i] == index[i + 3] && index[i + 2] == index[i + 4];
      if (four && painter.rectangle(corner(i), corner(i + 1), corner(i + 2), corner(i + 5)))
        i += 3;
      else
        painter.triangle(corner(i), corner(i + 1), corner(i + 2));
    }
  }

 private:
  float deviceX(float x) const { return (x - m_origin.x) * m_scale.x; }
  float deviceY(float y) const { return (y - m_origin.y) * m_scale.y; }

  ImVec2 m_origin;
  ImVec2 m_scale;
  const ImDrawList& m_list;
  QImage& m_image;
};

}  // namespace

void paintDrawData(const ImDrawData& data, QImage& image) {
  Q_ASSERT(image.format() == QImage::Format_ARGB32_Premultiplied);
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (!command.UserCallback)
        ListPainter(data, list, image).paint(command);
      else if (command.UserCallback != ImDrawCallback_ResetRenderState)
        command.UserCallback(&list, &command);
    }
  }
}

}  // namespace vqscope
