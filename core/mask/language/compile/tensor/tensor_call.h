// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"
#include "core/mask/language/compile/tensor/tensor.h"

#include <string_view>

namespace vqscope::language {

/// The arguments of a function of arrays, by place or by name.
struct TensorCall {
  std::string name;
  std::vector<Argument> arguments;
  Range range;
  mutable std::vector<bool> read = {};  ///< arguments that the function has looked at

  /// The one that has the name, or stands at the place among those without one. Null: it is not given, or None.
  const Argument* at(std::size_t place, std::string_view keyword = {}, std::string_view other = {}) const {
    for (const Argument& argument : arguments)
      if (!argument.keyword.empty() && (argument.keyword == keyword || argument.keyword == other))
        return looked_at(argument);
    for (const Argument& argument : arguments)
      if (argument.keyword.empty() && place-- == 0) return looked_at(argument);
    return nullptr;
  }

  /// Those without a name from a place on.
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

  /// The first argument without a name that the function has not looked at; null: none.
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

/// The array that a function is of. Null after an error.
TensorPtr object_of(Compilation& c, const TensorCall& call);

/// The same, where its elements must be known numbers.
TensorPtr known_object_of(Compilation& c, const TensorCall& call);

/// The side that an argument names; nothing after an error.
std::optional<std::size_t> side_given(Compilation& c, const TensorCall& call, std::size_t place, Index otherwise,
                                      Index sides);

/// The side of an array of `sides` that a number means; nothing after an error.
std::optional<std::size_t> known_side(Compilation& c, Index side, Index sides, Range range);

}  // namespace vqscope::language
