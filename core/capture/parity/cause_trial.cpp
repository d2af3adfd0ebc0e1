// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_trial.h"

#include "core/capture/parity/recipe/shown_rope.h"

#include <algorithm>

namespace vqscope {
namespace {

/// What explains as much as the best does up to noise, the one of least rank first.
void choose(std::vector<TriedCause> tried, CauseTrial& trial) {
  if (tried.empty()) return;
  const double left = 1 - tried.front().explained;
  const auto alike = [&](const TriedCause& each) { return 1 - each.explained <= 2 * std::max(left, 0.0) + 1e-6; };
  const auto end = std::stable_partition(tried.begin(), tried.end(), alike);
  std::stable_sort(tried.begin(), end, [](const TriedCause& a, const TriedCause& b) { return a.rank < b.rank; });
  if (tried.front().explained >= least_explained) {
    trial.cause = tried.front();
    tried.erase(tried.begin());
  }
  for (TriedCause& each : tried)
    if (each.explained >= 0.3 && trial.alternatives.size() < 8) trial.alternatives.push_back(std::move(each));
}

std::optional<Index> differing_pair(const RopeLaw& rope, const FirstDifference& first, Index dims) {
  const auto pairs = static_cast<Index>(rope.inv_freq.size());
  if ((first.role != TensorRole::q_rot && first.role != TensorRole::k_rot) || 2 * pairs > dims) return std::nullopt;
  const Index pair = pair_of(first.cell.at[3], pairs, rope.layout, dims);
  return pair < 0 ? std::nullopt : std::optional(pair);
}

}  // namespace

Result<CauseTrial> cause_trial(const Capture& a, const Capture& b, const CaptureComparison& comparison) {
  const FirstDifference& first = *comparison.first;
  CauseTrial trial;
  auto sample = layer_sample(a, b, comparison, first.layer, first.cell.at);
  if (!sample) return sample.error();
  trial.sample = std::move(*sample);
  // Between attention and the block's output nothing is captured on which a cause could be tried.
  if (first.role == TensorRole::hidden_out) return trial;
  const LayerSample& held = trial.sample;
  ToldModel told = told_model(a, first.layer, held.head_dim, held.past + held.queries);
  Recipe recipe = fitted_recipe(held, told, &a);
  if (!told.rope && recipe.rope.rotates) told.rope = shown_formula(a, held, recipe.rope);
  trial.pair = differing_pair(recipe.rope, first, held.head_dim);
  CauseSearch search(held, told, std::move(recipe));
  try_input_causes(search);
  try_mask_causes(search);
  try_position_causes(search);
  try_rope_causes(search);
  try_scaling_causes(search);
  try_score_causes(search);
  try_bias_causes(search);
  try_head_causes(search);
  try_cast_causes(search);
  trial.tried = search.tried();
  // What is taken for A's way explains B before anything is changed, or does not make A: it is not A's.
  trial.way_known = search.explained(search.recipe()) <= 0.3 && search.unknown_share() <= 1 - least_explained;
  if (trial.way_known) choose(trial.tried, trial);
  return trial;
}

}  // namespace vqscope
