// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/linear_vq_attention.h"
#include "core/model/config/transformer_config.h"

#include <array>

namespace vqscope {

/// What a layer keeps of one sequence from segment to segment.
template <class Real>
struct CarriedKeys {
  std::vector<Real> k = {};  ///< [kept, kv heads · head_dim]: as the scores take them; vq: codewords before rotation
  std::vector<Real> v = {};  ///< [kept, kv heads · value_dim]
  std::vector<std::int32_t> codes = {};  ///< vq: [kv heads, kept]
  std::vector<CodeTotals> totals = {};   ///< vq with a cache: of the keys before those that are kept
};

/// The latest tokens whose keys a later segment sees one by one; 0: attention of this kind has no state of bounded
/// size. VQ attention keeps a block, and for its cache sums by code; a window and Transformer-XL what they see.
Index carried_tokens(const TransformerConfig& config);
/// A segment has a multiple of so many tokens, except the last one.
Index segment_unit(const TransformerConfig& config);

/// The state of a model between the segments of sequences, so that its pass over a segment gives the numbers of a pass
/// over the whole sequences. Its size does not depend on their length.
template <class Real>
class CarriedState {
 public:
  /// Before the first token. Requires carried_tokens().
  CarriedState(const TransformerConfig& config, Index rows);

  Index rows() const { return m_rows; }
  /// Tokens of each sequence so far.
  Index tokens() const { return m_tokens; }
  /// The latest of them whose keys are kept.
  Index kept() const { return std::min(m_tokens, m_most); }

  const CarriedKeys<Real>& before(Index layer, Index row) const { return m_keys[m_now][place(layer, row)]; }
  /// What the pass writes, for after the segment.
  CarriedKeys<Real>& after(Index layer, Index row) { return m_keys[1 - m_now][place(layer, row)]; }
  /// Ends a segment: after() becomes before().
  void advance(Index tokens);

  /// Bytes that a state takes.
  static double bytes(const TransformerConfig& config, Index rows);

 private:
  std::size_t place(Index layer, Index row) const { return static_cast<std::size_t>(layer * m_rows + row); }

  Index m_rows;
  Index m_most;
  Index m_tokens = 0;
  std::size_t m_now = 0;
  std::array<std::vector<CarriedKeys<Real>>, 2> m_keys;
};

}  // namespace vqscope
