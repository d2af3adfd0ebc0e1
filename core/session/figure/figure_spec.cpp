// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/figure/figure_spec.h"

#include "core/base/sentence.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double mm_per_inch = 25.4;
constexpr double usual_font_size = 9;
constexpr double least_usual_font_size = 7;  // of print
constexpr double usual_panel = 240;          // 63.5 mm: smaller panels have smaller text
constexpr int most_in_a_row = 3;             // unless the grid says more

bool is_side(double side) { return side >= least_figure_side && side <= most_figure_side; }

}  // namespace

double figure_points(double millimetres) { return millimetres / mm_per_inch * figure_points_per_inch; }
double figure_millimetres(double points) { return points / figure_points_per_inch * mm_per_inch; }

std::optional<double> parse_figure_side(std::string_view text) {
  text = trimmed(text);
  if (text == "one column" || text == "one-column") return figure_points(one_column_mm);
  if (text == "two columns" || text == "two-columns") return figure_points(two_columns_mm);
  const bool millimetres = text.ends_with("mm");
  if (millimetres || text.ends_with("px")) text.remove_suffix(2);
  const auto number = parse_real(trimmed(text));
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return millimetres ? figure_points(*number) : *number;
}

Result<double> read_figure_side(std::string_view name, std::string_view text) {
  const auto side = parse_figure_side(text);
  if (side && is_side(*side)) return *side;
  return invalid("{} is {} but must be a size such as 84mm, 600px, one-column or two-columns, from {} to {}", name,
                 text.empty() ? "empty" : shortened(text), figure_side_text(least_figure_side),
                 figure_side_text(most_figure_side));
}

std::string figure_side_text(double points) {
  return fmt::format("{}px ({}mm)", to_text(points, 4), to_text(figure_millimetres(points), 4));
}

Result<void> check_figure(const FigureSpec& spec) {
  for (const auto& [name, side] : {std::pair{"width", spec.width}, {"height", spec.height}})
    if (!is_side(side))
      return invalid("{} of the figure is {}px but must be from {} to {}", name, to_text(side, 4),
                     figure_side_text(least_figure_side), figure_side_text(most_figure_side));
  if (spec.dpi < least_figure_dpi || spec.dpi > most_figure_dpi)
    return invalid("dpi of the figure is {} but must be an integer from {} to {}", spec.dpi, least_figure_dpi,
                   most_figure_dpi);
  if (spec.font_size != 0 && !(spec.font_size >= least_font_size && spec.font_size <= most_font_size))
    return invalid("font size of the figure is {} but must be from {} to {} points", to_text(spec.font_size, 4),
                   to_text(least_font_size), to_text(most_font_size));
  for (const int side : {spec.rows, spec.cols})
    if (side < 0 || side > most_grid_side)
      return invalid("grid of the figure is {}x{} but must be from 1x1 to {}x{}", spec.rows, spec.cols, most_grid_side,
                     most_grid_side);
  return {};
}

Result<FigureGrid> figure_grid(const FigureSpec& spec, std::size_t panels) {
  const int count = static_cast<int>(std::min<std::size_t>(panels, most_grid_side * most_grid_side + 1));
  const auto rows_of = [count](int cols) { return (count + cols - 1) / cols; };
  FigureGrid grid{spec.rows, spec.cols};
  if (grid.cols == 0 && grid.rows == 0)
    grid.cols = count <= most_in_a_row ? count : static_cast<int>(std::ceil(std::sqrt(count)));
  if (grid.cols == 0) grid.cols = rows_of(grid.rows);
  if (grid.rows == 0) grid.rows = rows_of(grid.cols);
  if (grid.rows * grid.cols < count || grid.rows > most_grid_side || grid.cols > most_grid_side)
    return invalid("the grid of {}x{} has no place for {} panels; a grid has at most {}x{}", grid.rows, grid.cols,
                   panels, most_grid_side, most_grid_side);
  const double width = spec.width / grid.cols;
  const double height = spec.height / grid.rows;
  if (grid.rows * grid.cols > 1 && std::min(width, height) < least_panel_side)
    return invalid("each panel of the grid of {}x{} has {} × {} but must have at least {} on each side", grid.rows,
                   grid.cols, figure_side_text(width), figure_side_text(height), figure_side_text(least_panel_side));
  return grid;
}

double suggested_figure_height(double width, const FigureGrid& grid) {
  // The title, the axis and the legend of a small panel take most of it, so their height counts apart.
  constexpr double of_width = 0.8;
  constexpr double of_small_width = 0.4;
  constexpr double around = 130;
  const double panel = width / grid.cols;
  const double height = grid.rows * std::max(of_width * panel, of_small_width * panel + around);
  return std::clamp(std::round(height), least_figure_side, most_figure_side);
}

Result<void> check_presets(std::span<const FigurePreset> presets) {
  if (presets.size() > most_figure_presets)
    return invalid("there are {} presets of figures but must be at most {}", presets.size(), most_figure_presets);
  for (const FigurePreset& preset : presets) {
    if (preset.name.empty() || preset.name.size() > longest_preset_name)
      return invalid("the name of a preset has {} bytes but must have 1 to {}", preset.name.size(),
                     longest_preset_name);
    if (std::ranges::count(presets, preset.name, &FigurePreset::name) > 1)
      return invalid("two presets have the name {}", shortened(preset.name));
    if (auto checked = check_figure(preset.spec); !checked) return checked;
  }
  return {};
}

double figure_scale(const FigureSpec& spec, double panel_width, double panel_height) {
  if (spec.font_size > 0) return spec.font_size / usual_font_size;
  const double room = std::min(panel_width, panel_height) / usual_panel;
  return std::clamp(room, least_usual_font_size / usual_font_size, 1.0);
}

}  // namespace vqscope
