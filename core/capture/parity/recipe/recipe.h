// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/recipe/mask_law.h"
#include "core/capture/parity/recipe/told_model.h"

#include <functional>

namespace vqscope {

/// A bias of the scores that grows with the distance of key and query.
struct LinearBias {
  std::vector<double> slopes;  ///< a head; empty: none
  bool absolute = false;       ///< -slope · |key - query|, else slope · (key - query)
  Index query_shift = 0;       ///< added to the query's index
};

/// How a layer makes its tensors from q, k and v. Causes are changes of it.
struct Recipe {
  RopeLaw rope;
  /// Of each key, as in LayerSample; those of queries are their last ones.
  std::vector<std::vector<std::vector<double>>> key_positions;
  std::vector<std::vector<std::vector<double>>> query_positions;
  MaskLaw mask;
  bool stored_mask = false;  ///< A's own mask tensor instead of the law
  bool additive_01 = false;  ///< the mask's 0 and 1 are added to the scores
  double scale = 0;
  double softcap = 0;         ///< 0: none
  bool row_sinks = true;      ///< sinks that rows of weights show
  std::vector<double> sinks;  ///< a head's logit; empty: none
  LinearBias linear;
  TensorBlock bias;                ///< of A or changed; no values: none
  std::vector<Index> key_of_head;  ///< the key head of each query head; empty: by groups
  std::vector<Index> value_of_head;
  std::vector<Index> query_heads;                      ///< permutation of q's heads; empty: as they are
  std::vector<Index> out_heads;                        ///< permutation of scores, weights and out
  std::function<void(TensorRole, TensorBlock&)> edit;  ///< of q, k, v, q_rot, k_rot as they are made
};

/// Tensors that a recipe makes; those that cannot be made are missing.
using MadeTensors = std::map<TensorRole, TensorBlock>;

/// The vectors and scores of A that every recipe starts from.
struct RecipeInputs {
  const LayerSample* sample = nullptr;
  TensorBlock q, k;       ///< before the rotation, k of every key; no values: unknown
  TensorBlock logits;     ///< without q and k: what scores or weights say, up to a number a row
  TensorBlock row_sinks;  ///< with logits: that of the sink in each row; no values: rows sum to 1
  bool has_vectors() const { return !q.values.empty() && !k.values.empty(); }
};

/// Undoes A's rotation where only rotated vectors are known. `rope` and positions of `recipe` are A's.
RecipeInputs recipe_inputs(const LayerSample& sample, const Recipe& recipe);

MadeTensors made_tensors(const RecipeInputs& inputs, const Recipe& recipe);

/// Turns every row of x, [entries, heads, rows, dim], by the positions of its rows; `inverse`: back.
void rotate_rows(TensorBlock& x, const RopeLaw& rope, const std::vector<std::vector<std::vector<double>>>& positions,
                 std::span<const Index> rows, bool inverse);

/// rows of the sample as keys: where their positions stand.
std::vector<Index> keys_of_rows(const LayerSample& sample);

}  // namespace vqscope
