// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/steps/measured_turns.h"

#include <cmath>
#include <numbers>

namespace vqscope {

double wrapped_angle(double angle) {
  constexpr double turn = 2 * std::numbers::pi;
  constexpr double no_fraction = 0x1.8p52;  // a sum with it is whole, without a call
  return angle - turn * (angle / turn + no_fraction - no_fraction);
}

double MeasuredTurns::modulus() const {
  double squares = 0;
  double weights = 0;
  for (std::size_t i = 0; i < factor.size(); ++i) {
    squares += std::norm(factor[i]) / variance[i];
    weights += 1 / variance[i];
  }
  return std::sqrt(squares / weights);
}

}  // namespace vqscope
