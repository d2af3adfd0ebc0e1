// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/setting/vq_setting.h"
#include "core/method/curve_set.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// One curve: a scheme with a bias.
struct BiasedScheme {
  std::string scheme;
  std::string bias;
  std::string title;  ///< how it differs from the others
};

/// Each scheme of `schemes` with each bias of `biases`.
std::vector<BiasedScheme> biased_schemes(const ParameterValues& values);

/// The biases to compare if attention is measured and some are chosen; else only the one of `bias`.
std::vector<std::string> compared_biases(const ParameterValues& values);

/// By id; null: no bias.
using ComparedBiases = std::map<std::string, std::shared_ptr<const ChosenBias>>;

Result<ComparedBiases> make_biases(const ParameterValues& values, const VqSetting& setting, const Work& work);

/// Positions below which the codebook is learned.
Index trained_length(const ParameterValues& values);

/// A curve for each scheme with each bias over the sequence length, up to the q_length of
/// `setting`.
Result<CurveSet> extrapolate_schemes(const ParameterValues& values, const VqSetting& setting, ComparedBiases biases,
                                     const Work& work);

}  // namespace vqscope
