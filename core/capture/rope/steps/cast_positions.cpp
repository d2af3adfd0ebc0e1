// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/steps/cast_positions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vqscope {

bool stands_often(std::span<const Index> steps) {
  Index still = 0;
  for (std::size_t row = 1; row < steps.size(); ++row) still += steps[row] == steps[row - 1];
  return 5 * still > std::ssize(steps);
}

std::vector<Index> spacings_of_positions() {
  std::vector<Index> all;
  for (Index spacing = 2; spacing <= 1024; spacing *= 2) all.push_back(spacing);
  return all;
}

std::vector<double> frequencies_of_step(std::span<const double> turn_of_step, Index spacing) {
  const double whole = 2 * std::numbers::pi;
  const auto distance = static_cast<double>(spacing);
  std::vector<double> frequency(turn_of_step.size());
  for (std::size_t i = turn_of_step.size(); i-- > 0;) {
    double turn = turn_of_step[i];
    if (turn < 0) turn += whole;
    // Two slower pairs tell the next; a third, where they bend.
    if (i + 2 < turn_of_step.size() && frequency[i + 2] > 0 && frequency[i + 1] > 0) {
      const double ratio = frequency[i + 1] / frequency[i + 2];
      const double next = std::min(frequency[i + 1] * ratio, 1.0) * distance;
      turn += whole * std::max(std::nearbyint((next - turn) / whole), 0.0);
    }
    frequency[i] = turn / distance;
  }
  return frequency;
}

std::optional<CastPositions> before_cast(std::span<const Index> steps, Index base) {
  for (const char* id : {"bfloat16", "float16"}) {
    const NumberType& type = number_type(id);
    const Index at_first = base + steps.front();
    // The type has `digits` of the position's bits; no other number is rounded to it.
    const auto near = static_cast<Index>(std::ceil(static_cast<double>(at_first) * type.unit())) + 1;
    for (Index first = std::max(at_first - near, Index{0}); first <= at_first + near; ++first) {
      bool all = true;
      for (std::size_t row = 0; row < steps.size() && all; ++row)
        all = type.rounded(static_cast<double>(first + static_cast<Index>(row))) ==
              static_cast<double>(base + steps[row]);
      if (all) return CastPositions{&type, first};
    }
  }
  return {};
}

}  // namespace vqscope
