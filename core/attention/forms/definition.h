// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/forms/attention_input.h"

namespace vqscope {

/// Attention cell by cell in double: what every fast path is tested against. Input and options must fit together.
class AttentionDefinition {
 public:
  /// `input` must outlive this.
  AttentionDefinition(const AttentionInput& input, const AttentionOptions& options);

  /// The nearest codeword, the lowest of equally near ones; -1: the key is not valid.
  Index shortcode(Index kv_head, Index key) const;

  bool visible(Index query, Index key) const;
  /// q·k + B, or q·k̂ + B in the VQ forms.
  double score(Index head, Index query, Index key) const;
  /// Of each key; all 0 where nothing is visible.
  std::vector<double> weights(Index head, Index query) const;
  /// [d_v], the gate included.
  std::vector<double> output(Index head, Index query) const;
  /// [heads, T, d_v].
  std::vector<double> output() const;

 private:
  Index kv_head(Index head) const { return head / (m_input.q.heads / m_input.k.heads); }
  const float* key(Index head, Index j) const;
  double bias(Index head, Index query, Index distance) const;

  const AttentionInput& m_input;
  AttentionOptions m_options;
  std::vector<Index> m_shortcodes;  ///< [kv heads, T] of the VQ forms
};

/// Index of the codeword nearest to a key in double; ties to the lowest.
Index nearest_codeword(const float* key, const TensorView& codebook, Index head);

}  // namespace vqscope
