// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/nearest_value.h"

#include <algorithm>

namespace vqscope {
namespace {

template <class T>
ParameterValue nearest_items(const ParameterSpec& spec, std::vector<T> items) {
  if (static_cast<Index>(items.size()) > spec.most_items) return spec.default_value;
  for (T& item : items) item = std::clamp(item, static_cast<T>(spec.minimum), static_cast<T>(spec.maximum));
  return items;
}

}  // namespace

ParameterValue nearest_value(const ParameterSpec& spec, const ParameterValue& value) {
  if (value.index() != spec.default_value.index()) return spec.default_value;
  switch (spec.kind) {
    case ParameterKind::integer:
      return std::clamp(std::get<Index>(value), static_cast<Index>(spec.minimum), static_cast<Index>(spec.maximum));
    case ParameterKind::real: return std::clamp(std::get<double>(value), spec.minimum, spec.maximum);
    case ParameterKind::integer_list: return nearest_items(spec, std::get<std::vector<Index>>(value));
    case ParameterKind::real_list: return nearest_items(spec, std::get<std::vector<double>>(value));
    case ParameterKind::choice_set: {
      auto ids = std::get<std::vector<std::string>>(value);
      std::erase_if(ids, [&](const std::string& id) { return std::ranges::count(spec.choices, id, &Choice::id) == 0; });
      return ids;
    }
    case ParameterKind::boolean:
    case ParameterKind::choice:
    case ParameterKind::text:
    case ParameterKind::tensor: break;
  }
  return spec.default_value;
}

}  // namespace vqscope
