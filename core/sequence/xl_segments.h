// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <vector>

namespace vqscope {

/// A hidden state that information passes through: the output of layer `layer` at `position`; layer
/// 0 is the input.
struct XlHop {
  Index layer = 0;
  Index position = 0;
  friend bool operator==(const XlHop&, const XlHop&) = default;
};

/// Visibility in Transformer-XL (Dai et al. 2019, section 3.2; pytorch/mem_transformer.py). Tokens
/// are processed in segments of `segment_len`. A query attends to the tokens of its own segment up
/// to itself, and to the memory: the newest `memory_len` hidden states of earlier segments from the
/// layer below, without gradient.
struct XlSegments {
  Index length = 0;  ///< tokens of the sequence
  Index segment_len = 1;
  Index memory_len = 0;      ///< tokens
  Index layers = 1;          ///< layers of the whole model
  bool same_length = false;  ///< every query sees the memory_len newest tokens, itself included
  Index clamp_len = 0;       ///< largest distance that the position encoding distinguishes; 0: every distance

  /// Refuses sizes that the mechanism does not allow.
  Result<void> check() const;

  /// First position of the segment of q.
  Index segment_begin(Index q) const { return q / segment_len * segment_len; }

  /// The definition: whether one layer lets q attend to k.
  bool sees(Index q, Index k) const;
  /// All positions that one layer lets q attend to.
  Range visible(Index q) const;

  /// Input positions that can influence the output of layer `depth` at q: visible() applied `depth`
  /// times, in O(1).
  Range reach(Index q, Index depth) const;
  /// Least number of layers after which k influences q, ignoring `layers`; 0: k never does.
  Index first_layer(Index q, Index k) const;

  /// Input positions that receive gradient from the loss at q: the part of reach() whose hops stay
  /// in the segment of q.
  Range learnt(Index q) const;

  /// Maximum number of tokens that can influence one token through all layers: that of the last
  /// token of a segment in a long enough sequence.
  Index dependency_length() const;

  /// The hidden states from q down to the input k, through first_layer() layers; each hop goes back
  /// as far as it can. Empty if k never influences q. The path can be long: check first_layer()
  /// first.
  std::vector<XlHop> path(Index q, Index k) const;

  /// Tokens from one segment to the earliest one that holds a token of its memory.
  Index memory_stride() const { return (memory_len + segment_len - 1) / segment_len * segment_len; }
};

}  // namespace vqscope
