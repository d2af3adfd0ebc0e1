// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of lists, and functions of functions.
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/function_call.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>

namespace vqscope::language {
namespace {

/// A number that is known, or a list of such: what sorted() compares, item by item.
struct SortKey {
  std::optional<Index> number;
  std::vector<SortKey> items;
};

constexpr int deepest_sort_key = 16;  // lists in lists; a list may hold itself

SortKey sort_key(Compilation& c, const Value& value, Range range, int depth = 0) {
  if (value.kind != Value::Kind::tuple) return {.number = known_number(c, {value, "", range}), .items = {}};
  SortKey key;
  if (depth > deepest_sort_key)
    return c.fail(range, "sorted compares lists of up to {} lists in one another", deepest_sort_key), key;
  for (const Value& item : *value.items)
    if (!c.failed()) key.items.push_back(sort_key(c, item, range, depth + 1));
  return key;
}

bool comes_first(const SortKey& a, const SortKey& b) {
  if (a.number || b.number) return a.number < b.number;
  return std::ranges::lexicographical_compare(a.items, b.items, comes_first);
}

/// torch.isin(x, values)
Value equals_one_of(Compilation& c, const Expression& e, const std::vector<Argument>& arguments) {
  if (arguments.size() != 2) return c.fail(e.range, "isin takes a value and a list of integers");
  Value any = c.flag(false, e.range);
  const auto items = items_in(c, arguments[1]);
  for (std::size_t i = 0; i < items.size() && !c.failed(); ++i) {
    const Value same = compare_values(c, "==", arguments[0], {items[i], "", e.range}, e.range, e.range);
    any = i == 0 ? same : c.failed() ? Value{} : c.make(Op::logical_or, true, e.range, any.node, same.node);
  }
  return any;
}

}  // namespace

/// torch.isin(x, values)
Value contained(Compilation& c, const FunctionCall& call) {
  const auto& arguments = call.arguments;
  if (arguments.size() != 2 || !is_tensor(c, arguments[0].value)) return equals_one_of(c, call.e, arguments);
  return each_element(
      c, "isin", {arguments[0]},
      [&](const auto& cell) {
        return equals_one_of(c, call.e, {cell[0], arguments[1]});
      },
      call.e.range);
}

Value partial(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  if (arguments.empty() || arguments[0].value.kind != Value::Kind::callable)
    return c.fail(e.range, "partial takes a function and some of its arguments");
  Value value{.kind = Value::Kind::callable};
  value.callable = c.new_callable({.kind = Callable::Kind::partial,
                                   .members = {arguments[0].value.callable},
                                   .given = {arguments.begin() + 1, arguments.end()}});
  return value;
}

/// sorted(list, key=..., reverse=...), of numbers that are known and of lists of them.
Value sorted(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  const Argument* reverse = by_keyword(arguments, "reverse");
  const Argument* key = by_keyword(arguments, "key");
  if (arguments.size() != 1U + (reverse ? 1U : 0U) + (key ? 1U : 0U))
    return takes(c, "sorted", 1, arguments.size(), e.range);
  if (key && key->value.kind == Value::Kind::nothing) key = nullptr;
  if (key && key->value.kind != Value::Kind::callable) return c.fail(key->range, "the key of sorted is a function");
  std::vector<std::pair<SortKey, Value>> items;
  for (const Value& item : items_in(c, arguments[0])) {
    const Value by = key ? apply(c, *key->value.callable, {{item, "", e.range}}, e.range) : item;
    if (c.failed()) return {};
    items.emplace_back(sort_key(c, by, e.range), item);
  }
  if (c.failed()) return {};
  const bool falls = reverse && decided(c, reverse->value).value_or(false);
  std::ranges::stable_sort(items, [&](const auto& a, const auto& b) {
    return falls ? comes_first(b.first, a.first) : comes_first(a.first, b.first);
  });
  std::vector<Value> all;
  for (auto& [by, value] : items) all.push_back(std::move(value));
  return tuple_of(c, std::move(all));
}

/// slice(end), slice(first, end, step): a list of the three with a name of its own.
Value slice_of(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  if (arguments.empty() || arguments.size() > 3) return takes(c, "slice", 2, arguments.size(), e.range);
  std::vector<Value> parts(3, Value{.kind = Value::Kind::nothing});
  const std::size_t first = arguments.size() == 1 ? 1 : 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) parts[first + i] = arguments[i].value;
  Value made = tuple_of(c, std::move(parts));
  made.name = slice_name;
  return made;
}

