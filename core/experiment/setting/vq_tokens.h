// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/method/parameter.h"

#include <memory>
#include <vector>

namespace vqscope {

/// Somebody's own tokens, of one head, as float32.
struct VqTokens {
  Index length = 0;
  Index d_k = 0;
  Index d_v = 0;                 ///< 0: no values were given
  Index n_code = 0;              ///< 0: no codebook was given
  std::vector<float> queries;    ///< [length, d_k], or empty: none were asked for
  std::vector<float> keys;       ///< [length, d_k]
  std::vector<float> values;     ///< [length, d_v]
  std::vector<float> codewords;  ///< [n_code, d_k], for keys after their norm
};

/// `q_tensor`, `k_tensor`, `v_tensor` and `codebook_tensor`, relevant while `data` is tensors.
std::vector<ParameterSpec> token_parameters();

/// The tensors that the values name, of those names that are among them. Errors name file and tensor. Without `numbers`
/// sizes alone are read and checked. With them, tensors that somebody still has and that have not changed are not read
/// again.
Result<std::shared_ptr<const VqTokens>> read_tokens(const ParameterValues& values, bool numbers);

/// The most numbers of a tensor.
inline constexpr Index most_token_numbers = Index{1} << 26;

}  // namespace vqscope
