// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

/// The layers of a model by kind, in the order of first appearance; nothing if the number of layers
/// or their kinds are unknown. `rope`: whether attention layers have RoPE unless something says
/// otherwise.
std::vector<LayerKind> read_layer_kinds(const ConfigObject& config, const ModelFamily& family, bool rope);

/// Whether layers of this name attend; others carry a state.
bool attends(std::string_view name);

}  // namespace vqscope
