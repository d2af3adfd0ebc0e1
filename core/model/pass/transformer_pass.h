// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pass/recall_pass.h"

#include <stop_token>

namespace vqscope {

/// In nats. loss = ce_loss + commit_beta · commit_loss.
struct Losses {
  double loss = 0;
  double ce_loss = 0;      ///< mean over counted labels
  double commit_loss = 0;  ///< vq: Σ over layers of attention of the mean over tokens of Σ over heads |k - c|²
  std::vector<double> commit_layers = {};  ///< vq: the terms of commit_loss
  /// vq with a cache and labels, by layer: the weight that a query has on the keys of the cache, those of blocks before
  /// the previous one; the mean over heads and counted labels. NaN for a layer that was left out.
  std::vector<double> cache_shares = {};
  Index counted = 0;  ///< labels
};

/// The forward and backward pass of a decoder-only transformer, for batches of one size. Memory is
/// allocated once. Rows are divided in a fixed way and their results are summed in order, so that
/// the numbers do not depend on the number of threads.
template <class Real>
class TransformerPass {
 public:
  /// `config` must outlive this and have passed its check. Errc::too_large if there is not enough
  /// memory. Refuses a mask that is not defined for that many tokens. `carried`: carried_tokens(config) for batches
  /// that are segments of longer sequences, not with Keep::everything; 0: each batch has whole sequences.
  static Result<std::unique_ptr<TransformerPass>> create(const TransformerConfig& config,
                                                         std::shared_ptr<const ParameterLayout> layout, Index rows,
                                                         Index length, Keep keep, Index carried = 0);

  /// Bytes that create() and the tables of the first run() take; the largest 64-bit number if there
  /// are more.
  static std::uint64_t bytes(const TransformerConfig& config, const ParameterLayout& layout, Index rows, Index length,
                             Keep keep, Index carried = 0);

  /// Computes logits and losses and, with `gradient`, replaces it by the gradient of every
  /// parameter. Refuses what check_batch refuses, another size, documents and padding where keys
  /// are grouped by code, and gradients with ReRoPE or Keep::logits. Returns cancelled() after a
  /// stop. `noise` is what a training step drops, only with gradients; null: nothing.
  Result<Losses> run(const Parameters<Real>& parameters, const Batch& batch, Parameters<Real>* gradient, int threads,
                     const std::stop_token& stop = {}, const TrainingNoise* noise = nullptr);

  /// The same for a segment whose rows continue those of `state`, and takes the state to its end; after an error or a
  /// stop the state is undefined. The gradient, of VQ attention only, takes the state for a constant. Refuses
  /// documents, padding, masks and positions.
  Result<Losses> run_segment(const Parameters<Real>& parameters, Batch batch, CarriedState<Real>& state,
                             Parameters<Real>* gradient, int threads, const std::stop_token& stop = {},
                             const TrainingNoise* noise = nullptr);

  /// Updates the codebooks' moving averages with the keys and codes of the last run.
  void update_codebooks(Parameters<Real>& parameters) const;

  /// By layer, in the last run: the fraction of a head's codewords that are nearest to some key,
  /// averaged over the heads. NaN for a layer that was left out.
  std::vector<double> used_codes() const;

  /// Logits of the last run, [length, vocab].
  std::span<const Real> logits(Index row) const;
  /// Attention weights of one query in the last run, [length]. Requires Keep::everything.
  std::vector<Real> weights(Index layer, Index row, Index head, Index query) const;
  /// Queries as the scores took them in the last run, [length, heads · head_dim]. Not with
  /// Keep::logits.
  std::span<const Real> queries(Index layer, Index row) const;
  std::span<const Real> keys(Index layer, Index row) const;
  std::span<const Real> values(Index layer, Index row) const;
  /// [kv heads, n_code, head_dim]; empty if the config does not quantise.
  std::span<const Real> codebook(Index layer) const;
  /// [kv heads, length]; empty if the config does not quantise.
  std::span<const std::int32_t> codes(Index layer, Index row) const;
  /// Keys that the layer retrieved in the last run and their weights, [heads, length, top_k], as in
  /// Retrieved; empty if it retrieves none. Not with Keep::logits.
  std::span<const std::int32_t> retrieved(Index layer, Index row) const;
  std::span<const Real> retrieved_weights(Index layer, Index row) const;
  /// State of the layer's compressive memory in the last run before a segment, or after the last
  /// one, as in CompressiveShape; empty if there is none. Not with Keep::logits.
  std::span<const Real> memory_state(Index layer, Index row, Index kv_head, Index segment) const;

 private:
  /// Rows that are processed together.
  struct Part {
    Range rows;
    Arena arena;
    Activations<Real> a;
    double ce = 0;
    std::vector<LayerSums> sums;  ///< by layer
  };
  struct Scales {
    Real ce = 0;      ///< 1 / counted labels
    Real commit = 0;  ///< commit_beta / tokens
  };

  TransformerPass(const TransformerConfig& config, std::shared_ptr<const ParameterLayout> layout, Index rows,
                  Index length, Keep keep, Index carried)
      : m_config(config),
        m_layout(std::move(layout)),
        m_rows(rows),
        m_length(length),
        m_keep(keep),
        m_carried(carried) {}

  Result<void> reserve();
  Result<void> check(const Batch& batch, bool gradient) const;
  void look_up(const Parameters<Real>& parameters, const Batch& batch, int threads);
  LayerPass<Real> layers_of(const Parameters<Real>& parameters, const Batch& batch, Part& part) const;
  void forward(const Parameters<Real>& parameters, const Batch& batch, Part& part) const;
  void backward(const Parameters<Real>& parameters, const Batch& batch, const Scales& scales, Part& part) const;
  void sum_layers(double tokens, Losses& losses) const;
  void sum_gradients(Parameters<Real>& gradient) const;
  const Part& part_of(Index row) const;
  std::span<const Real> tokens_of(Real* LayerActivations<Real>::*array, Index layer, Index row, Index width) const;

  const TransformerConfig& m_config;
  std::shared_ptr<const ParameterLayout> m_layout;
  Index m_rows;
  Index m_length;
  Keep m_keep;
  Index m_carried;
  std::vector<Part> m_parts;
  std::shared_ptr<const Mask> m_mask;  ///< null: none
  std::unique_ptr<PassTables<Real>> m_tables;
  std::stop_token m_stop;                  ///< of this run
  const TrainingNoise* m_noise = nullptr;  ///< of this run
  CarriedState<Real>* m_state = nullptr;   ///< of this run
  std::vector<bool> m_left_out;            ///< layers of the last run
  bool m_plain_tables = false;             ///< the tables serve batches without positions, documents and padding
  Index m_tables_first = 0;                ///< and they begin after so many tokens
};

}  // namespace vqscope
