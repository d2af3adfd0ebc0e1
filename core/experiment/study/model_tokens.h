// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/experiment/setting/vq_tokens.h"

namespace vqscope {

/// `model_layer`, `model_head` and `model_steps`, relevant while `data` is model.
std::vector<ParameterSpec> model_token_parameters();

/// Queries, keys, values and codebook of one head of a small VQ model that is trained here on the
/// synthetic language, with `n_code` codewords per head and `seed`, as in the experiment vq_model.
/// The model computes them for the first `q_length` tokens of a stream that it was not trained on.
/// Each training is done once and shared. Without `numbers`, returns only the sizes and trains
/// nothing. Refuses sizes that need too much memory.
Result<std::shared_ptr<const VqTokens>> model_tokens(const ParameterValues& values, Index n_code, Index length,
                                                     bool numbers, const Work& work);

}  // namespace vqscope
