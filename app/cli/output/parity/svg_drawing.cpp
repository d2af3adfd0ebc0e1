// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/parity/svg_drawing.h"

#include "core/base/text.h"
#include "core/report/document/html.h"

#include <fmt/core.h>

#include <cmath>

namespace vqscope {
namespace {

/// A tenth of a pixel is enough.
std::string pixels(double value) { return plain_text(std::round(value * 10) / 10); }

const char* name_of_anchor(TextAnchor anchor) {
  if (anchor == TextAnchor::start) return "start";
  return anchor == TextAnchor::middle ? "middle" : "end";
}

const char* dashes(bool dashed) { return dashed ? " stroke-dasharray=\"5 4\"" : ""; }

}  // namespace

const char* SvgDrawing::colour(Ink ink) const {
  switch (ink) {
    case Ink::text: return m_dark ? "#e7e9ee" : "#1a1e26";
    case Ink::secondary: return m_dark ? "#98a1b0" : "#5d6675";
    case Ink::line: return m_dark ? "#31363f" : "#d6dae1";
    case Ink::accent: return m_dark ? "#4c9ffe" : "#1b6be0";
    case Ink::warning: return m_dark ? "#f2b84b" : "#8f5c00";
    case Ink::error: break;
  }
  return m_dark ? "#f0616d" : "#c93440";
}

void SvgDrawing::rectangle(DrawnPoint corner, double width, double height, Ink ink, double opacity) {
  m_marks += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"", pixels(corner.x),
                         pixels(corner.y), pixels(width), pixels(height), colour(ink));
  if (opacity < 1) m_marks += fmt::format(" fill-opacity=\"{}\"", to_text(opacity, 2));
  m_marks += "/>\n";
}

void SvgDrawing::rectangles(std::span<const DrawnPoint> corners, double width, double height, Ink ink, double opacity) {
  if (corners.empty()) return;
  const std::string sides = fmt::format("h{0}v{1}h-{0}z", pixels(width), pixels(height));
  std::string path;
  for (const DrawnPoint& corner : corners) path += "M" + pixels(corner.x) + " " + pixels(corner.y) + sides;
  m_marks += fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"{}\"/>\n", path, colour(ink), to_text(opacity, 2));
}

void SvgDrawing::frame(DrawnPoint corner, double width, double height, Ink ink, double thickness) {
  m_marks += fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
      pixels(corner.x), pixels(corner.y), pixels(width), pixels(height), colour(ink), pixels(thickness));
}

void SvgDrawing::line(DrawnPoint from, DrawnPoint to, Ink ink, bool dashed) {
  m_marks += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\"{}/>\n", pixels(from.x),
                         pixels(from.y), pixels(to.x), pixels(to.y), colour(ink), dashes(dashed));
}

void SvgDrawing::curve(std::span<const DrawnPoint> points, Ink ink, bool dashed) {
  std::string places;
  for (const DrawnPoint& point : points) places += pixels(point.x) + "," + pixels(point.y) + " ";
  m_marks += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{}/>\n", places,
                         colour(ink), dashes(dashed));
}

void SvgDrawing::dot(DrawnPoint centre, Ink ink) {
  m_marks += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{}\"/>\n", pixels(centre.x), pixels(centre.y),
                         colour(ink));
}

void SvgDrawing::text(DrawnPoint at, std::string_view text, TextAnchor anchor, Ink ink) {
  m_marks += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", pixels(at.x),
                         pixels(at.y), name_of_anchor(anchor), colour(ink), html_text(text));
}

void SvgDrawing::upright_text(DrawnPoint at, std::string_view text) {
  m_marks +=
      fmt::format("<text transform=\"translate({} {}) rotate(-90)\" text-anchor=\"middle\" fill=\"{}\">{}</text>\n",
                  pixels(at.x), pixels(at.y), colour(Ink::secondary), html_text(text));
}

std::string SvgDrawing::svg() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"system-ui, Noto Sans, DejaVu Sans, sans-serif\" font-size=\"13\">\n{2}</svg>\n",
      pixels(m_width), pixels(m_height), m_marks);
}

}  // namespace vqscope
