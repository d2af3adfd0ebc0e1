// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/steps/cast_positions.h"

#include "core/capture/rope/steps/phase_slopes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace vqscope {
namespace {

/// Rows that move, or that stand where those are fewer, of which one may be read wrongly.
constexpr Index rows_a_mistake = 25;
constexpr Index farthest_first = Index{1} << 20;
/// Units of the steps about the middle by which turns are refined first.
constexpr Index first_reach = 4;

Index rounded_to(const NumberType& type, Index position) {
  return static_cast<Index>(type.rounded(static_cast<double>(position)));
}

/// Every `first` from which positions of the type stand still where the rows do.
std::vector<CastPositions> matching(const NumberType& type, const std::vector<bool>& stands) {
  const auto steps = std::ssize(stands), standing = std::ranges::count(stands, true);
  const auto most = std::min(standing, steps - standing) / rows_a_mistake;
  const auto last = static_cast<Index>(std::min(type.largest, static_cast<double>(farthest_first + steps)));
  std::vector<bool> expected;
  for (Index position = 0; position < last; ++position)
    expected.push_back(rounded_to(type, position) == rounded_to(type, position + 1));
  std::vector<Index> moving;
  for (Index i = 0; i < steps; ++i)
    if (!stands[static_cast<std::size_t>(i)]) moving.push_back(i);
  std::vector<CastPositions> all;
  for (Index first = 0; first + steps <= last; ++first) {
    const auto differs = [&](Index i) {
      return expected[static_cast<std::size_t>(first + i)] != stands[static_cast<std::size_t>(i)];
    };
    Index wrong = 0;
    // Few rows move: those tell first.
    for (std::size_t i = 0; i < moving.size() && wrong <= most; ++i) wrong += differs(moving[i]);
    if (wrong > most) continue;
    wrong = 0;
    for (Index i = 0; i < steps && wrong <= most; ++i) wrong += differs(i);
    if (wrong <= most) all.push_back({&type, first});
  }
  return all;
}

struct CastReading {
  std::vector<Index> steps;  ///< from row 0
  std::vector<CastBase> casts;
};

/// One reading for all that make the same steps.
std::vector<CastReading> readings_of(const std::vector<bool>& stands) {
  std::vector<CastReading> all;
  for (const char* id : {"bfloat16", "float16"})
    for (const CastPositions& cast : matching(number_type(id), stands)) {
      std::vector<Index> steps;
      const Index base = rounded_to(*cast.type, cast.first);
      for (Index row = 0; row <= std::ssize(stands); ++row)
        steps.push_back(rounded_to(*cast.type, cast.first + row) - base);
      auto same = std::ranges::find(all, steps, &CastReading::steps);
      if (same == all.end()) same = all.insert(all.end(), {std::move(steps), {}});
      same->casts.push_back({base, cast});
    }
  return all;
}

/// Turns of one unit, from the rows that are one unit apart.
std::vector<double> turns_of_unit(const PhaseTable& phases, const std::vector<Index>& units) {
  std::vector<double> turns;
  for (Index pair = 0; pair < phases.pairs; ++pair) {
    std::complex<double> sum;
    for (Index row = 0; row + 1 < phases.rows; ++row)
      if (const auto i = static_cast<std::size_t>(row); units[i + 1] - units[i] == 1)
        sum += std::polar(1 / (phases.variance(row, pair) + phases.variance(row + 1, pair)),
                          phases.phase(row + 1, pair) - phases.phase(row, pair));
    turns.push_back(std::arg(sum));
  }
  return turns;
}

/// Radians a position from those of a unit, which may be more than once round: how the frequencies of two slower
/// pairs go on tells the wraps of the next.
std::vector<double> frequencies_of(const SteppedTurns& units, Index unit) {
  constexpr double surely = 5;  // standard deviations
  const double whole = 2 * std::numbers::pi;
  const auto distance = static_cast<double>(unit);
  std::vector<double> frequency(units.frequency.size());
  for (std::size_t i = frequency.size(); i-- > 0;) {
    double turn = units.frequency[i];
    const bool turns = turn > surely * std::sqrt(units.frequency_variance[i]);
    if (i + 2 < frequency.size() && frequency[i + 2] > 0 && frequency[i + 1] > 0) {
      const double next = std::min(frequency[i + 1] * frequency[i + 1] / frequency[i + 2], 1.0) * distance;
      turn += whole * std::max(std::nearbyint((next - turn) / whole), 0.0);
    } else if (!turns) {
      continue;  // nothing of it is seen
    }
    frequency[i] = turn / distance;
  }
  return frequency;
}

SteppedTurns reading_of(const PhaseTable& phases, const CastReading& cast, double rounding) {
  Index unit = 0;
  for (const Index step : cast.steps) unit = std::gcd(unit, step);
  std::vector<Index> units;
  for (const Index step : cast.steps) units.push_back(step / unit);
  SteppedTurns reading = begun(phases, turns_of_unit(phases, units), rounding);
  const auto apart = std::ranges::adjacent_find(units, [](Index a, Index b) { return b - a == 1; });
  const Index middle = apart == units.end() ? 0 : *apart, farthest = units.back();
  reading.steps = {std::move(units)};
  std::vector<bool> near(cast.steps.size());
  for (Index reach = first_reach, whole = 0; whole < 2; reach *= 2) {
    std::transform(reading.steps.front().begin(), reading.steps.front().end(), near.begin(),
                   [&](Index step) { return std::abs(step - middle) <= reach; });
    refine(reading, phases, near);
    whole += reach >= farthest;
  }
  reading.frequency = frequencies_of(reading, unit);
  reading.steps = {cast.steps};
  reading.casts = cast.casts;
  refine(reading, phases, near);
  refine_by_fitting_rows(reading, phases);
  return reading;
}

}  // namespace

std::vector<SteppedTurns> with_cast_positions(const PhaseTable& phases, double rounding) {
  constexpr double least_share = 0.9;
  const auto stands = standing_rows(phases);
  std::vector<SteppedTurns> all;
  const auto count = std::ranges::count(stands, true);
  if (5 * count <= std::ssize(stands) || count == std::ssize(stands)) return all;
  for (const CastReading& cast : readings_of(stands)) {
    SteppedTurns reading = reading_of(phases, cast, rounding);
    if (reading.share >= least_share) all.push_back(std::move(reading));
  }
  return all;
}

}  // namespace vqscope
