// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/biased_schemes.h"

#include "core/base/sentence.h"

namespace vqscope {
namespace {

/// Whether the measure depends on the bias.
bool measures_attention(const ParameterValues& values) {
  const auto& measure = values.choice("measure");
  return measure == "total_variation" || measure == "output_error";
}

}  // namespace

std::vector<std::string> compared_biases(const ParameterValues& values) {
  const auto& chosen = values.choices("biases");
  return chosen.empty() || !measures_attention(values) ? std::vector{values.choice("bias")} : chosen;
}

std::vector<BiasedScheme> biased_schemes(const ParameterValues& values) {
  const auto& schemes = values.choices("schemes");
  const auto biases = compared_biases(values);
  std::vector<BiasedScheme> variants;
  for (const auto& scheme : schemes)
    for (const auto& bias : biases) {
      const bool by_bias = schemes.size() == 1 && biases.size() > 1;
      const std::string title = by_bias ? bias : biases.size() == 1 ? scheme : fmt::format("{}, {}", scheme, bias);
      variants.push_back({scheme, bias, title});
    }
  return variants;
}

Result<ComparedBiases> make_biases(const ParameterValues& values, const VqSetting& setting, const Work& work) {
  ComparedBiases made;
  for (const auto& id : compared_biases(values)) {
    ParameterValues with = values;
    with.set("bias", id);
    auto bias = ChosenBias::make(with, bias_shape(setting), work);
    if (!bias) return bias.error();
    made[id] = bias->none() ? nullptr : std::make_shared<const ChosenBias>(std::move(*bias));
  }
  return made;
}

}  // namespace vqscope
