// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/report/section/shown.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_lines = 9;
constexpr std::size_t most_points = 12;
constexpr std::size_t most_curves = 8;
constexpr Index cells_around = 3;
constexpr int cell_digits = 4;  // so that nine columns fit a page
constexpr int curve_digits = 6;

std::string number_text(double value, int digits = curve_digits) {
  if (std::isnan(value)) return "–";
  return std::floor(value) == value && std::abs(value) < 0x1p53 ? plain_text(value) : to_text(value, digits);
}

/// The name of a fact in words: "first new position".
std::string readable(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

/// Evenly spaced, ends included.
std::vector<Index> spread(Range range, Index most) {
  std::vector<Index> places;
  const Index count = std::min(most, range.size());
  for (Index i = 0; i < count; ++i)
    places.push_back(count == 1 ? range.begin
                                : range.begin + static_cast<Index>(std::llround(static_cast<double>(range.size() - 1) *
                                                                                static_cast<double>(i) /
                                                                                static_cast<double>(count - 1))));
  return places;
}

ReportTable cells_of(const ReportShown& shown, const std::vector<Index>& rows, const std::vector<Index>& cols,
                     std::string caption) {
  const FieldRecipe& recipe = *shown.method->field();
  ReportTable table{.caption = std::move(caption),
                    .headings = {recipe.row_name + " \\ " + (recipe.col_name ? recipe.col_name(shown.values) : "key")}};
  for (const Index col : cols) table.headings.push_back(to_text(col));
  for (const Index row : rows) {
    std::vector<TableCell> line{{to_text(row), CellTone::heading}};
    for (const Index col : cols) {
      const bool is_picked = shown.place && shown.place->row == row && shown.place->col == col;
      line.push_back({number_text(shown.field->at(row, col), cell_digits), CellTone::number, is_picked});
    }
    table.rows.push_back(std::move(line));
  }
  return table;
}

/// What the labels of a categorical matrix mean: ". Labels: 0 = not reached; 1 = direct".
std::string labels_of(const ReportShown& shown) {
  const FieldRecipe& recipe = *shown.method->field();
  if (!recipe.categories || shown.page.compare == CompareMode::difference) return {};
  std::string text;
  for (const auto& group : recipe.categories(shown.values).groups) {
    const bool has_number = group.label.starts_with(to_text(group.first));
    text += text.empty() ? ". Labels: " : "; ";
    text += has_number ? group.label : fmt::format("{} = {}", group.first, group.label);
  }
  return text;
}

void add_facts(const std::vector<std::pair<std::string, double>>& facts, ReportSection& section) {
  if (facts.empty()) return;
  ReportTable table{.caption = "Single numbers of the result", .headings = {"Number", "Value"}};
  for (const auto& [name, value] : facts)
    table.rows.push_back({{readable(name), CellTone::heading}, {number_text(value), CellTone::number}});
  section.add(std::move(table));
}

void add_place(const ReportShown& shown, ReportSection& section) {
  const auto [row, col] = *shown.place;
  const std::string place = place_text(shown, *shown.place);
  const CellReport report = shown.field->report(row, col);
  if (!report.why.empty()) section.add(ReportText{fmt::format("At {}: {}", place, report.why)});
  if (!report.facts.empty()) {
    ReportTable table{.caption = fmt::format("All about {}", place), .headings = {"Quantity", "Value"}};
    for (const auto& [name, value] : report.facts) table.rows.push_back({{name, CellTone::heading}, {value}});
    section.add(std::move(table));
  }
  const Extent extent = shown.field->extent();
  section.add(cells_of(shown, spread(range_around(row, cells_around, extent.rows), most_lines),
                       spread(range_around(col, cells_around, extent.cols), most_lines),
                       fmt::format("Values around {}", place)));
}

void add_matrix(const ReportShown& shown, const Work& work, ReportSection& section) {
  if (shown.place) add_place(shown, section);
  const Extent extent = shown.field->extent();
  const FieldRecipe& recipe = *shown.method->field();
  section.add(
      cells_of(shown, spread({0, extent.rows}, most_lines), spread({0, extent.cols}, most_lines),
               with_capital(fmt::format("{} at cells spread over the whole matrix ({}); rows: {}, columns: {}{}",
                                        recipe.value_title.empty() ? shown.method->title : recipe.value_title,
                                        size_text(shown), recipe.row_title, recipe.col_title, labels_of(shown)))));
  add_facts(shown.field->facts(work.stop), section);
}

/// Points at ticks of the axis: evenly spaced in x, or in its logarithm.
std::vector<std::size_t> points_of(const CurveSet& set) {
  std::vector<std::size_t> points;
  const std::size_t size = set.x.size();
  if (size <= most_points) {
    for (std::size_t i = 0; i < size; ++i) points.push_back(i);
    return points;
  }
  const bool is_log = set.log_x && set.x.back() > 0;
  const double least = is_log ? std::log(std::max(set.x.front(), 1.0)) : set.x.front();
  const double most = is_log ? std::log(set.x.back()) : set.x.back();
  for (std::size_t i = 0; i < most_points; ++i) {
    const double at = least + (most - least) * static_cast<double>(i) / static_cast<double>(most_points - 1);
    const auto found = std::ranges::lower_bound(set.x, is_log ? std::exp(at) * (1 - 1e-9) : at);
    const auto point = std::min(static_cast<std::size_t>(found - set.x.begin()), size - 1);
    if (points.empty() || points.back() != point) points.push_back(point);
  }
  return points;
}

void add_curves(const CurveSet& set, ReportSection& section) {
  std::vector<const Curve*> shown;
  std::size_t count = 0;
  for (std::size_t i = 0; i < set.curves.size(); ++i) {
    if (set.is_edge(i)) continue;
    ++count;
    if (shown.size() < most_curves) shown.push_back(&set.curves[i]);
  }
  const std::string left_out = count > shown.size() ? fmt::format("; {} of {} curves", shown.size(), count) : "";
  ReportTable table{.caption = with_capital(fmt::format("{} over {}{}", set.y_title, set.x_title, left_out)),
                    .headings = {set.x_name}};
  for (const Curve* curve : shown) table.headings.push_back(curve->name);
  for (const std::size_t point : points_of(set)) {
    std::vector<TableCell> line{
        {set.x_names.empty() ? number_text(set.x[point]) : set.x_names[point], CellTone::heading}};
    for (const Curve* curve : shown)
      line.push_back({point < curve->y.size() ? number_text(curve->y[point]) : "–", CellTone::number});
    table.rows.push_back(std::move(line));
  }
  if (!set.formula.empty()) section.add(ReportText{"Formula: " + set.formula});
  section.add(std::move(table));
  for (const auto& mark : set.marks)
    section.add(ReportText{fmt::format("Mark at {}: {}", number_text(mark.x), mark.label)});
  add_facts(set.facts, section);
}

}  // namespace

ReportSection numbers_section(const ReportShown& shown, const Work& work) {
  ReportSection section{.title = "Numbers"};
  if (shown.field) add_matrix(shown, work, section);
  if (shown.curves) add_curves(*shown.curves, section);
  return section;
}

}  // namespace vqscope
