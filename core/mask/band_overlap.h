// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/band.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// A set of cells: bands sorted by rows, row ranges equal or disjoint, columns of equal rows disjoint. Rows that no
/// band has hold no cell.
using Region = std::vector<Band>;

/// Cells of a region in some rows, modulo 2^64.
std::uint64_t cell_count(std::span<const Band> region, Range rows);

/// Cells that two regions have in common in some rows, modulo 2^64. Neither is visited cell by cell: the ends of two
/// bands cross in a few rows only, and between those the common part grows evenly.
std::uint64_t common_cells(std::span<const Band> a, std::span<const Band> b, Range rows);

/// The columns of row q, sorted, disjoint, without empty ones.
void region_row(std::span<const Band> region, Index q, std::vector<Range>& out);

/// The rows of `rows` in which the region has no cell: sorted, disjoint, not touching.
std::vector<Range> empty_rows(std::span<const Band> region, Range rows);

/// The part of `region` in some rows of `wanted`, which are sorted and disjoint.
Region rows_of(std::span<const Band> region, std::span<const Range> wanted);

}  // namespace vqscope
