// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/recipe/recipe.h"

#include <bit>
#include <cmath>
#include <numeric>

namespace vqscope {
namespace {

std::vector<Index> counted_rows(Index first, Index count) {
  std::vector<Index> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

/// k of every key: new ones as they are, those of the cache by turning k_rot back.
TensorBlock all_keys(const LayerSample& sample, const Recipe& recipe) {
  const auto k = sample.a.find(TensorRole::k), rotated = sample.a.find(TensorRole::k_rot);
  if (k != sample.a.end() && k->second.extent[2] == sample.keys) return k->second;
  if (rotated == sample.a.end() || rotated->second.extent[2] != sample.keys) return {};
  TensorBlock keys = rotated->second;
  rotate_rows(keys, recipe.rope, recipe.key_positions, counted_rows(0, sample.keys), true);
  if (k == sample.a.end()) return keys;
  const Index fresh = std::min(k->second.extent[2], sample.keys - sample.past);
  for (Index b = 0; b < keys.extent[0]; ++b)
    for (Index h = 0; h < std::min(keys.extent[1], k->second.extent[1]); ++h)
      for (Index t = 0; t < fresh; ++t) {
        const auto from = k->second.row(b, h, t);
        const auto to = keys.row(b, h, sample.past + t);
        std::copy(from.begin(), from.end(), to.begin());
      }
  return keys;
}

const TensorBlock* block_in(const std::map<TensorRole, TensorBlock>& tensors, TensorRole role) {
  const auto found = tensors.find(role);
  return found == tensors.end() ? nullptr : &found->second;
}

/// Scores up to a number for each row: stored ones, or logarithms of weights; -infinity: not known.
TensorBlock logits_in(const std::map<TensorRole, TensorBlock>& tensors, Index keys) {
  if (const TensorBlock* scores = block_in(tensors, TensorRole::scores)) return *scores;
  const TensorBlock* weights = block_in(tensors, TensorRole::weights);
  if (!weights || weights->extent[3] != keys) return {};
  TensorBlock logits = *weights;
  for (float& value : logits.values) value = value > 0 ? std::log(value) : -INFINITY;
  return logits;
}

/// A's, and where A does not see a key B's, moved by what the row differs where both see.
TensorBlock merged_logits(const LayerSample& sample) {
  TensorBlock one = logits_in(sample.a, sample.keys);
  const TensorBlock two = logits_in(sample.b, sample.keys);
  if (one.values.empty() || two.values.size() != one.values.size()) return one;
  // A key that neither side sees would have weight if it were seen: that of a middling one.
  const auto columns = static_cast<std::size_t>(one.extent[3]);
  for (std::size_t row = 0; row < one.values.size(); row += columns) {
    double shift = 0, common = 0;
    for (std::size_t i = row; i < row + columns; ++i)
      if (std::isfinite(one.values[i]) && std::isfinite(two.values[i])) {
        const double weight = std::exp(std::min(0.0, static_cast<double>(two.values[i])));
        shift += weight * static_cast<double>(one.values[i] - two.values[i]), common += weight;
      }
    if (common > 0) shift /= common;
    for (std::size_t i = row; i < row + columns; ++i)
      if (!std::isfinite(one.values[i]) && std::isfinite(two.values[i]))
        one.values[i] = two.values[i] + static_cast<float>(shift);
    double sum = 0, count = 0;
    for (std::size_t i = row; i < row + columns; ++i)
      if (std::isfinite(one.values[i])) sum += static_cast<double>(one.values[i]), ++count;
    for (std::size_t i = row; count > 0 && i < row + columns; ++i)
      if (!std::isfinite(one.values[i])) one.values[i] = static_cast<float>(sum / count);
  }
  return one;
}

/// How far a sum of weights may be from 1 by rounding, by the type that all of them are rounded to.
double rounding_of_sums(std::span<const float> weights) {
  std::uint32_t bits = 0;
  for (const float weight : weights) bits |= std::bit_cast<std::uint32_t>(weight);
  return (bits & 0xffff) == 0 ? 0.02 : (bits & 0x1fff) == 0 ? 4e-3 : 1e-4;
}

/// What rows of weights lack to 1, where that is more than rounding.
TensorBlock shown_sinks(const LayerSample& sample) {
  const TensorBlock* weights = block_in(sample.a, TensorRole::weights);
  if (!weights || sample.has(TensorRole::scores)) return {};
  TensorBlock sinks({weights->extent[0], weights->extent[1], weights->extent[2], 1});
  const auto columns = static_cast<std::size_t>(weights->extent[3]);
  bool any = false;
  const double most = 1 - rounding_of_sums(weights->values);
  for (std::size_t row = 0; row < sinks.values.size(); ++row) {
    double sum = 0;
    for (std::size_t i = 0; i < columns; ++i) sum += static_cast<double>(weights->values[row * columns + i]);
    sinks.values[row] = sum > 0 && sum < most ? static_cast<float>(std::log(1 - sum)) : -INFINITY;
    any = any || std::isfinite(sinks.values[row]);
  }
  return any ? sinks : TensorBlock{};
}

}  // namespace

RecipeInputs recipe_inputs(const LayerSample& sample, const Recipe& recipe) {
  RecipeInputs inputs{&sample, {}, {}, {}, {}};
  if (const TensorBlock* q = block_in(sample.a, TensorRole::q)) {
    inputs.q = *q;
  } else if (const TensorBlock* rotated = block_in(sample.a, TensorRole::q_rot)) {
    inputs.q = *rotated;
    rotate_rows(inputs.q, recipe.rope, recipe.query_positions, keys_of_rows(sample), true);
  }
  inputs.k = all_keys(sample, recipe);
  if (inputs.has_vectors()) return inputs;
  inputs.logits = merged_logits(sample);
  inputs.row_sinks = shown_sinks(sample);
  return inputs;
}

}  // namespace vqscope
