// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/json_reading.h"

#include "core/base/text.h"
#include "widgets/parts/file_name.h"

namespace vqscope {
namespace {

std::string kindOf(const QJsonValue& value) {
  switch (value.type()) {
    case QJsonValue::Bool: return value.toBool() ? "true" : "false";
    case QJsonValue::Double: return to_text(value.toDouble());
    case QJsonValue::String: return '"' + shortened(bytesOf(value.toString())) + '"';
    case QJsonValue::Array: return "an array";
    case QJsonValue::Object: return "an object";
    default: return "null";
  }
}

}  // namespace

QString jsonText(std::string_view utf8) { return textOfBytes(utf8); }

Error wrongJson(std::string_view name, const QJsonValue& given, std::string_view expected) {
  return invalid(std::string(name) + " is " + kindOf(given) + ", must be " + std::string(expected));
}

Error within(const std::string& place, const Error& error) { return {error.code, place + ": " + error.message}; }

}  // namespace vqscope
