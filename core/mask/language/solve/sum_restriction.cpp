// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/sum_restriction.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace vqscope::language {
namespace {

/// The x of a piece for which factor * piece <= or == target.
Range where(const Part& part, const ArrayPiece& piece, Relation relation, Index target) {
  const Index slope = part.slope(piece);
  const Index first = part.first(piece);
  const Range t = relation == Relation::equal ? where_equal(first, slope, piece.range.size(), target)
                                              : where_at_most(first, slope, piece.range.size(), target);
  return {piece.range.begin + t.begin, piece.range.begin + t.end};
}

/// Those of sorted standing intervals that touch the columns `over`.
Intervals touching(Intervals columns, Range over) {
  const auto first = std::partition_point(columns.begin(), columns.end(),
                                          [&](const Interval& i) { return i.hi.offset <= over.begin; });
  const auto last =
      std::partition_point(first, columns.end(), [&](const Interval& i) { return i.lo.offset < over.end; });
  return {first, last};
}

/// Those of one value stay in their order.
void sort_by_value(std::vector<Index>& values, std::vector<Interval>& columns) {
  if (std::ranges::is_sorted(values)) return;
  // Documents of the key are subtracted, so they descend.
  if (std::ranges::adjacent_find(values, std::ranges::less_equal()) == values.end()) {
    std::ranges::reverse(values);
    std::ranges::reverse(columns);
    return;
  }
  std::vector<std::pair<Index, Interval>> pairs;
  pairs.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) pairs.emplace_back(values[i], columns[i]);
  std::ranges::stable_sort(pairs, {}, [](const auto& pair) { return pair.first; });
  for (std::size_t i = 0; i < values.size(); ++i) std::tie(values[i], columns[i]) = pairs[i];
}

}  // namespace

Region SumRestriction::restricted(const Sum& sum, Relation relation, Index limit, const Region& within) {
  if (m_failed || within.empty()) return {};
  const Index target = limit - sum.f.offset - sum.g.offset;
  if (sum.f.is_constant() && sum.g.is_constant()) {
    const bool holds = relation == Relation::equal ? target == 0 : 0 <= target;
    return holds ? within : Region{};
  }
  if (sum.g.is_constant()) return by_rows(sum.f, relation, target, within);
  if (sum.f.is_constant()) return by_columns(sum.g, relation, target, within);
  if (relation == Relation::equal && sum.f.stands() && sum.g.stands()) return by_values(sum, target, within);
  if (relation == Relation::at_most && sum.f.stands() && sum.g.stands())
    if (auto made = by_stairs(sum, target, within)) return std::move(*made);
  return by_boxes(sum, relation, target, within);
}

Region SumRestriction::by_rows(const Part& f, Relation relation, Index target, const Region& within) {
  Region out;
  out.reserve_like(within);
  for (const Strip& strip : within.strips()) {
    const Intervals intervals = within.intervals(strip);
    for_pieces(f, strip.rows, m_near_query, [&](const ArrayPiece& piece) {
      const Range rows = common(where(f, piece, relation, target), strip.rows);
      if (rows.size() > 0 && spend(static_cast<Index>(intervals.size()))) out.append(rows, intervals);
    });
    if (!fits(out)) return {};
  }
  return out;
}

std::vector<Interval> SumRestriction::fitting_columns(const Part& g, Relation relation, Index target, Range over) {
  std::vector<Interval> columns;
  for_pieces(g, over, m_near_key, [&](const ArrayPiece& piece) {
    const Range fits = where(g, piece, relation, target);
    if (fits.size() <= 0) return;
    if (!columns.empty() && columns.back().hi.offset == fits.begin)
      columns.back().hi.offset = fits.end;
    else
      columns.push_back({{false, fits.begin}, {false, fits.end}});
  });
  return columns;
}

void SumRestriction::intersect(Range rows, Intervals a, Intervals b, Region& out) {
  if (!a.empty() && !b.empty()) m_combiner.combine(rows, a, b, Combine::both, out);
  spend(0);
}

