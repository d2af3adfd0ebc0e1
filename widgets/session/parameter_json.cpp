// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/parameter_json.h"

#include "core/base/text.h"
#include "widgets/parts/file_name.h"
#include "widgets/session/json_reading.h"

#include <QJsonArray>

#include <cmath>
#include <optional>

namespace vqscope {
namespace {

/// Beyond it a JSON number is no longer the integer that was written.
constexpr double maxExactInteger = 9007199254740992.0;

struct ValueToJson {
  QJsonValue operator()(Index v) const { return static_cast<qint64>(v); }
  QJsonValue operator()(double v) const { return v; }
  QJsonValue operator()(bool v) const { return v; }
  QJsonValue operator()(const std::string& v) const { return jsonText(v); }
  template <class T>
  QJsonValue operator()(const std::vector<T>& items) const {
    QJsonArray array;
    for (const auto& item : items) array.append((*this)(item));
    return array;
  }
};

std::optional<Index> exactInteger(const QJsonValue& json) {
  const double number = json.toDouble(std::nan(""));
  if (!(std::abs(number) <= maxExactInteger) || number != std::trunc(number)) return std::nullopt;
  return static_cast<Index>(number);
}

std::optional<ParameterValue> integersFrom(const QJsonValue& json) {
  if (!json.isArray()) return std::nullopt;
  std::vector<Index> items;
  for (const auto& item : json.toArray()) {
    const auto integer = exactInteger(item);
    if (!integer) return std::nullopt;
    items.push_back(*integer);
  }
  return items;
}

std::optional<ParameterValue> realsFrom(const QJsonValue& json) {
  if (!json.isArray()) return std::nullopt;
  std::vector<double> items;
  for (const auto& item : json.toArray()) {
    if (!item.isDouble()) return std::nullopt;
    items.push_back(item.toDouble());
  }
  return items;
}

std::optional<ParameterValue> idsFrom(const QJsonValue& json) {
  if (!json.isArray()) return std::nullopt;
  std::vector<std::string> items;
  for (const auto& item : json.toArray()) {
    if (!item.isString()) return std::nullopt;
    items.push_back(bytesOf(item.toString()));
  }
  return items;
}

/// The JSON value as the parameter's type, or nothing when it is another type.
std::optional<ParameterValue> valueFrom(const ParameterSpec& spec, const QJsonValue& json) {
  switch (spec.kind) {
    case ParameterKind::integer: {
      const auto integer = exactInteger(json);
      return integer ? std::optional<ParameterValue>(*integer) : std::nullopt;
    }
    case ParameterKind::real: return json.isDouble() ? std::optional<ParameterValue>(json.toDouble()) : std::nullopt;
    case ParameterKind::boolean: return json.isBool() ? std::optional<ParameterValue>(json.toBool()) : std::nullopt;
    case ParameterKind::choice:
    case ParameterKind::text:
    case ParameterKind::tensor:
      return json.isString() ? std::optional<ParameterValue>(bytesOf(json.toString())) : std::nullopt;
    case ParameterKind::choice_set: return idsFrom(json);
    case ParameterKind::integer_list: return integersFrom(json);
    case ParameterKind::real_list: return realsFrom(json);
  }
  return std::nullopt;
}

}  // namespace

QJsonObject valuesToJson(const ParameterValues& values) {
  QJsonObject object;
  for (const auto& [name, value] : values.map()) object[jsonText(name)] = std::visit(ValueToJson{}, value);
  return object;
}

Result<ParameterValue> readValue(const ParameterSpec& spec, const QJsonValue& json) {
  auto value = valueFrom(spec, json);
  if (!value) return wrongJson(spec.name, json, allowed(spec));
  if (auto checked = check_value(spec, *value); !checked) return checked.error();
  return std::move(*value);
}

}  // namespace vqscope
