// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/seen/seen_angles.h"

#include <algorithm>
#include <cassert>
#include <numbers>
#include <utility>

namespace vqscope {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr Wide turn = Wide{1} << 64;

/// Σ ⌊(rate · i + start) / modulus⌋ over i < count, by Euclid's algorithm: the lattice points below a line, whole
/// columns first, then rows and columns change places. Numbers stay below 2^97 for counts up to 2^32.
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

}  // namespace vqscope
