// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/config_keys.h"
#include "core/config/family/model_family.h"

namespace vqscope {

/// What rope_type, or type in older files, says, under names that are in use: su is longrope. Null where no such type
/// is known, with an error.
const RopeTypeKeys* read_rope_type(const ConfigObject& rope, const ModelFamily& family);

}  // namespace vqscope
