// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "core/curve/rope/rope_series.h"
#include "core/encoding/phase/wave_sum.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index block = WaveSum::steps;
constexpr Index quick_scores = 16 * block;
constexpr double rounding = 1e-9;  // far above that of a sum of 2048 cosines

/// At most every B(r) for r in [first, first + count): each pair at its own lowest.
double lower_bound_of(std::span<const Turns> rates, Index first, Index count) {
  double sum = 0;
  for (const Turns rate : rates) {
    const Turns begin = static_cast<Turns>(first) * rate;
    const auto swept = static_cast<double>(count - 1) * static_cast<double>(rate);
    const auto to_half = static_cast<double>(half_turn - begin);  // modulo a turn
    sum += swept >= to_half ? -1.0
                            : std::min(std::cos(signed_radians(begin)),
                                       std::cos(signed_radians(begin + static_cast<Turns>(count - 1) * rate)));
  }
  return sum - rounding;
}

}  // namespace

double rope_score(std::span<const Turns> rates, Index distance) {
  double sum = 0;
  for (const Turns rate : rates) sum += std::cos(signed_radians(static_cast<Turns>(distance) * rate));
  return sum;
}

std::vector<double> rope_scores(std::span<const Turns> rates, std::span<const double> distances,
                                const std::stop_token& stop) {
  std::vector<double> scores;
  RopeWalk walk(rates);
  for (const double r : distances) {
    if (stop.stop_requested()) break;
    scores.push_back(walk.at(static_cast<Index>(r)).cos.sum());
  }
  return scores;
}

/// The same for few distances, one after the other: no table of steps is worth its while.
static std::optional<Index> first_negative_near(std::span<const Turns> rates, Index end, const std::stop_token& stop) {
  RopeWalk walk(rates);
  for (Index r = 0; r < end && !stop.stop_requested(); ++r)
    if (walk.at(r).cos.sum() < rounding && rope_score(rates, r) < 0) return r;
  return std::nullopt;
}

std::optional<Index> first_negative(std::span<const Turns> rates, Index end, const std::stop_token& stop) {
  if (end <= 2 * block) return first_negative_near(rates, end, stop);
  const WaveSum sum(waves_of(rates));
  std::vector<double> scores(static_cast<std::size_t>(quick_scores));
  Index stride = block;
  for (Index r = 0; r < end && !stop.stop_requested();) {
    const Index count = std::min(stride, end - r);
    if (lower_bound_of(rates, r, count) > 0) {
      r += count;
      stride *= 2;
      continue;
    }
    if (count > block) {
      stride = std::max(block, stride / 2);
      continue;
    }
    const Index last = std::min(quick_scores, end - r);
    sum.fill(r, std::span(scores).first(static_cast<std::size_t>(last)));
    for (Index k = 0; k < last; ++k)
      // The quick sum finds the candidates, the careful one decides.
      if (scores[static_cast<std::size_t>(k)] < rounding && rope_score(rates, r + k) < 0) return r + k;
    r += last;
  }
  return std::nullopt;
}

}  // namespace vqscope
