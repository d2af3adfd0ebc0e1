// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code.h"
#include "core/mask/language/syntax.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vqscope::language {

struct Scope;

/// A function as a value: a def where it was written, or several joined by and_masks, or_masks.
struct Callable {
  enum class Kind { written, all_of, any_of };
  Kind kind = Kind::written;
  const Function* function = nullptr;
  Scope* scope = nullptr;
  std::vector<const Callable*> members;
  std::vector<std::string> names;  ///< of the members
  std::vector<Range> ranges;
};

/// What an expression comes to while a text is compiled.
struct Value {
  enum class Kind { none, node, tuple, callable, free_name };
  Kind kind = Kind::none;
  NodeId node = no_node;
  std::shared_ptr<const std::vector<Value>> items;
  const Callable* callable = nullptr;
  std::string name;  ///< of a free name: an integer or an array, as it is used
  std::optional<Index> fallback;
};

/// The names of a function, and where to look for others.
struct Scope {
  std::map<std::string, Value, std::less<>> names;
  Scope* parent = nullptr;

  /// Here or further out; null when nothing has the name.
  const Value* find(const std::string& name) const;
};

/// What a call gives; `range` is where it stands.
struct Argument {
  Value value;
  std::string keyword;  ///< empty: by position
  Range range;
};

}  // namespace vqscope::language
