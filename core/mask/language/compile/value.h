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

/// A function as a value: a def of the text, several joined by and_masks or or_masks, one of two
/// chosen by an `if`, one with some of its arguments given, or a known function.
struct Callable {
  enum class Kind { written, all_of, any_of, chosen, partial, known };
  Kind kind = Kind::written;
  const Function* function = nullptr;
  Scope* scope = nullptr;
  std::vector<const Callable*> members;
  std::vector<std::string> names;  ///< names of the members; of a known function, its own name
  std::vector<Range> ranges;
  NodeId condition = no_node;  ///< members[0] where it holds, else members[1]
  std::vector<Argument> given;
  std::shared_ptr<Scope> defaults;  ///< of a written function: its parameters' defaults at its definition
};

/// The value of an expression at compile time.
struct Value {
  enum class Kind {
    none,
    node,
    tuple,
    callable,
    free_name,  ///< an integer or an array, as it is used
    nothing,    ///< None
    text,       ///< in `name`; is_flag: part of it is not known
    ratio,      ///< node / denominator, both integers
    array,      ///< Code::arrays[place]
    tensor,     ///< an array whose sizes are known
    dictionary,
    shape,  ///< shape of an array with one index: `node` for every dimension
    broken  ///< its value could not be determined: using it reports `error`
  };
  Kind kind = Kind::none;
  NodeId node = no_node;
  NodeId denominator = no_node;
  Index place = -1;
  std::shared_ptr<std::vector<Value>> items;  ///< shared by all references to the list, as in Python
  std::shared_ptr<Tensor> tensor;
  std::shared_ptr<Dictionary> dictionary;  ///< shared like items
  const Callable* callable = nullptr;
  std::string name;
  std::optional<Index> default_value;
  bool is_flag = false;  ///< a free name whose value is True or False
  std::shared_ptr<const SourceError> error;
};

/// The names of a function, and the enclosing scope.
struct Scope {
  std::map<std::string, Value, std::less<>> names;
  Scope* parent = nullptr;

  /// Looks in this scope, then in enclosing ones; null if no scope has the name.
  const Value* find(const std::string& name) const;
};

/// An argument of a call; `range` is its place in the text.
struct Argument {
  Value value;
  std::string keyword;  ///< empty: by position
  Range range;
};

/// The text of a key, such that keys that are equal in Python have equal texts: 1 and True are one
/// key.
struct DictionaryKey {
  std::string text;
  bool is_known = true;  ///< false: its value is not known at compile time
};

/// The name of a dictionary whose items are read as attributes: types.SimpleNamespace.
inline constexpr const char* attributes_of = "SimpleNamespace";

/// A dictionary of Python, in insertion order.
class Dictionary {
 public:
  struct Item {
    Value key;
    Value value;
  };

  const std::vector<Item>& items() const { return m_items; }
  bool has_unknown_keys() const { return m_unknown > 0; }

  const Value* find(const DictionaryKey& key) const {
    const auto found = m_places.find(key.text);
    return found == m_places.end() ? nullptr : &m_items[found->second].value;
  }

  void set(const DictionaryKey& key, const Value& name, Value value) {
    const auto [place, is_new] = m_places.try_emplace(key.text, m_items.size());
    if (!is_new) {
      m_items[place->second].value = std::move(value);
      return;
    }
    m_items.push_back({name, std::move(value)});
    m_unknown += key.is_known ? 0 : 1;
  }

  void erase(const DictionaryKey& key) {
    const auto found = m_places.find(key.text);
    if (found == m_places.end()) return;
    const std::size_t place = found->second;
    m_items.erase(m_items.begin() + static_cast<std::ptrdiff_t>(place));
    m_places.erase(found);
    m_unknown -= key.is_known ? 0 : 1;
    for (auto& [text, at] : m_places) at -= at > place ? 1 : 0;
  }

 private:
  std::vector<Item> m_items;
  std::map<std::string, std::size_t> m_places;
  int m_unknown = 0;
};

}  // namespace vqscope::language
