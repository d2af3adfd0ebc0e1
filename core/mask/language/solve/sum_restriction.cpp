// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/sum_restriction.h"

#include "core/cells/ranges.h"

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

/// The sorted columns that touch `over`.
std::span<const Range> touching(std::span<const Range> columns, Range over) {
  const auto first =
      std::partition_point(columns.begin(), columns.end(), [&](const Range& range) { return range.end <= over.begin; });
  const auto last =
      std::partition_point(first, columns.end(), [&](const Range& range) { return range.begin < over.end; });
  return {first, last};
}

/// Equal values keep their order.
void sort_by_value(std::vector<Index>& values, std::vector<Range>& columns) {
  if (std::ranges::is_sorted(values)) return;
  // Document ids of the key are subtracted, so they descend.
  if (std::ranges::adjacent_find(values, std::ranges::less_equal()) == values.end()) {
    std::ranges::reverse(values);
    std::ranges::reverse(columns);
    return;
  }
  std::vector<std::pair<Index, Range>> pairs;
  pairs.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) pairs.emplace_back(values[i], columns[i]);
  std::ranges::stable_sort(pairs, {}, [](const auto& pair) { return pair.first; });
  for (std::size_t i = 0; i < values.size(); ++i) std::tie(values[i], columns[i]) = pairs[i];
}

/// The range of the ascending `values` that equal `wanted`. `near` is where the last range was
/// found: runs of queries follow one another, and so do their keys.
std::pair<std::size_t, std::size_t> equal_values(std::span<const Index> values, Index wanted, std::size_t& near) {
  std::size_t first = values.size();
  for (const std::size_t at : {near == 0 ? 0 : near - 1, near, near + 1})
    if (at < values.size() && values[at] == wanted && (at == 0 || values[at - 1] != wanted)) first = at;
  if (first == values.size())
    first = static_cast<std::size_t>(std::ranges::lower_bound(values, wanted) - values.begin());
  std::size_t end = first;
  if (end < values.size() && values[end] == wanted) near = end++;
  if (end < values.size() && values[end] == wanted)
    end = static_cast<std::size_t>(
        std::upper_bound(values.begin() + static_cast<std::ptrdiff_t>(end), values.end(), wanted) - values.begin());
  return {first, end};
}

}  // namespace

CellSet SumRestriction::restricted(const Sum& sum, Relation relation, Index limit, const CellSet& within) {
  if (m_work.failed() || within.is_empty()) return {};
  // Both parts are moderate, so a limit beyond every sum can be clamped; the target then fits.
  constexpr Index beyond = Index{1} << 61;
  if (relation == Relation::equal && (limit <= -beyond || limit >= beyond)) return {};
  const Index target = std::clamp(limit, -beyond, beyond) - sum.f.offset - sum.g.offset;
  if (sum.f.is_constant() && sum.g.is_constant()) {
    const bool holds = relation == Relation::equal ? target == 0 : 0 <= target;
    return holds ? within : CellSet{};
  }
  if (sum.g.is_constant()) return by_rows(sum.f, relation, target, within);
  if (sum.f.is_constant()) return by_columns(sum.g, relation, target, within);
  if (relation == Relation::equal && sum.f.is_stepwise() && sum.g.is_stepwise()) return by_values(sum, target, within);
  if (relation == Relation::at_most && sum.f.is_stepwise() && sum.g.is_stepwise())
    if (auto made = by_stairs(sum, target, within)) return std::move(*made);
  return by_boxes(sum, relation, target, within);
}

CellSet SumRestriction::by_rows(const Part& f, Relation relation, Index target, const CellSet& within) {
  CellSet out;
  out.reserve_like(within);
  for (const Strip& strip : within.strips()) {
    const Bands intervals = strip.columns;
    for_pieces(f, strip.rows, m_near_query, [&](const ArrayPiece& piece) {
      const Range rows = common(where(f, piece, relation, target), strip.rows);
      if (rows.size() > 0 && m_work.spend(static_cast<Index>(intervals.size()))) out.append(rows, intervals);
    });
    if (!m_work.fits(out)) return {};
  }
  return out;
}

std::vector<Range> SumRestriction::fitting_columns(const Part& g, Relation relation, Index target, Range over) {
  std::vector<Range> columns;
  for_pieces(g, over, m_near_key,
             [&](const ArrayPiece& piece) { append_range(where(g, piece, relation, target), columns); });
  return columns;
}

