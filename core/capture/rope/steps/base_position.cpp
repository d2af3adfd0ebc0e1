// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/steps/base_position.h"

#include "core/capture/rope/steps/measured_turns.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace vqscope {
namespace {

constexpr Index farthest_base = Index{1} << 20;
constexpr std::size_t most_bases = 60;
/// A phase says no less than that: one of anything.
constexpr double no_phase = -20;
constexpr double most_of_a_phase = 22;
/// Further squares, in standard deviations, from which a base cannot be the one.
constexpr double impossible = 400;

Index least_step(const SteppedTurns& turns) {
  Index least = turns.steps.front().front();
  for (const auto& axis : turns.steps) least = std::min(least, *std::min_element(axis.begin(), axis.end()));
  return least;
}

/// Mean square distance of the phases from those of a base position.
double misfit_at(const SteppedTurns& turns, double base) {
  double sum = 0;
  for (std::size_t k = 0; k < turns.phase.size(); ++k) {
    const double position = base + turns.mean_step[k];
    const double left = wrapped_angle(turns.phase[k] - position * turns.frequency[k]);
    sum += left * left / (turns.phase_variance[k] + position * position * turns.frequency_variance[k]);
  }
  return sum;
}

/// Logarithm of the likelihood of the phases, relative to phases of any value.
double likelihood_at(const SteppedTurns& turns, double base, double enough) {
  double sum = 0;
  double room = most_of_a_phase * static_cast<double>(turns.phase.size());
  for (std::size_t k = 0; k < turns.phase.size() && sum + room > enough; ++k) {
    const double position = base + turns.mean_step[k];
    const double left = wrapped_angle(turns.phase[k] - position * turns.frequency[k]);
    const double variance = turns.phase_variance[k] + position * position * turns.frequency_variance[k];
    room -= most_of_a_phase;
    if (left * left > 2 * (most_of_a_phase - no_phase) * variance) {  // whatever the logarithm adds
      sum += no_phase;
      continue;
    }
    const double log_of = -0.5 * left * left / variance - 0.5 * std::log(variance / (2 * std::numbers::pi));
    sum += std::max(log_of, no_phase);
  }
  return sum;
}

BasePosition measured_at(const SteppedTurns& turns, Index base) {
  BasePosition result{base, {}, {}, 0};
  for (std::size_t k = 0; k < turns.phase.size(); ++k) {
    const double position = static_cast<double>(base) + turns.mean_step[k];
    const double slope = turns.frequency[k], slope_weight = 1 / turns.frequency_variance[k];
    if (position <= 0) {
      result.frequency.push_back(slope);
      result.frequency_variance.push_back(turns.frequency_variance[k]);
      continue;
    }
    const double wraps = std::nearbyint((position * slope - turns.phase[k]) / (2 * std::numbers::pi));
    const double direct = (turns.phase[k] + 2 * std::numbers::pi * wraps) / position;
    const double direct_weight = position * position / turns.phase_variance[k];
    const double both = (slope * slope_weight + direct * direct_weight) / (slope_weight + direct_weight);
    result.frequency.push_back(both);
    result.frequency_variance.push_back(1 / (slope_weight + direct_weight));
    result.misfit += std::pow(slope - both, 2) * slope_weight + std::pow(direct - both, 2) * direct_weight;
  }
  return result;
}

}  // namespace

std::vector<BasePosition> base_positions(const SteppedTurns& turns) {
  const Index first = -least_step(turns);
  const auto pairs = static_cast<double>(turns.phase.size());
  if (turns.casts.empty() && misfit_at(turns, static_cast<double>(first)) <= pairs + 6 * std::sqrt(2 * pairs))
    return {measured_at(turns, first)};
  std::vector<std::pair<double, Index>> best;
  double enough = -1e300;
  const auto attempt = [&](Index base) {
    const double likelihood = likelihood_at(turns, static_cast<double>(base), enough);
    if (likelihood <= enough) return;
    best.emplace_back(likelihood, base);
    if (best.size() < 4 * most_bases) return;
    std::nth_element(best.begin(), best.begin() + most_bases, best.end(), std::greater<>());
    best.resize(most_bases);
    enough = std::min_element(best.begin(), best.end())->first;
  };
  for (const CastBase& cast : turns.casts) attempt(cast.base);
  if (turns.casts.empty())
    for (Index base = first; base < first + farthest_base; ++base) attempt(base);
  std::sort(best.begin(), best.end(), std::greater<>());
  best.resize(std::min(best.size(), most_bases));
  std::vector<BasePosition> bases;
  for (const auto& [likelihood, base] : best) bases.push_back(measured_at(turns, base));
  const double least = std::ranges::min_element(bases, {}, &BasePosition::misfit)->misfit;
  std::erase_if(bases, [&](const BasePosition& each) { return each.misfit > 4 * least + impossible; });
  return bases;
}

}  // namespace vqscope
