// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/table/table_values.h"

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
  add_parameter(specs, "scale_base", "xPos", "Number of tokens over which pair i decays by the factor ζ_i.",
                {.default_value = 512.0, .minimum = 1, .maximum = 1e9, .logarithmic = true, .unit = "tokens"});
  return specs;
}

std::string why_xpos_score(const ParameterValues& values, Index relative) {
  if (relative > 0) return place_text(relative) + ", where xPos grows without bound: a causal mask must hide it";
  const std::string n = grouped(-relative);
  return fmt::format("{}: Σ cos({} θ) · ζ^({}/{}) over {} pairs", place_text(relative), n, n,
                     to_text(values.real("scale_base"), 6), values.integer("head_dim") / 2);
}

struct BiasedContent {
  bool same;
  double a, b;

  explicit BiasedContent(const ParameterValues& values)
      : same(values.choice("content") == "same"), a(values.real("q_bias")), b(values.real("k_bias")) {}

  double factor() const { return same ? (1 + a) * (1 + b) : a * b; }
};

std::vector<ParameterSpec> rope_with_bias_parameters() {
  const std::string group = "Bias of q and k";
  const auto bias = [&](const char* name, const char* help) {
    return make_parameter(name, group, help, {.default_value = 1.0, .minimum = -100, .maximum = 100});
  };
  auto specs = rope_scaling_parameters();
  specs.push_back(bias("q_bias", "Value a added to every dimension of q before rotation."));
  specs.push_back(bias("k_bias", "Value b added to every dimension of k before rotation."));
  add_parameter(specs, "content", group, "Content of q and k.",
                {.default_value = std::string("same"),
                 .choices = {{"same", "identical tokens, q = k = ones: half of the sum of all four terms"},
                             {"random", "mean over random tokens: half of the a · b term"}}});
  return specs;
}

std::string why_rope_with_bias(const ParameterValues& values, Index relative) {
  const BiasedContent content(values);
  const double score = WaveSum(rope_waves(rope_scaling_from(values))).at(relative);
  const auto term = [&](const char* name, double factor) { return name + to_text(factor * score, 6); };
  const std::string last = term("a·b/2 ", content.a * content.b);
  if (!content.same) return fmt::format("{}: {}; the other terms average 0", place_text(relative), last);
  return fmt::format("{}: {} + {} + {} + {}", place_text(relative), term("q·k/2 ", 1), term("a·k/2 ", content.a),
                     term("q·b/2 ", content.b), last);
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
               .extrapolation = "Designed for extrapolation, with blockwise attention (Sun et al. 2023, section 2.3).",
               .note =
                   {.trade_off =
                        "RoPE whose pairs also decay with distance, for steadier scores. The factors of queries and "
                        "keys leave the range of float16 far from the centre, and bidirectional models cannot use it.",
                    .published = "Rates RoPE and T5 as not extrapolating, ALiBi as extrapolating, and xPos with "
                                 "blockwise attention above all.",
                    .source = "Sun et al. 2023, A Length-Extrapolatable Transformer, table 1"}},
       .parameters = xpos_score_parameters(),
       .check = [](const ParameterValues& values) { return scaling(values).check(); },
       .value_name = "score",
       .related = {"rope_score"},
       .function = xpos_score_function,
       .why = why_xpos_score});
}

Method rope_with_bias_method() {
  return relative_method(
      {.id = "rope_with_bias",
       .title = "RoPE with bias",
       .category = "scores",
       .help = "RoPE score when q and k get a bias before rotation: (q + a) · (k + b).",
       .citation = {"Su 2023, Bias terms: RoPE + bias for better length extrapolation (kexue.fm 9577)",
                    "none compared: the formula of the post"},
       .traits =
           EncodingTraits{
               .relative = true,
               .trainable = true,
               .extrapolation = "Extrapolates further than RoPE alone in the author's experiments (Su 2023).",
               .note = {.trade_off = "Two learned vectors per head. The bias of keys acts only because of the "
                                     "rotation: without it, softmax cancels it.",
                        .published = "Token accuracy of one model trained at 512 tokens: 52.75 % at 512, 50.99 % at "
                                     "1024 and 39.55 % at 4096; without the bias 52.37 %, 33.15 % and 17.87 %. The "
                                     "author notes that the gain is not reproduced reliably.",
                        .source = "Su 2023, RoPE + Bias (kexue.fm 9577)"}},
       .parameters = rope_with_bias_parameters(),
       .in_force = rope_lengths_in_force,
       .check = check_rope,
       .value_name = "score",
       .related = {"rope_score"},
       .function = [](const ParameterValues& values) -> Result<RelativeFunction> {
         const double factor = BiasedContent(values).factor();
         return RelativeFunction{{waves_from(before_all, rope_waves(rope_scaling_from(values), factor))}, true};
       },
       .why = why_rope_with_bias});
}

}  // namespace vqscope
