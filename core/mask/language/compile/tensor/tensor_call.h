// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"
#include "core/mask/language/compile/tensor/tensor.h"

#include <string_view>

namespace vqscope::language {

/// The arguments of a function of arrays, by position or by name.
struct TensorCall {
  std::string name;
  std::vector<Argument> arguments;
  Range range;
  mutable std::vector<bool> read = {};  ///< arguments that the function has read

  /// The argument with that name, or at that position among those without a name. Null: not given,
  /// or None.
  const Argument* at(std::size_t place, std::string_view keyword = {}, std::string_view other = {}) const {
    for (const Argument& argument : arguments)
      if (!argument.keyword.empty() && (argument.keyword == keyword || argument.keyword == other))
        return looked_at(argument);
    for (const Argument& argument : arguments)
      if (argument.keyword.empty() && place-- == 0) return looked_at(argument);
    return nullptr;
  }

  /// The arguments without a name from a position on.
  std::vector<Argument> from(std::size_t place) const {
    std::vector<Argument> rest;
    for (const Argument& argument : arguments)
      if (argument.keyword.empty() && (place == 0 || place-- == 0)) {
        rest.push_back(argument);
        (void)looked_at(argument);
      }
    return rest;
  }

  const Argument* looked_at(const Argument& argument) const {
    read.resize(arguments.size());
    read[static_cast<std::size_t>(&argument - arguments.data())] = true;
    return argument.value.kind == Value::Kind::nothing ? nullptr : &argument;
  }

  /// The first argument without a name that the function has not read; null: none.
  const Argument* unread() const {
    read.resize(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (!read[i] && arguments[i].keyword.empty() && arguments[i].value.kind != Value::Kind::nothing)
        return &arguments[i];
    return nullptr;
  }

  bool is_bool() const {
    const Argument* type = at(arguments.size(), "dtype");
    return type && type->value.name == "bool";
  }
};

/// The array that a function applies to. Null after an error.
TensorPtr object_of(Compilation& c, const TensorCall& call);

/// The same, but its elements must be known numbers.
TensorPtr known_object_of(Compilation& c, const TensorCall& call);

/// The dimension that an argument names; empty after an error.
std::optional<std::size_t> side_given(Compilation& c, const TensorCall& call, std::size_t place, Index otherwise,
                                      Index sides);

/// The dimension `side` of an array with `sides` dimensions; empty after an error.
std::optional<std::size_t> known_side(Compilation& c, Index side, Index sides, Range range);

}  // namespace vqscope::language
