// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/file/earlier_session.h"

#include "core/catalogue/registry.h"
#include "core/method/shared/earlier_values.h"
#include "core/session/session.h"

#include <algorithm>

namespace vqscope {
namespace {

ConfigValue* member_of(ConfigValue& json, std::string_view key) {
  auto* object = std::get_if<ConfigValue::Object>(&json.data);
  if (!object) return nullptr;
  const auto found = std::ranges::find(object->members, key, &ConfigValue::key);
  return found == object->members.end() ? nullptr : &*found;
}

bool normalises_as_the_paper(const std::string& method) {
  const Method* known = find_method(method);
  const ParameterSpec* norm = known ? find_spec(known->parameters, "normalize") : nullptr;
  return norm && norm->default_value == ParameterValue(std::string("paper"));
}

/// Sets the earlier default where none is set. Tensors and models bring their own.
void keep_layer_norm(ConfigValue& values, bool tensors) {
  auto* object = std::get_if<ConfigValue::Object>(&values.data);
  if (!object || member_of(values, "normalize")) return;
  const ConfigValue* data = member_of(values, "data");
  const std::string chosen = data && data->text() ? *data->text() : tensors ? "tensors" : "";
  if (chosen != "tensors" && chosen != "model")
    object->members.push_back({.data = std::string("layer_norm"), .place = {}, .key = "normalize", .key_place = {}});
}

std::string text_of_member(ConfigValue& json, std::string_view key) {
  const ConfigValue* member = member_of(json, key);
  return member && member->text() ? *member->text() : std::string();
}

void update_pages(ConfigValue& root) {
  ConfigValue* pages = member_of(root, "workspaces");
  auto* list = pages ? std::get_if<ConfigValue::List>(&pages->data) : nullptr;
  if (!list) return;
  ConfigValue* subject = member_of(root, "subject");
  ConfigValue* shared = subject ? member_of(*subject, "values") : nullptr;
  const bool tensors = shared && !text_of_member(*shared, "k_tensor").empty();
  for (ConfigValue& page : *list) {
    const PageInfo* info = find_page_info(text_of_member(page, "id"));
    ConfigValue* values = member_of(page, "values");
    if (info && values && std::ranges::any_of(info->choices(), normalises_as_the_paper))
      keep_layer_norm(*values, tensors);
  }
}

void update_pins(ConfigValue& root) {
  ConfigValue* pins = member_of(root, "pins");
  auto* list = pins ? std::get_if<ConfigValue::List>(&pins->data) : nullptr;
  if (!list) return;
  for (ConfigValue& pin : *list)
    if (ConfigValue* values = member_of(pin, "values");
        values && normalises_as_the_paper(text_of_member(pin, "method")))
      keep_layer_norm(*values, false);
}

}  // namespace

void update_session(ConfigValue& root) {
  rename_norms(root);
  update_pages(root);
  update_pins(root);
}

}  // namespace vqscope
