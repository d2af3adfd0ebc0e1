// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/training/training_data.h"
#include "core/method/training/training_watch.h"
#include "core/model/tensors/parameters.h"

#include <stop_token>

namespace vqscope {

/// The text that the model generates after the first half of a training sequence of step `step`,
/// sampled with top_p = 0.9; for a task, its most likely answer to a problem, each token given the
/// correct tokens before it. The same for the same weights and step.
template <class Real>
Result<TextSample> text_sample(const TrainingData& data, Index step, const TransformerConfig& config,
                               const Parameters<Real>& parameters, const std::stop_token& stop);

}  // namespace vqscope
