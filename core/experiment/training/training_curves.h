// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "core/model/train/trainer.h"

namespace vqscope {

/// Loss by step: mean, least and greatest of the last 20 batches; with quantised keys the mean cross entropy too.
/// x reaches to step `last`, which the steps may not have reached yet. Of more than 2000 steps a selection.
CurveSet training_curves(std::span<const TrainingStep> steps, Index last, std::vector<CurveLevel> levels);

/// Every how many steps the curves have a point.
Index curve_stride(Index steps);

/// Losses that a training is compared with: of a model that takes all tokens for equally likely and, for the synthetic
/// language, of one that knows how it is made.
std::vector<CurveLevel> loss_levels(const std::string& data, Index vocabulary);

}  // namespace vqscope
