// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"
#include "core/mask/language/compile/dictionary.h"

namespace vqscope::language {

/// The text of a key; `depth` counts tuples in tuples.
DictionaryKey key_of(Compilation& c, const Argument& argument, int depth = 0);

/// An empty one; none after an error.
Value new_dictionary(Compilation& c);

/// dict(pairs, name=value)
Value new_dictionary(Compilation& c, const std::vector<Argument>& arguments, Range range);

/// {key: value, **others}
Value compile_dictionary(Compilation& c, const Expression& e, Scope& scope);

/// dictionary[key] = value
void set_item(Compilation& c, const Value& dictionary, const Argument& key, const Value& value);

/// Adds what a dictionary, or a list of pairs, has.
void join_dictionary(Compilation& c, const Value& to, const Argument& from);

/// What a dictionary has under a key; nothing: it does not have the key.
std::optional<Value> found_item(Compilation& c, const Value& dictionary, const Argument& key);

/// The same; what it does not have is an error.
Value item_at(Compilation& c, const Value& dictionary, const Argument& key);

/// {a, b}: a list whose items differ.
Value set_of(Compilation& c, const std::vector<Value>& items, Range range);

/// d.get(key), d.items() and the like; nothing: it is none of them.
std::optional<Value> dictionary_method(Compilation& c, const std::string& name, const std::vector<Argument>& arguments,
                                       Range range);

/// Names that the text keeps masks under and gives no value: it asks whether a key is in them, and writes to them. They
/// begin empty.
std::set<std::string> kept_dictionaries(const Syntax& syntax);

/// self.mask of `if self.mask is None: self.mask = ...`
std::set<std::string> made_once(const Syntax& syntax);

}  // namespace vqscope::language
