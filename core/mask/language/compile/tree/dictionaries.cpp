// SPDX-License-Identifier: GPL-3.0-or-later
// Dictionaries and sets of Python, whose keys are known while a text is compiled.
#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_access.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/function_call.h"
#include "core/mask/language/compile/value.h"

#include <algorithm>

namespace vqscope::language {
namespace {

constexpr int deepest_key = 16;  // tuples in tuples; a list may hold itself
constexpr std::size_t longest_key = 4096;

Index callable_place(const Compilation& c, const Callable* callable) {
  const auto found = std::ranges::find_if(c.callables, [&](const Callable& one) { return &one == callable; });
  return found - c.callables.begin();
}

}  // namespace

DictionaryKey key_of(Compilation& c, const Argument& argument, int depth) {
  const Value& value = argument.value;
  switch (value.kind) {
    case Value::Kind::nothing: return {"None"};
    case Value::Kind::text: return {"'" + value.name + "'", !value.is_flag};
    case Value::Kind::callable: return {"function " + to_text(callable_place(c, value.callable))};
    case Value::Kind::tuple: {
      DictionaryKey all{"("};
      if (depth > deepest_key) break;
      for (const Value& item : *value.items) {
        const DictionaryKey one = key_of(c, {item, "", argument.range}, depth + 1);
        if (c.failed() || all.text.size() > longest_key) break;
        all.text += to_text(static_cast<Index>(one.text.size())) + ":" + one.text;
        all.is_known = all.is_known && one.is_known;
      }
      if (all.text.size() > longest_key) break;
      return all;
    }
    case Value::Kind::ratio: {
      const auto above = c.settled(value.node), below = c.settled(value.denominator);
      if (!above || !below || *below == 0) break;
      if (*above % *below == 0) return {to_text(*above / *below)};
      return {to_text(*above) + "/" + to_text(*below)};
    }
    case Value::Kind::free_name: {
      const auto given = c.given.integers.find(value.name);
      const bool has_value = value.default_value || (given != c.given.integers.end() && given->second != not_given);
      // A name that is only a key need not have a value.
      if (!has_value || is_tensor(c, value)) return {"name " + value.name, false};
      const auto known = c.settled(c.as_node(value, argument.range));
      if (known) return {to_text(*known)};
      return {"name " + value.name, false};
    }
    case Value::Kind::node:
      if (const auto known = c.settled(value.node)) return {to_text(*known)};
      return {"cell " + to_text(static_cast<Index>(value.node)), false};
    case Value::Kind::tensor:
      if (value.tensor->size() == 1 && value.tensor->is_known()) return {to_text(value.tensor->numbers.front())};
      break;
    default: break;
  }
  if (!c.failed()) c.fail(argument.range, "a key must be a number, a text, None, a function or a tuple of them");
  return {"", false};
}

Value new_dictionary(Compilation& c) { return c.failed() ? Value{} : c.dictionary_value(); }

Value compile_dictionary(Compilation& c, const Expression& e, Scope& scope) {
  const Value made = new_dictionary(c);
  for (std::size_t i = 0; i + 1 < e.operands.size() && !c.failed(); i += 2) {
    const Expression& key = c.at(e.operands[i]);
    if (key.kind == ExpressionKind::starred) {
      join_dictionary(c, made, {compile_expression(c, key.operands[0], scope), "", key.range});
      continue;
    }
    const Value name = compile_expression(c, e.operands[i], scope);
    const Value value = compile_expression(c, e.operands[i + 1], scope);
    set_item(c, made, {name, "", key.range}, value);
  }
  return c.failed() ? Value{} : made;
}

void set_item(Compilation& c, const Value& dictionary, const Argument& key, const Value& value) {
  if (c.failed() || !c.spend(1, key.range)) return;
  const DictionaryKey known = key_of(c, key);
  if (!c.failed()) dictionary.dictionary->set(known, key.value, value);
}

void join_dictionary(Compilation& c, const Value& to, const Argument& from) {
  if (c.failed()) return;
  if (from.value.kind == Value::Kind::dictionary) {
    const auto items = from.value.dictionary->items();
    for (const auto& [key, value] : items) set_item(c, to, {key, "", from.range}, value);
    return;
  }
  for (const Value& pair : items_in(c, from)) {
    if (pair.kind != Value::Kind::tuple || pair.items->size() != 2)
      return void(c.fail(from.range, "a dictionary must be made of pairs (key, value)"));
    set_item(c, to, {pair.items->front(), "", from.range}, pair.items->back());
  }
}

std::optional<Value> found_item(Compilation& c, const Value& dictionary, const Argument& given) {
  Argument key = given;
  // A name that chooses among texts is a text.
  std::vector<std::string> texts;
  if (key.value.kind == Value::Kind::free_name && !is_tensor(c, key.value))
    for (const auto& item : dictionary.dictionary->items())
      if (item.key.kind == Value::Kind::text) texts.push_back(item.key.name);
  if (!texts.empty())
    key.value = c.word_value(key.value.name, c.written_default(key.value, key.range), key.range, texts);
  if (c.failed()) return Value{};
  const DictionaryKey known = key_of(c, key);
  if (c.failed()) return Value{};
  const Dictionary& all = *dictionary.dictionary;
  if (const Value* found = all.find(known)) return *found;
  const bool may_be_equal = !all.items().empty() && (!known.is_known || all.has_unknown_keys());
  if (!may_be_equal) return std::nullopt;
  if (key.value.kind == Value::Kind::free_name) {
    (void)c.as_node(key.value, key.range);
    c.fail(key.range, shortened(key.value.name) + " chooses from a dictionary and has no value yet; give it one");
    c.out.error->lacks_value = true;
    return Value{};
  }
  return c.fail(
      key.range,
      "the key of a dictionary must not depend on the cell; make an array of its values with torch.tensor and "
      "index that");
}

Value item_at(Compilation& c, const Value& dictionary, const Argument& key) {
  auto found = found_item(c, dictionary, key);
  if (c.failed()) return {};
  if (found) return *found;
  c.lacks_key = c.attempts > 0;
  std::vector<std::string> keys;
  for (const auto& item : dictionary.dictionary->items()) keys.push_back(key_of(c, {item.key, "", key.range}).text);
  return c.fail(key.range, "this dictionary has no key {}{}", shortened(key_of(c, key).text),
                keys.empty() ? "; it is empty" : "; it has " + shortened(join(keys, ", "), 120));
}

Value set_of(Compilation& c, const std::vector<Value>& items, Range range) {
  const Value unique = new_dictionary(c);
  for (const Value& item : items) set_item(c, unique, {item, "", range}, {});
  std::vector<Value> kept;
  for (std::size_t i = 0; !c.failed() && i < unique.dictionary->items().size(); ++i)
    kept.push_back(unique.dictionary->items()[i].key);
  return tuple_of(c, std::move(kept));
}

namespace {

bool may_be_changed(Compilation& c, Range range) {
  if (c.choices > 0) c.fail(range, "a dictionary cannot be changed under an if that differs by cell");
  return !c.failed();
}

/// Adds dictionaries, lists of pairs, and values by name.
void join_arguments(Compilation& c, const Value& to, std::span<const Argument> arguments, Range range) {
  for (const Argument& argument : arguments) {
    if (c.failed()) return;
    if (argument.keyword.empty())
      join_dictionary(c, to, argument);
    else
      set_item(c, to, {{.kind = Value::Kind::text, .name = argument.keyword}, "", range}, argument.value);
  }
}

}  // namespace

Value item_or_default(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  const Value& object = arguments.front().value;
  if (arguments.size() < 2 || arguments.size() > 3) return takes(c, name, 1, arguments.size() - 1, e.range);
  if (name == "pop" && arguments.size() == 2) {
    const Value value = item_at(c, object, arguments[1]);
    if (!c.failed() && may_be_changed(c, e.range)) object.dictionary->erase(key_of(c, arguments[1]));
    return c.failed() ? Value{} : value;
  }
  const auto found = found_item(c, object, arguments[1]);
  if (c.failed()) return {};
  if (found && name == "pop" && may_be_changed(c, e.range)) object.dictionary->erase(key_of(c, arguments[1]));
  if (found) return *found;
  const Value otherwise = arguments.size() == 3 ? arguments[2].value : Value{.kind = Value::Kind::nothing};
  if (name == "setdefault" && may_be_changed(c, e.range)) set_item(c, object, arguments[1], otherwise);
  return c.failed() ? Value{} : otherwise;
}

Value updated_dictionary(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  if (!may_be_changed(c, e.range)) return {};
  join_arguments(c, arguments.front().value, std::span(arguments).subspan(1), e.range);
  return c.failed() ? Value{} : Value{.kind = Value::Kind::nothing};
}

Value copied_dictionary(Compilation& c, const FunctionCall& call) {
  const Value copy = new_dictionary(c);
  if (!c.failed()) *copy.dictionary = *call.arguments.front().value.dictionary;
  return copy;
}

Value items_of_dictionary(Compilation& c, const FunctionCall& call) {
  std::vector<Value> all;
  for (const auto& [key, value] : call.arguments.front().value.dictionary->items())
    all.push_back(call.name == "keys" ? key : call.name == "values" ? value : tuple_of(c, {key, value}));
  return tuple_of(c, std::move(all));
}

Value new_dictionary(Compilation& c, const std::vector<Argument>& arguments, Range range) {
  const Value made = new_dictionary(c);
  join_arguments(c, made, arguments, range);
  return c.failed() ? Value{} : made;
}

std::set<std::string> kept_dictionaries(const Syntax& syntax) {
  const auto name_of = [&](ExpressionId id) { return syntax.at(id).name; };
  const auto is_name = [&](ExpressionId id) {
    const auto kind = syntax.at(id).kind;
    return kind == ExpressionKind::name || kind == ExpressionKind::attribute;
  };
  std::set<std::string> read_names, written;
  for (const Expression& e : syntax.expressions) {
    if (e.kind == ExpressionKind::compare && e.symbols.back().ends_with("in") && is_name(e.operands.back()))
      read_names.insert(name_of(e.operands.back()));
    const bool is_get = e.kind == ExpressionKind::attribute && (e.name == "get" || e.name == "setdefault");
    if (is_get && is_name(e.operands.front())) read_names.insert(name_of(e.operands.front()));
  }
  const auto read = [&](const auto& self, const std::vector<Statement>& all, bool is_tried) -> void {
    for (const Statement& s : all) {
      if (s.kind == StatementKind::write && is_name(syntax.at(s.place).operands[0])) {
        written.insert(name_of(syntax.at(s.place).operands[0]));
        if (is_tried) read_names.insert(name_of(syntax.at(s.place).operands[0]));
      }
      self(self, s.body, is_tried);
      self(self, s.otherwise, is_tried || s.kind == StatementKind::attempt);
    }
  };
  read(read, syntax.statements, false);
  for (const Function& function : syntax.functions) read(read, function.body, false);
  std::erase_if(written, [&](const std::string& name) { return !read_names.contains(name); });
  return written;
}

std::set<std::string> made_once(const Syntax& syntax) {
  std::set<std::string> read_names, made;
  for (const Expression& e : syntax.expressions) {
    const bool is_comparison = e.kind == ExpressionKind::compare && e.symbols.front() == "is";
    if (!is_comparison || syntax.at(e.operands[1]).kind != ExpressionKind::nothing) continue;
    const Expression& of = syntax.at(e.operands[0]);
    if (of.kind == ExpressionKind::attribute && syntax.at(of.operands[0]).kind == ExpressionKind::name)
      read_names.insert(syntax.at(of.operands[0]).name + "." + of.name);
  }
  const auto read = [&](const auto& self, const std::vector<Statement>& all) -> void {
    for (const Statement& s : all) {
      for (const std::string& target : s.targets)
        if (s.kind == StatementKind::assign && read_names.contains(target)) made.insert(target);
      self(self, s.body);
      self(self, s.otherwise);
    }
  };
  for (const Function& function : syntax.functions) read(read, function.body);
  return made;
}

}  // namespace vqscope::language
