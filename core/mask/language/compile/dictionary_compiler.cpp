// SPDX-License-Identifier: GPL-3.0-or-later
// Dictionaries and sets of Python, whose keys are known while a text is compiled.
#include "core/mask/language/compile/dictionary.h"
#include "core/mask/language/compile/expression_compiler.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope::language {
namespace {

constexpr int deepest_key = 16;  // tuples in tuples; a list may hold itself
constexpr std::size_t longest_key = 4096;

}  // namespace

DictionaryKey ExpressionCompiler::key_of(const Argument& argument, int depth) {
  const Value& value = argument.value;
  switch (value.kind) {
    case Value::Kind::nothing: return {"None"};
    case Value::Kind::text: return {"'" + value.name + "'", !value.is_flag};
    case Value::Kind::callable: return {"function " + to_text(callable_place(value.callable))};
    case Value::Kind::tuple: {
      DictionaryKey all{"("};
      if (depth > deepest_key) break;
      for (const Value& item : *value.items) {
        const DictionaryKey one = key_of({item, "", argument.range}, depth + 1);
        if (failed() || all.text.size() > longest_key) break;
        all.text += to_text(static_cast<Index>(one.text.size())) + ":" + one.text;
        all.is_known = all.is_known && one.is_known;
      }
      if (all.text.size() > longest_key) break;
      return all;
    }
    case Value::Kind::ratio: {
      const auto above = settled(value.node), below = settled(value.denominator);
      if (!above || !below || *below == 0) break;
      if (*above % *below == 0) return {to_text(*above / *below)};
      return {to_text(*above) + "/" + to_text(*below)};
    }
    case Value::Kind::free_name: {
      const auto given = m_given.integers.find(value.name);
      const bool has_value = value.fallback || (given != m_given.integers.end() && given->second != not_given);
      // What is only kept under a name need not have a value.
      if (!has_value || is_tensor(value)) return {"name " + value.name, false};
      const auto known = settled(as_node(value, argument.range));
      if (known) return {to_text(*known)};
      return {"name " + value.name, false};
    }
    case Value::Kind::node:
      if (const auto known = settled(value.node)) return {to_text(*known)};
      return {"cell " + to_text(static_cast<Index>(value.node)), false};
    case Value::Kind::tensor:
      if (value.tensor->size() == 1 && value.tensor->is_known()) return {to_text(value.tensor->numbers.front())};
      break;
    default: break;
  }
  if (!failed()) fail(argument.range, "a key is a number, a text, None, a function or a tuple of them");
  return {"", false};
}

Index ExpressionCompiler::callable_place(const Callable* callable) const {
  const auto found = std::ranges::find_if(m_callables, [&](const Callable& one) { return &one == callable; });
  return found - m_callables.begin();
}

Value ExpressionCompiler::new_dictionary() { return failed() ? Value{} : dictionary_value(); }

Value ExpressionCompiler::dictionary_of(const Expression& e, Scope& scope) {
  const Value made = new_dictionary();
  for (std::size_t i = 0; i + 1 < e.operands.size() && !failed(); i += 2) {
    const Expression& key = at(e.operands[i]);
    if (key.kind == ExpressionKind::starred) {
      join_dictionary(made, {expression(key.operands[0], scope), "", key.range});
      continue;
    }
    const Value name = expression(e.operands[i], scope);
    const Value value = expression(e.operands[i + 1], scope);
    set_item(made, {name, "", key.range}, value);
  }
  return failed() ? Value{} : made;
}

void ExpressionCompiler::set_item(const Value& dictionary, const Argument& key, const Value& value) {
  if (failed() || !spend(1, key.range)) return;
  const DictionaryKey known = key_of(key);
  if (!failed()) dictionary.dictionary->set(known, key.value, value);
}