Region SumRestriction::by_columns(const Part& g, Relation relation, Index target, const Region& within) {
  Region out;
  const Range all = within.columns();
  if (all.size() <= 0) return out;
  const auto columns = fitting_columns(g, relation, target, all);
  for (const Strip& strip : within.strips()) {
    const Intervals intervals = within.intervals(strip);
    const Intervals some = touching(columns, hull(strip.rows, intervals));
    if (!spend(static_cast<Index>(some.size())) || !fits(out)) return {};
    intersect(strip.rows, intervals, some, out);
  }
  return out;
}

Region SumRestriction::by_values(const Sum& sum, Index target, const Region& within) {
  const Range all = within.columns();
  if (all.size() <= 0) return {};
  const std::size_t most = piece_at(*sum.g.pieces, all.end - 1) - piece_at(*sum.g.pieces, all.begin) + 1;
  std::vector<Index> values;
  std::vector<Interval> columns;
  values.reserve(most);
  columns.reserve(most);
  for_pieces(sum.g, all, m_near_key, [&](const ArrayPiece& piece) {
    values.push_back(sum.g.first(piece));
    columns.push_back({{false, piece.range.begin}, {false, piece.range.end}});
  });
  sort_by_value(values, columns);
  Region out;
  out.reserve_like(within);
  for (const Strip& strip : within.strips()) {
    const Intervals intervals = within.intervals(strip);
    for_pieces(sum.f, strip.rows, m_near_query, [&](const ArrayPiece& piece) {
      const auto [begin, end] = std::equal_range(values.begin(), values.end(), target - sum.f.first(piece));
      if (begin == end) return;
      const Range rows = common(piece.range, strip.rows);
      const auto first = static_cast<std::size_t>(begin - values.begin());
      const auto count = static_cast<std::size_t>(end - begin);
      const Intervals some = touching(Intervals(columns).subspan(first, count), hull(rows, intervals));
      if (spend(static_cast<Index>(some.size())) && fits(out)) intersect(rows, intervals, some, out);
    });
    if (!fits(out)) return {};
  }
  return out;
}

std::optional<Region> SumRestriction::by_stairs(const Sum& sum, Index target, const Region& within) {
  const Range all = within.columns();
  if (all.size() <= 0) return Region();
  std::vector<Index> values;
  std::vector<Index> begins;
  for_pieces(sum.g, all, m_near_key, [&](const ArrayPiece& piece) {
    values.push_back(sum.g.first(piece));
    begins.push_back(std::max(piece.range.begin, all.begin));
  });
  if (m_failed) return Region();
  begins.push_back(all.end);
  const bool rises = std::ranges::is_sorted(values);
  if (!rises && !std::ranges::is_sorted(values, std::greater<>())) return std::nullopt;
  Region out;
  out.reserve_like(within);
  for (const Strip& strip : within.strips()) {
    const Intervals intervals = within.intervals(strip);
    for_pieces(sum.f, strip.rows, m_near_query, [&](const ArrayPiece& piece) {
      const Index most = target - sum.f.first(piece);
      const auto border =
          rises ? std::ranges::partition_point(values, [&](Index value) { return value <= most; }) - values.begin()
                : std::ranges::partition_point(values, [&](Index value) { return value > most; }) - values.begin();
      const Index at = begins[static_cast<std::size_t>(border)];
      const Interval seen = rises ? Interval{{false, all.begin}, {false, at}} : Interval{{false, at}, {false, all.end}};
      const Range rows = common(piece.range, strip.rows);
      if (seen.lo.offset < seen.hi.offset && spend(8) && fits(out))
        intersect(rows, intervals, Intervals(&seen, 1), out);
    });
    if (!fits(out)) return Region();
  }
  return out;
}

Region SumRestriction::by_boxes(const Sum& sum, Relation relation, Index target, const Region& within) {
  Region out;
  out.reserve_like(within);
  for (const Strip& strip : within.strips()) {
    const Intervals intervals = within.intervals(strip);
    for_pieces(sum.f, strip.rows, m_near_query, [&](const ArrayPiece& piece) {
      const Range rows = common(piece.range, strip.rows);
      box_row({rows, sum.f.factor * piece.at(rows.begin), rows.size() == 1 ? 0 : sum.f.slope(piece)}, sum.g, relation,
              target, intervals, out);
    });
    if (m_failed) return {};
  }
  return out;
}

}  // namespace vqscope::language
