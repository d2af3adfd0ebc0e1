// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/imgui/glyph_atlas.h"

#include <imgui.h>

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace vqscope {
namespace {

constexpr ImWchar noGlyphs[] = {' ', ' ', 0};
constexpr std::pair<char16_t, char16_t> wantedRanges[] = {{0x20, 0x7e},     {0xa0, 0x17f},    {0x391, 0x3c9},
                                                          {0x2010, 0x2027}, {0x2080, 0x2089}, {0x2190, 0x2195},
                                                          {0x21d0, 0x21d4}};
constexpr char16_t wantedMarks[] =
    u"\u202f\u2032\u2039\u203a\u21e5\u2208\u2212\u221a\u221e\u2227\u2228\u2260\u2264\u2265\u22c5\u23ce\u2423\u2581"
    u"\u25b2\u25b6\u25bc\u25be\u25c0\u2713\u2717\ufffd";

/// One character's pixels and their offset from the pen, in device pixels.
struct Glyph {
  int rect = 0;  ///< ID in the atlas
  QImage alpha;  ///< Format_Alpha8
};

class Face {
 public:
  Face(ImFontAtlas& atlas, const QFont& font, double ratio)
      : m_atlas(atlas), m_font(font), m_metrics(font), m_ratio(ratio) {
    m_font.setStyleStrategy(QFont::StyleStrategy(font.styleStrategy() | QFont::NoSubpixelAntialias));
    ImFontConfig config;
    config.SizePixels = static_cast<float>(std::round(m_metrics.height() * ratio));
    config.OversampleH = 1;
    config.GlyphRanges = noGlyphs;
    m_made = atlas.AddFontDefault(&config);  // only a placeholder: its glyphs are replaced
    m_made->EllipsisChar = 0x2026;
  }

  Glyph add(char16_t character) {
    const QString text{QChar(character)};
    const int ascent = qRound(m_metrics.ascent() * m_ratio);
    const int margin = 2;
    const QRectF bounds = m_metrics.boundingRect(text);
    const int left = static_cast<int>(std::floor(bounds.left() * m_ratio)) - margin;
    const int top = static_cast<int>(std::floor(bounds.top() * m_ratio)) - margin;
    const int width = static_cast<int>(std::ceil(bounds.width() * m_ratio)) + 2 * margin + 1;
    const int height = static_cast<int>(std::ceil(bounds.height() * m_ratio)) + 2 * margin + 1;
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(m_ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setFont(m_font);
    painter.setPen(Qt::white);
    painter.drawText(QPointF(-left, -top) / m_ratio, text);
    painter.end();
    const double advance = std::round(m_metrics.horizontalAdvance(text) * m_ratio);
    const int rect = m_atlas.AddCustomRectFontGlyph(m_made, character, width, height, static_cast<float>(advance),
                                                    ImVec2(static_cast<float>(left), static_cast<float>(ascent + top)));
    return {rect, image.convertToFormat(QImage::Format_Alpha8)};
  }

 private:
  ImFontAtlas& m_atlas;
  QFont m_font;
  QFontMetricsF m_metrics;
  double m_ratio;
  ImFont* m_made;
};

}  // namespace

void GlyphAtlas::build(ImFontAtlas& atlas, const std::vector<QFont>& faces, double pixelRatio) {
  atlas.Clear();
  std::vector<Glyph> glyphs;
  for (const QFont& font : faces) {
    Face face(atlas, font, pixelRatio);
    for (const auto& [first, last] : wantedRanges)
      for (char16_t character = first; character <= last; ++character) glyphs.push_back(face.add(character));
    for (const char16_t mark : wantedMarks)
      if (mark) glyphs.push_back(face.add(mark));
  }
  unsigned char* pixels = nullptr;
  atlas.GetTexDataAsAlpha8(&pixels, &m_texture.width, &m_texture.height);
  for (const Glyph& glyph : glyphs) {
    const ImFontAtlasCustomRect& rect = *atlas.GetCustomRectByIndex(glyph.rect);
    for (int y = 0; y < rect.Height; ++y)
      std::copy_n(glyph.alpha.constScanLine(y), rect.Width,
                  pixels + std::ptrdiff_t{rect.Y + y} * m_texture.width + rect.X);
  }
  m_texture.alpha = pixels;
  atlas.SetTexID(&m_texture);
}

}  // namespace vqscope
