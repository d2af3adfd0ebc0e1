// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/study/variant_study.h"

namespace vqscope {

/// A task's training as it is measured elsewhere: how long until models learn it.
struct TaskRecipe {
  Index steps = 0;
  Index rows = 0;
};
TaskRecipe task_recipe(Task task);

/// Problems that are tested, by their number of symbols: N/2, N, 1.25, 1.5, 2, 4, ... N, N the largest in training, up
/// to `longest_multiple` times it.
std::vector<Index> tested_sizes(const ParameterValues& values);

Task chosen_task(const ParameterValues& values);

/// Models of one task, and the share of problems of each size that they answer right. `values` are of
/// length_generalisation.
VariantStudy task_study(const ParameterValues& values);

}  // namespace vqscope
