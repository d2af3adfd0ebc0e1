// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/fire/fire_network.h"

#include "core/base/random.h"
#include "core/base/sentence.h"
#include "core/encoding/relative_method.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index sampled_width = 32;  ///< of the paper's experiments

struct FireWeights {
  const char* name;
  const char* help;
  bool by_head;
};

constexpr std::array<FireWeights, 4> fire_weights{{
    {"mlp_0_weight", "Weights of the hidden layer: one number for each unit.", false},
    {"mlp_0_bias", "Biases of the hidden layer: one number for each unit.", false},
    {"mlp_2_weight", "Weights of the output layer: one number for each unit, or for each head and unit (head-major).",
     true},
    {"mlp_2_bias", "Bias of the output layer: one number, or one for each head.", true},
}};

/// Uniform within ±bound.
std::vector<double> fire_sample(SeededRandom& random, Index count, double bound) {
  std::vector<double> some;
  for (Index i = 0; i < count; ++i) some.push_back(bound * (2 * random.uniform() - 1));
  return some;
}

/// The numbers of one head, of which `given` has `size` each, or those of all heads.
std::vector<double> of_head(const std::vector<double>& given, Index head, Index size) {
  const Index first = static_cast<Index>(given.size()) == size ? 0 : head * size;
  return {given.begin() + first, given.begin() + first + size};
}

/// In the order of the model's file: hidden weights and biases, then output weights head by head,
/// output biases.
void sample_weights(const ParameterValues& values, FireNetwork& network) {
  SeededRandom random(static_cast<std::uint64_t>(values.integer("seed")));
  const Index heads = values.integer("num_heads");
  const Index head = values.integer("head");
  const double bound = 1 / std::sqrt(static_cast<double>(sampled_width));
  network.hidden = fire_sample(random, sampled_width, 1);
  network.hidden_bias = fire_sample(random, sampled_width, 1);
  network.output = of_head(fire_sample(random, sampled_width * heads, bound), head, sampled_width);
  network.output_bias = of_head(fire_sample(random, heads, bound), head, 1)[0];
}

ParameterSpec fire_real(const char* name, const char* help, double default_value, double minimum, double maximum) {
  return make_parameter(name, "FIRE", help,
                        {.default_value = default_value, .minimum = minimum, .maximum = maximum, .logarithmic = true});
}

}  // namespace

double FireNetwork::of_normalised(double x) const {
  double sum = output_bias;
  for (std::size_t k = 0; k < hidden.size(); ++k) sum += output[k] * std::max(0.0, hidden[k] * x + hidden_bias[k]);
  return sum;
}

double FireNetwork::bias(double position, double distance) const {
  return of_normalised(scale(position).normalised(distance));
}

/// Linear between the places where a unit starts or ends.
std::pair<double, double> FireNetwork::range() const {
  std::vector<double> ends{of_normalised(0), of_normalised(1)};
  for (std::size_t k = 0; k < hidden.size(); ++k)
    if (const double x = -hidden_bias[k] / hidden[k]; x > 0 && x < 1) ends.push_back(of_normalised(x));
  const auto [least, greatest] = std::ranges::minmax_element(ends);
  return {*least, *greatest};
}

std::vector<ParameterSpec> fire_parameters() {
  std::vector<ParameterSpec> specs{
      fire_real("fire_threshold",
                "L, the position up to which all queries have the same scale. In a trained model it is |L_multiplier| "
                "times the config's fire_threshold.",
                512, 1, 1e9),
      fire_real("fire_c", "Absolute value of c in ln(1 + c · distance); learned, 0.1 before training.", 0.1, 1e-6,
                1e6)};
  for (auto& spec : head_parameters("FIRE")) specs.push_back(std::move(spec));
  for (const FireWeights& weights : fire_weights)
    add_parameter(
        specs, weights.name, "FIRE", weights.help,
        {.default_value = std::vector<double>(), .minimum = -1e6, .maximum = 1e6, .automatic = "sampled from seed"});
  specs.push_back(
      seed_parameter("FIRE", "Random seed of sampled weights, those of a network of width 32 before training."));
  return specs;
}

Result<void> check_fire_parameters(const ParameterValues& values) {
  if (auto checked = check_head(values); !checked) return checked;
  const Index heads = values.integer("num_heads");
  const auto width = static_cast<Index>(values.reals("mlp_0_weight").size());
  for (const FireWeights& weights : fire_weights) {
    const auto count = static_cast<Index>(values.reals(weights.name).size());
    if ((count == 0) != (width == 0))
      return invalid("{} is given without {}, the four lists of weights must be given together",
                     width == 0 ? weights.name : "mlp_0_weight", width == 0 ? "mlp_0_weight" : weights.name);
    const Index size = std::string_view(weights.name) == "mlp_2_bias" ? std::min<Index>(1, width) : width;
    if (count == size || (weights.by_head && count == size * heads)) continue;
    return invalid("{} has {} numbers but must have {}{}", weights.name, count, size,
                   weights.by_head ? fmt::format(" for one head or {} for all", size * heads) : "");
  }
  return {};
}

FireNetwork fire_from(const ParameterValues& values) {
  FireNetwork network{.c = values.real("fire_c"), .threshold = values.real("fire_threshold")};
  network.hidden = values.reals("mlp_0_weight");
  if (network.hidden.empty()) {
    sample_weights(values, network);
    return network;
  }
  const Index head = values.integer("head");
  network.hidden_bias = values.reals("mlp_0_bias");
  network.output = of_head(values.reals("mlp_2_weight"), head, static_cast<Index>(network.hidden.size()));
  network.output_bias = of_head(values.reals("mlp_2_bias"), head, 1)[0];
  return network;
}

}  // namespace vqscope
