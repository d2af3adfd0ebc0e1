// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/config_value.h"

#include "core/base/sentence.h"

#include <cmath>

namespace vqscope {
namespace {

constexpr double exact_limit = 9007199254740992.0;  // 2^53
constexpr std::size_t longest_shown = 40;

std::string quoted_shortened(std::string_view text) { return '"' + shortened(text, longest_shown) + '"'; }

std::string list_of_items(std::size_t count) {
  return fmt::format("a list of {} {}", count, count == 1 ? "item" : "items");
}

}  // namespace

std::string TextPlace::text() const { return fmt::format("line {}, column {}: ", line, column); }

std::optional<Index> ConfigValue::integer() const {
  if (const auto* whole = std::get_if<Index>(&data)) return *whole;
  const auto* real = std::get_if<double>(&data);
  if (!real || *real != std::trunc(*real) || std::abs(*real) > exact_limit) return std::nullopt;
  return static_cast<Index>(*real);
}

std::optional<double> ConfigValue::number() const {
  if (const auto* whole = std::get_if<Index>(&data)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&data)) return *real;
  return std::nullopt;
}

const ConfigValue* ConfigValue::find(std::string_view name) const {
  const auto* members = object();
  if (!members) return nullptr;
  for (auto it = members->members.rbegin(); it != members->members.rend(); ++it)
    if (it->key == name) return &*it;
  return nullptr;
}

std::string ConfigValue::shown() const {
  struct Shown {
    std::string operator()(std::nullptr_t) const { return "null"; }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(Index v) const { return to_text(v); }
    std::string operator()(double v) const {
      return std::isnan(v) ? "NaN" : std::isinf(v) ? (v > 0 ? "Infinity" : "-Infinity") : plain_text(v);
    }
    std::string operator()(const std::string& v) const { return quoted_shortened(v); }
    std::string operator()(const List& v) const { return list_of_items(v.size()); }
    std::string operator()(const Integers& v) const { return list_of_items(v.size()); }
    std::string operator()(const Reals& v) const { return list_of_items(v.size()); }
    std::string operator()(const Object&) const { return "an object"; }
  };
  return std::visit(Shown{}, data);
}

}  // namespace vqscope
