// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/row/row_search.h"

#include "core/base/sentence.h"

#include <array>
#include <functional>

namespace vqscope {
namespace {

using Intervals = std::vector<Range>;

constexpr Index row_steps = 64;  ///< nanoseconds, about, of a look at a row or a band

bool continues(const Intervals& before, const Intervals& row) {
  const auto stays_or_steps = [](Index a, Index b) { return b == a || b == a + 1; };
  return std::ranges::equal(before, row, [&](const Range& a, const Range& b) {
    return stays_or_steps(a.begin, b.begin) && stays_or_steps(a.end, b.end);
  });
}

/// A mask's rows; the last two are kept, for a search meets each with both of its neighbours.
class Rows {
 public:
  Rows(const Mask& mask, CountBudget& budget) : m_mask(mask), m_budget(budget) {}

  /// Invalid once the budget is spent.
  const Intervals& at(Index q) {
    Kept& kept = m_kept[static_cast<std::size_t>(q & 1)];
    if (kept.row != q) read_row(m_mask, q, m_budget, kept.intervals);
    kept.row = q;
    return kept.intervals;
  }

 private:
  struct Kept {
    Index row = -1;
    Intervals intervals;
  };

  const Mask& m_mask;
  CountBudget& m_budget;
  std::array<Kept, 2> m_kept;
};

class Test {
 public:
  /// Its result is invalid once the budget is spent.
  Test(const Mask& mask, RowKind kind, const Mask* second, CountBudget& budget) : m_rows(mask, budget), m_kind(kind) {
    if (!second) return;
    m_second.emplace(*second, budget);
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

/// Rows of `within` next to which an interval of the mask appears, ends, meets another or bends.
/// Between them all intervals move straight on, so a row and the next one stand for all.
class Bends {
 public:
  explicit Bends(Range within) : m_within(within) {
    near(within.begin);
    near(within.end);
  }

  void add(std::span<const Band> bands, CountBudget& budget) {
    const Band* last = nullptr;
    for (const Band& band : bands) {
      if (!budget.spend(row_steps)) return;
      if (m_rows.size() > most_kept) sort();
      near(band.rows.begin);
      near(band.rows.end);
      near(band.lo, band.lo);
      near(band.hi, band.hi);
      near(band.lo, band.hi);
      if (last) near(last->hi, band.lo);
      last = &band;
    }
  }

  /// The rows within two of those, sorted, each once.
  std::vector<Index> rows() {
    sort();
    std::vector<Index> rows;
    rows.reserve(5 * m_rows.size());
    Index next = m_within.begin;
    for (const Index q : m_rows)
      for (next = std::max(next, q - 2); next <= q + 2 && next < m_within.end; ++next) rows.push_back(next);
    return rows;
  }

 private:
  /// Many bands meet in the same rows.
  static constexpr std::size_t most_kept = std::size_t{1} << 20;

  void sort() {
    std::ranges::sort(m_rows);
    m_rows.erase(std::unique(m_rows.begin(), m_rows.end()), m_rows.end());
  }

  void near(Index q) {
    if (m_within.begin - 2 <= q && q < m_within.end + 2) m_rows.push_back(q);
  }
  /// Adds rows at which one of the ramps meets the other.
  void near(const Ramp& a, const Ramp& b) {
    for (const Index stand : {a.low, a.high, b.low, b.high}) {
      if (!a.is_constant()) near(stand - a.offset);
      if (!b.is_constant()) near(stand - b.offset);
    }
  }

  Range m_within;
  std::vector<Index> m_rows;
};

Error too_long(const CountBudget& budget, Range looked_at, Index rows) {
  const double part = static_cast<double>(looked_at.size()) / static_cast<double>(std::max<Index>(rows, 1));
  return budget.error((looked_at.size() > 0 ? fmt::format("there is none from row {} to {}, and looking further",
                                                          looked_at.begin, looked_at.end - 1)
                                            : std::string("looking for such a row")),
                      budget.steps_of_all(part));
}

/// Longer and longer segments of `rows`: what is near is found at once, and memory is bounded.
template <class Visit>
Result<std::optional<Index>> search_chunks(Range rows, bool forwards, CountBudget& budget, const Visit& visit) {
  const Range all = rows;
  for (Index size = 4096; rows.size() > 0; size = std::min<Index>(4 * size, 65536)) {
    const Index length = std::min(size, rows.size());
    const Range chunk = forwards ? Range{rows.begin, rows.begin + length} : Range{rows.end - length, rows.end};
    const std::optional<Index> found = visit(chunk);
    if (budget.is_over())
      return too_long(budget, forwards ? Range{all.begin, rows.begin} : Range{rows.end, all.end}, all.size());
    if (found) return found;
    (forwards ? rows.begin : rows.end) += forwards ? length : -length;
  }
  return std::optional<Index>();
}

Range rows_to_search(Index rows, Index from, bool forwards) {
  assert(-1 <= from && from <= rows);
  return forwards ? Range{std::min(from + 1, rows), rows} : Range{0, std::max<Index>(from, 0)};
}

Result<std::optional<Index>> first_wanted(Index rows, Index from, bool forwards,
                                          const std::function<bool(Index row)>& wanted, CountBudget& budget) {
  const Range range = rows_to_search(rows, from, forwards);
  const Index step = forwards ? 1 : -1;
  for (Index q = forwards ? range.begin : range.end - 1; range.contains(q); q += step) {
    const bool found = budget.spend(row_steps) && wanted(q);
    if (budget.is_over())
      return too_long(budget, forwards ? Range{range.begin, q} : Range{q + 1, range.end}, range.size());
    if (found) return std::optional(q);
  }
  return std::optional<Index>();
}

}  // namespace

Result<std::optional<Index>> next_row(const Mask& mask, const RowSearch& search, const std::stop_token& stop) {
  CountBudget budget{.left = most_steps_of_an_answer, .stop = stop};
  Test test(mask, search.kind, search.second, budget);
  const Index size = mask.extent().rows;
  if (search.kind == RowKind::any || !mask.has_bands() || (search.second && !search.second->has_bands()))
    return first_wanted(size, search.from, search.forwards, std::ref(test), budget);
  std::vector<Band> scratch;
  const auto visit = [&](Range chunk) -> std::optional<Index> {
    Bends bends(chunk);
    bends.add(mask.bands(chunk, scratch), budget);
    if (search.second) {
      const Index common = std::min(chunk.end, search.second->extent().rows);
      if (chunk.begin < common) bends.add(search.second->bands({chunk.begin, common}, scratch), budget);
    }
    if (budget.is_over()) return std::nullopt;
    const auto test_row = [&](Index q) { return budget.spend(row_steps) && test(q); };
    const std::vector<Index> rows = bends.rows();
    if (search.forwards) {
      const auto found = std::find_if(rows.begin(), rows.end(), test_row);
      return found == rows.end() ? std::nullopt : std::optional(*found);
    }
    const auto found = std::find_if(rows.rbegin(), rows.rend(), test_row);
    return found == rows.rend() ? std::nullopt : std::optional(*found);
  };
  return search_chunks(rows_to_search(size, search.from, search.forwards), search.forwards, budget, visit);
}

}  // namespace vqscope
