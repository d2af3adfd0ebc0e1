// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace vqscope {

class JsonValue;
using JsonArray = std::vector<JsonValue>;
/// Members are written in the order of their names.
using JsonObject = std::map<std::string, JsonValue>;

/// A value to be written as JSON. Strings are UTF-8. (GCC 12 takes parts of the variant to be
/// uninitialised where its copies are inlined.)
class JsonValue {
 public:
  /// Numbers of a list take 8 bytes each: a session may have millions of them.
  using Data = std::variant<std::nullptr_t, bool, Index, double, std::string, JsonArray, JsonObject, std::vector<Index>,
                            std::vector<double>>;

  JsonValue();  ///< null
  JsonValue(const JsonValue& other);
  JsonValue(JsonValue&& other) noexcept;
  JsonValue& operator=(const JsonValue& other);
  JsonValue& operator=(JsonValue&& other) noexcept;
  ~JsonValue();
  JsonValue(std::nullptr_t) : JsonValue() {}
  JsonValue(bool value) : m_data(value) {}
  template <class T>
  requires std::is_integral_v<T> JsonValue(T value) : m_data(static_cast<Index>(value)) {}
  JsonValue(double value) : m_data(value) {}
  JsonValue(std::string value) : m_data(std::move(value)) {}
  JsonValue(std::string_view value) : m_data(std::string(value)) {}
  JsonValue(const char* value) : m_data(std::string(value)) {}
  JsonValue(JsonArray items);
  JsonValue(JsonObject members);
  JsonValue(std::vector<Index> items) : m_data(std::move(items)) {}
  JsonValue(std::vector<double> items) : m_data(std::move(items)) {}
  /// A list of strings, booleans or other numbers; an empty list becomes an empty array.
  template <class T>
  requires(!std::is_same_v<T, JsonValue>) JsonValue(const std::vector<T>& items)
      : m_data(JsonArray(items.begin(), items.end())) {}

  const Data& data() const { return m_data; }

 private:
  Data m_data = nullptr;
};

/// One value per line, indented four spaces per level, with a line break at the end; a list of more
/// than 1,024 numbers has one line. Numbers are the shortest that read back as the same; NaN and
/// infinities are null. Bytes not UTF-8 become lone surrogates \udc80 to \udcff, as in Python.
std::string indented_json(const JsonValue& value);

/// The same on one line, without spaces and without a line break.
std::string compact_json(const JsonValue& value);

}  // namespace vqscope
