// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>

namespace vqscope {

/// `vq_weights`: attention weights, exact or with quantised keys.
Method vq_weights_method();

/// `vq_weight_error`: weights with quantised keys minus the exact weights.
Method vq_weight_error_method();

/// `vq_shortcodes`: the code of each key.
Method vq_shortcodes_method();

/// `vq_codewords`: the codebook, [n_code, d_k] float32.
Method vq_codewords_method();

/// `vq_cache`: the cache as it fills block by block.
Method vq_cache_method();

/// `memorizing_weights`: weights of local attention and of retrieved keys over queries and keys.
Method memorizing_weights_method();

/// `infini_memory`: the memory matrix of Infini-attention after some segments.
Method infini_memory_method();

/// `decode_trace`: state of each token or slot of each lane when the newest token reads.
Method decode_trace_method();

/// `vq_codebook_training`: commit loss, perplexity and dead codes of each step's keys before
/// learning.
Method vq_codebook_training_method();

/// `vq_error_vs_codes`: commit loss, total variation and output error against the codebook size.
Method vq_error_vs_codes_method();

/// `vq_error_vs_length`: the same against the number of tokens, for one codebook.
Method vq_error_vs_length_method();

/// `vq_error_by_token`: total variation and output error of every query.
Method vq_error_by_token_method();

/// `vq_occupancy`: number of keys with each code, most frequent first.
Method vq_occupancy_method();

/// `vq_cache_codes`: what the cache holds for each code after some blocks.
Method vq_cache_codes_method();

/// `vq_theorem_2_2`: both sides of E (q·k - q·k̂)² = σ² E |k - k̂|² against the codebook size.
Method vq_theorem_2_2_method();

/// `vq_extrapolation`: a codebook learnt on keys of positions below the training length, used beyond it.
Method vq_extrapolation_method();

/// Loss of models, trained here, on contexts longer than their training length.
Method length_extrapolation_method();

/// `length_generalisation`: fraction of problems of a task that models, trained here, answer
/// correctly, within and beyond the sizes of their training.
Method length_generalisation_method();

/// `vq_model`: quality and cost of small VQ models that are trained here, by codebook size or by training step, with
/// and without the compressive cache, and of full attention (Transformer-VQ, Lingle 2023, tables 1
/// and 2).
Method vq_model_method();

/// Trains a small transformer on synthetic data or on a text; outputs its weights, its config and
/// the loss curve.
Method train_model_method();

/// Tokens that a model supplied by the user generates after a prompt.
Method generate_tokens_method();

/// `vq_throughput`: seconds, operations or bytes of attention against length, on this machine.
Method vq_throughput_method();

/// `vq_table`: speed-up of VQ attention over full attention on this machine, by head type,
/// reduction and length as in tables 6 to 9 of the paper, shown with the published figures.
Method vq_table_method();

/// `vq_decode`: cost of one more token after T tokens, with a cache of all keys and with the VQ
/// cache.
Method vq_decode_method();

/// `vq_block_invariance`: difference of the linear and the quadratic form, against block_len.
Method vq_block_invariance_method();

/// `mask_test`: forward passes of a small model that show what a mask lets through.
Method mask_test_method();

/// `long_context_costs`: the same tokens through full attention and its replacements for long
/// sequences.
Method long_context_costs_method();

/// `kv_cache`: bytes of the keys and values that a model keeps, by the number of tokens, and the longest sequence that
/// fits into a memory.
Method kv_cache_method();

/// `sink_softmax`: the weights of one query's keys, with and without the sink.
Method sink_softmax_method();

/// `memorizing_recall`: what a memory of keys retrieves, its fraction of attention and its cost,
/// against its size or against top_k.
Method memorizing_recall_method();

/// `memorizing_query`: the keys that one query retrieves, best first.
Method memorizing_query_method();

/// `memorizing_cost`: seconds to search a memory of keys, against its size, compared with full
/// attention over as many keys.
Method memorizing_cost_method();

/// `infini_capacity`: error of what an Infini-attention memory returns for its keys, against the
/// number of stored pairs.
Method infini_capacity_method();

/// `infini_readout`: what an Infini-attention memory returns for one stored pair as segments pass,
/// and the memory's fraction of the output.
Method infini_readout_method();

/// `decode_scores`: the scores of one lane, by the position of the key.
Method decode_scores_method();

/// All maps and experiments of quantised attention. Created once.
std::span<const Method> experiment_methods();

}  // namespace vqscope
