// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <span>
#include <vector>

namespace vqscope {

/// Softmax over the keys of one query and a sink, a learned logit that has a weight and no value.
struct SinkWeights {
  std::vector<double> keys;  ///< 0 where the key is not visible
  double sink = 0;           ///< with the keys' weights 1 in sum
};

/// e^(s_j) / (e^sink + Σ e^s) for each visible key, e^sink / (e^sink + Σ e^s) for the sink. The
/// maximum that is subtracted is that of the visible scores and the sink. `visible` empty: every
/// key.
SinkWeights sink_weights(std::span<const double> scores, std::span<const Index> visible, double sink);

}  // namespace vqscope
