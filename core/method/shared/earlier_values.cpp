// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shared/earlier_values.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::string_view norm_name = "normalize";

bool rename_norm(ConfigValue& value) {
  auto* text = std::get_if<std::string>(&value.data);
  if (!text || (*text != "paper" && *text != "paper_code")) return false;
  *text = *text == "paper" ? "layer_norm" : "paper";
  return true;
}

/// The values over which a sweep varies it: {"name": "normalize", "values": [...]}.
bool rename_varied(ConfigValue::Object& object) {
  const auto is_named = [](const ConfigValue& member) {
    return member.key == "name" && member.text() && *member.text() == norm_name;
  };
  if (std::ranges::none_of(object.members, is_named)) return false;
  bool renamed = false;
  for (ConfigValue& member : object.members)
    if (auto* values = member.key == "values" ? std::get_if<ConfigValue::List>(&member.data) : nullptr)
      for (ConfigValue& value : *values) renamed = rename_norm(value) || renamed;
  return renamed;
}

}  // namespace

bool rename_norms(ConfigValue& json) {
  bool renamed = json.key == norm_name && rename_norm(json);
  if (auto* list = std::get_if<ConfigValue::List>(&json.data))
    for (ConfigValue& item : *list) renamed = rename_norms(item) || renamed;
  if (auto* object = std::get_if<ConfigValue::Object>(&json.data)) {
    renamed = rename_varied(*object) || renamed;
    for (ConfigValue& member : object->members) renamed = rename_norms(member) || renamed;
  }
  return renamed;
}

}  // namespace vqscope
