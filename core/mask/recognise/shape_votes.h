// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/mask/recognise/mask_rows.h"
#include "core/mask/recognise/mask_shape.h"

#include <algorithm>
#include <map>
#include <stop_token>
#include <utility>
#include <vector>

namespace vqscope {

/// Counts how often each value is proposed.
class Votes {
 public:
  static constexpr std::size_t most_candidates = 4;

  void add(Index value) { ++m_counts[value]; }
  bool empty() const { return m_counts.empty(); }

  /// The values with the most votes, at most `most`.
  std::vector<Index> winners(std::size_t most = most_candidates) const {
    std::vector<std::pair<Index, Index>> order;
    for (const auto& [value, count] : m_counts) order.emplace_back(-count, value);
    const auto kept = std::min(order.size(), most);
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept));
    std::vector<Index> values;
    for (std::size_t i = 0; i < kept; ++i) values.push_back(order[i].second);
    return values;
  }

  /// The value with the most votes, and how many it has; not of an empty one.
  std::pair<Index, Index> winner() const {
    const Index value = winners(1).front();
    return {value, m_counts.at(value)};
  }

 private:
  std::map<Index, Index> m_counts;
};

/// Proposals of all rows for the parts of a shape. Each list holds a few values, the likeliest
/// first.
class ShapeVotes {
 public:
  /// After a stop, proposals come from the rows read so far.
  ShapeVotes(const MaskRows& rows, std::stop_token stop) : m_rows(rows), m_stop(std::move(stop)) {}

  std::vector<Index> past_lens() const;
  std::vector<Index> rights(const MaskShape& shape) const;
  std::vector<Index> lefts(const MaskShape& shape, std::size_t most = Votes::most_candidates) const;
  std::vector<Index> prefixes(const MaskShape& shape) const;
  std::vector<Index> sinks(const MaskShape& shape) const;
  std::vector<Index> dilations(std::size_t most = Votes::most_candidates) const;
  std::vector<Index> pads(bool left) const;
  std::vector<Index> blinds(bool first) const;
  /// Runs of unseen keys between visible keys, the longest first.
  std::vector<Range> hidden() const;
  /// Document borders, from those that no cell crosses to those that a few do.
  std::vector<std::vector<Index>> documents(Index past_len) const;
  /// The borders that no cell crosses.
  std::vector<Index> uncrossed(Index past_len) const;
  /// The same where only keys ahead of their query count: of documents beside a causal mask.
  std::vector<std::vector<Index>> widening_documents(Index past_len) const;

 private:
  enum class Side { both, ahead };
  /// For each border between keys, the visible cells that it parts: with the key on either side, or
  /// only ahead.
  std::vector<Index> crossings(Index past_len, Side side) const;
  /// How many queries see each key.
  std::vector<Index> readers() const;
  std::vector<std::vector<Index>> quiet_borders(const std::vector<Index>& crossed) const;

  /// Calls visit(q) for every row.
  template <class Visit>
  void for_each_row(const Visit& visit) const {
    constexpr Index rows_between_looks = 4096;
    for (Index q = 0; q < m_rows.extent().rows; ++q) {
      if (q % rows_between_looks == 0 && m_stop.stop_requested()) return;
      visit(q);
    }
  }

  /// The same for as many rows as a vote needs, evenly spread.
  template <class Visit>
  void for_each_voter(const Visit& visit) const {
    constexpr Index most_voters = Index{1} << 16;
    const Index step = m_rows.extent().rows / most_voters + 1;
    for (Index q = 0; q < m_rows.extent().rows && !m_stop.stop_requested(); q += step) visit(q);
  }

  const MaskRows& m_rows;
  std::stop_token m_stop;
};

}  // namespace vqscope
