// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/setting/vq_setting.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// A line: a scheme with a bias.
struct BiasedScheme {
  std::string scheme;
  std::string bias;
  std::string title;  ///< what it differs in from the others
};

/// Of `schemes` and `biases`: each scheme with each bias.
std::vector<BiasedScheme> biased_schemes(const ParameterValues& values);

/// Biases are compared where attention is measured; else, and where none is chosen, there is the one of `bias`.
std::vector<std::string> compared_biases(const ParameterValues& values);

/// By id; null: no bias.
using ComparedBiases = std::map<std::string, std::shared_ptr<const ChosenBias>>;

Result<ComparedBiases> make_biases(const ParameterValues& values, const VqSetting& setting, const Work& work);

}  // namespace vqscope
