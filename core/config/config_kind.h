// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

#include <span>

namespace vqscope {

/// Keys of a config that say that the model has RoPE.
std::span<const std::string> rope_config_keys();

/// Whether an object has anything of a text model's config.
bool describes_model(const ConfigValue& object);

/// Whether a whole file is a model's config, be it of a model without any of these.
bool is_model_config(const ConfigValue& root);

/// What the family and the keys say together: a family of its own code may have another encoding by size or switch.
PositionScheme read_position_kind(const ConfigObject& config, const ModelFamily& family);

}  // namespace vqscope
