// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/numbers.h"
#include "core/field/block_walk.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// Calls visit(block, std::span<const T>) for all of the block's cells in row-major order; visit
/// returns a Result<void>. T is uint8_t for boolean cells, int32_t or float.
template <class T, class Visit>
Result<void> read_blocks_as(const FieldBlock& source, const Work& work, const Visit& visit) {
  if (auto ready = source.field->prepare({.progress = {}, .stop = work.stop}); !ready) return ready;
  std::vector<T> cells;
  for (BlockWalk walk(source.cells, source.field->cell_cost()); !walk.done();) {
    if (work.stop.stop_requested()) return cancelled();
    const Rect block = walk.next();
    cells.resize(static_cast<std::size_t>(block.area()));
    source.field->read(block, std::span<T>(cells));
    if (auto visited = visit(block, std::span<const T>(cells)); !visited) return visited;
    work.report(walk.fraction());
  }
  return {};
}

template <class Visit>
Result<void> read_blocks(const FieldBlock& source, const Work& work, const Visit& visit) {
  switch (source.field->cell_type()) {
    case CellType::boolean: return read_blocks_as<std::uint8_t>(source, work, visit);
    case CellType::int32: return read_blocks_as<std::int32_t>(source, work, visit);
    case CellType::float32: return read_blocks_as<float>(source, work, visit);
  }
  return {};
}

/// Characters of the longest index of a range, and of the longest number that a cell can hold.
double index_chars(const Range& range);
double cell_chars(const Field& field);

/// Characters of a double: sign, 17 digits, point, exponent.
constexpr double double_chars = 24;

inline double rows_of(const FieldBlock& block) { return static_cast<double>(block.cells.rows.size()); }
inline double cols_of(const FieldBlock& block) { return static_cast<double>(block.cells.cols.size()); }

/// Number of columns: x and the series.
inline double columns_of(const CurveSet& curves) { return 1.0 + static_cast<double>(curves.curves.size()); }

}  // namespace vqscope
