// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"
#include "core/base/result.h"
#include "core/base/work.h"

#include <cstdint>
#include <vector>

namespace vqscope {

struct AttentionOutput {
  std::vector<float> values;             ///< [heads, T, d_v]; rows that see no key are 0
  std::vector<std::int32_t> shortcodes;  ///< [kv heads, T], VQ forms only; -1: the key is not valid
  Index padded = 0;                      ///< tokens missing in the last block of the linear form
  const char* kernels = "";              ///< name of the kernels used
};

/// Refuses mismatched input, numbers that are not finite, and more memory than the limit.
Result<AttentionOutput> attention(const AttentionInput& input, const AttentionOptions& options, const Work& work = {});

/// The codewords of the keys by their shortcodes [kv heads, T], 0 for keys that are not valid. [kv
/// heads, T, d_k].
std::vector<float> quantised_keys(const AttentionInput& input, std::span<const std::int32_t> codes);

/// The nearest codeword of every key, without attention. [kv heads, T].
Result<std::vector<std::int32_t>> shortcodes(const AttentionInput& input, const AttentionOptions& options,
                                             const Work& work = {});

}  // namespace vqscope
