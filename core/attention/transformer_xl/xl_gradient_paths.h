// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/transformer_xl/xl_segments.h"
#include "core/method/method.h"

namespace vqscope {

/// Which hidden states the loss of a segment sends gradient to, counted as pairs of a layer (0: the input) and a
/// segment. Layer l of a segment is made of layer l - 1 of the same segment and of those that its memory holds tokens
/// of; stop-gradient cuts the way to these.
struct XlGradient {
  Index layers = 1;
  Index memory_segments = 1;  ///< segments that a memory holds tokens of

  /// Pairs that the loss of the segment number `segment`, from 0, reaches; with stop-gradient layers + 1.
  double pairs(Index segment, bool stop_gradient) const;
  /// Of the losses of the first `count` segments together.
  double all_pairs(Index count, bool stop_gradient) const;
  /// (k + 1)², k the layers or the earlier segments, whichever are fewer: every pair of the last k + 1 layers and
  /// segments.
  double square(Index segment) const;
};

XlGradient xl_gradient(const XlSegments& segments);

/// `xl_gradient_paths`: those counts by the number of tokens.
Method xl_gradient_paths_method();

}  // namespace vqscope
