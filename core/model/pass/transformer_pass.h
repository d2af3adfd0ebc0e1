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
  std::vector<double> commit_layers = {};  ///< vq: its terms
  Index counted = 0;                       ///< labels
};

/// A batch's way through a decoder-only transformer and back, for batches of one size. Its memory is taken once. Rows
/// are shared out in a fixed way, and what they give is summed in their order: the numbers do not depend on how many
/// threads there are.
template <class Real>
class TransformerPass {
 public:
  /// `config` must outlive this and have passed its check. Errc::too_large where there is not enough memory. Refuses a
  /// mask that says nothing of so many tokens.
  static Result<std::unique_ptr<TransformerPass>> create(const TransformerConfig& config,
                                                         std::shared_ptr<const ParameterLayout> layout, Index rows,
                                                         Index length, Keep keep);

  /// Bytes that create() and the tables of the first run() take; the largest number there is when 64 bits do not hold
  /// them.
  static std::uint64_t bytes(const TransformerConfig& config, const ParameterLayout& layout, Index rows, Index length,
                             Keep keep);

  /// Logits and losses; with `gradient`, what every parameter's is, which replaces what is there. Refuses what
  /// check_batch refuses, another size, documents and padding where keys are taken by their codes, and gradients where
  /// there are none: ReRoPE is for evaluation, and with Keep::logits nothing is kept for them. Stopped, it is
  /// cancelled(). `noise`: what a training step leaves out, with gradients alone; null: nothing.
  Result<Losses> run(const Parameters<Real>& parameters, const Batch& batch, Parameters<Real>* gradient, int threads,
                     const std::stop_token& stop = {}, const TrainingNoise* noise = nullptr);

  /// The codebooks' moving averages after the last run, with its keys and codes.
  void update_codebooks(Parameters<Real>& parameters) const;

  /// Of the last run, by layer: the share of the codewords of a head that stand for a key, the mean over the heads. NaN
  /// for a layer that was left out.
  std::vector<double> used_codes() const;

  /// Of the last run: [length, vocab].
  std::span<const Real> logits(Index row) const;
  /// Of the last run, with Keep::everything: p of one query, [length].
  std::vector<Real> weights(Index layer, Index row, Index head, Index query) const;
  /// Of the last run, without Keep::logits: what the scores take, [length, heads · head_dim].
  std::span<const Real> queries(Index layer, Index row) const;
  std::span<const Real> keys(Index layer, Index row) const;
  std::span<const Real> values(Index layer, Index row) const;
  /// [heads, n_code, head_dim]; nothing where the config does not quantise.
  std::span<const Real> codebook(Index layer) const;
  /// [heads, length]; nothing where the config does not quantise.
  std::span<const std::int32_t> codes(Index layer, Index row) const;
  /// Of the last run, without Keep::logits, [heads, length, top_k]: keys that the layer retrieved and their weights, as
  /// Retrieved says; nothing where it retrieves none.
  std::span<const std::int32_t> retrieved(Index layer, Index row) const;
  std::span<const Real> retrieved_weights(Index layer, Index row) const;
  /// Of the last run, without Keep::logits: the state of the layer's compressive memory before a segment, or after the
  /// last one, as CompressiveShape says; nothing where there is none.
  std::span<const Real> memory_state(Index layer, Index row, Index kv_head, Index segment) const;

 private:
  /// Rows that go through together.
  struct Part {
    Range rows;
    Arena arena;
    Activations<Real> a;
    double ce = 0;
    std::vector<double> commit;  ///< by layer
  };
  struct Scales {
    Real ce = 0;      ///< 1 / counted labels
    Real commit = 0;  ///< commit_beta / tokens
  };

  TransformerPass(const TransformerConfig& config, std::shared_ptr<const ParameterLayout> layout, Index rows,
                  Index length, Keep keep)
      : m_config(config), m_layout(std::move(layout)), m_rows(rows), m_length(length), m_keep(keep) {}

  Result<void> reserve();
  Result<void> check(const Batch& batch, bool gradient) const;
  void look_up(const Parameters<Real>& parameters, const Batch& batch, int threads);
  LayerPass<Real> layers_of(const Parameters<Real>& parameters, Part& part) const;
  void forward(const Parameters<Real>& parameters, const Batch& batch, Part& part) const;
  void backward(const Parameters<Real>& parameters, const Batch& batch, const Scales& scales, Part& part) const;
  void sum_gradients(Parameters<Real>& gradient) const;
  const Part& part_of(Index row) const;
  std::span<const Real> tokens_of(Real* LayerActivations<Real>::*array, Index layer, Index row, Index width) const;

  const TransformerConfig& m_config;
  std::shared_ptr<const ParameterLayout> m_layout;
  Index m_rows;
  Index m_length;
  Keep m_keep;
  std::vector<Part> m_parts;
  std::shared_ptr<const Mask> m_mask;  ///< null: none
  std::unique_ptr<PassTables<Real>> m_tables;
  std::stop_token m_stop;                  ///< of this run
  const TrainingNoise* m_noise = nullptr;  ///< of this run
  std::vector<bool> m_left_out;            ///< layers of the last run
  bool m_plain_tables = false;  ///< they serve every batch of this size without positions, documents and padding
};

}  // namespace vqscope
