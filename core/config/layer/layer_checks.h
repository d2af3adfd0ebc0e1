// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/layer/layer_heads.h"

namespace vqscope {

/// Findings about lists of layers that readers refuse or that are not read here: another length than the number of
/// layers, names that are no type of layer, windows without a size. `count`: the number of layers; 0: not known.
void check_layer_lists(const ConfigObject& config, const ModelFamily& family, Index count,
                       const std::vector<ModelLayer>& layers);

/// A finding where query heads cannot be shared out among the key-value heads that the config gives.
void check_head_groups(const ConfigObject& config, const LayerHeads& heads);

/// A finding where a window is switched off by a key that the class does not read.
void check_window_switch(const ConfigObject& config, const ModelFamily& family);

}  // namespace vqscope
