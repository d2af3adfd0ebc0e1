// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/methods.h"

#include "core/base/sentence.h"
#include "core/curve/rope/rope_series.h"
#include "core/encoding/methods.h"
#include "core/method/curve_set.h"
#include "core/method/shared/borrowed.h"
#include "core/method/shared/common_parameters.h"
#include "core/relative/relative_function.h"
#include "core/sequence/sequence_layout.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index furthest_key = Index{1} << 22;

std::vector<ParameterSpec> attention_odds_parameters() {
  const std::string group = "Odds";
  std::vector<ParameterSpec> specs;
  for (auto& spec : sequence_parameters(SequenceUse::lengths, 2048))
    if (spec.name == "q_length") specs.push_back(std::move(spec));
  specs[0].help = fmt::format("Largest distance of the farther key, at most {}.", furthest_key);
  add_parameter(
      specs, "near_distance", group, "Distance of the nearer key from the query.",
      {.label = "Nearer key", .default_value = Index{0}, .minimum = 0, .maximum = 2147483648.0, .unit = "tokens"});
  add_parameter(specs, "score_gap", group,
                "Score q·k/√d of the nearer key minus that of the farther one, without the bias.",
                {.default_value = 0.0, .minimum = -100, .maximum = 100});
  ParameterSpec which = make_parameter("biases", group, "Biases to plot.",
                                       {.default_value = std::vector<std::string>{"nope", "alibi", "kerple_log"}});
  for (const auto* method : bias_methods()) which.choices.push_back({method->id, method->title});
  specs.push_back(std::move(which));
  specs.push_back(points_parameter("Curve", 1024, 4096));
  for (const auto* method : bias_methods()) borrow_parameters(specs, method->parameters, "biases", method->id);
  return specs;
}

std::vector<const Method*> odds_biases(const ParameterValues& values) {
  std::vector<const Method*> some;
  for (const auto* method : bias_methods())
    if (is_chosen(values, "biases", method->id)) some.push_back(method);
  return some;
}

Result<void> check_attention_odds(const ParameterValues& values) {
  if (auto checked = check_chosen(values, "biases"); !checked) return checked;
  for (const auto* method : odds_biases(values))
    if (auto checked = check_borrowed(*method, values); !checked) return checked;
  return {};
}

/// e^exponent, or no value where that is beyond the largest double.
double odds(double exponent) {
  const double ratio = std::exp(exponent);
  return std::isinf(ratio) ? no_value : ratio;
}

Result<CurveSet> make_attention_odds(const ParameterValues& values, const Work& work) {
  const Index near = values.integer("near_distance");
  const Index last = std::min(values.integer("q_length"), furthest_key);
  CurveSet set{.x_name = "distance",
               .x_title = "distance of the farther key (tokens)",
               .y_title = "weight of the nearer key / weight of the farther",
               .formula =
                   "e^(score_gap + b(near) − b(far)): the rest of the softmax cancels; geometry of the "
                   "bias, not performance of a model; above 1.8e308 no points",
               .log_y = true};
  set.x = integer_axis(0, last, values.integer("points"), false);
  set.exact = static_cast<Index>(set.x.size()) == last + 1;
  for (const auto* method : odds_biases(values)) {
    if (work.stop.stop_requested()) return cancelled();
    const auto bias = borrowed_function(*method, values);
    if (!bias) return bias.error();
    const double gap = values.real("score_gap") + bias->at(-near);
    set.curves.push_back({method->id, {}});
    for (const double distance : set.x)
      set.curves.back().y.push_back(odds(gap - bias->at(-static_cast<Index>(distance))));
    if (const double last_odds = set.curves.back().y.back(); !std::isnan(last_odds))
      set.facts.emplace_back("odds_" + method->id, last_odds);
  }
  set.marks = {{static_cast<double>(near), "nearer key"}};
  return set;
}

}  // namespace

Method attention_odds_method() {
  return {.id = "attention_odds",
          .title = "Attention odds of two keys",
          .help = "How many times more weight a bias gives to the nearer of two keys.",
          .citation = {"Press et al. 2022, ALiBi, section 3; Chi et al. 2022, KERPLE, section 4",
                       "the biases' own, as cited there"},
          .parameters = attention_odds_parameters(),
          .check = check_attention_odds,
          .recipe = CurveRecipe{.make = make_attention_odds}};
}

}  // namespace vqscope
