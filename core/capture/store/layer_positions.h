// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/capture.h"

namespace vqscope {

/// The position_ids of a layer: [axis][entry][token]; one axis, or three under M-RoPE.
using LayerPositions = std::vector<std::vector<std::vector<double>>>;

/// Of shape [T], [B, T] or [3, B, T]. Empty: the layer has none.
Result<LayerPositions> layer_positions(const Capture& capture, Index layer);

}  // namespace vqscope
