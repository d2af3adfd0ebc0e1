// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/own/biased_score_field.h"
#include "core/encoding/relative_method.h"
#include "core/method/shared/borrowed.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shown_part.h"
#include "core/sequence/query_layout.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Made here: bias_methods() is a part of the list that this method is in.
const std::vector<Method>& added_biases() {
  static const std::vector<Method> all = [] {
    std::vector<Method> list;
    for (Method& bias : make_methods(bias_makers()))
      if (!bias.bias->zero) list.push_back(std::move(bias));
    return list;
  }();
  return all;
}

const Method& bias_of(const ParameterValues& values) {
  return *std::ranges::find(added_biases(), values.choice("bias"), &Method::id);
}

Result<std::shared_ptr<const BiasedScoreField>> biased_scores(const ParameterValues& values,
                                                              const std::stop_token& stop) {
  const auto layout = own_query_layout(values);
  if (!layout) return layout.error();
  auto vectors = own_vectors(values, layout->q_length(), layout->kv_length(), stop);
  if (!vectors) return vectors.error();
  auto bias = borrowed_function(bias_of(values), values);
  if (!bias) return bias.error();
  return std::make_shared<const BiasedScoreField>(std::move(*vectors), std::move(*bias), layout->past_len(),
                                                  values.choice("part"));
}

Result<std::shared_ptr<const Field>> make_biased_scores(const ParameterValues& values, const Work& work) {
  auto scores = biased_scores(values, work.stop);
  if (!scores) return scores.error();
  return std::shared_ptr<const Field>(std::move(*scores));
}

std::string remark_biased_scores(const ParameterValues& values, const Work& work) {
  const auto scores = biased_scores(values, work.stop);
  if (!scores || work.stop.stop_requested()) return {};
  const PartDeviations some = (*scores)->deviations(work.stop);
  return fmt::format(
      "Over the keys up to a query, content varies by {} and position by {} (standard deviations). The softmax sees "
      "only these differences.",
      to_text(some.content, 3), to_text(some.position, 3));
}

/// Vectors without biases of their own, which are content. One `head` selects that of the tensors and of
/// the bias, one `seed` samples vectors and learned biases.
std::vector<ParameterSpec> biased_score_parameters() {
  auto specs = sequence_parameters(SequenceUse::lengths, 128);
  ParameterSpec bias =
      make_parameter("bias", "Scores", "Bias that is added to q · k / √d.", {.default_value = std::string("sandwich")});
  for (const Method& each : added_biases()) bias.choices.push_back({each.id, each.title});
  specs.push_back(std::move(bias));
  specs.push_back(make_parameter("part", "Scores", "Part of the scores to show.",
                                 {.default_value = std::string("both"),
                                  .choices = {{"both", "q · k / √d + b: the scores before the softmax"},
                                              {"content", "q · k / √d: what the tokens have to do with each other"},
                                              {"position", "b: what their distance adds"}}}));
  for (ParameterSpec& spec : own_vector_parameters()) {
    if (spec.name == "q_bias_vector" || spec.name == "k_bias_vector") continue;
    if (spec.name == "vectors") spec.help = "Queries and keys.", spec.default_value = std::string("sampled");
    if (spec.name == "head") spec.help = "Head of the tensors and of the bias, from 0.";
    if (spec.name == "seed") spec.help = "Random seed of the sampled vectors and of untrained biases.";
    if (spec.name == "head" || spec.name == "seed") spec.relevant.clear();
    if (spec.kind == ParameterKind::tensor)
      spec.help = fmt::format("{} [T, head_dim], or with heads. The first {} rows are used.", spec.label,
                              spec.name == "q_tensor" ? "q_length" : "kv_length");
    specs.push_back(std::move(spec));
  }
  specs.push_back(make_parameter("head_dim", "Vectors", "Number of dimensions of sampled vectors.",
                                 {.default_value = Index{64}, .minimum = 1, .maximum = 4096, .logarithmic = true}));
  const std::size_t own = specs.size();
  for (const Method& each : added_biases()) borrow_parameters(specs, each.parameters, "bias", each.id);
  for (std::size_t i = own; i < specs.size(); ++i) specs[i].group = "Scores";
  specs.push_back(future_keys_parameter());
  return specs;
}

LinkedMap part_map(const char* part, const char* title) {
  LinkedMap map{title, "bias_own_scores", {}};
  map.with.set("part", std::string(part));
  return map;
}

Result<void> check_biased_scores(const ParameterValues& values) {
  const auto layout = own_query_layout(values);
  if (!layout) return layout.error();
  if (layout->past_len() > layout->kv_length())
    return invalid("past_len is {} but must be at most kv_length = {}", layout->past_len(), layout->kv_length());
  if (auto checked = check_own_vectors(values, layout->q_length(), layout->kv_length()); !checked) return checked;
  return check_borrowed(bias_of(values), values);
}

std::string untrained_bias(const ParameterValues& values) {
  if (values.choice("part") == "content") return {};
  return untrained_text(bias_of(values), borrowed_values(bias_of(values), values));
}

}  // namespace

Method bias_own_scores_method() {
  return {.id = "bias_own_scores",
          .title = "Scores of own q and k with a bias",
          .category = "scores",
          .help =
              "Content and position of the scores of your own queries and keys: q · k / √d, the bias of the distance, "
              "or their sum.",
          .citation = {"Chi et al. 2023, Dissecting Transformer Length Extrapolation, section 5: Sandwich keeps the "
                       "terms of content and of position of sinusoidal embeddings and drops the mixed ones",
                       "none compared: the formula of the paper"},
          .parameters = biased_score_parameters(),
          .in_force = lengths_in_force,
          .check = check_biased_scores,
          .remark = remark_biased_scores,
          .recipe = FieldRecipe{.row_title = "query q",
                                .col_title = "key k",
                                .value_title = "score",
                                .scale = ValueScale::diverging,
                                .related = {"bias_prior"},
                                .linked = {part_map("content", "content"), part_map("position", "position"),
                                           part_map("both", "content + position")},
                                .decoder_past = decoder_past_from,
                                .untrained = untrained_bias,
                                .make = make_biased_scores}};
}

}  // namespace vqscope
