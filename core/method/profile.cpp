// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/profile.h"

#include "core/base/text.h"
#include "core/mask/map/visibility_field.h"

#include <cassert>

namespace vqscope {
namespace {

/// Middle of each stretch; the cell itself where stretches are cells.
std::vector<double> middles(const std::vector<Index>& edges) {
  std::vector<double> x;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i)
    x.push_back(static_cast<double>(edges[i]) + static_cast<double>(edges[i + 1] - edges[i] - 1) / 2);
  return x;
}

std::vector<double> widened(const std::vector<float>& plane) { return {plane.begin(), plane.end()}; }

/// `lattice` has one row or one column; `edges` are those of the other side.
Result<CurveSet> profile(const Field& field, const Lattice& lattice, const std::vector<Index>& edges,
                         std::stop_token stop) {
  const bool single = edges.back() - edges.front() == static_cast<Index>(edges.size()) - 1;
  SummaryOptions options;
  options.stop = std::move(stop);
  options.extremes = !single;
  Summary summary;
  if (auto done = field.summarize(lattice, options, summary); !done) return done.error();
  CurveSet set;
  set.x = middles(edges);
  set.exact = summary.exact;
  set.integer = field.cell_type() != CellType::float32;
  set.curves = {{single ? "value" : "mean", widened(summary.mean)}};
  set.steps = single && set.integer;
  if (single) return set;
  set.curves.push_back({"min", widened(summary.min)});
  set.curves.push_back({"max", widened(summary.max)});
  set.band = {1, 2};
  return set;
}

}  // namespace

Result<CurveSet> row_profile(const Field& field, Index row, Range cols, Index points, std::stop_token stop) {
  assert(row >= 0 && row < field.extent().rows);
  const auto edges = even_edges(cols, points);
  auto set = profile(field, {{row, row + 1}, edges}, edges, std::move(stop));
  if (set) set->x_name = set->x_title = "k";
  return set;
}

Result<CurveSet> col_profile(const Field& field, Index col, Range rows, Index points, std::stop_token stop) {
  assert(col >= 0 && col < field.extent().cols);
  const auto edges = even_edges(rows, points);
  auto set = profile(field, {edges, {col, col + 1}}, edges, std::move(stop));
  if (set) set->x_name = set->x_title = "q";
  return set;
}

Result<CurveSet> visible_keys(const Field& field, Range rows, Index points, std::stop_token stop) {
  const auto* visibility = dynamic_cast<const VisibilityField*>(&field);
  if (!visibility) return invalid("visible keys are counted of masks alone, and this matrix is none");
  const auto edges = even_edges(rows, points);
  CurveSet set{.x_name = "q", .x_title = "query position q", .y_title = "visible keys"};
  set.x = middles(edges);
  set.exact = set.integer = static_cast<Index>(edges.size()) - 1 == rows.size();
  set.curves = {{"keys", {}}};
  CountBudget budget{.left = most_steps_of_an_answer, .stop = stop};
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const Range stretch{edges[i], edges[i + 1]};
    const auto keys = visible_count(visibility->mask(), stretch, budget);
    if (!keys) return budget.error("counting the visible keys beyond row " + to_text(stretch.begin));
    set.curves[0].y.push_back(static_cast<double>(*keys) / static_cast<double>(stretch.size()));
  }
  return set;
}

}  // namespace vqscope
