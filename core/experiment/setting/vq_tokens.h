// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/method/parameter.h"

#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// The user's tokens of one head, as float32.
struct VqTokens {
  Index length = 0;
  Index d_k = 0;
  Index d_v = 0;     ///< 0: no values were given
  Index n_code = 0;  ///< 0: no codebook was given
  Index heads = 0;   ///< of the tensors; 0: they have none
  Index head = 0;
  std::string layout = {};       ///< how an ambiguous shape was read; empty: nothing needs to be said
  std::string shown_head = {};   ///< which head of which tensor this is; empty: there is no choice
  std::vector<float> queries;    ///< [length, d_k]; empty: not requested
  std::vector<float> keys;       ///< [length, d_k]
  std::vector<float> values;     ///< [length, d_v]
  std::vector<float> codewords;  ///< [n_code, d_k], for normalised keys
};

/// `q_tensor`, `k_tensor`, `v_tensor`, `codebook_tensor`, `head` and `tensor_layout`, relevant while
/// `data` is tensors.
std::vector<ParameterSpec> token_parameters();

/// `num_heads` of the queries, for methods that take none.
ParameterSpec query_heads_parameter();

/// The tensors that the values name, for the tensor parameters that the values have. Errors name
/// file and tensor. Without `numbers`, only sizes are read and checked. With `numbers`, tensors
/// that are still in use and have not changed are not read again.
Result<std::shared_ptr<const VqTokens>> read_tokens(const ParameterValues& values, bool numbers);

/// Maximum number of elements of a tensor.
inline constexpr Index most_token_numbers = Index{1} << 26;

}  // namespace vqscope
