// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/experiment/extrapolation/extrapolation_variants.h"

#include <functional>

namespace vqscope {

/// By chosen variant, seed and multiple: losses in nats, NaN where they are not measured yet.
using ExtrapolationLosses = std::vector<std::vector<std::vector<double>>>;

/// Every training that the chosen variants need, once for each seed, several at a time, each on one thread: the numbers
/// do not depend on how many. `measured` is told after each, one at a time. A training whose loss is not finite leaves
/// infinite losses.
Result<ExtrapolationLosses> run_extrapolation(const ParameterValues& values, const Work& work,
                                              const std::function<void(const ExtrapolationLosses&)>& measured);

/// Refuses no models, sizes that do not fit each other, and trainings that need too much memory.
Result<void> check_extrapolation(const ParameterValues& values);

}  // namespace vqscope
