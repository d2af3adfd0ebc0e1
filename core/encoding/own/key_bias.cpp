// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"

#include "core/base/sentence.h"
#include "core/encoding/own/rotated_pair.h"
#include "core/encoding/table/table_values.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

std::vector<double> sampled_vector(std::uint64_t seed, Index row, Index dims) {
  std::vector<double> vector;
  for (Index col = 0; col < dims; ++col) vector.push_back(drawn_normal(seed, row, col));
  return vector;
}

void softmax(std::vector<double>& scores) {
  const double highest = *std::ranges::max_element(scores);
  double sum = 0;
  for (double& each : scores) sum += each = std::exp(each - highest);
  for (double& each : scores) each /= sum;
}

struct KeyBiasCase {
  Index keys, dims;
  double bias;
  std::uint64_t seed;
  RopeScaling scaling;
};

/// Weights of the last query over all keys up to its own.
std::vector<double> weights(const KeyBiasCase& given, bool is_rotated, bool is_biased) {
  const Rotation rotation(given.scaling, PairLayout::half_split);
  std::vector<double> q = sampled_vector(given.seed, given.keys, given.dims);
  const std::vector<double> bias = sampled_vector(given.seed, given.keys + 1, given.dims);
  std::vector<double> turned(static_cast<std::size_t>(rotation.size()));
  if (is_rotated) rotation.apply(std::vector<double>(q), given.keys - 1, turned), q = turned;
  std::vector<double> all;
  for (Index j = 0; j < given.keys; ++j) {
    std::vector<double> k = sampled_vector(given.seed, j, given.dims);
    for (std::size_t i = 0; is_biased && i < k.size(); ++i) k[i] += given.bias * bias[i];
    if (is_rotated) rotation.apply(k, j, turned), k = turned;
    all.push_back(dot(q, k) / std::sqrt(static_cast<double>(given.dims)));
  }
  softmax(all);
  return all;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

KeyBiasCase key_bias_case(const ParameterValues& values) {
  return {.keys = values.integer("q_length"),
          .dims = values.integer("head_dim"),
          .bias = values.real("k_bias"),
          .seed = static_cast<std::uint64_t>(values.integer("seed")),
          .scaling = {.head_dim = values.integer("head_dim"), .rope_theta = values.real("rope_theta")}};
}

std::vector<ParameterSpec> key_bias_parameters() {
  std::vector<ParameterSpec> specs{
      make_parameter("q_length", "Sequence", "Number of keys; the query stands at the last of them.",
                     {.label = "T",
                      .role = ParameterRole::shape,
                      .default_value = Index{32},
                      .minimum = 2,
                      .maximum = 4096,
                      .logarithmic = true,
                      .unit = "tokens"}),
      make_parameter("k_bias", "Bias of keys",
                     "Length of the bias b, per dimension: a random direction times this factor.",
                     {.default_value = 1.0, .minimum = 0, .maximum = 100}),
      seed_parameter("Bias of keys", "Random seed of q, k and b, which are standard normal.")};
  for (auto& spec : rope_scaling_parameters())
    if (spec.name == "head_dim" || spec.name == "rope_theta") specs.push_back(std::move(spec));
  return specs;
}

Result<CurveSet> make_key_bias(const ParameterValues& values, const Work& work) {
  const KeyBiasCase given = key_bias_case(values);
  CurveSet set{.x_name = "key",
               .x_title = "key position k",
               .y_title = "attention weight",
               .formula =
                   "softmax over keys of q·(k + b)/√d, with q and k + b rotated under RoPE. Without rotation "
                   "e^(q·b/√d) is a factor of every key and cancels"};
  for (Index j = 0; j < given.keys; ++j) set.x.push_back(static_cast<double>(j));
  for (const bool is_rotated : {false, true})
    for (const bool is_biased : {false, true}) {
      if (work.stop.stop_requested()) return cancelled();
      set.curves.push_back({std::string(is_rotated ? "rope" : "plain") + (is_biased ? "_with_bias" : ""),
                            weights(given, is_rotated, is_biased)});
    }
  set.facts = {{"largest_change_plain", largest_difference(set.curves[0].y, set.curves[1].y)},
               {"largest_change_rope", largest_difference(set.curves[2].y, set.curves[3].y)}};
  return set;
}

std::string remark_key_bias(const ParameterValues& values, const Work& work) {
  const auto set = make_key_bias(values, work);
  if (!set) return {};
  return fmt::format(
      "The bias of keys changes a weight by at most {} without positions, where softmax cancels it, and by {} under "
      "RoPE.",
      to_text(set->facts[0].second, 2), to_text(set->facts[1].second, 2));
}

}  // namespace

Method key_bias_method() {
  return {
      .id = "key_bias",
      .title = "Bias of keys under softmax",
      .category = "curves",
      .help = "Attention weights with and without a bias of keys: softmax cancels the bias, unless keys are rotated.",
      .citation = {"Su 2023, Bias terms: RoPE + bias for better length extrapolation (kexue.fm 9577)",
                   "none compared: the formula of the post"},
      .parameters = key_bias_parameters(),
      .check = [](const ParameterValues& values) { return key_bias_case(values).scaling.check(); },
      .remark = remark_key_bias,
      .recipe = CurveRecipe{.make = make_key_bias}};
}

}  // namespace vqscope
