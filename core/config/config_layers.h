// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

/// The layers of a model by kind, in the order in which the kinds come first; nothing where the number of layers, or
/// which layer is of which kind, is not known. `rope`: whether attention layers have RoPE unless something says no.
std::vector<LayerKind> read_layer_kinds(const ConfigObject& config, const ModelFamily& family, bool rope);

/// Whether layers of this name attend, rather than carry a state.
bool attends(std::string_view name);

}  // namespace vqscope
