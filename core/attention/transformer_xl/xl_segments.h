// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <vector>

namespace vqscope {

/// A hidden state that information passes through: the output of layer `layer` at `position`; layer 0 is the input.
struct XlHop {
  Index layer = 0;
  Index position = 0;
  friend bool operator==(const XlHop&, const XlHop&) = default;
};

/// Who sees whom in Transformer-XL (Dai et al. 2019, section 3.2; pytorch/mem_transformer.py). Tokens are processed in
/// segments of `segment_len`. A layer attends to the tokens of its own segment up to the query, and to the memory: the
/// newest `memory_len` hidden states of earlier segments, as the layer below left them, without gradient.
struct XlSegments {
  Index length = 0;  ///< tokens of the sequence
  Index segment_len = 1;
  Index memory_len = 0;      ///< tokens
  Index layers = 1;          ///< of the whole model
  bool same_length = false;  ///< every query sees the memory_len newest tokens, itself included
  Index clamp_len = 0;       ///< largest distance that the position encoding tells apart; 0: every distance

  /// Sizes as the mechanism needs them, or one sentence that says which is not.
  Result<void> check() const;

  /// First position of the segment of q.
  Index segment_begin(Index q) const { return q / segment_len * segment_len; }

  /// The definition: whether one layer lets q attend to k.
  bool sees(Index q, Index k) const;
  /// All positions that one layer lets q attend to.
  Range visible(Index q) const;

  /// Input positions that can influence the output of layer `depth` at q: visible() applied `depth` times, in O(1).
  Range reach(Index q, Index depth) const;
  /// Least number of layers after which k influences q, however many layers there are; 0: it never does.
  Index first_layer(Index q, Index k) const;

  /// Input positions that the loss at q sends gradient to: the part of reach() whose hops stay in the segment of q.
  Range learnt(Index q) const;

  /// Most tokens that can influence one token through all layers: of the last token of a segment, in a sequence that is
  /// long enough.
  Index dependency_length() const;

  /// The hidden states from q down to the input k, through first_layer() layers; each hop goes back as far as it can.
  /// Empty where k never influences q. As long as there are layers in between: ask first_layer() first.
  std::vector<XlHop> path(Index q, Index k) const;

  /// Tokens from one segment to the earliest one that holds a token of its memory.
  Index memory_stride() const { return (memory_len + segment_len - 1) / segment_len * segment_len; }
};

}  // namespace vqscope
