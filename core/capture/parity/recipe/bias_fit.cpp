// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"
#include "core/capture/parity/recipe/bias_of_out.h"

#include <cmath>
#include <map>

namespace vqscope {
namespace {

/// A's scores up to a number a row: stored ones, or logarithms of weights.
TensorBlock told_scores(const LayerSample& sample) {
  if (const auto scores = sample.a.find(TensorRole::scores); scores != sample.a.end()) return scores->second;
  TensorBlock logits = sample.a.at(TensorRole::weights);
  for (float& value : logits.values) value = value > 1e-12F ? std::log(value) : -INFINITY;
  return logits;
}

}  // namespace

bool fit_bias(const LayerSample& sample, Recipe& recipe) {
  const bool has_cells = sample.has(TensorRole::scores) || sample.has(TensorRole::weights);
  if (!has_cells && !sample.has(TensorRole::out)) return false;
  const RecipeInputs inputs = recipe_inputs(sample, recipe);
  if (!inputs.has_vectors()) return false;
  Recipe bare = recipe;
  bare.bias = {};
  bare.linear = {};
  const TensorBlock made = made_tensors(inputs, bare).at(TensorRole::scores);
  if (!has_cells) {
    auto fitted = bias_of_out(sample, made);
    if (fitted) recipe.bias = std::move(*fitted);
    return fitted.has_value();
  }
  TensorBlock rest = told_scores(sample);
  if (rest.extent != made.extent) return false;
  for (std::size_t i = 0; i < rest.values.size(); ++i)
    rest.values[i] =
        std::isfinite(rest.values[i]) && std::isfinite(made.values[i]) ? rest.values[i] - made.values[i] : NAN;
  recipe.bias = TensorBlock({1, made.extent[1], made.extent[2], made.extent[3]});
  for (Index h = 0; h < made.extent[1]; ++h) {
    // Numbers of rows and of distances in turn.
    std::vector<double> rows(static_cast<std::size_t>(made.extent[0] * made.extent[2]));
    std::map<Index, double> table;
    for (int round = 0; round < 60; ++round) {
      std::map<Index, std::pair<double, double>> sums;
      for (Index b = 0; b < made.extent[0]; ++b)
        for (Index t = 0; t < made.extent[2]; ++t) {
          const auto row = rest.row(b, h, t);
          const Index own = sample.rows[static_cast<std::size_t>(t)] + sample.past;
          double& offset = rows[static_cast<std::size_t>(b * made.extent[2] + t)];
          double sum = 0, count = 0;
          for (std::size_t key = 0; key < row.size(); ++key)
            if (!std::isnan(row[key]))
              sum += static_cast<double>(row[key]) - table[static_cast<Index>(key) - own], ++count;
          if (count > 0 && !sample.has(TensorRole::scores)) offset = sum / count;
          for (std::size_t key = 0; key < row.size(); ++key)
            if (!std::isnan(row[key])) {
              auto& [total, number] = sums[static_cast<Index>(key) - own];
              total += static_cast<double>(row[key]) - offset, ++number;
            }
        }
      for (const auto& [distance, sum] : sums) table[distance] = sum.first / sum.second;
    }
    for (Index t = 0; t < made.extent[2]; ++t)
      for (Index key = 0; key < made.extent[3]; ++key) {
        // Of distances that nobody sees nothing is known.
        const auto found = table.find(key - sample.rows[static_cast<std::size_t>(t)] - sample.past);
        recipe.bias.row(0, h, t)[static_cast<std::size_t>(key)] =
            found == table.end() ? NAN : static_cast<float>(found->second);
      }
  }
  return true;
}

}  // namespace vqscope