void ExpressionCompiler::join_dictionary(const Value& to, const Argument& from) {
  if (failed()) return;
  if (from.value.kind == Value::Kind::dictionary) {
    const auto items = from.value.dictionary->items();
    for (const auto& [key, value] : items) set_item(to, {key, "", from.range}, value);
    return;
  }
  for (const Value& pair : items_in(from)) {
    if (pair.kind != Value::Kind::tuple || pair.items->size() != 2)
      return void(fail(from.range, "a dictionary is made of pairs (key, value)"));
    set_item(to, {pair.items->front(), "", from.range}, pair.items->back());
  }
}

std::optional<Value> ExpressionCompiler::found_item(const Value& dictionary, const Argument& key) {
  const DictionaryKey known = key_of(key);
  if (failed()) return Value{};
  const Dictionary& all = *dictionary.dictionary;
  if (const Value* found = all.find(known)) return *found;
  const bool may_be_equal = !all.items().empty() && (!known.is_known || all.has_unknown_keys());
  if (!may_be_equal) return std::nullopt;
  if (key.value.kind == Value::Kind::free_name) {
    (void)as_node(key.value, key.range);
    fail(key.range, shortened(key.value.name) + " chooses from a dictionary and has no value yet; give it one");
    m_out.error->lacks_value = true;
    return Value{};
  }
  return fail(key.range,
              "what a dictionary is asked for must be known before any cell is looked at; make an array of "
              "its values with torch.tensor and index that");
}

Value ExpressionCompiler::item_at(const Value& dictionary, const Argument& key) {
  auto found = found_item(dictionary, key);
  if (failed()) return {};
  if (found) return *found;
  m_lacks_key = m_attempts > 0;
  std::vector<std::string> keys;
  for (const auto& item : dictionary.dictionary->items()) keys.push_back(key_of({item.key, "", key.range}).text);
  return fail(key.range, "this dictionary has no key " + shortened(key_of(key).text) +
                             (keys.empty() ? "; it is empty" : "; it has " + shortened(join(keys, ", "), 120)));
}

/// {a, b}: a list whose items differ.
Value ExpressionCompiler::set_of(const std::vector<Value>& items, Range range) {
  const Value unique = new_dictionary();
  for (const Value& item : items) set_item(unique, {item, "", range}, {});
  std::vector<Value> kept;
  for (std::size_t i = 0; !failed() && i < unique.dictionary->items().size(); ++i)
    kept.push_back(unique.dictionary->items()[i].key);
  return tuple_of(std::move(kept));
}

std::optional<Value> ExpressionCompiler::dictionary_method(const std::string& name,
                                                           const std::vector<Argument>& arguments, Range range) {
  const Value& object = arguments.front().value;
  const auto changes = [&] {
    if (m_choices > 0) fail(range, "a dictionary is changed only where an if holds that differs by cell");
    return !failed();
  };
  if (name == "get" || name == "pop" || name == "setdefault") {
    if (arguments.size() < 2 || arguments.size() > 3) return takes(name, 1, arguments.size() - 1, range);
    if (name == "pop" && arguments.size() == 2) {
      const Value value = item_at(object, arguments[1]);
      if (!failed() && changes()) object.dictionary->erase(key_of(arguments[1]));
      return failed() ? Value{} : value;
    }
    const auto found = found_item(object, arguments[1]);
    if (failed()) return Value{};
    if (found && name == "pop" && changes()) object.dictionary->erase(key_of(arguments[1]));
    if (found) return found;
    const Value otherwise = arguments.size() == 3 ? arguments[2].value : Value{.kind = Value::Kind::nothing};
    if (name == "setdefault" && changes()) set_item(object, arguments[1], otherwise);
    return failed() ? Value{} : otherwise;
  }
  if (name == "update") {
    if (!changes()) return Value{};
    for (std::size_t i = 1; i < arguments.size() && !failed(); ++i) {
      if (arguments[i].keyword.empty())
        join_dictionary(object, arguments[i]);
      else
        set_item(object, {{.kind = Value::Kind::text, .name = arguments[i].keyword}, "", range}, arguments[i].value);
    }
    return failed() ? Value{} : Value{.kind = Value::Kind::nothing};
  }
  if (name == "copy") {
    const Value copy = new_dictionary();
    if (!failed()) *copy.dictionary = *object.dictionary;
    return copy;
  }
  if (name != "keys" && name != "values" && name != "items") return std::nullopt;
  std::vector<Value> all;
  for (const auto& item : object.dictionary->items())
    all.push_back(name == "keys" ? item.key : name == "values" ? item.value : tuple_of({item.key, item.value}));
  return tuple_of(std::move(all));
}

