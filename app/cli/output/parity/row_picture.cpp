// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/parity/parity_pictures.h"
#include "app/cli/output/parity/picture_parts.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Numbers that follow each other, without those that are infinite.
void drawRow(SvgDrawing& drawing, const std::vector<float>& row, double least, double most, Ink ink, bool dashed) {
  constexpr double height = 190;
  const double width = pictureWidth - marginLeft - marginRight;
  std::vector<DrawnPoint> run;
  for (std::size_t i = 0; i <= row.size(); ++i) {
    if (i < row.size() && std::isfinite(row[i])) {
      const double x = marginLeft + width * (static_cast<double>(i) + 0.5) / static_cast<double>(row.size());
      run.push_back({x, marginTop + height * (most - static_cast<double>(row[i])) / (most - least)});
      continue;
    }
    if (run.size() > 1) drawing.curve(run, ink, dashed);
    if (run.size() == 1 || row.size() <= 40)
      for (const DrawnPoint& point : run) drawing.dot(point, ink);
    run.clear();
  }
}

void drawRows(SvgDrawing& drawing, const DifferenceMap& map, const FirstDifference& first) {
  double least = 0, most = 0;
  for (const auto* row : {&map.row_a, &map.row_b})
    for (const float value : *row)
      if (std::isfinite(value)) {
        least = std::min(least, static_cast<double>(value));
        most = std::max(most, static_cast<double>(value));
      }
  if (most == least) most = least + 1;
  const double width = pictureWidth - marginLeft - marginRight, bottom = marginTop + 190;
  for (const double value : {least, (least + most) / 2, most}) {
    const double y = marginTop + 190 * (most - value) / (most - least);
    drawing.line({marginLeft, y}, {marginLeft + width, y}, Ink::line);
    drawing.text({marginLeft - 6, y + 4}, to_text(value, 3), TextAnchor::end);
  }
  const auto count = static_cast<Index>(map.row_a.size()), own = first.cell.at[3] - map.row_begin;
  const auto x_of = [&](Index at) {
    return marginLeft + width * (static_cast<double>(at) + 0.5) / static_cast<double>(count);
  };
  drawing.line({x_of(own), marginTop}, {x_of(own), bottom}, Ink::secondary, true);
  drawRow(drawing, map.row_a, least, most, Ink::accent, false);
  drawRow(drawing, map.row_b, least, most, Ink::error, true);
  drawing.text({x_of(own), bottom + 16}, to_text(first.cell.at[3]), TextAnchor::middle, Ink::text);
  if (x_of(own) - x_of(0) > 40) drawing.text({x_of(0), bottom + 16}, to_text(map.row_begin), TextAnchor::middle);
  if (x_of(count - 1) - x_of(own) > 40)
    drawing.text({x_of(count - 1), bottom + 16}, to_text(map.row_begin + count - 1), TextAnchor::middle);
  drawing.text({marginLeft + width / 2, bottom + 34}, columnWord(first), TextAnchor::middle);
}

}  // namespace

ReportPicture rowPicture(const DifferenceMap& map, const FirstDifference& first) {
  const std::string caption =
      fmt::format("The row of {} {} of {}: A blue, B red and dashed; the line marks the first difference.",
                  rowWord(first), first.cell.at[2], placeOfRow(first));
  return pictureOf("The numbers of a row in A and in B.", caption, 250,
                   [&](SvgDrawing& drawing) { drawRows(drawing, map, first); });
}

ReportTable rowTable(const DifferenceMap& map, const FirstDifference& first) {
  constexpr Index beside = 4;
  const Index own = first.cell.at[3] - map.row_begin, count = std::ssize(map.row_a);
  ReportTable table{fmt::format("The numbers of {} {} about it.", rowWord(first), first.cell.at[2]),
                    {columnWord(first), "A", "B", "B - A"},
                    {}};
  for (Index i = std::max<Index>(0, own - beside); i < std::min(count, own + beside + 1); ++i) {
    const auto a = static_cast<double>(map.row_a[static_cast<std::size_t>(i)]);
    const auto b = static_cast<double>(map.row_b[static_cast<std::size_t>(i)]);
    table.rows.push_back({{to_text(map.row_begin + i), CellTone::number},
                          {to_text(a, 6), CellTone::number, i == own},
                          {to_text(b, 6), CellTone::number, i == own},
                          {a == b ? "0" : to_text(b - a, 3), CellTone::number}});
  }
  return table;
}

}  // namespace vqscope
