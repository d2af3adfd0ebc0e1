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
  return run(cells) ? std::optional(m_seen) : std::nullopt;
}

std::optional<Coverage> RectangleCount::coverage(const Rect& cells) {
  m_until_mixed = true;
  if (!run(cells)) return std::nullopt;
  return m_seen == 0 ? Coverage::none : m_unseen == 0 ? Coverage::all : Coverage::mixed;
}

bool RectangleCount::run(const Rect& cells) {
  m_seen = m_unseen = 0;
  std::vector<Rect> open{cells};
  while (!open.empty() && !m_interrupted && !is_enough()) {
    if (!m_budget.spend(interval_node * (m_condition.root() + 1))) return false;
    const Rect part = open.back();
    open.pop_back();
    if (add_undivided(part)) continue;
    const auto [first, second] = halves(part);
    open.push_back(second);
    open.push_back(first);
  }
  return !m_interrupted;
}

bool RectangleCount::add_undivided(const Rect& cells) {
  const Bounds bounds = m_intervals.over(cells, m_condition.root());
  if (bounds.high == 0) return add(0, cells.area()), true;
  if (bounds.low == 1) return add(cells.area(), cells.area()), true;
  if (is_small(cells)) return add_lanes(cells), true;
  return add_region(cells) || add_rows(cells);
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

bool RectangleCount::add_region(const Rect& cells) {
  const std::uint64_t expensive = cells.area() / static_cast<std::uint64_t>(solver_step);
  const auto counted = solved(cells, static_cast<Index>(std::min<std::uint64_t>(expensive, most_region_steps)));
  if (counted) add(*counted, cells.area());
  return counted.has_value();
}

bool RectangleCount::add_rows(const Rect& cells) {
  const Index most_steps = std::min(cells.cols.size() / solver_step, most_row_steps);
  for (Index q = cells.rows.begin; q < cells.rows.end && !is_enough(); ++q) {
    const Rect row{{q, q + 1}, cells.cols};
    const auto counted = solved(row, most_steps);
    if (!counted && q == cells.rows.begin) return false;
    counted ? add(*counted, row.area()) : add_pieces(row);
    m_interrupted = !m_budget.spend(lane_row);
    if (m_interrupted) break;
  }
  return true;
}

void RectangleCount::add_pieces(const Rect& row) {
  constexpr Index keys_at_once = 1 << 16;
  for (Index begin = row.cols.begin; begin < row.cols.end && !m_budget.is_over() && !is_enough(); begin += keys_at_once)
    add_lanes({row.rows, {begin, std::min(row.cols.end, begin + keys_at_once)}});
}

void RectangleCount::add_lanes(const Rect& cells) {
  m_lanes.resize(static_cast<std::size_t>(cells.cols.size()));
  const Index width = std::max(cells.cols.size(), Index{lane_count});
  m_budget.spend(cells.rows.size() * (lane_row + width * m_condition.steps_of_key()));
  std::uint64_t seen = 0;
  for (Index q = cells.rows.begin; q < cells.rows.end; ++q) {
    m_condition.lanes().row(q, cells.cols, m_lanes.data());
    seen = std::accumulate(m_lanes.begin(), m_lanes.end(), seen);
  }
  add(seen, cells.area());
}

}  // namespace vqscope::language
