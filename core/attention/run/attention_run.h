// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/bias/chosen_bias.h"
#include "core/attention/codebook/code_use.h"
#include "core/attention/codebook/codebook.h"
#include "core/attention/forms/attention.h"
#include "core/attention/forms/attention_input.h"
#include "core/attention/run/needed_codes.h"
#include "core/attention/run/run_rotation.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/method/parameter.h"
#include "core/method/run_result.h"

#include <optional>

namespace vqscope {

/// q, k [T, d_k] or [heads, T, d_k]; v, gate with d_v; codebook [n_code, d_k], one for all heads of
/// k, or [kv heads, n_code, d_k]; key_valid [T], 0 where no query sees the key. Without a gate the
/// output is not gated; without a codebook one is learnt; without key_valid all keys are valid.
struct VqAttentionTensors {
  Tensor q, k, v, codebook, gate, key_valid;
  std::shared_ptr<const Mask> mask = {};  ///< [T, T] of all heads, in the place of the causal one
};

/// Between two sets of weights: the mean over the queries that see a key; 0 if none does.
struct TotalVariation {
  double mean = 0;
  std::vector<double> by_head = {};
};

/// How far VQ attention is from exact attention.
struct AttentionDifference {
  double largest = 0;  ///< |difference| of two numbers of the output, and where it is
  Index head = 0;
  Index token = 0;
  double output_error = 0;  ///< |o - o_exact| / |o_exact| over all heads; 0 if both are 0
  std::vector<double> output_error_by_head = {};
  std::optional<TotalVariation> total_variation = {};  ///< only of softmax
};

/// Sums of squares of an output and of its difference from the exact one.
struct SquaredDistance {
  double errors = 0, sizes = 0;

  void add(float number, double exact) {
    const double apart = static_cast<double>(number) - exact;
    errors += apart * apart;
    sizes += exact * exact;
  }
  void add(const SquaredDistance& other) {
    errors += other.errors;
    sizes += other.sizes;
  }
  double relative() const;  ///< 0 if both are 0
};

/// Attention over the user's tensors in steps that can be timed separately: make, learn, attend,
/// compare.
class VqAttentionRun {
 public:
  /// Checks tensors and values against each other, normalises q and k according to `normalize`, and
  /// rotates them by the RoPE of `rope_type`.
  /// If `head` is given, only that head is kept. `memory_limit` is in bytes, for the tensors and
  /// everything after, 0: no limit; `most_seconds` limits the estimated time.
  static Result<VqAttentionRun> make(VqAttentionTensors tensors, const ParameterValues& values, double memory_limit = 0,
                                     const Work& work = {});

  /// Whether learn() must be called before attend().
  bool needs_codebook() const;
  /// Learns a codebook for each head of k from its keys.
  Result<void> learn(const Work& work = {});

  Result<AttentionOutput> attend(const Work& work = {}) const;
  /// Whether the comparison with exact attention is requested, or fits into most_seconds.
  bool compares() const;
  /// The exact form on the same tensors.
  Result<AttentionOutput> exact(const Work& work = {}) const;
  /// Difference of an output from that of exact(); if it has no codes, not that of the weights.
  Result<AttentionDifference> compare(const AttentionOutput& output, const AttentionOutput& exact,
                                      const Work& work = {}) const;
  /// The same over some queries of each head at equal distances, from exact attention of these alone;
  /// only of softmax. `queries` is at most sampled_queries().
  Result<AttentionDifference> compare_sample(const AttentionOutput& output, Index queries, const Work& work = {}) const;
  /// How many queries of each head compare_sample() can take within most_seconds.
  Index sampled_queries() const;
  /// How many codewords an output error of 10 % needs, where an output has `error`. Sizes are
  /// measured as long as most_seconds allows, by an estimate.
  Result<NeededCodes> needed_codes(double error, const AttentionOutput& exact, const Work& work = {}) const;

