// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/tensor/tensor_writer.h"

#include <algorithm>
#include <array>

namespace vqscope::language {

/// The arguments of a function of arrays, by place or by name.
struct TensorWriter::Call {
  std::string name;
  std::vector<Argument> arguments;
  Range range;

  /// The one that has the name, or stands at the place among those without one. Null: it is not given, or None.
  const Argument* at(std::size_t place, std::string_view keyword = {}, std::string_view other = {}) const {
    for (const Argument& argument : arguments)
      if (!argument.keyword.empty() && (argument.keyword == keyword || argument.keyword == other)) return &argument;
    for (const Argument& argument : arguments)
      if (argument.keyword.empty() && place-- == 0)
        return argument.value.kind == Value::Kind::nothing ? nullptr : &argument;
    return nullptr;
  }

  /// Those without a name from a place on.
  std::vector<Argument> from(std::size_t place) const {
    std::vector<Argument> rest;
    for (const Argument& argument : arguments)
      if (argument.keyword.empty() && (place == 0 || place-- == 0)) rest.push_back(argument);
    return rest;
  }

  bool is_bool() const {
    const Argument* type = at(arguments.size(), "dtype");
    return type && type->value.name == "bool";
  }
};

}  // namespace vqscope::language
