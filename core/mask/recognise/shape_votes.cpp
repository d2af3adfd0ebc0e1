// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/shape_votes.h"

namespace vqscope {
namespace {

void append_new(Index value, std::vector<Index>& values) {
  if (value > 0 && std::ranges::count(values, value) == 0) values.push_back(value);
}

/// How far counts stay at or below 0, 1 and 2 from one end on.
std::vector<Index> quiet_segments(const std::vector<Index>& counts, bool from_front) {
  std::vector<Index> segments;
  const auto n = counts.size();
  for (const Index most : {0, 1, 2}) {
    std::size_t i = 0;
    while (i < n && counts[from_front ? i : n - 1 - i] <= most) ++i;
    append_new(static_cast<Index>(i), segments);
  }
  return segments;
}

/// Sums of linear functions over segments of borders, by second differences.
class CrossingSum {
 public:
  explicit CrossingSum(Index borders) : m_slope(static_cast<std::size_t>(borders + 2)), m_value(m_slope) {}

  /// value + slope * b for the borders b of [begin, end).
  void add(Range borders, Index value, Index slope) {
    const Index last = static_cast<Index>(m_slope.size()) - 1;
    borders = {std::clamp<Index>(borders.begin, 0, last), std::clamp<Index>(borders.end, 0, last)};
    if (borders.size() <= 0) return;
    m_value[static_cast<std::size_t>(borders.begin)] += value;
    m_value[static_cast<std::size_t>(borders.end)] -= value;
    m_slope[static_cast<std::size_t>(borders.begin)] += slope;
    m_slope[static_cast<std::size_t>(borders.end)] -= slope;
  }

  std::vector<Index> sums() const {
    std::vector<Index> sums;
    Index value = 0;
    Index slope = 0;
    for (std::size_t b = 0; b + 1 < m_slope.size(); ++b) {
      value += m_value[b];
      slope += m_slope[b];
      sums.push_back(value + slope * static_cast<Index>(b));
    }
    return sums;
  }

