// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/method/parameter.h"

#include <span>

namespace vqscope {

// The help of each method describes what it measures.
Method vq_weights_method();
Method vq_weight_error_method();
Method vq_weight_parts_method();
Method vq_query_codes_method();
Method vq_code_values_method();
Method vq_shortcodes_method();
Method vq_codewords_method();
Method vq_cache_method();
Method memorizing_weights_method();
Method infini_memory_method();
Method decode_trace_method();
Method vq_codebook_training_method();
Method vq_error_vs_codes_method();
Method vq_error_vs_length_method();
Method vq_error_by_token_method();
Method vq_occupancy_method();
Method vq_cache_codes_method();
Method vq_theorem_2_2_method();
Method vq_rotation_orders_method();
Method vq_extrapolation_method();
Method length_extrapolation_method();
Method length_generalisation_method();
Method vq_model_method();
Method train_model_method();
Method masked_language_method();
Method generate_tokens_method();
Method vq_throughput_method();
Method vq_table_method();
Method train_throughput_method();
Method vq_decode_method();
Method vq_block_invariance_method();
Method mask_test_method();
Method long_context_costs_method();
Method kv_cache_method();
Method sink_softmax_method();
Method memorizing_recall_method();
Method memorizing_query_method();
Method memorizing_cost_method();
Method infini_capacity_method();
Method infini_readout_method();
Method decode_scores_method();

/// All maps and experiments of quantised attention. Created once.
std::span<const Method> experiment_methods();

/// The mask of `visibility`'s values as values of `mask_test`. Refuses imported masks,
/// cross-attention, and values without a mask.
Result<ParameterValues> mask_test_values(const ParameterValues& visibility);

}  // namespace vqscope
