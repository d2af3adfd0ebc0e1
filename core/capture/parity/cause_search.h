// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/recipe/recipe.h"
#include "core/io/json/json_value.h"

#include <string>
#include <vector>

namespace vqscope {

/// A cause that was tried, with what it explains of the difference.
struct TriedCause {
  std::string id;  ///< "window_size"
  JsonObject parameters;
  double explained = 0;  ///< 1 - |B - A with the cause|² / |B - A|²
  int rank = 0;          ///< the lower of causes that explain alike is told
  bool in_a = false;     ///< what is said of B is so of A: a change of B's way makes A
};

/// What the told recipe of A is changed to and held against B.
class CauseSearch {
 public:
  CauseSearch(const LayerSample& sample, const ToldModel& told, Recipe recipe);

  const LayerSample& sample() const { return m_sample; }
  const ToldModel& told() const { return m_told; }
  const Recipe& recipe() const { return m_recipe; }  ///< A's
  const RecipeInputs& inputs() const { return m_inputs; }
  const RecipeInputs& inputs_of_b() const { return m_inputs_of_b; }  ///< B's vectors before A's rotation

  double explained(const Recipe& recipe) const;
  /// What A's recipe leaves of A's own tensors, as a share of the difference: below 0.1 it is known.
  double unknown_share() const;
  /// The same from B's own vectors, where both have the same but for noise: rounding to few levels takes
  /// neighbours of a step far apart.
  double explained_of_b(const Recipe& recipe) const;
  void add(std::string id, JsonObject parameters, const Recipe& changed, int rank);
  void add_explained(std::string id, JsonObject parameters, double explained, int rank);
  /// The one that explains most of each id, best first.
  std::vector<TriedCause> tried() const;

 private:
  const LayerSample& m_sample;
  const ToldModel& m_told;
  Recipe m_recipe;
  RecipeInputs m_inputs, m_inputs_of_b;
  LayerSample m_swapped;  ///< B in A's place
  std::vector<TriedCause> m_tried;
};

/// Squares of `target` minus what a recipe makes of A, and of `target` minus A, over all tensors that
/// attention makes, each by A's own size.
struct LeftSquares {
  double left = 0;
  double before = 0;
};
LeftSquares left_squares(const LayerSample& sample, const std::map<TensorRole, TensorBlock>& target,
                         const MadeTensors& made, bool edits);

/// What A's own tensors show of its recipe: told values first, then the rotation between its vectors in
/// `a`, where that is given, then what fits.
Recipe fitted_recipe(const LayerSample& sample, const ToldModel& told, const Capture* a = nullptr);
/// Moves positions that nobody told to where A's rotated queries show them.
void fit_base(const LayerSample& sample, Recipe& recipe);
/// A bias of distances from what A's scores or weights have beyond q · k, or from out; false where they are not there.
bool fit_bias(const LayerSample& sample, Recipe& recipe);
/// Relative size of what a recipe leaves of A's own tensors.
double own_error(const LayerSample& sample, const Recipe& recipe);

/// Slopes of ALiBi: those of the paper, or 2^(-8 (h + 1) / heads).
std::vector<double> alibi_slopes(Index heads, bool geometric);

/// The number that makes `left` least within [low, high], by golden sections.
double least_at(double low, double high, int steps, const std::function<double(double)>& left);

// One function for each family of causes.
void try_mask_causes(CauseSearch& search);
void try_position_causes(CauseSearch& search);
void try_rope_causes(CauseSearch& search);
void try_scaling_causes(CauseSearch& search);
void try_score_causes(CauseSearch& search);
void try_bias_causes(CauseSearch& search);
void try_head_causes(CauseSearch& search);
void try_cast_causes(CauseSearch& search);
void try_input_causes(CauseSearch& search);

}  // namespace vqscope
