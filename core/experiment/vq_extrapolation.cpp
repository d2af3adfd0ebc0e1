// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/experiment/extrapolation/scheme_extrapolation.h"
#include "core/experiment/extrapolation/studies.h"
#include "core/experiment/setting/vq_answer.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/experiment/study/codebook_scheme.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shared/published.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index most_length = 131072;

/// `biases`: the choices of `bias` as a list. Both share the parameters of each bias.
void add_compared_biases(std::vector<ParameterSpec>& specs) {
  const auto bias = std::ranges::find(specs, "bias", &ParameterSpec::name);
  ParameterSpec biases = make_parameter("biases", bias->group,
                                        "Biases to compare, with a curve for each. Empty: the bias selected in bias.",
                                        {.default_value = std::vector<std::string>{},
                                         .choices = bias->choices,
                                         .relevant = {{"measure", {"total_variation", "output_error"}}}});
  for (auto& spec : specs)
    for (auto& relevance : spec.relevant)
      if (relevance.name == "bias") relevance.also = biases.name;
  specs.insert(bias + 1, std::move(biases));
}

void add_seed_count(std::vector<ParameterSpec>& specs) {
  const auto seed = std::ranges::find(specs, "seed", &ParameterSpec::name);
  const std::string group = seed->group;
  specs.insert(seed + 1,
               make_parameter("seed_count", group, "Number of repetitions, each with its own seed: seed, seed + 1, …",
                              {.default_value = Index{1}, .minimum = 1, .maximum = 16}));
}

std::vector<ParameterSpec> vq_extrapolation_parameters() {
  auto specs = biased_vq_parameters({"q_length", "codebook_tensor", "rotation"});
  add_compared_biases(specs);
  add_seed_count(specs);
  for (auto& spec : rope_scaling_parameters())
    if (spec.name == "original_max_position_embeddings" || spec.name == "rope_theta") specs.push_back(std::move(spec));
  spec_of(specs, "d_k").minimum = 4;  // ntk is not defined for one pair
  auto& trained = spec_of(specs, "original_max_position_embeddings");
  trained.help = "The codebook is learned on keys at positions below this.";
  trained.default_value = Index{256};
  trained.minimum = 4;
  trained.maximum = most_length;
  add_parameter(specs, "reach", "RoPE", "Longest sequence, in multiples of the training length.",
                {.default_value = Index{16}, .minimum = 1, .maximum = 64, .logarithmic = true});
  add_parameter(specs, "factor", "RoPE", "RoPE scaling factor of the schemes: expected length / training length.",
                {.default_value = 0.0,
                 .minimum = 0,
                 .maximum = 1024,
                 .automatic = "length / training length, and 1 for dynamic"});
  std::vector<Choice> schemes{{unrotated, "no RoPE on keys: positions come from a bias, if any"}};
  for (const auto& type : rope_types()) schemes.push_back({type.id, type.help});
  add_parameter(specs, "schemes", "RoPE", "Position schemes applied to queries and keys before quantisation.",
                {.default_value = std::vector<std::string>{unrotated, "default", "linear", "dynamic", "yarn"},
                 .choices = std::move(schemes)});
  add_parameter(
      specs, "measure", "Curve", "Quantity measured over the last tokens of each sequence.",
      {.default_value = std::string("output_error"),
       .choices = {
           {"commit_loss", "mean of |k − k̂|² over the last keys"},
           {"total_variation", "total variation between the quantised and exact attention weights of the last queries"},
           {"output_error", "|o − ô| / |o| of the last queries"},
           {"code_drift", "total variation between the code frequencies of the last keys and of the training keys"}}});
  specs.push_back(lines_parameter());
  specs.push_back(x_unit_parameter());
  return specs;
}

/// Sets the q_length that vq_setting and the check of its sizes use.
ParameterValues with_length(ParameterValues values) {
  values.set("q_length", trained_length(values) * values.integer("reach"));
  return values;
}

Result<void> check_scalings(const ParameterValues& values, Index d_k, Index longest) {
  for (const auto& scheme : values.choices("schemes"))
    if (scheme != unrotated)
      if (auto checked = scaling_at(values, d_k, scheme, longest).check(); !checked) return checked;
  return {};
}

Result<void> check_vq_extrapolation(const ParameterValues& values) {
  if (auto checked = check_chosen(values, "schemes"); !checked) return checked;
  if (const Index length = with_length(values).integer("q_length"); length > most_length)
    return invalid("reach is {}, which makes {} tokens with the training length {} but must be at most {} tokens",
                   values.integer("reach"), length, trained_length(values), most_length);
  if (const double factor = values.real("factor"); factor != 0 && factor < 1)
    return invalid("factor is {} but must be 0 or at least 1", plain_text(factor));
  const auto setting = vq_sizes(with_length(values));
  if (!setting) return setting.error();
  if (setting->d_k % 2 != 0) return invalid("d_k is {} but must be even", setting->d_k);
  if (auto checked = check_vq_setting(*setting, "original_max_position_embeddings times reach", "n_code"); !checked)
    return checked;
  for (const auto& id : compared_biases(values)) {
    ParameterValues with = values;
    with.set("bias", id);
    if (auto checked = ChosenBias::check(with, bias_shape(*setting)); !checked) return checked;
  }
  return check_scalings(values, setting->d_k, setting->q_length);
}

/// Multiply-adds of learning each codebook, and of quantising keys and comparing the attention of
/// the last queries at every length. Sampling the keys takes about twice as long.
double vq_extrapolation_work(const ParameterValues& values) {
  constexpr double with_sampling = 3;
  const auto setting = vq_sizes(with_length(values));
  if (!setting) return 0;
  const auto real = [](Index n) { return static_cast<double>(n); };
  const double quantising = real(setting->n_code * setting->d_k);
  const double attention = 2 * real(CodebookScheme::most_queries * (setting->d_k + setting->d_v));
  const double tokens = 2 * real(setting->q_length);  // of all lengths, each twice the former
  const double learning = real(setting->steps * setting->batch) * quantising;
  const auto variants = static_cast<double>(biased_schemes(values).size());
  return with_sampling * real(values.integer("seed_count")) * variants * (tokens * (quantising + attention) + learning);
}

Result<CurveSet> make_vq_extrapolation(const ParameterValues& values, const Work& work) {
  const auto setting = vq_setting(with_length(values), work);
  if (!setting) return setting.error();
  auto biases = make_biases(values, *setting, work);
  if (!biases) return biases.error();
  return extrapolate_schemes(values, *setting, std::move(*biases), work);
}

}  // namespace

Method vq_extrapolation_method() {
  return {
      .id = "vq_extrapolation",
      .title = "Extrapolation of a codebook",
      .help =
          "Error of codewords on longer sequences than they were learned on. Curves compare position schemes; lower "
          "beyond the training length is better.",
      .citation = {"Lingle 2023, Transformer-VQ, section 3; Su et al. 2021, RoFormer, section 3.2, and the papers of "
                   "the scalings",
                   "transformer-vq/transformer_vq, nn/vq.py; Hugging Face transformers, modeling_rope_utils.py"},
      .parameters = vq_extrapolation_parameters(),
      .check = check_vq_extrapolation,
      .remark = [](const ParameterValues& values, const Work& work) { return vq_remark(with_length(values), work); },
      .recipe = CurveRecipe{.make = make_vq_extrapolation,
                            .origin = CurveOrigin::measured,
                            .related = {"vq_error_vs_length", "rope_phase_ood"},
                            .work = vq_extrapolation_work}};
}

}  // namespace vqscope
