// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/recipe/recipe.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vqscope {
namespace {

Index head_at(const std::vector<Index>& heads, Index head, Index otherwise) {
  return heads.empty() ? otherwise : heads[static_cast<std::size_t>(head)];
}

TensorBlock permuted_heads(const TensorBlock& x, const std::vector<Index>& heads) {
  if (heads.empty() || std::ssize(heads) != x.extent[1]) return x;
  TensorBlock y(x.extent);
  for (Index b = 0; b < x.extent[0]; ++b)
    for (Index h = 0; h < x.extent[1]; ++h)
      for (Index t = 0; t < x.extent[2]; ++t) {
        const auto from = x.row(b, heads[static_cast<std::size_t>(h)], t);
        std::copy(from.begin(), from.end(), y.row(b, h, t).begin());
      }
  return y;
}

/// q · k of every cell.
TensorBlock products(const TensorBlock& q, const TensorBlock& k, const Recipe& recipe) {
  const Index group = std::max<Index>(1, q.extent[1] / k.extent[1]);
  TensorBlock raw({q.extent[0], q.extent[1], q.extent[2], k.extent[2]});
  for (Index b = 0; b < raw.extent[0]; ++b)
    for (Index h = 0; h < raw.extent[1]; ++h) {
      const Index g = std::clamp<Index>(head_at(recipe.key_of_head, h, h / group), 0, k.extent[1] - 1);
      for (Index t = 0; t < raw.extent[2]; ++t) {
        const auto out = raw.row(b, h, t);
        const auto query = q.row(b, h, t);
        for (Index key = 0; key < k.extent[2]; ++key) {
          const float* one = query.data();
          const float* two = k.values.data() + k.at(b, g, key);
          float sums[8] = {};
          std::size_t i = 0;
          for (; i + 8 <= query.size(); i += 8)
            for (std::size_t j = 0; j < 8; ++j) sums[j] += one[i + j] * two[i + j];
          for (; i < query.size(); ++i) sums[0] += one[i] * two[i];
          out[static_cast<std::size_t>(key)] = std::accumulate(sums, sums + 8, 0.0F);
        }
      }
    }
  return raw;
}

double bias_at(const Recipe& recipe, Index h, Index key, Index query) {
  if (recipe.linear.slopes.empty()) return 0;
  const auto distance = static_cast<double>(key - query - recipe.linear.query_shift);
  const double slope = recipe.linear.slopes[static_cast<std::size_t>(h)];
  return recipe.linear.absolute ? -slope * std::abs(distance) : slope * distance;
}

/// The mask and bias of each cell of a recipe.
struct CellLaw {
  const Recipe& recipe;
  const LayerSample& sample;
  TensorBlock mask;

