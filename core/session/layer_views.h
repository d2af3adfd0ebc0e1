// SPDX-License-Identifier: GPL-3.0-or-later
// The views of one layer of a model: its mask, and how it knows positions.
#pragma once

#include "core/method/parameter.h"
#include "core/schedule/layer_schedule.h"

#include <string>

namespace vqscope {

/// Values of `visibility` that show what the layer attends to. An error for a layer without
/// attention.
Result<ParameterValues> mask_of_layer(const ModelLayer& layer);

struct LayerPositions {
  std::string method;
  ParameterValues values;
};

/// The phases of the layer's RoPE, or the bias or table of other schemes. An error for a layer
/// without positions.
Result<LayerPositions> positions_of_layer(const LayerSchedule& schedule, Index layer);

}  // namespace vqscope
