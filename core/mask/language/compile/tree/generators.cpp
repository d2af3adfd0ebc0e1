// SPDX-License-Identifier: GPL-3.0-or-later
// Lists: written, made item by item, unpacked into arguments.
#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/function_call.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>

namespace vqscope::language {

Value tuple_of(Compilation& c, std::vector<Value> items) {
  return c.failed() ? Value{} : c.list_value(std::move(items));
}

std::vector<Value> items_in(Compilation& c, const Argument& argument) {
  if (c.failed()) return {};
  const Value& all = argument.value;
  if (all.kind == Value::Kind::tuple) return *all.items;
  if (all.kind == Value::Kind::dictionary) {
    std::vector<Value> keys;
    for (const auto& item : all.dictionary->items()) keys.push_back(item.key);
    return keys;
  }
  if (is_tensor(c, all)) {
    const TensorPtr tensor = as_tensor(c, argument);
    return tensor ? rows_of(c, tensor, argument.range) : std::vector<Value>();
  }
  if (all.kind == Value::Kind::free_name && !all.default_value)
    return c.lacking(all, argument.range), std::vector<Value>();
  return c.fail(argument.range, "a list, a tuple, an array or a range is needed here, of known length"),
         std::vector<Value>();
}

std::vector<Value> items_of(Compilation& c, const std::vector<ExpressionId>& operands, Scope& scope) {
  std::vector<Value> items;
  for (const ExpressionId operand : operands) {
    if (c.failed()) return {};
    if (c.at(operand).kind != ExpressionKind::starred) {
      items.push_back(compile_expression(c, operand, scope));
      continue;
    }
    const auto all = items_in(c, {compile_expression(c, c.at(operand).operands[0], scope), "", c.at(operand).range});
    items.insert(items.end(), all.begin(), all.end());
  }
  return items;
}

Value compile_generator(Compilation& c, const Expression& e, Scope& scope) {
  const auto all = items_in(c, {compile_expression(c, e.operands[1], scope), "", c.at(e.operands[1]).range});
  if (c.failed()) return {};
  const auto has = [&](const char* symbol) { return std::ranges::find(e.symbols, symbol) != e.symbols.end(); };
  std::vector<Value> items;
  Scope& inner = c.new_scope(&scope);
  for (const Value& item : all) {
    unpack(c, e.names, has("unpacks"), item, c.at(e.operands[1]).range, inner);
    bool kept = true;
    for (std::size_t i = 2; i < e.operands.size() && kept && !c.failed(); ++i) {
      const auto known = decided(c, compile_expression(c, e.operands[i], inner));
      if (!known) return c.fail(c.at(e.operands[i]).range, "this if must be known before any cell is evaluated");
      kept = *known;
    }
    if (c.failed()) return {};
    if (kept && has("nested")) {
      for (Value& made : items_in(c, {compile_expression(c, e.operands[0], inner), "", e.range}))
        items.push_back(std::move(made));
    } else if (kept) {
      items.push_back(compile_expression(c, e.operands[0], inner));
    }
    if (items.size() > max_nodes) return c.fail(e.range, "this list is too long");
  }
  if (c.failed()) return {};
  if (e.name == "set") return set_of(c, items, e.range);
  const Value list = tuple_of(c, std::move(items));
  return e.name == "dictionary" ? new_dictionary(c, {{list, "", e.range}}, e.range) : list;
}

/// range(end), range(begin, end), range(begin, end, step), of known integers.
Value range_of(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  std::vector<Index> ends;
  for (const Argument& argument : arguments) {
    const NodeId value = c.as_node(argument.value, argument.range);
    const auto known = c.failed() ? std::nullopt : c.settled(value);
    if (c.failed()) return {};
    if (!known) return c.fail(argument.range, "a range needs integers that are known before any cell is evaluated");
    ends.push_back(*known);
  }
  if (ends.empty() || ends.size() > 3) return c.fail(e.range, "range takes one to three integers");
  const Index begin = ends.size() == 1 ? 0 : ends[0], end = ends.size() == 1 ? ends[0] : ends[1];
  const Index step = ends.size() == 3 ? ends[2] : 1;
  if (step == 0) return c.fail(e.range, "the step of a range must not be 0");
  std::vector<Value> items;
  for (std::optional<Index> i = begin; i && (step > 0 ? *i < end : *i > end); i = add(*i, step)) {
    items.push_back(c.of_node(c.build.constant(*i, false, e.range)));
    if (items.size() > max_nodes || c.failed())
      return c.fail(e.range, "a range must have at most {} integers", max_nodes);
  }
  return tuple_of(c, std::move(items));
}

/// all(...) and any(...) of a list, sum(...) of numbers.
Value reduced(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  if (arguments.size() != 1 || arguments[0].value.kind != Value::Kind::tuple) {
    // For a number: the number.
    if (!arguments.empty() && arguments[0].value.kind == Value::Kind::node) {
      const NodeId id = arguments[0].value.node;
      return c.of_node(name == "sum" ? c.as_int(id) : c.as_bool(id));
    }
    return c.fail(e.range, name + " takes one list");
  }
  Value result = name == "sum" ? c.of_node(c.build.constant(0, false, e.range)) : c.flag(name == "all", e.range);
  for (std::size_t i = 0; i < arguments[0].value.items->size() && !c.failed(); ++i) {
    const NodeId next = c.as_node((*arguments[0].value.items)[i], e.range);
    if (c.failed()) return {};
    if (name == "sum")
      result = i == 0 ? c.of_node(c.as_int(next)) : c.make(Op::add, false, e.range, result.node, c.as_int(next));
    else if (i == 0)
      result = c.of_node(c.as_bool(next));
    else
      result = c.make(name == "all" ? Op::logical_and : Op::logical_or, true, e.range, result.node, c.as_bool(next));
  }
  return result;
}

/// functools.reduce(function, list, first)
Value folded(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  if (arguments.size() < 2 || arguments.size() > 3 || arguments[0].value.kind != Value::Kind::callable ||
      arguments[1].value.kind != Value::Kind::tuple)
    return c.fail(e.range, "reduce takes a function, a list and, if need be, a first value");
  std::vector<Value> items = *arguments[1].value.items;
  if (arguments.size() == 3) items.insert(items.begin(), arguments[2].value);
  if (items.empty()) return c.fail(e.range, "reduce of an empty list has no value");
  Value result = items.front();
  for (std::size_t i = 1; i < items.size() && !c.failed(); ++i)
    result = apply(c, *arguments[0].value.callable, {{result, "", e.range}, {items[i], "", e.range}}, e.range);
  return result;
}

}  // namespace vqscope::language
