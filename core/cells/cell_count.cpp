// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/cell_count.h"

#include "core/cells/ranges.h"

namespace vqscope {
namespace {

constexpr Index band_steps = 16;    ///< nanoseconds of a look at a band, about
constexpr Index filled_steps = 64;  ///< of a look at which of its rows have a cell

/// Sum of first, ..., last over n evenly spaced numbers, modulo 2^64.
std::uint64_t even_sum(Index first, Index last, Index n) {
  const auto sum = static_cast<std::uint64_t>(first + last);
  const auto count = static_cast<std::uint64_t>(n);
  return count % 2 == 0 ? count / 2 * sum : count * (sum / 2);
}

/// Rows of a band that hold a cell. lo <= hi everywhere, so between two cuts only the outermost
/// rows can be empty.
void append_filled(const Band& band, Range rows, std::vector<Range>& out) {
  const std::array ramps{band.lo, band.hi};
  RowCuts(ramps, rows).for_each_piece([&](Range piece) {
    if (band.row(piece.begin).size() == 0) ++piece.begin;
    if (piece.size() > 0 && band.row(piece.end - 1).size() == 0) --piece.end;
    if (piece.size() > 0 && band.row(piece.begin + piece.size() / 2).size() > 0) out.push_back(piece);
  });
}

}  // namespace

std::uint64_t cell_count(Bands bands, Range rows, CountBudget& budget) {
  std::uint64_t sum = 0;
  for (const Band& band : bands_in(bands, rows)) {
    if (!budget.spend(band_steps)) break;
    const Range shared = common(band.rows, rows);
    if (shared.size() > 0) sum += band.cells_before(shared, Ramp::far);
  }
  return sum;
}

std::uint64_t common_cells(Bands a, Bands b, Range rows, CountBudget& budget) {
  std::uint64_t sum = 0;
  for_each_common(a, b, rows, budget, [&](Range some, Range first, Range last) {
    sum += even_sum(first.size(), last.size(), some.size());
  });
  return sum;
}

std::vector<Range> empty_rows(Bands bands, Range rows, CountBudget& budget) {
  std::vector<Range> out;
  std::vector<Range> filled;
  for (const Band& band : bands_in(bands, rows)) {
    if (!budget.spend(filled_steps)) return out;
    append_filled(band, common(band.rows, rows), filled);
  }
  std::ranges::sort(filled, {}, &Range::begin);
  filled.push_back({rows.end, rows.end});
  Index next = rows.begin;
  for (const Range& range : filled) {
    append_range({next, range.begin}, out);
    next = std::max(next, range.end);
  }
  return out;
}

}  // namespace vqscope
