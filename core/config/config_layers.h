// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

namespace vqscope {

/// The layers of a model, from the first to the last: name, attention, window and encoding. Empty if their number or
/// kinds are unknown. `rope` is 0 for every layer that rotates, whichever of several RoPEs it has.
std::vector<ModelLayer> read_layers(const ConfigObject& config, const ModelFamily& family, PositionScheme kind);

/// The summary of a layer, without its name and its count.
LayerKind plain_kind(const ModelLayer& layer);

/// The layers by kind, in the order of first appearance.
std::vector<LayerKind> layer_kinds(std::span<const ModelLayer> layers);

}  // namespace vqscope
