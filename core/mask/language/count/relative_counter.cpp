// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/count/relative_counter.h"

#include "core/mask/language/evaluate/lane_evaluator.h"

#include <algorithm>

namespace vqscope::language {

RelativeCounter::RelativeCounter(Extent extent) : m_extent(extent), m_first(1 - extent.cols) {}

std::unique_ptr<const RelativeCounter> RelativeCounter::make(const BoundProgram& program, NodeId root,
                                                             const std::stop_token& stop) {
  std::unique_ptr<RelativeCounter> made(new RelativeCounter(program.extent));
  return made->fill(program, root, stop) ? std::move(made) : nullptr;
}

/// Evaluates one row in every m_extent.cols: the first has the distances up to 0, each further one
/// the next.
bool RelativeCounter::fill(const BoundProgram& program, NodeId root, const std::stop_token& stop) {
  constexpr Index keys_at_once = 1 << 16;
  const LaneEvaluator lanes(program, root);
  std::vector<std::uint8_t> holds(static_cast<std::size_t>(m_extent.rows + m_extent.cols - 1));
  std::vector<std::uint8_t> row(static_cast<std::size_t>(std::min(m_extent.cols, keys_at_once)));
  for (Index q = 0;; q = std::min(q + m_extent.cols, m_extent.rows - 1)) {
    for (Index begin = 0; begin < m_extent.cols; begin += keys_at_once) {
      if (stop.stop_requested()) return false;
      const Range keys{begin, std::min(m_extent.cols, begin + keys_at_once)};
      lanes.row(q, keys, row.data());
      std::reverse_copy(row.begin(), row.begin() + keys.size(), holds.begin() + (q - keys.end + 1 - m_first));
    }
    if (q == m_extent.rows - 1) break;
  }
  add_sums(holds);
  return true;
}

void RelativeCounter::add_sums(std::span<const std::uint8_t> holds) {
  // One more, because sums up to the end of the last distance are needed too.
  const std::size_t size = holds.size() + 2;
  m_rest.resize(size);
  Base base;
  std::uint64_t held = 0;
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < size; ++at) {
    if (at % block == 0) {
      base = {base.held + held, base.sum + base.held * (at == 0 ? 0 : block) + sum};
      m_bases.push_back(base);
      held = sum = 0;
    }
    m_rest[at] = static_cast<std::uint16_t>(sum);
    sum += held;
    held += at < holds.size() ? holds[at] : 0;
  }
}

std::uint64_t RelativeCounter::count(const Rect& cells) const {
  const auto [rows, cols] = cells;
  return sum_before(rows.end - cols.begin + 1) - sum_before(rows.begin - cols.begin + 1) -
         sum_before(rows.end - cols.end + 1) + sum_before(rows.begin - cols.end + 1);
}

void RelativeCounter::count_tiles(std::span<const Index> row_edges, std::span<const Index> col_edges,
                                  std::span<std::uint64_t> counts) const {
  const std::size_t width = col_edges.size() - 1;
  std::vector<std::uint64_t> above(col_edges.size());
  for (std::size_t i = 0; i < row_edges.size(); ++i) {
    std::uint64_t left = 0;
    for (std::size_t j = 0; j < col_edges.size(); ++j) {
      const std::uint64_t corner = sum_before(row_edges[i] - col_edges[j] + 1);
      if (i > 0 && j > 0) counts[(i - 1) * width + j - 1] = left - (corner - above[j]);
      left = corner - above[j];
      above[j] = corner;
    }
  }
}

}  // namespace vqscope::language
