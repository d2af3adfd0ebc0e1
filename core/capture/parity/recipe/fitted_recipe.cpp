// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"
#include "core/capture/parity/recipe/shown_rope.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Where A's tensors are made as exactly as float32 sums allow, nothing is fitted.
constexpr double good_enough = 2e-3;

bool is_mask(const TensorBlock& stored, const TensorBlock& law) {
  for (Index b = 0; b < stored.extent[0]; ++b)
    for (Index h = 0; h < stored.extent[1]; ++h)
      for (Index t = 0; t < stored.extent[2]; ++t) {
        const auto one = stored.row(b, h, t), two = law.row(std::min(b, law.extent[0] - 1), 0, t);
        if (!std::equal(one.begin(), one.end(), two.begin())) return false;
      }
  return true;
}

std::vector<MaskLaw> likely_masks(const LayerSample& sample, const ToldModel& told) {
  std::vector<MaskLaw> laws;
  for (const Index window : {told.window.value_or(0), Index{0}})
    for (const Index chunk : {Index{0}, told.chunk.value_or(0)})
      for (const bool documents : {true, false})
        for (const bool padding : {true, false})
          for (const bool causal : {true, false}) {
            const MaskLaw law{causal, true, window, chunk, documents, padding, false};
            if (std::find(laws.begin(), laws.end(), law) == laws.end()) laws.push_back(law);
          }
  // Windows and chunks that nobody told.
  for (Index window = 1; window < (sample.keys > 256 ? 2 : sample.keys); ++window)
    laws.push_back({true, true, window, 0, true, true, false});
  for (const Index window : {128, 256, 512, 1024, 2048, 4096, 8192})
    if (window < sample.keys) laws.push_back({true, true, window, 0, true, true, false});
  for (Index chunk = 2; 2 * chunk <= sample.keys && chunk <= 8192; chunk += sample.keys > 64 ? chunk : 1)
    laws.push_back({true, true, 0, chunk, true, true, false});
  return laws;
}

void take_mask(const LayerSample& sample, const ToldModel& told, Recipe& recipe) {
  recipe.mask.window = told.window.value_or(0);
  const auto stored = sample.a.find(TensorRole::mask);
  if (stored == sample.a.end()) {
    if (told.chunk) recipe.mask.chunk = *told.chunk;
    return;
  }
  for (const MaskLaw& law : likely_masks(sample, told))
    if (is_mask(stored->second, mask_of(law, sample))) {
      recipe.mask = law;
      return;
    }
  recipe.stored_mask = true;
}

/// Scores and A's logits by weights alone have no scale of their own.
Recipe told_recipe(const LayerSample& sample, const ToldModel& told) {
  Recipe recipe;
  if (told.rope && !told.says_no_rope) recipe.rope = told.rope->law();
  recipe.key_positions = recipe.query_positions = sample.positions;
  recipe.scale = told.scale.value_or(1 / std::sqrt(static_cast<double>(std::max<Index>(1, sample.head_dim))));
  recipe.softcap = told.softcap;
  take_mask(sample, told, recipe);
  if (const auto bias = sample.a.find(TensorRole::bias); bias != sample.a.end())
    recipe.bias = bias->second;
  else if (told.alibi)
    recipe.linear.slopes = alibi_slopes(sample.heads, false);
  if (told.sinks) recipe.sinks.assign(static_cast<std::size_t>(sample.heads), 0.0);
  if (recipe_inputs(sample, recipe).has_vectors()) return recipe;
  recipe.scale = 1;
  recipe.softcap = 0;
  recipe.sinks.clear();
  recipe.linear = {};
  recipe.bias = {};
  return recipe;
}

/// One logit a head, each on its own: heads do not hear of each other.
void fit_sinks(const LayerSample& sample, Recipe& recipe) {
  const RecipeInputs inputs = recipe_inputs(sample, recipe);
  if (!inputs.has_vectors()) return;
  for (int round = 0; round < 2 && !sample.is_part; ++round)
    for (double& sink : recipe.sinks)
      sink = least_at(-8, 8, 30, [&](double value) {
        sink = value;
        return left_squares(sample, sample.a, made_tensors(inputs, recipe), false).left;
      });
}

/// Rotations that models without a config mostly have: of all columns of a head or of their first ones.
std::vector<RopeLaw> usual_ropes(Index head_dim) {
  std::vector<RopeLaw> all;
  for (const Index share : {1, 2, 4})
    for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved})
      for (const double theta : {10000.0, 500000.0, 1000000.0}) {
        if (head_dim % (2 * share) != 0) continue;
        ToldRope rope;
        rope.layout = layout;
        rope.scaling.head_dim = head_dim;
        rope.scaling.rotary_dim = head_dim / share;
        rope.scaling.rope_theta = theta;
        all.push_back(rope.law());
      }
  return all;
}

