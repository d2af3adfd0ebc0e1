// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vqscope {

/// How a figure is made, apart from the views in it: plain data that the command line and the
/// window's editor fill, and that a session keeps as a preset.
struct FigureSpec {
  double width = 800;  ///< in CSS pixels, 96 to the inch
  double height = 640;
  int dpi = 192;         ///< of the pixels in it
  std::string font;      ///< family; empty: DejaVu Sans, with DejaVu Sans Mono for numbers
  double font_size = 0;  ///< of the titles of axes, in points of 1/72 inch; 0: 9, less in small panels
  bool title = true;
  bool legend = true;      ///< names of curves and of colours
  bool axes = true;        ///< with ticks and titles
  bool colour_bar = true;  ///< with its numbers
  bool dark = false;
  friend bool operator==(const FigureSpec&, const FigureSpec&) = default;
};

/// Texts in place of a view's own; empty: its own.
struct FigureLabels {
  std::string title;
  std::string x;
  std::string y;
  friend bool operator==(const FigureLabels&, const FigureLabels&) = default;
};

constexpr double least_figure_side = 76;  ///< 20 mm
constexpr double most_figure_side = 4096;
constexpr double figure_points_per_inch = 96;
constexpr int least_figure_dpi = 36;
constexpr int most_figure_dpi = 1200;
constexpr double least_font_size = 4;
constexpr double most_font_size = 72;
constexpr std::size_t longest_figure_label = 400;

/// Widths of the columns of journals, in millimetres.
constexpr double one_column_mm = 84;
constexpr double two_columns_mm = 174;

double figure_points(double millimetres);
double figure_millimetres(double points);

/// "84mm", "600px", "600", "one column" or "two columns" in CSS pixels; nothing if it is no size.
std::optional<double> parse_figure_side(std::string_view text);

/// "76px (20.11mm)".
std::string figure_side_text(double points);

/// Sizes, resolution and size of the font within their bounds.
Result<void> check_figure(const FigureSpec& spec);

/// How large text and lines of a panel of that size are, where 1 is an axis title of 9 points: as
/// the font size says, or 1, and less for panels that are lower or narrower than 63.5 mm.
double figure_scale(const FigureSpec& spec, double panel_width, double panel_height);

}  // namespace vqscope
