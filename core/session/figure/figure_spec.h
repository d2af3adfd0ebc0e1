// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <optional>
#include <span>
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
  int rows = 0;  ///< of the grid of panels; 0: as many as the panels need
  int cols = 0;
  friend bool operator==(const FigureSpec&, const FigureSpec&) = default;
};

/// A specification that a session keeps under a name.
struct FigurePreset {
  std::string name;
  FigureSpec spec;
  friend bool operator==(const FigurePreset&, const FigurePreset&) = default;
};
constexpr std::size_t most_figure_presets = 64;
constexpr std::size_t longest_preset_name = 80;

/// Texts in place of a view's own; empty: its own.
struct FigureLabels {
  std::string title;
  std::string x;
  std::string y;
  friend bool operator==(const FigureLabels&, const FigureLabels&) = default;
};

/// Names of the two sides of a difference, such as the files that they were read from; empty: what
/// differs.
struct FigureSides {
  std::string a;
  std::string b;
  friend bool operator==(const FigureSides&, const FigureSides&) = default;
};

/// Rows and columns of a figure's panels.
struct FigureGrid {
  int rows = 1;
  int cols = 1;
  friend bool operator==(const FigureGrid&, const FigureGrid&) = default;
};

constexpr double least_figure_side = 76;  ///< 20 mm
constexpr double least_panel_side = 60;
constexpr int most_grid_side = 6;
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

/// The same within its bounds, or a sentence about `name`: "--width is 5 but must be a size such as …".
Result<double> read_figure_side(std::string_view name, std::string_view text);

/// "76px (20.11mm)".
std::string figure_side_text(double points);

/// The grid for so many panels, at least 1: the specification's, or up to three in a row and then
/// about as many rows as columns. An error if they have no place in it, or are too small.
Result<FigureGrid> figure_grid(const FigureSpec& spec, std::size_t panels);

/// The height in which panels of a grid are about square, for a figure whose height was not chosen.
double suggested_figure_height(double width, const FigureGrid& grid);

/// Sizes, resolution, grid and size of the font within their bounds.
Result<void> check_figure(const FigureSpec& spec);

/// At most so many presets, each valid, with a name of its own.
Result<void> check_presets(std::span<const FigurePreset> presets);

/// How large text and lines of a panel of that size are, where 1 is an axis title of 9 points: as
/// the font size says, or 1, and less for panels that are lower or narrower than 63.5 mm.
double figure_scale(const FigureSpec& spec, double panel_width, double panel_height);

}  // namespace vqscope
