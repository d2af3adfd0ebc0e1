// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/chosen_bias.h"
#include "core/attention/codebook/keys.h"
#include "core/attention/codebook/rotation_order.h"
#include "core/base/work.h"
#include "core/encoding/own/rotated_pair.h"
#include "core/experiment/setting/vq_tokens.h"

#include <initializer_list>
#include <string_view>
#include <utility>

namespace vqscope {

/// Setting of the experiments with VQ attention: synthetic tokens, with a codebook learnt on other
/// keys of the same kind, or the user's tensors.
struct VqSetting {
  Index q_length = 512;
  Index n_code = 64;
  Index block_len = 128;
  Index d_k = 64;
  Index d_v = 64;
  QueryKeyNorm norm = QueryKeyNorm::paper;  ///< norm of queries and keys
  KeySamples keys;
  std::shared_ptr<const VqTokens> tokens = {};  ///< null: synthetic tokens
  Index train_keys = 2048;
  Index steps = 50;
  Index batch = 512;  ///< keys of a step
  double gamma = 0.99;
  bool fits_after = false;                        ///< as CodebookOptions::fits_after
  std::shared_ptr<const ChosenBias> bias = {};    ///< null: none
  std::shared_ptr<const Rotation> rotation = {};  ///< of q and k; null: none
  RotationOrder order = RotationOrder::rotate_first;
};

/// Sizes of the setting's bias.
inline BiasShape bias_shape(const VqSetting& setting) {
  return {.length = setting.q_length, .window = setting.block_len, .d_k = setting.d_k};
}

/// Reads the parameters that `values` has and the tensors that they name, and evaluates every
/// distance of bias and mask. Refuses what read_tokens and ChosenBias refuse.
Result<VqSetting> vq_setting(const ParameterValues& values, const Work& work = {});

/// For parameters without tensors and bias, which cannot be invalid.
VqSetting drawn_vq_setting(const ParameterValues& values);
/// The same for time measurements: codewords are sampled like keys, because their quality does not
/// affect time.
VqSetting timed_setting(const ParameterValues& values);

/// The same checks with sizes only. Also refuses more codewords than keys to learn them from, and
/// more numbers than fit in most_vq_bytes.
Result<void> check_vq(const ParameterValues& values);
/// Input of check_vq: vq_setting without the numbers of tensors and without the bias.
Result<VqSetting> vq_sizes(const ParameterValues& values);
/// `length` and `codes` are the names of q_length and n_code in error messages.
Result<void> check_vq_setting(const VqSetting& setting, const std::string& length, const std::string& codes);
inline constexpr double most_vq_bytes = 256.0 * 1024 * 1024;

/// Keys from which codewords are learnt: of the user's tokens, those after the first q_length, or,
/// if fewer than n_code are left, the first ones.
Range training_keys(const VqSetting& setting);

/// Key under which computations of a setting are shared: the values except those that only decide
/// what is shown, and the tokens that were read, which change with their files. A sharer must keep
/// the setting, so that the address of its tokens is not reused.
using SettingKey = std::pair<ParameterValues, const VqTokens*>;
SettingKey key_of(const ParameterValues& values, const VqSetting& setting,
                  std::initializer_list<std::string_view> shown);

/// Whether the linear form would be exact, which head of tensors is used, and whether codewords were
/// learnt from the keys they replace.
/// `says_head`: unless a sentence before names the head.
std::string setting_remark(const ParameterValues& values, const Work& work, bool says_head = true);

}  // namespace vqscope
