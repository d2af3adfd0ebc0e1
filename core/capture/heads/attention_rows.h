// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/capture/store/layer_tensor.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// Rows of attention weights of a layer: as they were stored; else by softmax of the scores; else from
/// q_rot · k_rot / √d with mask and bias, causal where no mask was kept.
class AttentionRows {
 public:
  static Result<AttentionRows> open(const Capture& capture, Index layer);

  Index batch() const { return m_batch; }
  Index heads() const { return m_heads; }
  Index queries() const { return m_queries; }
  Index keys() const { return m_keys; }  ///< tokens: a sink's column is none of them
  /// "weights", "softmax of scores", "softmax of q_rot · k_rot": what they were taken from.
  const std::string& source() const { return m_source; }

  /// Chooses the sample and head of the rows that follow.
  Result<void> choose(Index batch, Index head);
  /// One weight a key. `beside`: what a sink's column has.
  Result<void> read(Index query, std::span<float> weights, double& beside);

 private:
  Result<void> read_products(Index query, std::span<float> scores);
  Result<void> add_cells(const LayerTensor& cells, Index query, std::span<float> scores) const;
  void softmax(std::span<float> scores) const;

  Index m_batch = 0, m_heads = 0, m_queries = 0, m_keys = 0;
  std::string m_source;
  std::optional<LayerTensor> m_cells;  ///< weights or scores
  bool m_are_weights = false;
  std::optional<Index> m_sink_column;
  std::optional<LayerTensor> m_q, m_k, m_mask, m_bias;
  Index m_sample = 0, m_head = 0;
  std::vector<float> m_key_rows;  ///< of the chosen head, [keys, d]
};

}  // namespace vqscope
