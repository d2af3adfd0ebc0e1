// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"

#include "core/base/sentence.h"
#include "core/catalogue/parts.h"
#include "core/curve/methods.h"
#include "core/encoding/methods.h"
#include "core/mask/blocks/block_mask_method.h"
#include "core/mask/methods.h"
#include "core/method/method.h"
#include "core/schedule/methods.h"

namespace vqscope {

std::span<const Method> methods() {
  static const std::vector<Method> all = [] {
    std::vector<Method> joined;
    const auto add = [&](std::span<const Method> list) { joined.insert(joined.end(), list.begin(), list.end()); };
    for (const auto list : {encoding_methods(), mask_methods(), curve_methods(), schedule_methods()}) add(list);
    for (const Part& part : added_parts()) add(part.methods);
    return joined;
  }();
  return all;
}

std::span<const Method> file_methods() { return {&block_mask_method(), 1}; }

const Method* find_method(std::string_view id) {
  const Method* found = find_method(methods(), id);
  return found ? found : find_method(file_methods(), id);
}

Result<const Method*> require_method(std::string_view id) {
  if (const Method* found = find_method(file_methods(), id)) return found;
  return require_entry(methods(), id, "method", fmt::format(" (vqscope list shows all{})", left_out_remark()));
}

}  // namespace vqscope
