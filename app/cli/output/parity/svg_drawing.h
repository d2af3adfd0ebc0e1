// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// What a mark of a drawing is, in the colours of reports on light and dark screens.
enum class Ink { text, secondary, line, accent, warning, error };

enum class TextAnchor { start, middle, end };

struct DrawnPoint {
  double x = 0, y = 0;
};

/// A small picture as SVG, in pixels from the upper left.
class SvgDrawing {
 public:
  SvgDrawing(double width, double height, bool dark) : m_width(width), m_height(height), m_dark(dark) {}

  void rectangle(DrawnPoint corner, double width, double height, Ink ink, double opacity = 1);
  /// Many of one size, in little space.
  void rectangles(std::span<const DrawnPoint> corners, double width, double height, Ink ink, double opacity);
  void frame(DrawnPoint corner, double width, double height, Ink ink, double thickness = 1);
  void line(DrawnPoint from, DrawnPoint to, Ink ink, bool dashed = false);
  void curve(std::span<const DrawnPoint> points, Ink ink, bool dashed = false);
  void dot(DrawnPoint centre, Ink ink);
  void text(DrawnPoint at, std::string_view text, TextAnchor anchor = TextAnchor::start, Ink ink = Ink::secondary);
  /// Read from below to above, with its middle there.
  void upright_text(DrawnPoint at, std::string_view text);

  std::string svg() const;

 private:
  const char* colour(Ink ink) const;

  double m_width, m_height;
  bool m_dark;
  std::string m_marks;
};

}  // namespace vqscope
