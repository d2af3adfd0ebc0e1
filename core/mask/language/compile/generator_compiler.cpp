// SPDX-License-Identifier: GPL-3.0-or-later
// Lists: written, made item by item, unpacked into arguments.
#include "core/mask/language/compile/expression_compiler.h"

#include "core/base/text.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>

namespace vqscope::language {

Value ExpressionCompiler::tuple_of(std::vector<Value> items) {
  return failed() ? Value{} : list_value(std::move(items));
}

std::vector<Value> ExpressionCompiler::items_in(const Argument& argument) {
  if (failed()) return {};
  const Value& all = argument.value;
  if (all.kind == Value::Kind::tuple) return *all.items;
  if (all.kind == Value::Kind::dictionary) {
    std::vector<Value> keys;
    for (const auto& item : all.dictionary->items()) keys.push_back(item.key);
    return keys;
  }
  if (is_tensor(all)) {
    const TensorPtr tensor = as_tensor(argument);
    return tensor ? rows_of(tensor, argument.range) : std::vector<Value>();
  }
  if (all.kind == Value::Kind::free_name && !all.fallback) return lacking(all, argument.range), std::vector<Value>();
  return fail(argument.range, "a list, a tuple, an array or a range is needed here, of known length"),
         std::vector<Value>();
}

std::vector<Value> ExpressionCompiler::items_of(const std::vector<ExpressionId>& operands, Scope& scope) {
  std::vector<Value> items;
  for (const ExpressionId operand : operands) {
    if (failed()) return {};
    if (at(operand).kind != ExpressionKind::starred) {
      items.push_back(expression(operand, scope));
      continue;
    }
    const auto all = items_in({expression(at(operand).operands[0], scope), "", at(operand).range});
    items.insert(items.end(), all.begin(), all.end());
  }
  return items;
}

Value ExpressionCompiler::generated(const Expression& e, Scope& scope) {
  const auto all = items_in({expression(e.operands[1], scope), "", at(e.operands[1]).range});
  if (failed()) return {};
  const auto has = [&](const char* symbol) { return std::ranges::find(e.symbols, symbol) != e.symbols.end(); };
  std::vector<Value> items;
  Scope& inner = new_scope(&scope);
  for (const Value& item : all) {
    unpack(e.names, has("unpacks"), item, at(e.operands[1]).range, inner);
    bool kept = true;
    for (std::size_t i = 2; i < e.operands.size() && kept && !failed(); ++i) {
      const auto known = decided(expression(e.operands[i], inner));
      if (!known) return fail(at(e.operands[i]).range, "this if must be known before any cell is looked at");
      kept = *known;
    }
    if (failed()) return {};
    if (kept && has("nested")) {
      for (Value& made : items_in({expression(e.operands[0], inner), "", e.range})) items.push_back(std::move(made));
    } else if (kept) {
      items.push_back(expression(e.operands[0], inner));
    }
    if (items.size() > max_nodes) return fail(e.range, "this list is too long");
  }
  if (failed()) return {};
  if (e.name == "set") return set_of(items, e.range);
  const Value list = tuple_of(std::move(items));
  return e.name == "dictionary" ? new_dictionary({{list, "", e.range}}, e.range) : list;
}

/// range(end), range(begin, end), range(begin, end, step), of integers that are known.
Value ExpressionCompiler::range_of(const Expression& e, const std::vector<Argument>& arguments) {
  std::vector<Index> ends;
  for (const Argument& argument : arguments) {
    const NodeId value = as_node(argument.value, argument.range);
    const auto known = failed() ? std::nullopt : settled(value);
    if (failed()) return {};
    if (!known) return fail(argument.range, "a range needs integers that are known before any cell is looked at");
    ends.push_back(*known);
  }
  if (ends.empty() || ends.size() > 3) return fail(e.range, "range takes one to three integers");
  const Index begin = ends.size() == 1 ? 0 : ends[0], end = ends.size() == 1 ? ends[0] : ends[1];
  const Index step = ends.size() == 3 ? ends[2] : 1;
  if (step == 0) return fail(e.range, "the step of a range is not 0");
  std::vector<Value> items;
  for (std::optional<Index> i = begin; i && (step > 0 ? *i < end : *i > end); i = add(*i, step)) {
    items.push_back(of_node(m_build.constant(*i, false, e.range)));
    if (items.size() > max_nodes || failed())
      return fail(e.range, "a range may have " + to_text(static_cast<Index>(max_nodes)) + " integers at most");
  }
  return tuple_of(std::move(items));
}

/// all(...) and any(...) of a list, sum(...) of numbers.
Value ExpressionCompiler::reduced(const std::string& name, const Expression& e,
                                  const std::vector<Argument>& arguments) {
  if (arguments.size() != 1 || arguments[0].value.kind != Value::Kind::tuple) {
    // Of a number: the number.
    if (!arguments.empty() && arguments[0].value.kind == Value::Kind::node) {
      const NodeId id = arguments[0].value.node;
      return of_node(name == "sum" ? as_int(id) : as_bool(id));
    }
    return fail(e.range, name + " takes one list");
  }
  Value result = name == "sum" ? of_node(m_build.constant(0, false, e.range)) : flag(name == "all", e.range);
  for (std::size_t i = 0; i < arguments[0].value.items->size() && !failed(); ++i) {
    const NodeId next = as_node((*arguments[0].value.items)[i], e.range);
    if (failed()) return {};
    if (name == "sum")
      result = i == 0 ? of_node(as_int(next)) : make(Op::add, false, e.range, result.node, as_int(next));
    else if (i == 0)
      result = of_node(as_bool(next));
    else
      result = make(name == "all" ? Op::logical_and : Op::logical_or, true, e.range, result.node, as_bool(next));
  }
  return result;
}

/// functools.reduce(function, list, first)
Value ExpressionCompiler::folded(const Expression& e, const std::vector<Argument>& arguments) {
  if (arguments.size() < 2 || arguments.size() > 3 || arguments[0].value.kind != Value::Kind::callable ||
      arguments[1].value.kind != Value::Kind::tuple)
    return fail(e.range, "reduce takes a function, a list and, if need be, a first value");
  std::vector<Value> items = *arguments[1].value.items;
  if (arguments.size() == 3) items.insert(items.begin(), arguments[2].value);
  if (items.empty()) return fail(e.range, "reduce of an empty list has no value");
  Value result = items.front();
  for (std::size_t i = 1; i < items.size() && !failed(); ++i)
    result = apply(*arguments[0].value.callable, {{result, "", e.range}, {items[i], "", e.range}}, e.range);
  return result;
}

}  // namespace vqscope::language
