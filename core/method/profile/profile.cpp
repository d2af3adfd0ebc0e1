// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/profile/profile.h"

#include "core/field/label_counts.h"

#include <cassert>
#include <optional>

namespace vqscope {
namespace {

constexpr Index most_counted = Index{1} << 16;  // cells of a segment
constexpr Index most_runs = 4096;

std::vector<double> widened(const std::vector<float>& plane) { return {plane.begin(), plane.end()}; }

/// A label has no value between two others: of each segment the most frequent label, and the range
/// of its labels.
Result<CurveSet> label_profile(const Field& field, const TileGrid& grid, const std::vector<Index>& edges,
                               const std::stop_token& stop) {
  CurveSet set{.integer = true, .labels = true, .x = middles(edges)};
  set.curves = {{"label", {}}};
  const auto tiles = static_cast<Index>(edges.size()) - 1;
  const bool single = edges.back() - edges.front() == tiles;
  if (!single) set.curves = {{"most frequent label", {}}, {"min", {}}, {"max", {}}};
  LabelCounts counts;
  for (Index i = 0; i < tiles; ++i) {
    const Rect tile = grid.rows() == 1 ? grid.tile(0, i) : grid.tile(i, 0);
    if (!count_labels_of(field, tile, most_counted, stop, counts)) set.exact = false;
    if (stop.stop_requested()) return cancelled();
    set.curves[0].y.push_back(static_cast<double>(most_frequent(counts)));
    if (single) continue;
    set.curves[1].y.push_back(static_cast<double>(counts.front().first));
    set.curves[2].y.push_back(static_cast<double>(counts.back().first));
  }
  if (!single) set.bands = {{0, 1, 2}};
  return set;
}

/// Half visible is no state of a key: of each segment what most of its cells are.
std::vector<double> majority(std::vector<double> means) {
  for (double& each : means) each = each >= 0.5 ? 1 : 0;
  return means;
}

/// Runs of equal cells, each by its first and its last.
struct Runs {
  CurveSet set{.steps = true, .integer = true};

  Runs() { set.curves.push_back({"value", {}}); }
  void add(Index cell, double value) {
    set.x.push_back(static_cast<double>(cell));
    set.curves[0].y.push_back(value);
  }
  void end_at(Index cell) {
    if (!set.x.empty() && set.x.back() < static_cast<double>(cell)) add(cell, set.curves[0].y.back());
  }
  void begin_at(Index cell, double value) {
    if (!set.x.empty() && set.curves[0].y.back() == value) return;
    end_at(cell - 1);
    add(cell, value);
  }
};

/// Nothing if there are too many runs to look for.
std::optional<CurveSet> runs_of(const Field& field, const TileGrid& grid, const std::vector<Index>& edges,
                                const Summary& summary) {
  Runs runs;
  const bool across = grid.rows() == 1;
  const Rect first = grid.tile(0, 0);
  const auto at = [&](Index cell) {
    return across ? field.at(first.rows.begin, cell) : field.at(cell, first.cols.begin);
  };
  Index looked = 0;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const bool mixed = summary.min[i] != summary.max[i];
    const Range cells{edges[i], mixed ? edges[i + 1] : edges[i] + 1};
    if (mixed) looked += cells.size();
    if (looked > most_counted || std::ssize(runs.set.x) > most_runs) return std::nullopt;
    for (Index cell = cells.begin; cell < cells.end; ++cell) runs.begin_at(cell, at(cell));
  }
  runs.end_at(edges.back() - 1);
  return std::move(runs.set);
}

/// `grid` has one row or one column; `edges` are those of the other side.
Result<CurveSet> profile(const Field& field, const TileGrid& grid, const std::vector<Index>& edges,
                         std::stop_token stop, bool labels) {
  if (labels) return label_profile(field, grid, edges, stop);
  const bool single = edges.back() - edges.front() == static_cast<Index>(edges.size()) - 1;
  SummaryOptions options;
  options.stop = std::move(stop);
  options.extremes = !single;
  Summary summary;
  if (auto done = field.summarize(grid, options, summary); !done) return done.error();
  CurveSet set;
  set.x = middles(edges);
  set.exact = summary.exact;
  set.integer = field.cell_type() != CellType::float32;
  set.curves = {{single ? "value" : "mean", widened(summary.mean)}};
  set.steps = single && set.integer;
  if (single) return set;
  if (field.cell_type() == CellType::boolean) {
    auto runs = summary.exact ? runs_of(field, grid, edges, summary) : std::nullopt;
    if (runs) return std::move(*runs);
    set.curves = {{"most cells", majority(widened(summary.mean))}};
    set.steps = true;
  }
  set.curves.push_back({"min", widened(summary.min)});
  set.curves.push_back({"max", widened(summary.max)});
  set.bands = {{0, 1, 2}};
  return set;
}

}  // namespace

Result<CurveSet> row_profile(const Field& field, Index row, Range cols, Index points, std::stop_token stop,
                             bool labels) {
  assert(row >= 0 && row < field.extent().rows);
  const auto edges = even_edges(cols, points);
  auto set = profile(field, {{row, row + 1}, edges}, edges, std::move(stop), labels);
  if (set) set->x_name = set->x_title = "k";
  return set;
}

Result<CurveSet> col_profile(const Field& field, Index col, Range rows, Index points, std::stop_token stop,
                             bool labels) {
  assert(col >= 0 && col < field.extent().cols);
  const auto edges = even_edges(rows, points);
  auto set = profile(field, {edges, {col, col + 1}}, edges, std::move(stop), labels);
  if (set) set->x_name = set->x_title = "q";
  return set;
}

}  // namespace vqscope
