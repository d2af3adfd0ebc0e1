// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"
#include "core/base/result.h"
#include "core/base/work.h"

namespace vqscope {

/// The total variation between the weights of VQ attention and of exact attention: half the sum over
/// keys of |weight with codewords - weight|, the mean over the heads' queries that see a key; 0 if
/// none does. `input` has the bias and the mask of the exact form, `quantised` [kv heads, T, d_k] the
/// codewords of its keys. With options.agg_cache = false the VQ forms see near blocks only.
Result<double> mean_total_variation(const AttentionInput& input, const TensorView& quantised,
                                    const AttentionOptions& options, const Work& work = {});

}  // namespace vqscope