void SumRestriction::intersect(Range rows, Bands a, std::span<const Range> columns, CellSet& out) {
  m_columns.clear();
  for (const Range& range : columns) m_columns.push_back(Band::whole(rows, range));
  m_work.intersect(rows, a, m_columns, out);
}

CellSet SumRestriction::by_columns(const Part& g, Relation relation, Index target, const CellSet& within) {
  CellSet out;
  const Range all = within.columns();
  if (all.size() <= 0) return out;
  const auto columns = fitting_columns(g, relation, target, all);
  for (const Strip& strip : within.strips()) {
    const Bands intervals = strip.columns;
    const auto some = touching(columns, hull(strip.rows, intervals));
    if (!m_work.spend(static_cast<Index>(some.size())) || !m_work.fits(out)) return {};
    intersect(strip.rows, intervals, some, out);
  }
  return out;
}

CellSet SumRestriction::by_values(const Sum& sum, Index target, const CellSet& within) {
  const Range all = within.columns();
  if (all.size() <= 0) return {};
  const std::size_t most = piece_at(*sum.g.pieces, all.end - 1) - piece_at(*sum.g.pieces, all.begin) + 1;
  std::vector<Index> values;
  std::vector<Range> columns;
  values.reserve(most);
  columns.reserve(most);
  for_pieces(sum.g, all, m_near_key, [&](const ArrayPiece& piece) {
    values.push_back(sum.g.first(piece));
    columns.push_back(piece.range);
  });
  sort_by_value(values, columns);
  CellSet out;
  out.reserve(std::max(within.size(), std::min(sum.f.pieces->size(), values.size())));
  std::size_t near = 0;
  for (const Strip& strip : within.strips()) {
    const Bands intervals = strip.columns;
    for_pieces(sum.f, strip.rows, m_near_query, [&](const ArrayPiece& piece) {
      const auto [first, end] = equal_values(values, target - sum.f.first(piece), near);
      if (first == end) return;
      const Range rows = common(piece.range, strip.rows);
      const auto some = touching(std::span<const Range>(columns).subspan(first, end - first), hull(rows, intervals));
      if (m_work.spend(static_cast<Index>(some.size())) && m_work.fits(out)) intersect(rows, intervals, some, out);
    });
    if (!m_work.fits(out)) return {};
  }
  return out;
}

std::optional<CellSet> SumRestriction::by_stairs(const Sum& sum, Index target, const CellSet& within) {
  const Range all = within.columns();
  if (all.size() <= 0) return CellSet();
  std::vector<Index> values;
  std::vector<Index> begins;
  for_pieces(sum.g, all, m_near_key, [&](const ArrayPiece& piece) {
    values.push_back(sum.g.first(piece));
    begins.push_back(std::max(piece.range.begin, all.begin));
  });
  if (m_work.failed()) return CellSet();
  begins.push_back(all.end);
  const bool rises = std::ranges::is_sorted(values);
  if (!rises && !std::ranges::is_sorted(values, std::greater<>())) return std::nullopt;
  CellSet out;
  out.reserve_like(within);
  for (const Strip& strip : within.strips()) {
    const Bands intervals = strip.columns;
    for_pieces(sum.f, strip.rows, m_near_query, [&](const ArrayPiece& piece) {
      const Index most = target - sum.f.first(piece);
      const auto border =
          rises ? std::ranges::partition_point(values, [&](Index value) { return value <= most; }) - values.begin()
                : std::ranges::partition_point(values, [&](Index value) { return value > most; }) - values.begin();
      const Index at = begins[static_cast<std::size_t>(border)];
      const Range seen = rises ? Range{all.begin, at} : Range{at, all.end};
      const Range rows = common(piece.range, strip.rows);
      if (seen.size() > 0 && m_work.spend(8) && m_work.fits(out)) intersect(rows, intervals, {&seen, 1}, out);
    });
    if (!m_work.fits(out)) return CellSet();
  }
  return out;
}

CellSet SumRestriction::by_boxes(const Sum& sum, Relation relation, Index target, const CellSet& within) {
  CellSet out;
  out.reserve_like(within);
  for (const Strip& strip : within.strips()) {
    const Bands intervals = strip.columns;
    for_pieces(sum.f, strip.rows, m_near_query, [&](const ArrayPiece& piece) {
      const Range rows = common(piece.range, strip.rows);
      box_row({rows, sum.f.factor * piece.at(rows.begin), rows.size() == 1 ? 0 : sum.f.slope(piece)}, sum.g, relation,
              target, intervals, out);
    });
    if (m_work.failed()) return {};
  }
  return out;
}

}  // namespace vqscope::language
