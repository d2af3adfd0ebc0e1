// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/row_search.h"

#include <array>

namespace vqscope {
namespace {

using Intervals = std::vector<Range>;

bool continues(const Intervals& before, const Intervals& row) {
  const auto stays_or_steps = [](Index a, Index b) { return b == a || b == a + 1; };
  return std::ranges::equal(before, row, [&](const Range& a, const Range& b) {
    return stays_or_steps(a.begin, b.begin) && stays_or_steps(a.end, b.end);
  });
}

/// A mask's rows; the last two are kept, for a search meets each with both of its neighbours.
class Rows {
 public:
  explicit Rows(const Mask& mask) : m_mask(mask) {}

  const Intervals& at(Index q) {
    Kept& kept = m_kept[static_cast<std::size_t>(q & 1)];
    if (kept.row != q) m_mask.row(q, kept.intervals);
    kept.row = q;
    return kept.intervals;
  }

 private:
  struct Kept {
    Index row = -1;
    Intervals intervals;
  };

  const Mask& m_mask;
  std::array<Kept, 2> m_kept;
};

class Test {
 public:
  Test(const Mask& mask, RowKind kind, const Mask* second) : m_rows(mask), m_kind(kind) {
    if (!second) return;
    m_second.emplace(*second);
    m_second_rows = second->extent().rows;
  }

  bool operator()(Index q) {
    switch (m_kind) {
      case RowKind::any: return true;
      case RowKind::empty: return m_rows.at(q).empty();
      case RowKind::differs: break;
    }
    if (m_second) return q >= m_second_rows || m_rows.at(q) != m_second->at(q);
    return q > 0 && !continues(m_rows.at(q - 1), m_rows.at(q));
  }

 private:
  Rows m_rows;
  RowKind m_kind;
  std::optional<Rows> m_second;
  Index m_second_rows = 0;
};

/// Rows of `within` next to which an interval of the mask appears, ends, meets another or bends. Between them all
/// intervals move straight on, so a row and the next one stand for all.
class Bends {
 public:
  explicit Bends(Range within) : m_within(within) {
    near(within.begin);
    near(within.end);
  }

  void add(std::span<const Band> bands) {
    const Band* last = nullptr;
    for (const Band& band : bands) {
      near(band.rows.begin);
      near(band.rows.end);
      near(band.lo, band.lo);
      near(band.hi, band.hi);
      near(band.lo, band.hi);
      if (last) near(last->hi, band.lo);
      last = &band;
    }
  }

  /// Sorted, each once.
  const std::vector<Index>& rows() {
    std::ranges::sort(m_rows);
    m_rows.erase(std::unique(m_rows.begin(), m_rows.end()), m_rows.end());
    return m_rows;
  }

 private:
  void near(Index q) {
    for (Index each = q - 2; each <= q + 2; ++each)
      if (m_within.contains(each)) m_rows.push_back(each);
  }
  /// Where one of the ramps comes to a place at which the other stands.
  void near(const Ramp& a, const Ramp& b) {
    for (const Index stand : {a.low, a.high, b.low, b.high}) {
      if (!a.is_constant()) near(stand - a.offset);
      if (!b.is_constant()) near(stand - b.offset);
    }
  }

  Range m_within;
  std::vector<Index> m_rows;
};

/// Longer and longer stretches of `rows`: what is near is found at once, and memory is bounded.
template <class Visit>
Result<std::optional<Index>> search_chunks(Range rows, bool forwards, const std::stop_token& stop, const Visit& visit) {
  for (Index size = 4096; rows.size() > 0; size = std::min<Index>(4 * size, 65536)) {
    if (stop.stop_requested()) return cancelled();
    const Index length = std::min(size, rows.size());
    const Range chunk = forwards ? Range{rows.begin, rows.begin + length} : Range{rows.end - length, rows.end};
    if (const std::optional<Index> found = visit(chunk)) return found;
    (forwards ? rows.begin : rows.end) += forwards ? length : -length;
  }
  return std::optional<Index>();
}

Range rows_to_search(Index rows, Index from, bool forwards) {
  assert(-1 <= from && from <= rows);
  return forwards ? Range{std::min(from + 1, rows), rows} : Range{0, std::max<Index>(from, 0)};
}

}  // namespace

bool is_of_kind(const Mask& mask, RowKind kind, Index q, const Mask* second) { return Test(mask, kind, second)(q); }

Result<std::optional<Index>> next_row(const Mask& mask, const RowSearch& search, const std::stop_token& stop) {
  Test test(mask, search.kind, search.second);
  const Index size = mask.extent().rows;
  if (search.kind == RowKind::any || !mask.has_bands() || (search.second && !search.second->has_bands()))
    return next_row_where(size, search.from, search.forwards, std::ref(test), stop);
  std::vector<Band> scratch;
  const auto visit = [&](Range chunk) -> std::optional<Index> {
    Bends bends(chunk);
    bends.add(mask.bands(chunk, scratch));
    if (search.second) {
      const Index common = std::min(chunk.end, search.second->extent().rows);
      if (chunk.begin < common) bends.add(search.second->bands({chunk.begin, common}, scratch));
    }
    const auto& rows = bends.rows();
    if (search.forwards) {
      const auto found = std::find_if(rows.begin(), rows.end(), std::ref(test));
      return found == rows.end() ? std::nullopt : std::optional(*found);
    }
    const auto found = std::find_if(rows.rbegin(), rows.rend(), std::ref(test));
    return found == rows.rend() ? std::nullopt : std::optional(*found);
  };
  return search_chunks(rows_to_search(size, search.from, search.forwards), search.forwards, stop, visit);
}

Result<std::optional<Index>> next_row_where(Index rows, Index from, bool forwards,
                                            const std::function<bool(Index row)>& wanted, const std::stop_token& stop) {
  const Range range = rows_to_search(rows, from, forwards);
  const Index step = forwards ? 1 : -1;
  for (Index q = forwards ? range.begin : range.end - 1; range.contains(q); q += step) {
    if (stop.stop_requested()) return cancelled();
    if (wanted(q)) return std::optional(q);
  }
  return std::optional<Index>();
}

}  // namespace vqscope