 private:
  std::vector<Index> m_slope;
  std::vector<Index> m_value;
};

}  // namespace

/// Where the queries may stand: at the front, at the end, at the last visible key, where a document
/// begins.
std::vector<Index> ShapeVotes::past_lens() const {
  Votes last;
  Votes jumps;
  for_each_row([&](Index q) {
    const auto row = m_rows.row(q);
    if (row.empty()) return;
    last.add(row.back().end - 1 - q);
    if (q > 0 && !m_rows.row(q - 1).empty() && m_rows.row(q - 1).back().end == row.front().begin)
      jumps.add(row.front().begin - q);
  });
  std::vector<Index> all{0};
  append_new(m_rows.extent().cols - m_rows.extent().rows, all);
  for (const Votes* votes : {&last, &jumps})
    for (const Index value : votes->winners()) append_new(value, all);
  // Every query stands at a key.
  std::erase_if(all, [&](Index value) { return value > 0 && value + m_rows.extent().rows > m_rows.extent().cols; });
  return all;
}

std::vector<Index> ShapeVotes::rights(const MaskShape& shape) const {
  Votes votes;
  for_each_voter([&](Index q) {
    const auto row = m_rows.row(q);
    const Index token = q + shape.past_len;
    // The end of a document hides how far a query looks ahead.
    if (!row.empty() && row.back().end != shape.conditioned_keys(token).end) votes.add(row.back().end - 1 - token);
  });
  auto all = votes.winners();
  for (const Index value : {0, -1})
    if (std::ranges::count(all, value) == 0) all.push_back(value);
  return all;
}

std::vector<Index> ShapeVotes::lefts(const MaskShape& shape, std::size_t most) const {
  Votes votes;
  for_each_voter([&](Index q) {
    const auto row = m_rows.row(q);
    if (row.empty()) return;
    const Index token = q + shape.past_len;
    // A document that widens the row hides where its window begins.
    const Index end = shape.documents_widen ? shape.document(token).begin : token + 1;
    const Index start = shape.conditioned_keys(token).begin;
    for (const Index begin : {row.back().begin, row.front().begin})
      if (begin > start && begin < end) votes.add(token - begin);
  });
  return votes.winners(most);
}

std::vector<Index> ShapeVotes::prefixes(const MaskShape& shape) const {
  Votes votes;
  for_each_voter([&](Index q) {
    const Index token = q + shape.past_len;
    for (const Range& each : m_rows.row(q))
      if (each.end > token + shape.right.value_or(0) + 1) votes.add(each.end - shape.conditioned_keys(token).begin);
  });
  auto all = votes.winners();
  std::erase_if(all, [](Index value) { return value <= 0; });
  return all;
}

std::vector<Index> ShapeVotes::sinks(const MaskShape& shape) const {
  Votes votes;
  for_each_voter([&](Index q) {
    const auto row = m_rows.row(q);
    const Index start = shape.conditioned_keys(q + shape.past_len).begin;
    if (row.size() >= 2 && row.front().begin == start) votes.add(row.front().end - start);
  });
  return votes.winners();
}

std::vector<Index> ShapeVotes::dilations(std::size_t most) const {
  Votes votes;
  for_each_voter([&](Index q) {
    const auto row = m_rows.row(q);
    for (std::size_t i = 1; i < row.size(); ++i)
      if (row[i].size() == 1 && row[i - 1].size() == 1) votes.add(row[i].begin - row[i - 1].begin);
  });
  return votes.winners(most);
}

std::vector<Index> ShapeVotes::readers() const {
  std::vector<Index> seen(static_cast<std::size_t>(m_rows.extent().cols + 1));
  for_each_row([&](Index q) {
    for (const Range& each : m_rows.row(q)) {
      ++seen[static_cast<std::size_t>(each.begin)];
      --seen[static_cast<std::size_t>(each.end)];
    }
  });
  for (std::size_t i = 1; i < seen.size(); ++i) seen[i] += seen[i - 1];
  seen.pop_back();
  return seen;
}

std::vector<Index> ShapeVotes::pads(bool left) const { return quiet_segments(readers(), left); }

std::vector<Range> ShapeVotes::hidden() const {
  const auto seen = readers();
  std::vector<Range> segments;
  Index begin = 0;
  for (Index kv = 0; kv < static_cast<Index>(seen.size()); ++kv) {
    if (seen[static_cast<std::size_t>(kv)] == 0) continue;
    if (begin > 0 && begin < kv) segments.push_back({begin, kv});
    begin = kv + 1;
  }
  std::ranges::stable_sort(segments, std::ranges::greater(), &Range::size);
  segments.resize(std::min(segments.size(), Votes::most_candidates));
  return segments;
}

std::vector<Index> ShapeVotes::blinds(bool first) const {
  std::vector<Index> seen;
  for_each_row([&](Index q) {
    seen.push_back(0);
    for (const Range& each : m_rows.row(q)) seen.back() += each.size();
  });
  return quiet_segments(seen, first);
}

std::vector<Index> ShapeVotes::crossings(Index past_len, Side side) const {
  const Index n = m_rows.extent().cols;
  CrossingSum sum(n);
  for_each_row([&](Index q) {
    const Index token = std::min(q + past_len, n);
    for (const Range& keys : m_rows.row(q)) {
      if (side == Side::both) {  // keys before the border, of borders up to the query
        sum.add({keys.begin, std::min(keys.end, token + 1)}, -keys.begin, 1);
        sum.add({keys.end, token + 1}, keys.size(), 0);
      }
      // Keys behind it, of borders after the query.
      sum.add({token + 1, keys.begin}, keys.size(), 0);
      sum.add({std::max(keys.begin, token + 1), keys.end}, keys.end, -1);
    }
  });
  return sum.sums();
}

std::vector<std::vector<Index>> ShapeVotes::quiet_borders(const std::vector<Index>& crossed) const {
  std::vector<std::vector<Index>> sets;
  for (const Index most : {0, 1, 2, 3, 5, 8}) {
    std::vector<Index> borders;
    for (Index b = 1; b < m_rows.extent().cols; ++b)
      if (crossed[static_cast<std::size_t>(b)] <= most) borders.push_back(b);
    if (!borders.empty() && (sets.empty() || sets.back() != borders)) sets.push_back(std::move(borders));
  }
  return sets;
}

std::vector<std::vector<Index>> ShapeVotes::documents(Index past_len) const {
  return quiet_borders(crossings(past_len, Side::both));
}

std::vector<Index> ShapeVotes::uncrossed(Index past_len) const {
  const auto crossed = crossings(past_len, Side::both);
  std::vector<Index> borders;
  for (Index b = 1; b < m_rows.extent().cols; ++b)
    if (crossed[static_cast<std::size_t>(b)] == 0) borders.push_back(b);
  return borders;
}

std::vector<std::vector<Index>> ShapeVotes::widening_documents(Index past_len) const {
  auto sets = quiet_borders(crossings(past_len, Side::ahead));
  // A causal mask has a border before every key, as padding has; documents of one token or two show
  // little more.
  const auto most = static_cast<std::size_t>(m_rows.extent().cols / 2);
  std::erase_if(sets, [&](const auto& borders) { return borders.size() > most; });
  return sets;
}

}  // namespace vqscope
