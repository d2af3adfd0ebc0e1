// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/field_mask.h"

namespace vqscope {

std::shared_ptr<const Mask> mask_of(const std::shared_ptr<const Field>& field) {
  const Mask* mask = field ? field->mask() : nullptr;
  return mask ? std::shared_ptr<const Mask>(field, mask) : nullptr;
}

}  // namespace vqscope
