// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code/code.h"
#include "core/mask/language/parse/source_error.h"
#include "core/mask/language/parse/syntax.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vqscope::language {

struct Scope;
struct Argument;
struct Tensor;
class Dictionary;

/// A function as a value: a def where it was written, several joined by and_masks, or_masks, one of two that an `if`
/// chooses between, one with some of its arguments given, or one that is known by its name.
struct Callable {
  enum class Kind { written, all_of, any_of, chosen, partial, known };
  Kind kind = Kind::written;
  const Function* function = nullptr;
  Scope* scope = nullptr;
  std::vector<const Callable*> members;
  std::vector<std::string> names;  ///< of the members; of a known function its own
  std::vector<Range> ranges;
  NodeId condition = no_node;  ///< members[0] where it holds, else members[1]
  std::vector<Argument> given;
  std::shared_ptr<Scope> defaults;  ///< of a written one: its parameters' defaults, as they were where it was written
};

/// What an expression comes to while a text is compiled.
struct Value {
  enum class Kind {
    none,
    node,
    tuple,
    callable,
    free_name,  ///< an integer or an array, as it is used
    nothing,    ///< None
    text,       ///< name; is_flag: some of it is not known
    ratio,      ///< node / denominator, both integers
    array,      ///< Code::arrays[place]
    tensor,     ///< an array whose sizes are known
    dictionary,
    shape,  ///< of an array of one index: node, whichever of its sides is asked for
    broken  ///< what it is could not be found out: error says why, to who asks
  };
  Kind kind = Kind::none;
  NodeId node = no_node;
  NodeId denominator = no_node;
  Index place = -1;
  std::shared_ptr<std::vector<Value>> items;  ///< shared by all who have the list, as in Python
  std::shared_ptr<Tensor> tensor;
  std::shared_ptr<Dictionary> dictionary;  ///< shared as items are
  const Callable* callable = nullptr;
  std::string name;
  std::optional<Index> fallback;
  bool is_flag = false;  ///< a free name whose value is True or False
  std::shared_ptr<const SourceError> error;
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
