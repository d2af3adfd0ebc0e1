// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/field_mask.h"

#include "core/mask/map/block_field.h"
#include "core/mask/map/visibility_field.h"

namespace vqscope {

std::shared_ptr<const Mask> mask_of(const std::shared_ptr<const Field>& field) {
  if (const auto* blocks = dynamic_cast<const BlockField*>(field.get())) return {field, &blocks->view().mask()};
  const auto* visibility = dynamic_cast<const VisibilityField*>(field.get());
  return visibility ? std::shared_ptr<const Mask>(field, &visibility->mask()) : nullptr;
}

}  // namespace vqscope
