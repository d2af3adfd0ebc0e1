// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/method_list.h"

#include <algorithm>

namespace vqscope {

std::vector<Method> make_methods(std::span<const MethodMaker> makers, std::string_view category) {
  std::vector<Method> made;
  made.reserve(makers.size());
  for (const auto make : makers) made.push_back(make());
  for (Method& method : made)
    if (method.category.empty()) method.category = category;
  return made;
}

const Method* find_method(std::span<const Method> list, std::string_view id) {
  const auto it = std::ranges::find(list, id, &Method::id);
  return it == list.end() ? nullptr : &*it;
}

}  // namespace vqscope
