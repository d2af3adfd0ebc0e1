// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/rope/rope_score_field.h"

namespace vqscope {
namespace {

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
  specs.push_back(
      make_parameter("content", group, "Content of q and k.",
                     {.default_value = std::string("same"),
                      .choices = {{"same", "identical tokens, q = k = ones: half of the sum of all four terms"},
                                  {"random", "mean over random tokens: half of the a · b term"}}}));
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

Method rope_with_bias_method() {
  return relative_method(
      {.id = "rope_with_bias",
       .title = "RoPE with bias",
       .category = "scores",
       .help = "RoPE score when q and k get a bias before rotation: (q + a) · (k + b).",
       .citation = {"Su 2023, Bias terms: RoPE + bias for better length extrapolation (kexue.fm 9577)",
                    "none compared: the formula of the post"},
       .traits = EncodingTraits{.relative = true,
                                .trainable = true,
                                .each_layer = true,
                                .extrapolation =
                                    "Extrapolates further than RoPE alone in the author's experiments (Su 2023)."},
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
