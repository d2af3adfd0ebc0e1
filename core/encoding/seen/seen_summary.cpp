// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/seen/seen_summary.h"

#include "core/base/sentence.h"
#include "core/encoding/phase/phase_summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

namespace vqscope {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr Wide turn = Wide{1} << 64;

/// Σ ⌊(rate · i + start) / modulus⌋ over i < count, by Euclid's algorithm: the lattice points below
/// a line, whole columns first, then rows and columns change places. Numbers stay below 2^97 for
/// counts up to 2^32.
Wide floor_sum(Wide count, Wide modulus, Wide rate, Wide start) {
  Wide sum = 0;
  for (;;) {
    if (count == 0) return sum;
    sum += count * (count - 1) / 2 * (rate / modulus) + count * (start / modulus);
    rate %= modulus;
    start %= modulus;
    const Wide top = rate * count + start;
    if (top < modulus) return sum;
    count = top / modulus;
    start = top % modulus;
    std::swap(modulus, rate);
  }
}

/// "3, 5 to 9": runs of consecutive pairs.
std::string pair_list(const std::vector<SeenSummary::Pair>& pairs) {
  constexpr std::size_t most = 6;
  std::vector<std::string> runs;
  for (std::size_t first = 0; first < pairs.size();) {
    std::size_t last = first;
    while (last + 1 < pairs.size() && pairs[last + 1].pair == pairs[last].pair + 1) ++last;
    runs.push_back(first == last ? to_text(pairs[first].pair)
                                 : fmt::format("{} to {}", pairs[first].pair, pairs[last].pair));
    first = last + 1;
  }
  if (runs.size() > most) {
    runs.resize(most);
    runs.emplace_back("…");
  }
  std::string list;
  for (const auto& run : runs) list += (list.empty() ? "" : ", ") + run;
  return list;
}

std::string percent(double fraction) {
  const double value = 100 * fraction;
  return to_text(value, value < 1 ? 2 : 3) + " %";
}

void add_pair(SeenSummary& summary, Index pair, std::optional<Index> first, Index cells) {
  if (!first || cells == 0) return;
  summary.pairs.push_back({pair, *first, cells});
  summary.new_cells += cells;
  summary.first_position = std::min(summary.first_position.value_or(*first), *first);
}

/// The smallest position of the rows at which the pair has a new angle.
std::optional<Index> first_new_of(const SeenPair& pair, std::span<const TokenRun> runs) {
  std::optional<Index> first;
  for (const auto& run : runs) {
    const Index begin = run.position(run.tokens.begin);
    const Index end = run.position(run.tokens.end - 1) + 1;
    const Index before = pair.new_below(begin);
    if (pair.new_below(end) == before) continue;
    Index none = begin;
    Index some = end;
    while (some - none > 1) {
      const Index middle = none + (some - none) / 2;
      (pair.new_below(middle) == before ? none : some) = middle;
    }
    first = std::min(first.value_or(some - 1), some - 1);
  }
  return first;
}

/// "; with factor 8: 0.0049 % of all cells": the ratio of the lengths as the factor, where it leaves far fewer.
std::string with_wider_factor(const SeenSummary& summary, const RopeScaling& scaling, Index length) {
  constexpr double far_fewer = 0.1;
  RopeScaling wider = scaling;
  wider.factor = std::ceil(static_cast<double>(length) / static_cast<double>(scaling.original_max_position_embeddings));
  if (wider.factor <= scaling.factor) return {};
  const double fraction = summarize_seen(seen_pairs(wider), length).fraction();
  if (fraction > far_fewer * summary.fraction()) return {};
  return fmt::format("; with factor {:.0f}: {} of all cells", wider.factor, percent(fraction));
}

}  // namespace

