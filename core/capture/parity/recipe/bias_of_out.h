// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/layer_sample.h"

#include <optional>

namespace vqscope {

/// A bias of distances, 0 at the own token, with which `scores` (hidden keys -infinity) and A's v make A's out; NaN
/// at distances that no query sees. Nothing: v or out is missing, or the layer is large.
std::optional<TensorBlock> bias_of_out(const LayerSample& sample, const TensorBlock& scores);

}  // namespace vqscope
