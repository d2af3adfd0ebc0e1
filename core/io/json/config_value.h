// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace vqscope {

/// Where something begins in a text: line and column from 1; columns count characters.
struct TextPlace {
  std::int32_t line = 0;
  std::int32_t column = 0;
  friend bool operator==(const TextPlace&, const TextPlace&) = default;

  /// The beginning of an error: "line 3, column 14: ".
  std::string text() const;
};

/// A value of a JSON text and its place. Members keep their order; duplicate keys are kept.
struct ConfigValue {
  using List = std::vector<ConfigValue>;
  struct Object {
    std::vector<ConfigValue> members;  ///< each with its key
    friend bool operator==(const Object&, const Object&) = default;
  };
  using Integers = std::vector<Index>;
  using Reals = std::vector<double>;

  /// A list of numbers is Integers or Reals if the reader packs it.
  std::variant<std::nullptr_t, bool, Index, double, std::string, List, Object, Integers, Reals> data = nullptr;
  TextPlace place;      ///< of the value
  std::string key;      ///< of a member of an object
  TextPlace key_place;  ///< of a member of an object

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(data); }
  const Object* object() const { return std::get_if<Object>(&data); }
  const List* list() const { return std::get_if<List>(&data); }
  const Integers* integers() const { return std::get_if<Integers>(&data); }
  const Reals* reals() const { return std::get_if<Reals>(&data); }
  const std::string* text() const { return std::get_if<std::string>(&data); }
  const bool* boolean() const { return std::get_if<bool>(&data); }
  /// An integer, or a real that is a whole number below 2^53.
  std::optional<Index> integer() const;
  /// An integer or a real.
  std::optional<double> number() const;

  /// The member of that name if this is an object, the last one of duplicates as in Python;
  /// otherwise null.
  const ConfigValue* find(std::string_view name) const;

  /// The same data, with the same keys in the same order; places are not compared.
  friend bool operator==(const ConfigValue& a, const ConfigValue& b) { return a.key == b.key && a.data == b.data; }

  /// For sentences: `"yarn"`, 8, a list of 48 items, an object; long strings are cut.
  std::string shown() const;
};

}  // namespace vqscope
