// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/parts.h"

namespace vqscope {

std::string_view tensor_view() {
  for (const Part& part : added_parts())
    if (!part.tensor_view.empty()) return part.tensor_view;
  return {};
}

MaskTest mask_test() {
  for (const Part& part : added_parts())
    if (part.mask_test.values) return part.mask_test;
  return {};
}

}  // namespace vqscope
