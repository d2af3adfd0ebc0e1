// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/study/variant_study.h"

namespace vqscope {

/// Training of a task: how long models take to learn it, as measured elsewhere.
struct TaskRecipe {
  Index steps = 0;
  Index rows = 0;
};
TaskRecipe task_recipe(Task task);

/// Sizes of the tested problems in symbols: N/2, N, and 1.25, 1.5, 2, 4, ... times N up to
/// `longest_multiple`, where N is the largest size in training.
std::vector<Index> tested_sizes(const ParameterValues& values);

Task chosen_task(const ParameterValues& values);

/// Models of one task, and the fraction of problems of each size that they answer correctly.
/// `values` are those of length_generalisation.
VariantStudy task_study(const ParameterValues& values);

/// Models of the synthetic language and their loss at each multiple of the training length: always
/// on the same last 32 tokens of 96 windows, while the context before them grows. `values` are
/// those of length_extrapolation.
VariantStudy language_study(const ParameterValues& values);

/// Loss minus that of the first test, by variant and seed.
VariantMeasures gaps_of(VariantMeasures losses);

}  // namespace vqscope
