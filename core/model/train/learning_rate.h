// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// Steps t = 1, 2, ...: linear warm-up to lr_max over warmup_steps, then a cosine down to lr_max · lr_min_ratio at
/// total_steps, and constant from there.
struct LearningRate {
  double lr_max = 5e-3;
  double lr_min_ratio = 0.1;
  Index warmup_steps = 50;
  Index total_steps = 600;

  double at(Index t) const;
};

}  // namespace vqscope
