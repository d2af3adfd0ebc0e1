// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/methods.h"

#include "core/encoding/rope/rope_fields.h"
#include "core/method/curve_set.h"

#include <array>

namespace vqscope {
namespace {

constexpr std::array<std::string_view, 2> rope_names{"head_dim", "rotary_dim"};

RopeScaling sizes(const ParameterValues& values) {
  return {.head_dim = values.integer("head_dim"), .rotary_dim = values.integer("rotary_dim")};
}

/// The dimension of layout `to` that holds what `dimension` holds in layout `from`.
Index moved(Index dimension, Index pairs, PairLayout from, PairLayout to) {
  const Index pair = pair_of(dimension, pairs, from);
  if (pair < 0) return dimension;
  const auto places = dimensions_of(pair, pairs, to);
  return dimensions_of(pair, pairs, from).first == dimension ? places.first : places.second;
}

Result<CurveSet> make_pair_permutation(const ParameterValues& values, const Work&) {
  const RopeScaling scaling = sizes(values);
  CurveSet set{
      .x_name = "dimension",
      .x_title = "dimension",
      .y_title = "dimension in the other layout",
      .formula = "half_split i and i + d/2 are interleaved 2i and 2i + 1, d = rotary_dim; beyond it none moves",
      .integer = true};
  set.curves = {{"to_interleaved", {}}, {"to_half_split", {}}};
  for (Index dimension = 0; dimension < scaling.head_dim; ++dimension) {
    const auto moved_to = [&](PairLayout from, PairLayout to) {
      return static_cast<double>(moved(dimension, scaling.pairs(), from, to));
    };
    set.x.push_back(static_cast<double>(dimension));
    set.curves[0].y.push_back(moved_to(PairLayout::half_split, PairLayout::interleaved));
    set.curves[1].y.push_back(moved_to(PairLayout::interleaved, PairLayout::half_split));
  }
  if (scaling.rotated() < scaling.head_dim) set.marks = {{static_cast<double>(scaling.rotated()), "rotary_dim"}};
  set.principal = 0;
  return set;
}

}  // namespace

Method pair_permutation_method() {
  return {.id = "pair_permutation",
          .title = "Pair layouts",
          .help = "Permutation of a head's dimensions between the half-split and interleaved layouts of RoPE.",
          .citation = {"Su et al. 2021, RoFormer, section 3.4.2",
                       "Hugging Face transformers, convert_llama_weights_to_hf (permute)"},
          .parameters = rope_parameters(rope_names),
          .in_force =
              [](const ParameterValues& values) {
                ParameterValues used;
                used.set("rotary_dim", values.integer("head_dim"));
                return used;
              },
          .check = [](const ParameterValues& values) { return sizes(values).check(); },
          .recipe = CurveRecipe{.make = make_pair_permutation}};
}

}  // namespace vqscope
