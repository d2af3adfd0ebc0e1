// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/mask/mask.h"

#include <memory>

namespace vqscope {

/// The mask that a field shows, which keeps the field alive; null where the field shows none, and of no field.
std::shared_ptr<const Mask> mask_of(const std::shared_ptr<const Field>& field);

}  // namespace vqscope
