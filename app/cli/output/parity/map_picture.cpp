// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/parity/parity_pictures.h"
#include "app/cli/output/parity/picture_parts.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Of a map: the largest finite magnitude.
float mostOf(const DifferenceMap& map) {
  float most = 0;
  for (const float each : map.grid)
    if (std::isfinite(each)) most = std::max(most, std::abs(each));
  return most > 0 ? most : 1;
}

struct MapLayout {
  double width = 0, height = 0;  ///< of a cell

  explicit MapLayout(const DifferenceMap& map)
      : width(std::clamp(640 / static_cast<double>(map.grid_columns), 3.0, 22.0)),
        height(std::clamp(400 / static_cast<double>(map.grid_rows), 3.0, 22.0)) {}
  DrawnPoint corner(Index row, Index column) const {
    return {marginLeft + static_cast<double>(column) * width, marginTop + static_cast<double>(row) * height};
  }
};

void drawCells(SvgDrawing& drawing, const DifferenceMap& map, const MapLayout& layout) {
  constexpr int shades = 8;
  const double most = static_cast<double>(mostOf(map));
  // One path a shade and sign; the last is of cells that one side alone has.
  std::vector<std::vector<DrawnPoint>> corners(2 * shades + 1);
  for (std::size_t i = 0; i < map.grid.size(); ++i) {
    const double value = static_cast<double>(map.grid[i]);
    if (value == 0) continue;
    const int shade = std::clamp(static_cast<int>(std::ceil(shades * std::sqrt(std::abs(value) / most))), 1, shades);
    const int place = std::isinf(value) ? 2 * shades : shade - 1 + (value < 0 ? shades : 0);
    const auto at = static_cast<Index>(i);
    corners[static_cast<std::size_t>(place)].push_back(layout.corner(at / map.grid_columns, at % map.grid_columns));
  }
  for (int i = 0; i < shades; ++i) {
    const double opacity = static_cast<double>(i + 1) / shades;
    const auto place = static_cast<std::size_t>(i);
    drawing.rectangles(corners[place], layout.width, layout.height, Ink::error, opacity);
    drawing.rectangles(corners[place + shades], layout.width, layout.height, Ink::accent, opacity);
  }
  drawing.rectangles(corners.back(), layout.width, layout.height, Ink::warning, 1);
}

void drawMap(SvgDrawing& drawing, const DifferenceMap& map, const FirstDifference& first) {
  const MapLayout layout(map);
  const DrawnPoint begin = layout.corner(0, 0), end = layout.corner(map.grid_rows, map.grid_columns);
  const Index row = (first.cell.at[2] - map.rows.begin) / map.cell_rows;
  const Index column = (first.cell.at[3] - map.columns.begin) / map.cell_columns;
  drawCells(drawing, map, layout);
  drawing.frame(begin, end.x - begin.x, end.y - begin.y, Ink::secondary);
  drawing.frame(layout.corner(row, column), layout.width, layout.height, Ink::text, 2);
  const auto row_label = [&](Index at, Index told) {
    drawing.text({begin.x - 6, layout.corner(at, 0).y + layout.height / 2 + 4}, to_text(told), TextAnchor::end);
  };
  const auto column_label = [&](Index at, Index told) {
    drawing.text({layout.corner(0, at).x + layout.width / 2, end.y + 16}, to_text(told), TextAnchor::middle);
  };
  // The ends, and the first difference where it does not touch them.
  row_label(0, map.rows.begin);
  column_label(0, map.columns.begin);
  if (static_cast<double>(row) * layout.height > 16) row_label(row, first.cell.at[2]);
  if (static_cast<double>(column) * layout.width > 40) column_label(column, first.cell.at[3]);
  if (static_cast<double>(map.grid_rows - 1 - row) * layout.height > 16) row_label(map.grid_rows - 1, map.rows.end - 1);
  if (static_cast<double>(map.grid_columns - 1 - column) * layout.width > 40)
    column_label(map.grid_columns - 1, map.columns.end - 1);
  drawing.text({(begin.x + end.x) / 2, end.y + 36}, columnWord(first), TextAnchor::middle);
  drawing.upright_text({16, (begin.y + end.y) / 2}, rowWord(first));
}

}  // namespace

ReportPicture mapPicture(const DifferenceMap& map, const FirstDifference& first) {
  const auto most = static_cast<double>(mostOf(map));
  const bool hidden = std::ranges::any_of(map.grid, [](float each) { return std::isinf(each); });
  const bool thinned = map.cell_rows > 1 || map.cell_columns > 1;
  const std::string caption = fmt::format(
      "B - A of {}. Red: B is larger, by {} at most; blue: B is smaller{}. No colour: rounding explains it. The frame "
      "marks the first difference.{}",
      placeOfRow(first), to_text(most, 3), hidden ? "; yellow: one side alone is a finite number" : "",
      thinned ? fmt::format(" A cell shows the largest of {} by {} numbers.", map.cell_rows, map.cell_columns) : "");
  const MapLayout layout(map);
  const double height = marginTop + layout.height * static_cast<double>(map.grid_rows) + marginBottom;
  return pictureOf("A map of B minus A.", caption, height, [&](SvgDrawing& drawing) { drawMap(drawing, map, first); });
}

}  // namespace vqscope
