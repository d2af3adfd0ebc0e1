// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of lists, and functions of functions.
#include "core/mask/language/compile/tree/tree.h"

#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>

namespace vqscope::language {
namespace {

/// torch.isin(x, values)
Value contained(Compilation& c, const Expression& e, const std::vector<Argument>& arguments) {
  if (arguments.size() != 2) return c.fail(e.range, "isin takes a value and a list of integers");
  Value any = c.flag(false, e.range);
  const auto items = items_in(c, arguments[1]);
  for (std::size_t i = 0; i < items.size() && !c.failed(); ++i) {
    const Value same = compare_values(c, "==", arguments[0], {items[i], "", e.range}, e.range, e.range);
    any = i == 0 ? same : c.failed() ? Value{} : c.make(Op::logical_or, true, e.range, any.node, same.node);
  }
  return any;
}

Value partial(Compilation& c, const Expression& e, const std::vector<Argument>& arguments) {
  if (arguments.empty() || arguments[0].value.kind != Value::Kind::callable)
    return c.fail(e.range, "partial takes a function and some of its arguments");
  Value value{.kind = Value::Kind::callable};
  value.callable = c.new_callable({.kind = Callable::Kind::partial,
                                   .members = {arguments[0].value.callable},
                                   .given = {arguments.begin() + 1, arguments.end()}});
  return value;
}

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

/// sorted(list, key=..., reverse=...), of numbers that are known and of lists of them.
Value sorted(Compilation& c, const Expression& e, const std::vector<Argument>& arguments) {
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
Value slice_of(Compilation& c, const Expression& e, const std::vector<Argument>& arguments) {
  if (arguments.empty() || arguments.size() > 3) return takes(c, "slice", 2, arguments.size(), e.range);
  std::vector<Value> parts(3, Value{.kind = Value::Kind::nothing});
  const std::size_t first = arguments.size() == 1 ? 1 : 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) parts[first + i] = arguments[i].value;
  Value made = tuple_of(c, std::move(parts));
  made.name = slice_name;
  return made;
}

/// reversed(list), enumerate(list, start)
Value renumbered(Compilation& c, const std::string& name, const Expression& e, const std::vector<Argument>& arguments) {
  auto items = items_in(c, arguments[0]);
  const auto start = arguments.size() == 2 && !c.failed() ? known_number(c, arguments[1]) : std::optional<Index>(0);
  if (c.failed()) return {};
  if (name == "reversed") std::ranges::reverse(items);
  for (std::size_t i = 0; i < items.size() && name == "enumerate"; ++i)
    items[i] = tuple_of(c, {c.number_value(add(*start, static_cast<Index>(i)).value_or(*start), e.range), items[i]});
  return tuple_of(c, std::move(items));
}

/// zip(a, b)
Value zipped(Compilation& c, const std::vector<Argument>& arguments) {
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

}  // namespace

Value found_in_list(Compilation& c, const std::string& name, const std::vector<Argument>& arguments, Range range) {
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

std::optional<Value> apply_to_list(Compilation& c, const std::string& name, const Expression& e,
                                   const std::vector<Argument>& arguments) {
  const bool one_list = arguments.size() == 1 && arguments[0].value.kind == Value::Kind::tuple;
  if (name == "callable" && arguments.size() == 1)
    return c.flag(arguments[0].value.kind == Value::Kind::callable, e.range);
  if (name == "compile" && !arguments.empty()) return arguments[0].value;
  if (name == "range") return range_of(c, e, arguments);
  if (name == "reduce") return folded(c, e, arguments);
  if (name == "partial") return partial(c, e, arguments);
  if (name == "isin") return contained(c, e, arguments);
  if (name == "len" || name == "numel" || name == "size") {
    if (arguments.empty()) return takes(c, name, 1, 0, e.range);
    const Value shape = shape_of(c, arguments[0].value, arguments[0].range);
    if (c.failed() || (name == "size" && arguments.size() == 1)) return shape;
    return shape.kind == Value::Kind::shape ? c.of_node(shape.node) : shape.items->front();
  }
  if ((name == "set" || name == "frozenset") && arguments.size() < 2)
    return set_of(c, arguments.empty() ? std::vector<Value>() : items_in(c, arguments[0]), e.range);
  if (name == "sorted") return sorted(c, e, arguments);
  if (name == "slice") return slice_of(c, e, arguments);
  // list(x) is another list than x.
  if (name == "tuple") return arguments.empty() ? tuple_of(c, {}) : tuple_of(c, items_in(c, arguments[0]));
  if ((name == "reversed" && arguments.size() == 1) ||
      (name == "enumerate" && (arguments.size() == 1 || arguments.size() == 2)))
    return renumbered(c, name, e, arguments);
  if (name == "zip") return zipped(c, arguments);
  if (name == "all" || name == "any" || name == "sum") return reduced(c, name, e, arguments);
  if ((name == "min" || name == "max") && one_list) {
    std::vector<Argument> all;
    for (const Value& item : *arguments[0].value.items) all.push_back({item, "", e.range});
    return apply_known(c, name, e, all);
  }
  return std::nullopt;
}

}  // namespace vqscope::language
