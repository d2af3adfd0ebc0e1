// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/values_json.h"

namespace vqscope {

JsonValue json_of(const ParameterValue& value) {
  return std::visit([](const auto& each) { return JsonValue(each); }, value);
}

JsonObject json_of(const ParameterValues& values) {
  JsonObject object;
  for (const auto& [name, value] : values.map()) object.emplace(name, json_of(value));
  return object;
}

}  // namespace vqscope
