// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/config_keys.h"
#include "core/config/family/model_family.h"

namespace vqscope {

/// The type named by rope_type, or by type in older files, also under other names in use: su is
/// longrope. Null and an error if the type is unknown.
const RopeTypeKeys* read_rope_type(const ConfigObject& rope, const ModelFamily& family);

}  // namespace vqscope