/// reversed(list), enumerate(list, start)
Value renumbered(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  if (arguments.empty() || arguments.size() > (name == "enumerate" ? 2 : 1)) return refused_values(c, call);
  auto items = items_in(c, arguments[0]);
  const auto start = arguments.size() == 2 && !c.failed() ? known_number(c, arguments[1]) : std::optional<Index>(0);
  if (c.failed()) return {};
  if (name == "reversed") std::ranges::reverse(items);
  for (std::size_t i = 0; i < items.size() && name == "enumerate"; ++i)
    items[i] = tuple_of(c, {c.number_value(add(*start, static_cast<Index>(i)).value_or(*start), e.range), items[i]});
  return tuple_of(c, std::move(items));
}

Value zipped(Compilation& c, const FunctionCall& call) {
  const auto& arguments = call.arguments;
  std::vector<std::vector<Value>> lists;
  lists.reserve(arguments.size());
  for (const Argument& argument : arguments) lists.push_back(items_in(c, argument));
  if (c.failed()) return {};
  std::vector<Value> rows;
  for (std::size_t i = 0;; ++i) {
    std::vector<Value> row;
    for (const auto& items : lists)
      if (i < items.size()) row.push_back(items[i]);
    if (row.empty() || row.size() < arguments.size()) return tuple_of(c, std::move(rows));
    rows.push_back(tuple_of(c, std::move(row)));
  }
}

/// list.index(x) and list.count(x)
Value found_in_list(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  const Range range = e.range;
  if (arguments.front().value.kind != Value::Kind::tuple) return refused_values(c, call);
  if (arguments.size() != 2) return takes(c, name, 1, arguments.size() - 1, range);
  const DictionaryKey wanted = key_of(c, arguments[1]);
  const auto items = items_in(c, arguments[0]);
  Index count = 0;
  for (std::size_t i = 0; i < items.size() && !c.failed(); ++i) {
    const DictionaryKey item = key_of(c, {items[i], "", range});
    if (!item.is_known || !wanted.is_known) return c.fail(range, "{} looks for a value that is known in a list", name);
    if (item.text != wanted.text) continue;
    if (name == "index") return c.number_value(static_cast<Index>(i), range);
    ++count;
  }
  if (c.failed()) return {};
  return name == "count" ? c.number_value(count, range) : c.fail(range, "the list does not have this value");
}

Value changed_list(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  const Range range = e.range;
  if (arguments.front().value.kind != Value::Kind::tuple) return refused_values(c, call);
  const auto& items = arguments.front().value.items;
  if (c.choices > 0) return c.fail(range, "a list cannot be changed under an if that differs by cell");
  if (arguments.size() != (name == "insert" ? 3U : 2U))
    return takes(c, name, name == "insert" ? 2 : 1, arguments.size() - 1, range);
  if (name == "append") {
    items->push_back(arguments[1].value);
  } else if (name == "extend") {
    const auto more = items_in(c, arguments[1]);
    items->insert(items->end(), more.begin(), more.end());
  } else {
    const auto place = known_number(c, arguments[1]);
    if (!place) return {};
    const auto size = static_cast<Index>(items->size());
    items->insert(items->begin() + std::clamp<Index>(*place < 0 ? *place + size : *place, 0, size), arguments[2].value);
  }
  (void)c.spend(static_cast<Index>(items->size()) / 16 + 1, range);
  return c.failed() ? Value{} : arguments.front().value;
}

/// list(x) is another list than x.
Value list_from(Compilation& c, const FunctionCall& call) {
  if (call.arguments.size() > 1 && any_tensor(c, call.arguments)) return refused_values(c, call);
  return tuple_of(c, call.arguments.empty() ? std::vector<Value>() : items_in(c, call.arguments[0]));
}

Value set_of(Compilation& c, const FunctionCall& call) {
  if (call.arguments.size() > 1) return refused_values(c, call);
  return set_of(c, call.arguments.empty() ? std::vector<Value>() : items_in(c, call.arguments[0]), call.e.range);
}

Value is_callable(Compilation& c, const FunctionCall& call) {
  if (call.arguments.size() != 1) return refused_values(c, call);
  return c.flag(call.arguments[0].value.kind == Value::Kind::callable, call.e.range);
}

/// torch.compile(f) is f.
Value compiled(Compilation& c, const FunctionCall& call) {
  return call.arguments.empty() ? refused_values(c, call) : call.arguments[0].value;
}

Value new_object(Compilation& c, const FunctionCall& call) {
  Value made = new_dictionary(c, call.arguments, call.e.range);
  if (call.name == "SimpleNamespace") made.name = attributes_of;
  return c.failed() ? Value{} : made;
}

Value text_from(Compilation& c, const FunctionCall& call) {
  if (call.arguments.size() != 1) return refused_values(c, call);
  if (call.arguments[0].value.kind == Value::Kind::text) return call.arguments[0].value;
  return {.kind = Value::Kind::text, .name = key_of(c, call.arguments[0]).text};
}

}  // namespace vqscope::language
