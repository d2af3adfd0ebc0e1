// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/band.h"
#include "core/cells/count_budget.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// A set of cells: bands sorted by rows, row ranges equal or disjoint, columns of equal rows disjoint and sorted. Rows
/// that no band has hold no cell.
using Region = std::vector<Band>;

/// Calls visit(other) for the bands of a region that share rows and, somewhere, columns with `band`, until it returns
/// false; false then. Of equal rows the bands are sorted by columns: only those that touch are looked at.
template <class Visit>
bool for_each_touching(const Band& band, std::span<const Band> region, const Visit& visit) {
  for (auto left = bands_in(region, band.rows); !left.empty();) {
    const Index row = left.front().rows.begin;
    const auto end = std::ranges::partition_point(left, [&](const Band& other) { return other.rows.begin == row; });
    auto other = std::partition_point(left.begin(), end, [&](const Band& b) { return b.hi.high <= band.lo.low; });
    for (; other != end && other->lo.low < band.hi.high; ++other)
      if (!visit(*other)) return false;
    left = {end, left.end()};
  }
  return true;
}

/// Cells of a region in some rows, modulo 2^64. A number of no use once the budget is over.
std::uint64_t cell_count(std::span<const Band> region, Range rows, CountBudget& budget);

/// Cells that two regions have in common in some rows, modulo 2^64. Neither is visited cell by cell: the ends of two
/// bands cross in a few rows only, and between those the common part grows evenly. A number of no use once the budget
/// is over.
std::uint64_t common_cells(std::span<const Band> a, std::span<const Band> b, Range rows, CountBudget& budget);

/// The columns of row q, sorted, disjoint, without empty ones.
void region_row(std::span<const Band> region, Index q, std::vector<Range>& out);

/// The rows of `rows` in which the region has no cell: sorted, disjoint, not touching. Of no use once the budget is
/// over.
std::vector<Range> empty_rows(std::span<const Band> region, Range rows, CountBudget& budget);

/// The part of `region` in some rows of `wanted`, which are sorted and disjoint.
Region rows_of(std::span<const Band> region, std::span<const Range> wanted);

}  // namespace vqscope
