// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/value_json.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <optional>

namespace vqscope {
namespace {

/// Each item of a list as `read` makes it, or nothing where one is of another type.
template <class T, class Items, class Read>
std::optional<ParameterValue> list_of(const Items& items, const Read& read) {
  std::vector<T> values;
  values.reserve(items.size());
  for (const auto& item : items) {
    const std::optional<T> value = read(item);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

template <class T>
std::optional<ParameterValue> one_of(const std::optional<T>& value) {
  return value ? std::optional<ParameterValue>(*value) : std::nullopt;
}

std::optional<std::string> text_in(const ConfigValue& json) {
  return json.text() ? std::optional(*json.text()) : std::nullopt;
}

std::optional<bool> truth_in(const ConfigValue& json) {
  return json.boolean() ? std::optional(*json.boolean()) : std::nullopt;
}

std::optional<ParameterValue> integers_in(const ConfigValue& json) {
  if (const auto* packed = json.integers()) return *packed;
  if (const auto* packed = json.reals())
    return list_of<Index>(*packed, [](double item) { return ConfigValue{.data = item}.integer(); });
  if (json.list()) return list_of<Index>(*json.list(), [](const ConfigValue& item) { return item.integer(); });
  return std::nullopt;
}

std::optional<ParameterValue> reals_in(const ConfigValue& json) {
  if (const auto* packed = json.reals()) return *packed;
  if (const auto* packed = json.integers()) return ParameterValue(std::vector<double>(packed->begin(), packed->end()));
  if (json.list()) return list_of<double>(*json.list(), [](const ConfigValue& item) { return item.number(); });
  return std::nullopt;
}

std::optional<ParameterValue> texts_in(const ConfigValue& json) {
  return json.list() ? list_of<std::string>(*json.list(), text_in) : std::nullopt;
}

/// The JSON value as the parameter's type, or nothing where it is of another.
std::optional<ParameterValue> value_in(const ParameterSpec& spec, const ConfigValue& json) {
  switch (spec.kind) {
    case ParameterKind::integer: return one_of(json.integer());
    case ParameterKind::real: return one_of(json.number());
    case ParameterKind::boolean: return one_of(truth_in(json));
    case ParameterKind::choice:
    case ParameterKind::text:
    case ParameterKind::tensor: return one_of(text_in(json));
    case ParameterKind::choice_set: return texts_in(json);
    case ParameterKind::integer_list: return integers_in(json);
    case ParameterKind::real_list: return reals_in(json);
  }
  return std::nullopt;
}

}  // namespace

JsonValue json_of(const ParameterValue& value) {
  return std::visit([](const auto& each) { return JsonValue(each); }, value);
}

JsonObject json_of(const ParameterValues& values) {
  JsonObject object;
  for (const auto& [name, value] : values.map()) object.emplace(name, json_of(value));
  return object;
}

Result<ParameterValue> read_value(const ParameterSpec& spec, const ConfigValue& json) {
  auto value = value_in(spec, json);
  if (!value) return wrong_json(spec.name, json, allowed(spec));
  if (auto checked = check_value(spec, *value); !checked) return checked.error();
  return std::move(*value);
}

Error wrong_json(std::string_view name, const ConfigValue& given, std::string_view expected) {
  return invalid("{} is {} but must be {}", name, given.shown(), expected);
}

Result<void> check_keys(const ConfigValue& json, std::string_view what, std::span<const std::string_view> known) {
  if (!json.object()) return invalid("the {} is {} but must be an object", what, json.shown());
  for (const ConfigValue& member : json.object()->members)
    if (std::ranges::count(known, member.key) == 0) return invalid("unknown key {}", shortened(member.key));
  return {};
}

}  // namespace vqscope
