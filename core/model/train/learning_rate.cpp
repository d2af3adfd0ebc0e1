// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/train/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vqscope {

double LearningRate::at(Index t) const {
  if (t <= warmup_steps) return lr_max * static_cast<double>(t) / static_cast<double>(warmup_steps);
  const Index rest = std::max<Index>(1, total_steps - warmup_steps);
  const double progress = static_cast<double>(std::min(t - warmup_steps, rest)) / static_cast<double>(rest);
  const double lowest = lr_max * lr_min_ratio;
  return lowest + (lr_max - lowest) / 2 * (1 + std::cos(std::numbers::pi * progress));
}

}  // namespace vqscope
