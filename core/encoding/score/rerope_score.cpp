// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/relative_method.h"
#include "core/encoding/rope/rope_fields.h"

namespace vqscope {
namespace {

struct Rectified {
  RopeScaling scaling;
  Index window;
  bool leaky;
  double factor;

  explicit Rectified(const ParameterValues& values)
      : scaling{.head_dim = values.integer("head_dim"), .rope_theta = values.real("rope_theta")},
        window(values.integer("window")),
        leaky(values.choice("rerope_type") == "leaky"),
        factor(values.real("leaky_factor")) {}

  /// The distance for n = -relative_position.
  double distance(Index n) const {
    if (std::abs(n) < window) return static_cast<double>(n);
    const auto w = static_cast<double>(window);
    return leaky ? w + (static_cast<double>(n) - w) / factor : w;
  }

  RelativeFunction function() const {
    const auto near = rope_waves(scaling);
    if (!leaky) return {{waves_from(before_all, near), constant_from(window, WaveSum(near).at(window))}, true};
    // window + (n - window) / k, n = -d: a slower wave that begins elsewhere.
    const RopeFrequencies frequencies = rope_frequencies(scaling);
    const auto k = static_cast<long double>(factor);
    std::vector<Wave> far;
    for (const long double inv_freq : frequencies.inv_freq)
      far.push_back({.rate = Turns{0} - turns_of(inv_freq / k),
                     .phase = turns_of(inv_freq * static_cast<long double>(window) * (1 - 1 / k))});
    return {{waves_from(before_all, far), waves_from(1 - window, near), waves_from(window, far)}};
  }
};

std::vector<ParameterSpec> rerope_score_parameters() {
  const std::string group = "ReRoPE";
  auto specs = rope_parameters(theta_and_dimension);
  for (auto& spec : specs) spec.group = group;
  add_parameter(
      specs, "window", group,
      "Distances below the window are unchanged. Smaller than q_length, or ReRoPE is RoPE; the "
      "reference code has 512 for a training length of 4096.",
      {.default_value = Index{128}, .minimum = 1, .maximum = 2147483648.0, .logarithmic = true, .unit = "tokens"});
  add_parameter(specs, "rerope_type", group, "What happens to distances of at least window.",
                {.default_value = std::string("rerope"),
                 .choices = {{"rerope", "all are set to window"},
                             {"leaky", "they keep growing, leaky_factor times more slowly: Leaky ReRoPE"}}});
  add_parameter(specs, "leaky_factor", group, "Factor by which distances beyond the window grow more slowly.",
                {.default_value = 16.0,
                 .minimum = 1,
                 .maximum = 1e6,
                 .logarithmic = true,
                 .relevant = {{"rerope_type", {"leaky"}}}});
  return specs;
}

std::string why_rerope_score(const ParameterValues& values, Index relative) {
  const Rectified rectified(values);
  const std::string at = place_text(relative);
  const std::string window = "window " + grouped(rectified.window);
  if (std::abs(relative) < rectified.window) return fmt::format("{}, within {}: the distance of RoPE", at, window);
  return fmt::format("{}, not within {}: as if at distance {}", at, window, to_text(rectified.distance(-relative), 7));
}

}  // namespace

Method rerope_score_method() {
  return relative_method(
      {.id = "rerope_score",
       .title = "ReRoPE score",
       .category = "scores",
       .help = "Score between identical tokens when ReRoPE or Leaky ReRoPE limits their distance: q · k / 2 for q = k "
               "= ones.",
       .citation = {"Su 2023, Rectified Rotary Position Embeddings (kexue.fm 9708)",
                    "bojone/rerope, rerope_patch.py and leaky_rerope_patch.py"},
       .traits =
           EncodingTraits{
               .relative = true,
               .extrapolation = "Keeps distances within those seen in training; needs no fine-tuning (Su 2023).",
               .note = {.trade_off = "No distance beyond those of training, at any length. Two score matrices in "
                                     "prefill make inference slower.",
                        .published = "Loss of Llama 2 13B without fine-tuning, window 1024: 1.4996 at 4096 tokens, "
                                     "1.4267 at 8192 and 1.4001 at 16384. NTK-aware scaling has 1.6081, 1.5417 and "
                                     "1.5163, RoPE 1.4967 at 4096 and 8.8615 at 8192.",
                        .source = "Su 2023, Transformer Upgrade Path 12 (kexue.fm 9708); bojone/rerope, README"}},
       .parameters = rerope_score_parameters(),
       .check = [](const ParameterValues& values) { return Rectified(values).scaling.check(); },
       .value_name = "score",
       .related = {"rope_score"},
       .function = [](const ParameterValues& values) -> Result<RelativeFunction> {
         return Rectified(values).function();
       },
       .why = why_rerope_score});
}

}  // namespace vqscope
