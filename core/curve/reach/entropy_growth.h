// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

namespace vqscope {

/// max(1, ln n / ln trained): what logits over n keys are multiplied by to keep attention from spreading (Su, 2021).
double log_n_factor(double n, Index trained);

}  // namespace vqscope
