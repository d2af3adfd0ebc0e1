// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of a call, and whether a known function accepts them.
#include "core/mask/language/compile/tree/tree.h"

#include <algorithm>
#include <array>

namespace vqscope::language {
namespace {

/// Arguments that change how a tensor is stored, but not its values.
constexpr std::array<std::string_view, 4> of_storage{"device", "requires_grad", "non_blocking", "_compile"};

}  // namespace

std::vector<Argument> read_arguments(Compilation& c, const Expression& e, Scope& scope) {
  std::vector<Argument> arguments;
  for (std::size_t i = 1; i < e.operands.size() && !c.failed(); ++i) {
    const std::string& keyword = e.keywords[i - 1];
    const Range range = c.at(e.operands[i]).range;
    if (std::ranges::find(of_storage, keyword) != of_storage.end()) continue;
    if (c.at(e.operands[i]).kind != ExpressionKind::starred) {
      arguments.push_back({compile_expression(c, e.operands[i], scope), keyword, range});
      continue;
    }
    if (keyword == "**") {
      const Value all = compile_expression(c, c.at(e.operands[i]).operands[0], scope);
      if (c.failed()) return {};
      if (all.kind != Value::Kind::dictionary)
        return c.fail(range, "** must be followed by a dictionary of the text"), std::vector<Argument>();
      for (const auto& [key, value] : all.dictionary->items()) {
        if (key.kind != Value::Kind::text)
          return c.fail(range, "the keys of a dictionary after ** must be texts"), std::vector<Argument>();
        arguments.push_back({value, key.name, range});
      }
      continue;
    }
    for (auto& item : items_of(c, {e.operands[i]}, scope)) arguments.push_back({std::move(item), "", range});
  }
  return arguments;
}

std::optional<ClampEnds> clamp_ends(Compilation& c, const std::vector<Argument>& arguments, Range range) {
  ClampEnds ends;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const std::string& keyword = argument.keyword;
    const bool is_value = keyword == "input" || (keyword.empty() && i == 0);
    const bool is_low = keyword == "min" || keyword == "a_min" || (keyword.empty() && i == 1);
    const bool is_high = keyword == "max" || keyword == "a_max" || (keyword.empty() && i == 2);
    if (!is_value && !is_low && !is_high)
      return c.fail(argument.range, "clamp takes a value, min and max"), std::nullopt;
    if (argument.value.kind != Value::Kind::nothing)
      (is_value ? ends.value : is_low ? ends.low : ends.high) = &argument;
  }
  if (!ends.value || (!ends.low && !ends.high))
    return c.fail(range, "clamp takes a value and min, max or both"), std::nullopt;
  return ends;
}

Value takes(Compilation& c, const std::string& name, std::size_t wanted, std::size_t found, Range range) {
  return c.fail(range, "{} takes {}{}, found {}", name, wanted, wanted == 1 ? " value" : " values", found);
}

const Argument* by_keyword(const std::vector<Argument>& arguments, std::string_view keyword) {
  const auto found = std::ranges::find(arguments, keyword, &Argument::keyword);
  return found == arguments.end() ? nullptr : &*found;
}

}  // namespace vqscope::language
