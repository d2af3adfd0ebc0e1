// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/key_samples.h"
#include "core/base/method.h"

#include <initializer_list>
#include <string_view>

namespace vqscope {

/// What the experiments with VQ attention are made of: drawn tokens, and a codebook learnt on other keys of their kind.
struct VqSetting {
  Index q_length = 512;
  Index n_code = 64;
  Index block_len = 128;
  Index d_k = 64;
  Index d_v = 64;
  bool normalize = true;  ///< queries and keys as the paper has them: normalize_rows
  KeySamples keys;
  Index train_keys = 2048;
  Index steps = 50;
  double gamma = 0.99;
};

/// The knobs of VqSetting but for some of them.
std::vector<ParameterSpec> vq_parameters(std::initializer_list<std::string_view> without = {});

/// The one of that name, which must be there: methods change its default or its role.
ParameterSpec& spec_of(std::vector<ParameterSpec>& specs, std::string_view name);

/// `n_code_max` and `length_max`: of curves over codebooks or lengths, in the place of n_code or q_length.
ParameterSpec n_code_max_parameter();
ParameterSpec length_max_parameter();

/// Reads those that are there.
VqSetting vq_setting(const ParameterValues& values);

/// Refuses more codewords than keys to learn them from, and more numbers than most_vq_bytes hold.
Result<void> check_vq(const ParameterValues& values);
/// `length` and `codes`: what the sentence calls q_length and n_code.
Result<void> check_vq_setting(const VqSetting& setting, const std::string& length, const std::string& codes);
inline constexpr double most_vq_bytes = 256.0 * 1024 * 1024;

/// A citation of the paper's place, with the code that it comes with.
Citation vq_citation(const std::string& place);

/// How every formula of the experiments on drawn tokens ends.
inline const std::string vq_measured = "measured on drawn tokens, not performance of a model";

}  // namespace vqscope
