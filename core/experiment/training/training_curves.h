// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "core/model/train/trainer.h"

namespace vqscope {

/// Loss by step: mean, least and greatest of the last 20 batches; with quantised keys the mean cross entropy too.
/// x extends to step `last`, which training may not have reached yet. A selection if there are more
/// than 2000 steps.
CurveSet training_curves(std::span<const TrainingStep> steps, Index last, std::vector<CurveLevel> levels);

/// Number of steps between two points of the curves.
Index curve_stride(Index steps);

/// Reference losses: of a model for which all tokens are equally likely and, for the synthetic
/// language, of one that knows its rules.
std::vector<CurveLevel> loss_levels(const std::string& data, Index vocabulary);

}  // namespace vqscope
