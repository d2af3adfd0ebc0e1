// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/cause_search.h"

namespace vqscope {

/// What changes of the way of one side explain of the other at a layer.
struct CauseTrial {
  LayerSample sample;
  std::vector<TriedCause> tried;  ///< all of them
  std::optional<TriedCause> cause;
  std::vector<TriedCause> alternatives;  ///< beside it; the best first
  std::optional<Index> pair;             ///< of a rotated vector that differs first
  bool way_known = true;                 ///< how `a` computes is told by its tensors or config
};

/// Least share of the difference that a cause explains.
inline constexpr double least_explained = 0.9;

/// Changes of A's way that may make B, at the first difference of `comparison`.
Result<CauseTrial> cause_trial(const Capture& a, const Capture& b, const CaptureComparison& comparison);

}  // namespace vqscope
