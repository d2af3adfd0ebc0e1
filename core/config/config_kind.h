// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

#include <span>

namespace vqscope {

/// Keys of a config that indicate RoPE.
std::span<const std::string> rope_config_keys();

/// Whether an object has any key of a text model's config.
bool describes_model(const ConfigValue& object);

/// Whether a whole file is a model's config, even of a model without any of these keys.
bool is_model_config(const ConfigValue& root);

/// The encoding according to family and keys: size or switches may change the encoding of a family.
PositionScheme read_position_kind(const ConfigObject& config, const ModelFamily& family);

}  // namespace vqscope
