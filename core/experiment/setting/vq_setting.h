// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/chosen_bias.h"
#include "core/attention/codebook/key_samples.h"
#include "core/attention/codebook/query_key_norm.h"
#include "core/base/work.h"
#include "core/experiment/setting/vq_tokens.h"

#include <initializer_list>
#include <string_view>
#include <utility>

namespace vqscope {

/// What the experiments with VQ attention are made of: tokens that are drawn, with a codebook learnt on other keys of
/// their kind, or somebody's own.
struct VqSetting {
  Index q_length = 512;
  Index n_code = 64;
  Index block_len = 128;
  Index d_k = 64;
  Index d_v = 64;
  QueryKeyNorm norm = QueryKeyNorm::paper;  ///< of queries and keys
  KeySamples keys;
  std::shared_ptr<const VqTokens> tokens = {};  ///< null: they are drawn
  Index train_keys = 2048;
  Index steps = 50;
  double gamma = 0.99;
  std::shared_ptr<const ChosenBias> bias = {};  ///< null: none
};

/// Sizes of the setting's bias.
inline BiasShape bias_shape(const VqSetting& setting) {
  return {.length = setting.q_length, .window = setting.block_len, .d_k = setting.d_k};
}

/// Reads those that are there, and the tensors that they name, and looks at every distance of bias and mask. Refuses
/// what read_tokens and ChosenBias refuse.
Result<VqSetting> vq_setting(const ParameterValues& values, const Work& work = {});

/// Of parameters without tensors and bias, which nothing can be wrong with.
VqSetting drawn_vq_setting(const ParameterValues& values);
/// The same where time is measured: codewords are drawn like keys, for how good they are does not change it.
VqSetting timed_setting(const ParameterValues& values);

/// The same of sizes alone. Refuses besides more codewords than keys to learn them from, and more numbers than
/// most_vq_bytes hold.
Result<void> check_vq(const ParameterValues& values);
/// What check_vq looks at: vq_setting without the numbers of tensors and without the bias.
Result<VqSetting> vq_sizes(const ParameterValues& values);
/// `length` and `codes`: what the sentence calls q_length and n_code.
Result<void> check_vq_setting(const VqSetting& setting, const std::string& length, const std::string& codes);
inline constexpr double most_vq_bytes = 256.0 * 1024 * 1024;

/// Keys that codewords are learnt from: of somebody's tokens those behind the first q_length, or, where fewer than
/// n_code are left, the first of all.
Range training_keys(const VqSetting& setting);

/// What computations of a setting are shared by: the values but for what is shown of them, and the tokens that were
/// read, which change with their files. Whoever shares must keep the setting, so that these are not others' in time.
using SettingKey = std::pair<ParameterValues, const VqTokens*>;
SettingKey key_of(const ParameterValues& values, const VqSetting& setting,
                  std::initializer_list<std::string_view> shown);

/// The remark of the experiments: whether the linear form would be exact, and whether codewords have seen the keys.
std::string vq_remark(const ParameterValues& values, const Work& work);

}  // namespace vqscope
