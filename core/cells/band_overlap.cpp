// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/band_overlap.h"

#include <array>

namespace vqscope {
namespace {

/// About how many nanoseconds a look at a band takes, and one at what two have in common.
constexpr Index band_steps = 16;
constexpr Index pair_steps = 64;

/// Sum of first, ..., last over n evenly spaced numbers, modulo 2^64.
std::uint64_t even_sum(Index first, Index last, Index n) {
  const auto sum = static_cast<std::uint64_t>(first + last);
  const auto count = static_cast<std::uint64_t>(n);
  return count % 2 == 0 ? count / 2 * sum : count * (sum / 2);
}

/// Rows at which one of the ends begins or stops to move or meets a standing end of another.
class Cuts {
 public:
  Cuts(std::span<const Ramp> ramps, Range rows) {
    add(rows.begin);
    add(rows.end);
    for (const Ramp& moving : ramps) {
      if (moving.is_constant()) continue;
      for (const Ramp& other : ramps)
        for (const Index value : {other.low, other.high}) {
          const Index q = value - moving.offset;
          if (rows.begin < q && q < rows.end) add(q);
        }
    }
    std::sort(m_rows.begin(), m_rows.begin() + m_size);
  }
  std::span<const Index> rows() const { return {m_rows.data(), static_cast<std::size_t>(m_size)}; }

 private:
  void add(Index q) { m_rows[static_cast<std::size_t>(m_size++)] = q; }

  std::array<Index, 34> m_rows{};
  int m_size = 0;
};

std::uint64_t common_of_pair(const Band& a, const Band& b, Range rows) {
  if (rows.size() <= 0 || a.hi.high <= b.lo.low || b.hi.high <= a.lo.low) return 0;
  const std::array ramps{a.lo, a.hi, b.lo, b.hi};
  const Cuts cuts(ramps, rows);
  const auto width = [&](Index q) {
    return std::max<Index>(0, std::min(a.hi.at(q), b.hi.at(q)) - std::max(a.lo.at(q), b.lo.at(q)));
  };
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < cuts.rows().size(); ++i) {
    const Range piece{cuts.rows()[i], cuts.rows()[i + 1]};
    if (piece.size() > 0) sum += even_sum(width(piece.begin), width(piece.end - 1), piece.size());
  }
  return sum;
}

/// Rows of a band that hold a cell. lo <= hi everywhere, so between two cuts only the outermost rows can be empty.
void append_filled(const Band& band, Range rows, std::vector<Range>& out) {
  const std::array ramps{band.lo, band.hi};
  const Cuts cuts(ramps, rows);
  for (std::size_t i = 0; i + 1 < cuts.rows().size(); ++i) {
    Range piece{cuts.rows()[i], cuts.rows()[i + 1]};
    if (piece.size() > 0 && band.row(piece.begin).size() == 0) ++piece.begin;
    if (piece.size() > 0 && band.row(piece.end - 1).size() == 0) --piece.end;
    if (piece.size() > 0 && band.row(piece.begin + piece.size() / 2).size() > 0) out.push_back(piece);
  }
}

/// What is left of `rows` without `filled`.
void append_gaps(Range rows, std::vector<Range>& filled, std::vector<Range>& out) {
  std::ranges::sort(filled, {}, &Range::begin);
  filled.push_back({rows.end, rows.end});
  Index next = rows.begin;
  for (const Range& range : filled) {
    if (range.begin > next && !out.empty() && out.back().end == next)
      out.back().end = range.begin;
    else if (range.begin > next)
      out.push_back({next, range.begin});
    next = std::max(next, range.end);
  }
}

}  // namespace

std::uint64_t cell_count(std::span<const Band> region, Range rows, CountBudget& budget) {
  std::uint64_t sum = 0;
  for (const Band& band : bands_in(region, rows)) {
    if (!budget.spend(band_steps)) break;
    const Range shared = common(band.rows, rows);
    if (shared.size() > 0) sum += band.cells_before(shared, std::max(band.hi.high, band.lo.high));
  }
  return sum;
}

std::uint64_t common_cells(std::span<const Band> a, std::span<const Band> b, Range rows, CountBudget& budget) {
  std::uint64_t sum = 0;
  for (Band one : bands_in(a, rows)) {
    one.rows = common(one.rows, rows);
    const bool all = for_each_touching(one, b, [&](const Band& other) {
      sum += common_of_pair(one, other, common(one.rows, other.rows));
      return budget.spend(pair_steps);
    });
    if (!all || !budget.spend(band_steps)) break;
  }
  return sum;
}

void region_row(std::span<const Band> region, Index q, std::vector<Range>& out) {
  out.clear();
  for (const Band& band : bands_in(region, {q, q + 1}))
    if (band.row(q).size() > 0) out.push_back(band.row(q));
  std::ranges::sort(out, {}, &Range::begin);
}

std::vector<Range> empty_rows(std::span<const Band> region, Range rows, CountBudget& budget) {
  std::vector<Range> out;
  std::vector<Range> filled;
  for (const Band& band : bands_in(region, rows)) {
    if (!budget.spend(pair_steps)) return out;
    append_filled(band, common(band.rows, rows), filled);
  }
  append_gaps(rows, filled, out);
  return out;
}

Region rows_of(std::span<const Band> region, std::span<const Range> wanted) {
  Region cut;
  for (const Range& rows : wanted)
    for (Band band : bands_in(region, rows)) {
      band.rows = common(band.rows, rows);
      if (band.rows.size() > 0) cut.push_back(band);
    }
  return cut;
}

}  // namespace vqscope
