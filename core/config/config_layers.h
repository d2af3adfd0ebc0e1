// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

constexpr std::string_view full_layers = "full_attention";
constexpr std::string_view sliding_layers = "sliding_attention";
constexpr std::string_view chunked_layers = "chunked_attention";

/// The layers of a model by kind, in the order in which the kinds come first; nothing where the number of layers, or
/// which layer is of which kind, is not known. `rope`: whether attention layers have RoPE unless something says no.
std::vector<LayerKind> read_layer_kinds(const ConfigObject& config, const ModelFamily& family, bool rope);

/// Whether layers of this name attend, rather than carry a state.
bool attends(std::string_view name);

}  // namespace vqscope