/// dict(pairs, name=value)
Value ExpressionCompiler::new_dictionary(const std::vector<Argument>& arguments, Range range) {
  const Value made = new_dictionary();
  for (const Argument& argument : arguments) {
    if (failed()) return {};
    if (argument.keyword.empty())
      join_dictionary(made, argument);
    else
      set_item(made, {{.kind = Value::Kind::text, .name = argument.keyword}, "", range}, argument.value);
  }
  return failed() ? Value{} : made;
}

/// Names that the text keeps masks under and gives no value: it asks whether a key is in them, and writes to them. They
/// begin empty.
std::set<std::string> ExpressionCompiler::kept_dictionaries(const Syntax& syntax) {
  const auto name_of = [&](ExpressionId id) { return syntax.at(id).name; };
  const auto is_name = [&](ExpressionId id) {
    const auto kind = syntax.at(id).kind;
    return kind == ExpressionKind::name || kind == ExpressionKind::attribute;
  };
  std::set<std::string> asked, written;
  for (const Expression& e : syntax.expressions) {
    if (e.kind == ExpressionKind::compare && e.symbols.back().ends_with("in") && is_name(e.operands.back()))
      asked.insert(name_of(e.operands.back()));
    const bool is_get = e.kind == ExpressionKind::attribute && (e.name == "get" || e.name == "setdefault");
    if (is_get && is_name(e.operands.front())) asked.insert(name_of(e.operands.front()));
  }
  const auto read = [&](const auto& self, const std::vector<Statement>& all, bool is_tried) -> void {
    for (const Statement& s : all) {
      if (s.kind == StatementKind::write && is_name(syntax.at(s.place).operands[0])) {
        written.insert(name_of(syntax.at(s.place).operands[0]));
        if (is_tried) asked.insert(name_of(syntax.at(s.place).operands[0]));
      }
      self(self, s.body, is_tried);
      self(self, s.otherwise, is_tried || s.kind == StatementKind::attempt);
    }
  };
  read(read, syntax.statements, false);
  for (const Function& function : syntax.functions) read(read, function.body, false);
  std::erase_if(written, [&](const std::string& name) { return !asked.contains(name); });
  return written;
}

/// self.mask of `if self.mask is None: self.mask = ...`
std::set<std::string> ExpressionCompiler::made_once(const Syntax& syntax) {
  std::set<std::string> asked, made;
  for (const Expression& e : syntax.expressions) {
    const bool is_comparison = e.kind == ExpressionKind::compare && e.symbols.front() == "is";
    if (!is_comparison || syntax.at(e.operands[1]).kind != ExpressionKind::nothing) continue;
    const Expression& of = syntax.at(e.operands[0]);
    if (of.kind == ExpressionKind::attribute && syntax.at(of.operands[0]).kind == ExpressionKind::name)
      asked.insert(syntax.at(of.operands[0]).name + "." + of.name);
  }
  const auto read = [&](const auto& self, const std::vector<Statement>& all) -> void {
    for (const Statement& s : all) {
      for (const std::string& target : s.targets)
        if (s.kind == StatementKind::assign && asked.contains(target)) made.insert(target);
      self(self, s.body);
      self(self, s.otherwise);
    }
  };
  for (const Function& function : syntax.functions) read(read, function.body);
  return made;
}

}  // namespace vqscope::language
