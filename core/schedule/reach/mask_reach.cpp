// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/reach/mask_reach.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cassert>
#include <span>

namespace vqscope {
namespace {

constexpr Index most_reach_tokens = Index{1} << 16;
constexpr std::size_t most_reach_intervals = std::size_t{1} << 24;
constexpr double most_reach_steps = 4e9;

using TokenSet = std::vector<std::uint8_t>;

/// The keys that each token sees under the mask, those of the cache included.
class MaskRows {
 public:
  static Result<MaskRows> read(const Mask& mask, Index past_len, const std::stop_token& stop) {
    MaskRows rows;
    rows.m_past_len = past_len;
    std::vector<Range> row;
    for (Index q = 0; q < mask.extent().rows; ++q) {
      if (stop.stop_requested()) return cancelled();
      mask.row(q, row);
      if (rows.m_ranges.size() + row.size() > most_reach_intervals)
        return too_large("the mask's rows have more than {} intervals of visible keys", most_reach_intervals);
      rows.m_ranges.insert(rows.m_ranges.end(), row.begin(), row.end());
      rows.m_ends.push_back(rows.m_ranges.size());
    }
    return rows;
  }

  std::size_t intervals() const { return m_ranges.size(); }

  /// Calls take(keys) for each interval of keys that the token sees.
  template <class Take>
  void each(Index token, const Take& take) const {
    const Index q = token - m_past_len;
    if (q < 0) return take(Range{0, token + 1});
    if (q >= std::ssize(m_ends)) return;  // a key without a query keeps its own state
    const auto row = static_cast<std::size_t>(q);
    for (std::size_t i = row == 0 ? 0 : m_ends[row - 1]; i < m_ends[row]; ++i) take(m_ranges[i]);
  }

 private:
  Index m_past_len = 0;
  std::vector<Range> m_ranges;
  std::vector<std::size_t> m_ends;  ///< by query
};

/// Walks down from the query after one layer.
class MaskWalk {
 public:
  MaskWalk(const MaskRows& rows, const LayerSight& sight, const std::vector<bool>& own)
      : m_rows(rows), m_sight(sight), m_own(own), m_tokens(static_cast<std::size_t>(sight.sequence().length)) {}

  /// The tokens whose inputs the state of `query` after `layer` depends on.
  Result<TokenSet> from(Index layer, Index query, const std::stop_token& stop) {
    std::vector<TokenSet> levels(static_cast<std::size_t>(layer) + 2, TokenSet(m_tokens));
    levels.back()[static_cast<std::size_t>(query)] = 1;
    for (Index l = layer; l >= 0; --l) {
      if (stop.stop_requested()) return cancelled();
      const TokenSet& above = levels[static_cast<std::size_t>(l) + 1];
      add(above, levels[static_cast<std::size_t>(l)]);  // the residual stream
      add(keys_of(l, above), levels[static_cast<std::size_t>(m_sight.source_of(l))]);
    }
    return std::move(levels.front());
  }

 private:
  static void add(const TokenSet& more, TokenSet& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] |= more[i];
  }

  TokenSet keys_of(Index layer, const TokenSet& queries) {
    m_steps.assign(m_tokens + 1, 0);
    const auto take = [this](Range keys) {
      ++m_steps[static_cast<std::size_t>(keys.begin)];
      --m_steps[static_cast<std::size_t>(keys.end)];
    };
    for (std::size_t token = 0; token < m_tokens; ++token) {
      if (queries[token] == 0) continue;
      const auto at = static_cast<Index>(token);
      m_own[static_cast<std::size_t>(layer)] ? m_rows.each(at, take) : take(m_sight.keys_of(layer, at));
    }
    TokenSet keys(m_tokens);
    Index open = 0;
    for (std::size_t token = 0; token < m_tokens; ++token) {
      open += m_steps[token];
      keys[token] = open > 0 ? 1 : 0;
    }
    return keys;
  }

  const MaskRows& m_rows;
  const LayerSight& m_sight;
  const std::vector<bool>& m_own;
  std::size_t m_tokens;
  std::vector<Index> m_steps;
};

Result<void> check_work(Index tokens, Index layers, std::size_t intervals) {
  const double walks = static_cast<double>(layers) * static_cast<double>(layers + 1) / 2;
  const double steps = walks * (3 * static_cast<double>(tokens) + static_cast<double>(intervals));
  if (steps <= most_reach_steps) return {};
  return too_large("{} layers over {} tokens with {} intervals of visible keys are too much work; take fewer layers",
                   layers, tokens, intervals);
}

}  // namespace

Result<MaskReach> MaskReach::make(const Mask& mask, const LayerSight& others, const std::vector<bool>& own,
                                  Index past_len, Index query, const std::stop_token& stop) {
  const Index tokens = others.sequence().length, layers = others.layers();
  assert(mask.extent().cols == tokens && std::ssize(own) == layers);
  if (tokens > most_reach_tokens)
    return too_large("the sequence has {} tokens but must have at most {} for masks through depth", tokens,
                     most_reach_tokens);
  const auto rows = MaskRows::read(mask, past_len, stop);
  if (!rows) return rows.error();
  if (auto fits = check_work(tokens, layers, rows->intervals()); !fits) return fits.error();
  MaskReach made;
  made.m_query = query;
  made.m_layers = layers;
  made.m_first.assign(static_cast<std::size_t>(tokens), -1);
  MaskWalk walk(*rows, others, own);
  for (Index layer = 0; layer < layers; ++layer) {
    const auto reached = walk.from(layer, query, stop);
    if (!reached) return reached.error();
    for (std::size_t token = 0; token < reached->size(); ++token)
      if ((*reached)[token] != 0 && made.m_first[token] < 0) made.m_first[token] = static_cast<std::int32_t>(layer);
    auto& direct = made.m_direct.emplace_back();
    if (own[static_cast<std::size_t>(layer)])
      rows->each(query, [&](Range keys) { direct.push_back(keys); });
    else
      direct.push_back(others.keys_of(layer, query));
  }
  return made;
}

bool MaskReach::reaches(Index layer, Index token) const {
  const std::int32_t first = m_first[static_cast<std::size_t>(token)];
  return first >= 0 && first <= layer;
}

bool MaskReach::sees(Index layer, Index token) const {
  return std::ranges::any_of(m_direct[static_cast<std::size_t>(layer)],
                             [token](const Range& keys) { return keys.contains(token); });
}

std::optional<Index> MaskReach::first_layer(Index token) const {
  const std::int32_t first = m_first[static_cast<std::size_t>(token)];
  return first < 0 ? std::nullopt : std::optional<Index>(first);
}

Index MaskReach::later_tokens() const {
  return std::count_if(m_first.begin() + static_cast<std::ptrdiff_t>(m_query) + 1, m_first.end(),
                       [](std::int32_t first) { return first >= 0; });
}

}  // namespace vqscope
