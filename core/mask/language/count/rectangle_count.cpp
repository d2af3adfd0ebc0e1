// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/count/rectangle_count.h"

#include "core/mask/language/evaluate/lane_plan.h"

#include <algorithm>
#include <numeric>

namespace vqscope::language {
namespace {

/// Approximate nanoseconds per node in interval arithmetic.
constexpr Index interval_node = 16;

/// Rectangles up to this size are evaluated cell by cell.
constexpr Index small_rows = 16;
constexpr Index small_cols = Index{lane_count};

/// Steps that the solver may take for a rectangle and for a row, whatever their size.
constexpr Index most_region_steps = 1 << 12;
constexpr Index most_row_steps = 1 << 8;

bool is_small(const Rect& cells) { return cells.rows.size() <= small_rows && cells.cols.size() <= small_cols; }

/// Two halves; wide rather than tall, because lanes run along rows.
std::pair<Rect, Rect> halves(const Rect& cells) {
  const bool by_cols =
      cells.cols.size() > small_cols && (cells.rows.size() <= small_rows || cells.cols.size() >= cells.rows.size());
  const Range side = by_cols ? cells.cols : cells.rows;
  const Index middle = side.begin + side.size() / 2;
  std::pair<Rect, Rect> made{cells, cells};
  (by_cols ? made.first.cols : made.first.rows).end = middle;
  (by_cols ? made.second.cols : made.second.rows).begin = middle;
  return made;
}

}  // namespace

RectangleCount::RectangleCount(const BoundProgram& program, const RegionSolver& solver, const Condition& condition,
                               CountBudget& budget)
    : m_solver(solver), m_condition(condition), m_budget(budget), m_intervals(program) {}

std::optional<std::uint64_t> RectangleCount::count(const Rect& cells) {
  std::uint64_t total = 0;
  std::vector<Rect> open{cells};
  while (!open.empty() && !m_interrupted) {
    if (!m_budget.spend(interval_node * (m_condition.root() + 1))) return std::nullopt;
    const Rect part = open.back();
    open.pop_back();
    if (const auto counted = count_undivided(part)) {
      total += *counted;
      continue;
    }
    const auto [first, second] = halves(part);
    open.push_back(second);
    open.push_back(first);
  }
  return m_interrupted ? std::nullopt : std::optional(total);
}

std::optional<std::uint64_t> RectangleCount::count_undivided(const Rect& cells) {
  const Bounds bounds = m_intervals.over(cells, m_condition.root());
  if (bounds.high == 0) return 0;
  if (bounds.low == 1) return cells.area();
  if (is_small(cells)) return by_lanes(cells);
  if (const auto counted = by_region(cells)) return counted;
  return by_rows(cells);
}

std::optional<std::uint64_t> RectangleCount::solved(const Rect& cells, Index most_steps) {
  const auto region =
      m_solver.solve(m_condition.root(), CellSet::whole(cells.rows, cells.cols), {most_steps, m_budget.stop}, &m_steps);
  m_budget.spend(solver_step * m_steps);
  if (!region) return std::nullopt;
  std::uint64_t count = 0;
  for (const Band& band : region->bands()) count += band.cells();
  return count;
}

std::optional<std::uint64_t> RectangleCount::by_region(const Rect& cells) {
  const std::uint64_t dear = cells.area() / static_cast<std::uint64_t>(solver_step);
  return solved(cells, static_cast<Index>(std::min<std::uint64_t>(dear, most_region_steps)));
}

std::optional<std::uint64_t> RectangleCount::by_rows(const Rect& cells) {
  const Index most_steps = std::min(cells.cols.size() / solver_step, most_row_steps);
  std::uint64_t total = 0;
  for (Index q = cells.rows.begin; q < cells.rows.end; ++q) {
    const Rect row{{q, q + 1}, cells.cols};
    const auto counted = solved(row, most_steps);
    if (!counted && q == cells.rows.begin) return std::nullopt;
    total += counted ? *counted : by_pieces(row);
    m_interrupted = !m_budget.spend(lane_row);
    if (m_interrupted) break;
  }
  return total;
}

std::uint64_t RectangleCount::by_pieces(const Rect& row) {
  constexpr Index keys_at_once = 1 << 16;
  std::uint64_t total = 0;
  for (Index begin = row.cols.begin; begin < row.cols.end && !m_budget.is_over(); begin += keys_at_once)
    total += by_lanes({row.rows, {begin, std::min(row.cols.end, begin + keys_at_once)}});
  return total;
}

std::uint64_t RectangleCount::by_lanes(const Rect& cells) {
  m_lanes.resize(static_cast<std::size_t>(cells.cols.size()));
  const Index width = std::max(cells.cols.size(), Index{lane_count});
  m_budget.spend(cells.rows.size() * (lane_row + width * m_condition.steps_of_key()));
  std::uint64_t total = 0;
  for (Index q = cells.rows.begin; q < cells.rows.end; ++q) {
    m_condition.lanes().row(q, cells.cols, m_lanes.data());
    total = std::accumulate(m_lanes.begin(), m_lanes.end(), total);
  }
  return total;
}

}  // namespace vqscope::language
