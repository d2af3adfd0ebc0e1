// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/task_study.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

constexpr std::uint64_t test_seed = 4242;
/// Sizes from which half as many rows are tested.
constexpr Index large = 200;

/// Tokens of a problem of n symbols.
Index tokens_of(Task task, Index n) { return task_batch(task, n, 1, test_seed, 0).length; }

}  // namespace

TaskRecipe task_recipe(Task task) {
  switch (task) {
    case Task::sort: return {2000, 32};
    case Task::recall: return {1500, 32};
    case Task::passkey: return {400, 16};
    case Task::copy:
    case Task::reverse: break;
  }
  return {1000, 32};
}

Task chosen_task(const ParameterValues& values) {
  return std::ranges::find(task_infos(), values.choice("task"), &TaskInfo::id)->task;
}

std::vector<Index> tested_sizes(const ParameterValues& values) {
  const TaskInfo& info = task_info(chosen_task(values));
  std::vector<double> multiples{0.5, 1, 1.25, 1.5};
  for (Index multiple = 2; multiple <= values.integer("longest_multiple"); multiple *= 2)
    multiples.push_back(static_cast<double>(multiple));
  std::vector<Index> sizes;
  for (const double multiple : multiples)
    sizes.push_back(std::min(info.largest, static_cast<Index>(multiple * static_cast<double>(info.trained_size))));
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

VariantStudy task_study(const ParameterValues& values) {
  const Task task = chosen_task(values);
  const TaskInfo& info = task_info(task);
  const TaskRecipe recipe = task_recipe(task);
  VariantStudy study{.values = values, .vocabulary = task_token::vocabulary, .data = std::string(info.id)};
  if (values.integer("train_steps") == 0) study.values.set("train_steps", recipe.steps);
  if (values.integer("batch_rows") == 0) study.values.set("batch_rows", recipe.rows);
  study.values.set("train_length", tokens_of(task, info.trained_size));
  study.training = [task, rows = study.values.integer("batch_rows")](std::uint64_t seed) {
    return TrainingData::task(task, seed, rows);
  };
  const auto sizes = tested_sizes(values);
  for (const Index n : sizes) study.lengths.push_back(tokens_of(task, n));
  study.test = [task, sizes](std::size_t test) -> Result<TokenBatch> {
    const Index n = sizes[test];
    return task_batch(task, n, n >= large ? 32 : 64, test_seed, n);
  };
  study.measure = values.choice("quantity") == "exact_match" ? exact_match : token_accuracy;
  return study;
}

}  // namespace vqscope
