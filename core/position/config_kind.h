// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/position/config_ledger.h"

#include <span>

namespace vqscope {

/// Keys of a config that say that the model has RoPE.
std::span<const std::string> rope_config_keys();

/// Whether an object has anything of a text model's config.
bool describes_model(const ConfigValue& object);

PositionKind read_position_kind(const ConfigObject& config, const std::string& model_type);

}  // namespace vqscope
