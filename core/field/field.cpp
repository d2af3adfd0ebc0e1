// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/field.h"

#include "core/base/text.h"

#include <cassert>

namespace vqscope {
namespace {

void resize_plane(std::vector<float>& plane, bool wanted, std::size_t size) { plane.resize(wanted ? size : 0); }

}  // namespace

void Summary::shape(const TileGrid& grid, const SummaryOptions& options) {
  rows = grid.rows();
  cols = grid.cols();
  exact = true;
  const auto size = static_cast<std::size_t>(rows * cols);
  resize_plane(min, options.extremes, size);
  resize_plane(max, options.extremes, size);
  resize_plane(mean, options.mean, size);
  coherence.clear();
  reason.clear();
}

Result<void> Field::prepare(const Work&) const { return {}; }

void Field::read(const Rect& block, CellSpan out) const {
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        assert(cells.size() == block.area());
        auto* next = cells.data();
        for (Index row = block.rows.begin; row < block.rows.end; ++row)
          for (Index col = block.cols.begin; col < block.cols.end; ++col) *next++ = static_cast<Cell>(at(row, col));
      },
      out);
}

CellReport Field::report(Index row, Index col) const {
  return {{{"row", to_text(row)}, {"col", to_text(col)}, {"value", to_text(at(row, col))}}, {}};
}

}  // namespace vqscope