/// Changes of a recipe, by what they change.
std::vector<std::vector<Recipe>> alternatives(const LayerSample& sample, const ToldModel& told, const Recipe& base) {
  std::vector<std::vector<Recipe>> all(4);
  const auto with = [&](std::size_t kind, auto change) {
    Recipe recipe = base;
    change(recipe);
    all[kind].push_back(std::move(recipe));
  };
  if (!base.stored_mask && !sample.has(TensorRole::mask))
    for (const MaskLaw& law : likely_masks(sample, told)) with(0, [&](Recipe& r) { r.mask = law; });
  with(1, [](Recipe& r) { r.rope.rotates = false; });
  for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved})
    if (!base.rope.inv_freq.empty()) with(1, [&](Recipe& r) { r.rope.rotates = true, r.rope.layout = layout; });
  if (!told.rope && !told.says_no_rope)
    for (const RopeLaw& law : usual_ropes(sample.head_dim)) with(1, [&](Recipe& r) { r.rope = law; });
  if (base.linear.slopes.empty() && base.bias.values.empty() && !base.rope.rotates)
    with(1, [&](Recipe& r) { r.linear.slopes = alibi_slopes(sample.heads, false); });
  const auto dims = static_cast<double>(std::max<Index>(1, sample.head_dim));
  for (const double scale : {1 / std::sqrt(dims), 1 / dims, 1.0}) with(2, [&](Recipe& r) { r.scale = scale; });
  with(3, [](Recipe& r) { r.softcap = 0; });
  return all;
}

struct FittedRecipe {
  Recipe recipe;
  double error = 0;
};

/// One change after the other, until A's tensors are made. Of a small sample several first changes are
/// followed: a window and a rotation may only fit together.
void fit_changes(const LayerSample& sample, const ToldModel& told, FittedRecipe& best) {
  constexpr Index small = 1'000'000;
  const Index products = sample.batch * sample.heads * std::ssize(sample.rows) * sample.keys * sample.head_dim;
  const std::size_t followed = products <= small && best.error > 0.05 ? 4 : 1;
  std::vector<FittedRecipe> last{best};
  for (int round = 0; round < 3 && best.error > good_enough; ++round) {
    std::vector<FittedRecipe> next;
    for (const FittedRecipe& each : last)
      for (std::vector<Recipe>& kind : alternatives(sample, told, each.recipe)) {
        FittedRecipe least{{}, 1e300};
        for (Recipe& other : kind)
          if (const double error = own_error(sample, other); error < least.error) least = {std::move(other), error};
        const bool known = std::ranges::any_of(next, [&](const FittedRecipe& n) { return n.error == least.error; });
        if (least.error < 1e300 && least.error != each.error && !known) next.push_back(std::move(least));
      }
    if (next.empty()) return;
    std::ranges::stable_sort(next, {}, &FittedRecipe::error);
    if (next.size() > followed) next.resize(followed);
    const bool better = next.front().error < best.error / 1.5;
    if (better) best = next.front();
    if (!better && followed == 1) return;
    last = std::move(next);
  }
}

}  // namespace

double own_error(const LayerSample& sample, const Recipe& recipe) {
  if (sample.is_over(3)) return 1e300;
  const RecipeInputs inputs = recipe_inputs(sample, recipe);
  const LeftSquares squares = left_squares(sample, sample.a, made_tensors(inputs, recipe), false);
  return std::isfinite(squares.left) ? std::sqrt(squares.left) : 1e300;
}

std::vector<double> alibi_slopes(Index heads, bool geometric) {
  std::vector<double> slopes;
  const auto series = [&](Index of, Index step, Index count) {
    for (Index i = 0; i < count; ++i)
      slopes.push_back(std::exp2(-8.0 * static_cast<double>(i * step + 1) / static_cast<double>(of)));
  };
  Index power = 1;
  while (power * 2 <= heads) power *= 2;
  series(geometric ? heads : power, 1, geometric ? heads : power);
  // The other heads are every second one of twice as many.
  if (!geometric && power < heads) series(2 * power, 2, heads - power);
  return slopes;
}

Recipe fitted_recipe(const LayerSample& sample, const ToldModel& told, const Capture* a) {
  FittedRecipe best{told_recipe(sample, told), 0};
  if (!best.recipe.sinks.empty()) fit_sinks(sample, best.recipe);
  best.error = own_error(sample, best.recipe);
  if (best.error > good_enough) fit_base(sample, best.recipe), best.error = own_error(sample, best.recipe);
  if (a && best.error > good_enough + 4 * sample.unit)
    for (Recipe& shown : with_shown_rope(*a, sample, best.recipe))
      if (const double left = own_error(sample, shown); left < best.error / 1.5) best = {std::move(shown), left};
  // A bias that was not captured, of a model without positions in its vectors.
  if (Recipe biased = best.recipe; best.error > 0.05 && !biased.rope.rotates && fit_bias(sample, biased)) {
    const double left = own_error(sample, biased);
    if (left < 0.02 || left < best.error / 20) best = {std::move(biased), left};
  }
  fit_changes(sample, told, best);
  return best.recipe;
}

}  // namespace vqscope
