// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope_score.h"

#include "core/position/wave_sum.h"

#include <Eigen/Core>

#include <algorithm>
#include <array>
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

/// Unit vectors at r · rate of every pair.
struct UnitVectors {
  Eigen::ArrayXd cos;
  Eigen::ArrayXd sin;

  UnitVectors(std::span<const Turns> rates, Index r)
      : cos(static_cast<Eigen::Index>(rates.size())), sin(static_cast<Eigen::Index>(rates.size())) {
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const double angle = signed_radians(static_cast<Turns>(r) * rates[i]);
      cos[static_cast<Eigen::Index>(i)] = std::cos(angle);
      sin[static_cast<Eigen::Index>(i)] = std::sin(angle);
    }
  }
};

/// Goes from distance to distance by products with the unit vectors of the step. Evenly spaced whole numbers have two
/// steps, one apart; the vectors of the last two are kept. Begun anew before the roundings reach 1e-14 a pair.
class ScoreWalk {
 public:
  explicit ScoreWalk(std::span<const Turns> rates)
      : m_rates(rates), m_now(rates, 0), m_kept{Step{0, m_now}, Step{0, m_now}} {}

  double at(Index r) {
    if (m_walked++ % most_products == 0)
      m_now = UnitVectors(m_rates, r);
    else
      turn_by(vectors_of(r - m_at));
    m_at = r;
    return m_now.cos.sum();
  }

 private:
  static constexpr Index most_products = 64;

  struct Step {
    Index size;
    UnitVectors by;
  };

  const UnitVectors& vectors_of(Index size) {
    if (m_kept[0].size != size) std::swap(m_kept[0], m_kept[1]);
    if (m_kept[0].size != size) m_kept[0] = {size, UnitVectors(m_rates, size)};
    return m_kept[0].by;
  }

  void turn_by(const UnitVectors& by) {
    m_next = m_now.cos * by.cos - m_now.sin * by.sin;
    m_now.sin = m_now.sin * by.cos + m_now.cos * by.sin;
    m_now.cos.swap(m_next);
  }

  std::span<const Turns> m_rates;
  Index m_at = 0;
  Index m_walked = 0;
  UnitVectors m_now;
  Eigen::ArrayXd m_next;
  std::array<Step, 2> m_kept;
};

}  // namespace

double rope_score(std::span<const Turns> rates, Index distance) {
  double sum = 0;
  for (const Turns rate : rates) sum += std::cos(signed_radians(static_cast<Turns>(distance) * rate));
  return sum;
}

std::vector<double> rope_scores(std::span<const Turns> rates, std::span<const double> distances,
                                const std::stop_token& stop) {
  std::vector<double> scores;
  ScoreWalk walk(rates);
  for (const double r : distances) {
    if (stop.stop_requested()) break;
    scores.push_back(walk.at(static_cast<Index>(r)));
  }
  return scores;
}

std::optional<Index> first_negative(std::span<const Turns> rates, Index end, const std::stop_token& stop) {
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