  double bias(Index b, Index h, Index t, Index key) const {
    double sum = bias_at(recipe, h, key, sample.rows[static_cast<std::size_t>(t)] + sample.past);
    const TensorBlock& stored = recipe.bias;
    if (!stored.values.empty() && key < stored.extent[3])
      sum += static_cast<double>(stored.row(std::min(b, stored.extent[0] - 1), std::min(h, stored.extent[1] - 1),
                                            t)[static_cast<std::size_t>(key)]);
    return sum;
  }
  bool sees(Index b, Index h, Index t, Index key) const {
    return mask.row(std::min(b, mask.extent[0] - 1), std::min(h, mask.extent[1] - 1),
                    t)[static_cast<std::size_t>(key)] != 0;
  }
};

TensorBlock scores_of(const TensorBlock& raw, const CellLaw& law, bool from_logits) {
  const Recipe& recipe = law.recipe;
  TensorBlock scores = raw;
  for (Index b = 0; b < raw.extent[0]; ++b)
    for (Index h = 0; h < raw.extent[1]; ++h)
      for (Index t = 0; t < raw.extent[2]; ++t) {
        const auto row = scores.row(b, h, t);
        for (std::size_t key = 0; key < row.size(); ++key) {
          const auto k = static_cast<Index>(key);
          const bool sees = law.sees(b, h, t, k);
          double score = static_cast<double>(row[key]) * recipe.scale;
          if (recipe.softcap > 0) score = recipe.softcap * std::tanh(score / recipe.softcap);
          if (!from_logits || !recipe.linear.slopes.empty() || !recipe.bias.values.empty())
            score += law.bias(b, h, t, k);
          // Logits that only B shows have what B adds to the others.
          if (recipe.additive_01 && !from_logits) score += sees ? 1 : 0;
          row[key] = sees || recipe.additive_01 ? static_cast<float>(score) : -INFINITY;
        }
      }
  return scores;
}

/// A row that sees nothing is zero. `sink` gives the logit of a row's sink, -infinity: it has none.
template <class Sink>
TensorBlock weights_of(const TensorBlock& scores, const Sink& sink) {
  TensorBlock weights = scores;
  for (Index b = 0; b < scores.extent[0]; ++b)
    for (Index h = 0; h < scores.extent[1]; ++h)
      for (Index t = 0; t < scores.extent[2]; ++t) {
        const auto row = weights.row(b, h, t);
        const double own = sink(b, h, t);
        double most = own;
        for (const float score : row) most = std::max(most, static_cast<double>(score));
        if (!std::isfinite(most)) {
          std::fill(row.begin(), row.end(), 0.0F);
          continue;
        }
        double sum = std::exp(own - most);
        for (float& score : row) {
          const double weight = std::exp(static_cast<double>(score) - most);
          sum += weight;
          score = static_cast<float>(weight);
        }
        for (float& weight : row) weight = static_cast<float>(static_cast<double>(weight) / sum);
      }
  return weights;
}

TensorBlock out_of(const TensorBlock& weights, const TensorBlock& v, const Recipe& recipe) {
  const Index group = std::max<Index>(1, weights.extent[1] / v.extent[1]);
  TensorBlock out({weights.extent[0], weights.extent[1], weights.extent[2], v.extent[3]});
  std::vector<double> sums(static_cast<std::size_t>(v.extent[3]));
  for (Index b = 0; b < out.extent[0]; ++b)
    for (Index h = 0; h < out.extent[1]; ++h) {
      const Index g = std::clamp<Index>(head_at(recipe.value_of_head, h, h / group), 0, v.extent[1] - 1);
      for (Index t = 0; t < out.extent[2]; ++t) {
        std::fill(sums.begin(), sums.end(), 0.0);
        const auto row = weights.row(b, h, t);
        for (Index key = 0; key < std::min(weights.extent[3], v.extent[2]); ++key) {
          const auto weight = static_cast<double>(row[static_cast<std::size_t>(key)]);
          if (weight == 0) continue;
          const auto value = v.row(b, g, key);
          for (std::size_t d = 0; d < sums.size(); ++d) sums[d] += weight * static_cast<double>(value[d]);
        }
        std::transform(sums.begin(), sums.end(), out.row(b, h, t).begin(),
                       [](double x) { return static_cast<float>(x); });
      }
    }
  return out;
}

TensorBlock shown_mask(const TensorBlock& mask, const Recipe& recipe) {
  TensorBlock shown = mask;
  if (recipe.additive_01) std::fill(shown.values.begin(), shown.values.end(), 1.0F);
  return shown;
}

/// q, or the new keys, where the other vectors are not known.
void add_lone_vectors(const RecipeInputs& inputs, const Recipe& recipe, MadeTensors& made) {
  const LayerSample& sample = *inputs.sample;
  const auto edited = [&](TensorRole role, TensorBlock block) {
    if (recipe.edit) recipe.edit(role, block);
    return block;
  };
  if (!inputs.q.values.empty()) {
    TensorBlock q = edited(TensorRole::q, permuted_heads(inputs.q, recipe.query_heads));
    made[TensorRole::q] = q;
    rotate_rows(q, recipe.rope, recipe.query_positions, keys_of_rows(sample), false);
    made[TensorRole::q_rot] = edited(TensorRole::q_rot, std::move(q));
  }
  for (const TensorRole role : {TensorRole::k, TensorRole::k_rot})
    if (sample.has(role)) made[role] = edited(role, sample.a.at(role));
}

}  // namespace