  /// [heads, T, d_v], or [T, d_v] if q has no heads or one is chosen.
  std::vector<Index> output_shape() const;
  /// One for each head of k; empty for the exact form.
  std::vector<CodeUse> code_use(const AttentionOutput& output) const;
  /// For each head of k, the mean of |k - k̂|² over its valid keys; empty for the exact form.
  std::vector<double> commit_losses(const AttentionOutput& output) const;
  const Tensor& codebook() const { return m_tensors.codebook; }
  Index heads() const { return m_tensors.q.shape.size() == 3 ? m_tensors.q.shape[0] : 1; }
  /// Of a head.
  Index keys() const;
  bool is_softmax() const { return m_options.weights == WeightFunction::softmax; }
  int threads() const { return m_options.threads; }
  /// Whether B is constant beyond the window; empty without a bias and a mask, or without the
  /// causal mask.
  std::optional<WindowCheck> hypothesis() const {
    return m_bias && m_options.causal ? std::optional(m_bias->hypothesis()) : std::nullopt;
  }

 private:
  explicit VqAttentionRun(const ParameterValues& values);

  AttentionInput input(AttentionForm form) const;
  Result<void> take_key_valid();
  Result<Tensor> learnt_codebook(Index n_code, const Work& work) const;
  Result<double> output_error_of(Index n_code, const AttentionOutput& exact, const Work& work) const;
  Result<void> take_bias(const Work& work);
  Result<void> check(const Work& work);
  Result<void> check_codebook() const;
  Result<void> check_memory() const;
  /// Bytes; `learnt`: size of a codebook that is learnt, 0: it is given.
  double memory_of(Index learnt) const;
  Result<void> check_time() const;
  Result<void> take_heads();
  CodebookOptions codebook_options() const;
  /// Of a codebook of that size, and of attention with it.
  double seconds_of_codes(Index n_code) const;
  double seconds_of_work() const;
  double seconds_of_comparison() const;
  void normalise();
  Result<AttentionOutput> attend_over(AttentionInput input, const Work& work) const;

  VqAttentionTensors m_tensors;
  ParameterValues m_values;
  AttentionOptions m_options;
  double m_memory_limit = 0;  ///< in bytes, 0: no limit
  std::vector<std::uint8_t> m_key_valid;
  Index m_first_head = 0;                    ///< the head of q that is kept; 0: all
  std::shared_ptr<const ChosenBias> m_bias;  ///< null: neither bias nor mask
  LocalBias m_linear_bias;                   ///< for the linear form
  RunRotation m_rotation;
};

/// form, n_code, block_len, reduction, head_type, causal, agg_cache, weights, normalize, gamma,
/// iterations, seed, num_heads, num_key_value_heads, head, tensor_layout, compare, most_seconds,
/// most_memory, threads, rotation_order, and those of the rotation and the bias.
std::vector<ParameterSpec> vq_attention_parameters();

/// From the ids of `weights`, `reduction` and `head_type`.
WeightFunction weight_function_of(std::string_view id);
CacheReduction reduction_of(std::string_view id);
HeadType head_type_of(std::string_view id);

AttentionOptions vq_attention_options(const ParameterValues& values);

/// The total variation between the weights of VQ attention and of exact attention: half the sum
/// over keys of |weight with codewords - weight|. `input` has the bias and the mask of the exact form, `quantised` [kv
/// heads, T, d_k] the codewords of its keys. With options.agg_cache = false the VQ forms see near blocks only.
Result<TotalVariation> mean_total_variation(const AttentionInput& input, const TensorView& quantised,
                                            const AttentionOptions& options, const Work& work = {});

/// As compare_sample(): weights of both forms of `queries` queries a head, and the exact output from
/// them, against `output` [heads, T, d_v].
Result<AttentionDifference> sampled_difference(const AttentionInput& input, const TensorView& quantised,
                                               const AttentionOptions& options, std::span<const float> output,
                                               Index queries, const Work& work = {});

}  // namespace vqscope
