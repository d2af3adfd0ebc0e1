// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/recipe/shown_rope.h"

#include "core/capture/rope/rope_of_capture.h"
#include "core/method/shared/number_type.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

const NumberType& type_of(const RopeCast& cast) { return number_type(cast.dtype == "bf16" ? "bfloat16" : "float16"); }

RopeLaw law_of(const WhichRope& rope) {
  const auto columns = 2 * std::ssize(rope.inv_freq);
  RopeLaw law{true, *rope.pair_layout, columns, rope.inv_freq, rope.attention_factor, rope.axis};
  if (rope.cast && rope.cast->what == "inv_freq")
    for (double& each : law.inv_freq) each = type_of(*rope.cast).rounded(each);
  return law;
}

/// Of every key: shown ones of this step, and before them those that the cache then holds.
std::vector<double> positions_of_keys(const WhichRope& rope, std::size_t axis, Index past) {
  const auto& shown = rope.positions[axis];
  std::vector<double> positions;
  for (Index key = 0; key < past; ++key) positions.push_back(static_cast<double>(shown.front() - (past - key)));
  for (const Index position : shown) {
    const auto exact = static_cast<double>(position);
    const bool rounded = rope.cast && rope.cast->what == "positions";
    positions.push_back(rounded ? type_of(*rope.cast).rounded(exact) : exact);
  }
  return positions;
}

}  // namespace

std::vector<Recipe> with_shown_rope(const Capture& a, const LayerSample& sample, const Recipe& recipe) {
  std::vector<WhichRope> ropes;
  for (const Index entry : sample.samples) {
    auto rope = which_rope_of_capture(a, sample.layer, entry);
    if (!rope || !rope->pair_layout || rope->inv_freq.empty()) break;
    ropes.push_back(std::move(*rope));
  }
  if (ropes.empty()) return {};
  std::vector<Recipe> all(1, recipe);
  all.front().rope = law_of(ropes.front());
  const std::size_t axes = ropes.front().positions.size();
  Recipe shown = all.front();
  if (axes != recipe.key_positions.size()) all.clear();
  const bool every = ropes.size() == sample.samples.size() && std::ranges::all_of(ropes, [&](const WhichRope& rope) {
                       return rope.positions.size() == axes && std::ssize(rope.positions.front()) == sample.queries;
                     });
  if (!every) return all;
  shown.key_positions.assign(axes, {});
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (const WhichRope& rope : ropes) shown.key_positions[axis].push_back(positions_of_keys(rope, axis, sample.past));
  shown.query_positions = shown.key_positions;
  all.push_back(std::move(shown));
  return all;
}

std::optional<ToldRope> shown_formula(const Capture& a, const LayerSample& sample, const RopeLaw& law) {
  const auto shown = which_rope_of_capture(a, sample.layer, sample.samples.front());
  if (!shown || !shown->rope_type || !shown->rope_theta || !shown->rotary_dim) return std::nullopt;
  constexpr std::array<std::string_view, 4> formulas{"default", "linear", "yarn", "llama3"};
  if (std::ranges::find(formulas, *shown->rope_type) == formulas.end()) return std::nullopt;
  ToldRope rope;
  rope.layout = law.layout;
  rope.scaling.rope_type = *shown->rope_type;
  rope.scaling.head_dim = sample.head_dim;
  rope.scaling.rotary_dim = *shown->rotary_dim;
  rope.scaling.rope_theta = *shown->rope_theta;
  rope.scaling.factor = shown->factor.value_or(1);
  if (shown->original_max_position_embeddings)
    rope.scaling.original_max_position_embeddings =
        static_cast<Index>(std::llround(*shown->original_max_position_embeddings));
  const bool is_law = std::ranges::equal(rope.law().inv_freq, law.inv_freq,
                                         [](double x, double y) { return std::abs(x - y) <= 1e-3 * std::abs(y); });
  return is_law ? std::optional(rope) : std::nullopt;
}

}  // namespace vqscope
