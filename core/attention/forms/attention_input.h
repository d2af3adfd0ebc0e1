// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/local_bias.h"
#include "core/attention/tensor_view.h"
#include "core/mask/mask.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

namespace vqscope {

/// How attention is computed.
enum class AttentionForm {
  exact,         ///< softmax(Q Kᵀ + B) V in blocks with a running maximum
  vq_quadratic,  ///< the same with every key replaced by its nearest codeword (Transformer-VQ, definition 3.1)
  vq_linear      ///< the same in time linear in T (theorem 3.7, remark 3.9; without a mask theorem 3.5)
};

/// How the linear form computes the cache that each block sees; all four give the same result.
enum class CacheReduction {
  serial_scan,       ///< one block after the other; memory does not grow with T
  matmul,            ///< every block from the blocks before it, weighted by fractions of the counts
  associative_scan,  ///< blocks merged pair by pair
  input_scan         ///< as serial_scan, with all work done one block at a time
};

/// Required heads of q, k and v. any: the number of query heads is a multiple of that of key heads.
enum class HeadType {
  any,
  shga,  ///< one gated head
  mqa,   ///< one key/value head for all query heads
  mha    ///< as many key/value heads as query heads
};

/// How scores become weights.
enum class WeightFunction {
  softmax,      ///< of a query's row
  exponential,  ///< e^score without a sum
  squared_relu  ///< max(score, 0)² (Hua et al. 2022)
};

/// Rotations of queries and of keys that are quantised before them. Scores of keys up to `window`
/// tokens back are q·k of these, of farther ones far_q·k with the keys of AttentionInput, or with
/// their codewords. That is a rotation by the distance and, beyond the window, by the window.
struct LateRotation {
  TensorView q;          ///< [heads, T, d_k]; empty: nothing is rotated
  TensorView k;          ///< [kv heads, T, d_k], for the exact form
  TensorView codewords;  ///< [kv heads, T, d_k], the codeword of each key rotated like the key, for the VQ forms
  TensorView far_q;      ///< [heads, T, d_k]; empty: the window has no end, which the linear form does not take
  Index window = 0;

  bool none() const { return q.empty(); }
  bool is_clipped() const { return !far_q.empty(); }
};

/// q [heads, T, d_k], k [kv heads, T, d_k], v [kv heads, T, d_v]. Scores are q·k without a scale.
struct AttentionInput {
  TensorView q, k, v;
  TensorView codebook;                      ///< [kv heads or 1, n_code, d_k], for the VQ forms
  TensorView gate;                          ///< [heads, T, d_v], multiplies the output; empty: none
  std::span<const std::uint8_t> key_valid;  ///< [T], 0: no query sees the key; empty: all valid
  LocalBias bias;
  const Mask* mask = nullptr;  ///< [T, T] for all heads, on top of causality; not in the linear form; null: none
  LateRotation rotation = {};
};

struct AttentionOptions {
  AttentionForm form = AttentionForm::vq_linear;
  WeightFunction weights = WeightFunction::softmax;
  bool causal = true;
  HeadType head_type = HeadType::any;
  Index block_len = 512;  ///< for the linear form; the last block may be shorter
  CacheReduction reduction = CacheReduction::serial_scan;
  bool agg_cache = true;  ///< false: blocks that would be cached are not visible; at least one other is
  /// With agg_cache = false: the window of a bias whose table extends beyond it; unset: the table's
  /// own.
  std::optional<Index> near_window = {};
  bool skip_hidden = true;  ///< false: the exact form also computes blocks above the diagonal, for timing
  int threads = 1;          ///< the result does not depend on it
  double memory_limit = 0;  ///< bytes for the output and the work; 0: no limit
  const AttentionKernels* kernels = nullptr;  ///< null: the fastest
};

/// Number of blocks before a query's own whose keys the linear form takes one by one: those that
/// the bias's window reaches.
inline Index explicit_blocks(const LocalBias& bias, const AttentionOptions& options) {
  const Index window = options.near_window.value_or(bias.window);
  const Index reached = bias.none() ? 0 : window / options.block_len + (window % options.block_len != 0 ? 1 : 0);
  return options.agg_cache ? reached : std::max<Index>(reached, 1);
}

/// The same, and those that the window of a late rotation reaches.
inline Index explicit_blocks(const AttentionInput& input, const AttentionOptions& options) {
  const Index of_bias = explicit_blocks(input.bias, options);
  if (!input.rotation.is_clipped()) return of_bias;
  return std::max(of_bias, (input.rotation.window + options.block_len - 1) / options.block_len);
}

}  // namespace vqscope
