// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/model/train/adamw.h"
#include "core/model/train/learning_rate.h"

namespace vqscope {

struct OptimiserOptions {
  AdamWOptions adamw;
  LearningRate rate;
};

/// From a JSON object of lr_max, lr_min_ratio, warmup_steps, total_steps, beta1, beta2, eps, weight_decay and clip;
/// missing keys have their default. A decay_rule is a remark. Errors name the key.
Result<OptimiserOptions> read_optimiser(const ConfigValue& json);

}  // namespace vqscope
