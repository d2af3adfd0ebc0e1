// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/rope/rope_score_field.h"
#include "core/encoding/table/xpos_scale.h"

#include <cmath>

namespace vqscope {
namespace {

RopeScaling scaling(const ParameterValues& values) {
  return {.head_dim = values.integer("head_dim"), .rope_theta = values.real("rope_theta")};
}

Result<RelativeFunction> xpos_score_function(const ParameterValues& values) {
  auto waves = rope_waves(scaling(values));
  for (std::size_t i = 0; i < waves.size(); ++i)
    waves[i].growth =
        -std::log(xpos_zeta(static_cast<Index>(i), values.integer("head_dim"))) / values.real("scale_base");
  return RelativeFunction{{waves_from(before_all, std::move(waves)), no_values_from(1)}};
}

std::vector<ParameterSpec> xpos_score_parameters() {
  auto specs = rope_parameters(theta_and_dimension);
  for (auto& spec : specs) spec.group = "xPos";
  specs.push_back(
      make_parameter("scale_base", "xPos", "Number of tokens over which pair i decays by the factor ζ_i.",
                     {.default_value = 512.0, .minimum = 1, .maximum = 1e9, .logarithmic = true, .unit = "tokens"}));
  return specs;
}

std::string why_xpos_score(const ParameterValues& values, Index relative) {
  if (relative > 0) return place_text(relative) + ", where xPos grows without bound: a causal mask must hide it";
  const std::string n = grouped(-relative);
  return fmt::format("{}: Σ cos({} θ) · ζ^({}/{}) over {} pairs", place_text(relative), n, n,
                     to_text(values.real("scale_base"), 6), values.integer("head_dim") / 2);
}

}  // namespace

Method xpos_score_method() {
  return relative_method(
      {.id = "xpos_score",
       .title = "xPos score",
       .category = "scores",
       .help = "Score between a token and an identical earlier token, from xPos alone: q · k / 2 for q = k = ones.",
       .citation = {"Sun et al. 2023, A Length-Extrapolatable Transformer, section 2.2",
                    "microsoft/torchscale, component/xpos_relative_position.py"},
       .traits =
           EncodingTraits{
               .relative = true,
               .trainable = false,
               .each_layer = true,
               .extrapolation = "Designed for extrapolation, with blockwise attention (Sun et al. 2023, section 2.3)."},
       .parameters = xpos_score_parameters(),
       .check = [](const ParameterValues& values) { return scaling(values).check(); },
       .value_name = "score",
       .related = {"rope_score"},
       .function = xpos_score_function,
       .why = why_xpos_score});
}

}  // namespace vqscope
