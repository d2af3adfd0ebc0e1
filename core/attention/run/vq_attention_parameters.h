// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention.h"
#include "core/method/parameter.h"

namespace vqscope {

/// form, n_code, block_len, reduction, head_type, causal, agg_cache, weights, normalize, gamma, iterations, seed,
/// num_heads, head, compare, most_seconds, most_memory, threads, and those of the bias.
std::vector<ParameterSpec> vq_attention_parameters();

/// From the ids of `weights`, `reduction` and `head_type`.
WeightFunction weight_function_of(std::string_view id);
CacheReduction reduction_of(std::string_view id);
HeadType head_type_of(std::string_view id);

AttentionOptions vq_attention_options(const ParameterValues& values);

}  // namespace vqscope