SeenPair::SeenPair(long double trained_inv_freq, long double served_inv_freq, Index training_length)
    : m_rate(turns_of(served_inv_freq)) {
  constexpr long double whole = 2 * std::numbers::pi_v<long double>;
  const long double swept = trained_inv_freq * static_cast<long double>(training_length - 1);
  const Wide last = static_cast<Wide>(turns_of(trained_inv_freq)) * static_cast<Wide>(training_length - 1) +
                    2 * static_cast<Wide>(tolerance);
  m_full = swept >= whole || last >= turn;
  m_last = static_cast<Turns>(last);
  m_arc = static_cast<double>(std::min(swept, whole));
}

double SeenPair::trained_arc() const { return m_arc; }

/// An angle is above m_last where adding the rest of the turn carries into another turn.
Index SeenPair::new_below(Index end) const {
  assert(end >= 0);
  if (m_full || end == 0) return 0;
  const auto count = static_cast<Wide>(end);
  return static_cast<Index>(floor_sum(count, turn, m_rate, turn - 1 - m_last + tolerance) -
                            floor_sum(count, turn, m_rate, tolerance));
}

std::optional<Index> SeenPair::first_new(Index end) const {
  if (end <= 0 || new_below(end) == 0) return std::nullopt;
  Index none = 0;  // none below it
  while (end - none > 1) {
    const Index middle = none + (end - none) / 2;
    (new_below(middle) == 0 ? none : end) = middle;
  }
  return end - 1;
}

std::vector<SeenPair> seen_pairs(const RopeScaling& scaling) {
  RopeScaling plain = scaling;
  plain.rope_type = "default";
  const auto trained = rope_frequencies(plain).inv_freq;
  const auto served = rope_frequencies(scaling).inv_freq;
  std::vector<SeenPair> pairs;
  for (std::size_t i = 0; i < served.size(); ++i)
    pairs.emplace_back(trained[i], served[i], scaling.original_max_position_embeddings);
  return pairs;
}

double SeenSummary::fraction_of_pairs() const {
  if (pairs.empty()) return 0;
  return static_cast<double>(new_cells) / static_cast<double>(static_cast<Index>(pairs.size()) * tokens);
}

SeenSummary summarize_seen(const std::vector<SeenPair>& pairs, Index length) {
  SeenSummary summary{.all_pairs = static_cast<Index>(pairs.size()), .tokens = length};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    add_pair(summary, static_cast<Index>(i), pairs[i].first_new(length), pairs[i].new_below(length));
  return summary;
}

Index count_new(const SeenPair& pair, std::span<const TokenRun> runs, Range rows) {
  if (pair.met_every_angle()) return 0;
  Index count = 0;
  for_each_position_run(runs, rows, [&](const PositionRun& run) {
    if (run.constant)
      count += pair.is_new(run.position) ? run.count : 0;
    else
      count += pair.new_in({run.position, run.position + run.count});
  });
  return count;
}

SeenSummary summarize_seen(const std::vector<SeenPair>& pairs, const SequenceLayout& layout) {
  const auto runs = layout.q_runs();
  SeenSummary summary{.all_pairs = static_cast<Index>(pairs.size()), .tokens = layout.q_length()};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].met_every_angle()) continue;
    add_pair(summary, static_cast<Index>(i), first_new_of(pairs[i], runs),
             count_new(pairs[i], runs, {0, layout.q_length()}));
  }
  return summary;
}

std::string sentence_of(const SeenSummary& summary, const RopeScaling& scaling, Index length) {
  const std::string trained = grouped(scaling.original_max_position_embeddings);
  if (summary.pairs.empty())
    return fmt::format("Under {}, no pair meets an angle at length {} that it did not meet in training (length {})",
                       scaling.rope_type, grouped(length), trained);
  const bool one = summary.pairs.size() == 1;
  return fmt::format(
      "Under {}, {} {} {} angles that training (length {}) never had, from position {} on: {} of all cells at length "
      "{}, {} of the cells of {}{}",
      scaling.rope_type, one ? "pair" : "pairs", pair_list(summary.pairs), one ? "meets" : "meet", trained,
      grouped(*summary.first_position), percent(summary.fraction()), grouped(length),
      percent(summary.fraction_of_pairs()), one ? "this pair" : "these pairs",
      with_wider_factor(summary, scaling, length));
}

}  // namespace vqscope
