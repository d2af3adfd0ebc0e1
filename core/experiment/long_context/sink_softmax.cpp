// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/sink_softmax.h"

#include "core/base/sentence.h"
#include "core/experiment/methods.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr double no_sink = -std::numeric_limits<double>::infinity();

bool sees(std::span<const Index> visible, std::size_t key) { return visible.empty() || visible[key] != 0; }

Result<CurveSet> make_sink_softmax(const ParameterValues& values, const Work&) {
  const auto& scores = values.reals("scores");
  const auto& visible = values.integers("visible");
  const SinkWeights with = sink_weights(scores, visible, values.real("sink"));
  const SinkWeights without = sink_weights(scores, visible, no_sink);
  CurveSet set{.x_name = "key",
               .x_title = "key",
               .y_title = "weight",
               .formula =
                   "weight of key j: e^(s_j) / (e^sink + Σ e^s), of the sink: e^sink / (e^sink + Σ e^s), over "
                   "visible keys; the maximum is taken over visible scores and the sink, so that a tile "
                   "without a visible key contributes nothing; weights of one query, not performance of a model",
               .curves = {{"with_sink", with.keys}, {"without_sink", without.keys}}};
  for (std::size_t key = 0; key < scores.size(); ++key) set.x.push_back(static_cast<double>(key));
  set.levels = {{with.sink, "weight of the sink"}};
  set.facts = {{"sink_weight", with.sink}, {"sum_of_weights", 1 - with.sink}};
  return set;
}

std::string sink_remark(const ParameterValues& values, const Work&) {
  const double weight = sink_weights(values.reals("scores"), values.integers("visible"), values.real("sink")).sink;
  return fmt::format("the sink has weight {}, all keys together {}", to_text(weight, 6), to_text(1 - weight, 6));
}

Result<void> check_sink_softmax(const ParameterValues& values) {
  const std::size_t scores = values.reals("scores").size(), visible = values.integers("visible").size();
  if (scores == 0) return invalid("scores is empty but must have the score of at least one key");
  if (visible == 0 || visible == scores) return {};
  return invalid("visible has {} entries but must have {}, one for each score", visible, scores);
}

}  // namespace

SinkWeights sink_weights(std::span<const double> scores, std::span<const Index> visible, double sink) {
  double largest = sink;
  for (std::size_t key = 0; key < scores.size(); ++key)
    if (sees(visible, key)) largest = std::max(largest, scores[key]);
  SinkWeights weights{.keys = std::vector<double>(scores.size())};
  if (largest == no_sink) return weights;
  weights.sink = std::exp(sink - largest);
  double sum = weights.sink;
  for (std::size_t key = 0; key < scores.size(); ++key)
    if (sees(visible, key)) sum += weights.keys[key] = std::exp(scores[key] - largest);
  for (double& weight : weights.keys) weight /= sum;
  weights.sink /= sum;
  return weights;
}

Method sink_softmax_method() {
  return {.id = "sink_softmax",
          .title = "Softmax with a learned sink",
          .help = "Weights of one query's keys beside a learned sink, which has no value. Computed, not measured.",
          .citation = {"OpenAI 2025, gpt-oss-120b & gpt-oss-20b Model Card, section 2.3",
                       "Hugging Face transformers, models/gpt_oss: self_attn.sinks"},
          .parameters =
              {make_parameter("scores", "Scores", "Score of each key, after the division by √d.",
                              {.default_value = std::vector<double>{2, 1, 0.5, -1}, .minimum = -1e9, .maximum = 1e9}),
               make_parameter(
                   "visible", "Scores", "1 for each key that the query sees, 0 for each masked key.",
                   {.default_value = std::vector<Index>{}, .minimum = 0, .maximum = 1, .automatic = "every key"}),
               make_parameter("sink", "Scores", "Learned logit of the sink, one number per head in self_attn.sinks.",
                              {.default_value = 0.0, .minimum = -1e9, .maximum = 1e9})},
          .check = check_sink_softmax,
          .remark = sink_remark,
          .recipe = CurveRecipe{.make = make_sink_softmax}};
}

}  // namespace vqscope