MadeTensors made_tensors(const RecipeInputs& inputs, const Recipe& recipe) {
  const LayerSample& sample = *inputs.sample;
  MadeTensors made;
  const auto edit = [&](TensorRole role, TensorBlock& block) {
    if (recipe.edit) recipe.edit(role, block);
  };
  CellLaw law{recipe, sample, {}};
  const auto stored = sample.a.find(TensorRole::mask);
  law.mask = recipe.stored_mask && stored != sample.a.end() ? stored->second : mask_of(recipe.mask, sample);
  TensorBlock raw;
  if (inputs.has_vectors()) {
    TensorBlock q = permuted_heads(inputs.q, recipe.query_heads), k = inputs.k;
    edit(TensorRole::q, q);
    edit(TensorRole::k, k);
    made[TensorRole::q] = q;
    made[TensorRole::k] = k;
    std::vector<Index> keys(static_cast<std::size_t>(k.extent[2]));
    std::iota(keys.begin(), keys.end(), Index{0});
    rotate_rows(q, recipe.rope, recipe.query_positions, keys_of_rows(sample), false);
    rotate_rows(k, recipe.rope, recipe.key_positions, keys, false);
    edit(TensorRole::q_rot, q);
    edit(TensorRole::k_rot, k);
    raw = products(q, k, recipe);
    made[TensorRole::q_rot] = std::move(q);
    made[TensorRole::k_rot] = std::move(k);
    made[TensorRole::raw] = raw;
  } else {
    raw = inputs.logits;
    add_lone_vectors(inputs, recipe, made);
  }
  if (stored != sample.a.end()) made[TensorRole::mask] = shown_mask(law.mask, recipe);
  if (sample.has(TensorRole::bias)) {
    made[TensorRole::bias] = sample.a.at(TensorRole::bias);
    TensorBlock& bias = made[TensorRole::bias];
    for (Index b = 0; b < bias.extent[0]; ++b)
      for (Index h = 0; h < bias.extent[1]; ++h)
        for (Index t = 0; t < bias.extent[2]; ++t)
          for (Index key = 0; key < bias.extent[3]; ++key)
            bias.row(b, h, t)[static_cast<std::size_t>(key)] =
                static_cast<float>(law.bias(b, h, t, key)) +
                // Logits hold A's bias already: the recipe has what is added to it.
                (inputs.has_vectors() ? 0.0F : bias.row(b, h, t)[static_cast<std::size_t>(key)]);
  }
  TensorBlock v;
  if (const auto values = sample.a.find(TensorRole::v); values != sample.a.end()) {
    v = values->second;
    edit(TensorRole::v, v);
    made[TensorRole::v] = v;
  }
  if (raw.values.empty()) return made;
  TensorBlock scores = scores_of(raw, law, !inputs.has_vectors());
  const TensorBlock& shown = inputs.row_sinks;
  TensorBlock weights = weights_of(scores, [&](Index b, Index h, Index t) {
    if (!recipe.sinks.empty()) return recipe.sinks[static_cast<std::size_t>(h)];
    return recipe.row_sinks && !shown.values.empty() ? static_cast<double>(shown.values[shown.at(b, h, t)])
                                                     : -std::numeric_limits<double>::infinity();
  });
  if (!v.values.empty() && v.extent[2] == weights.extent[3])
    made[TensorRole::out] = permuted_heads(out_of(weights, v, recipe), recipe.out_heads);
  made[TensorRole::scores] = permuted_heads(scores, recipe.out_heads);
  made[TensorRole::weights] = permuted_heads(weights, recipe.out_heads);
  return made;
}

}  // namespace vqscope
