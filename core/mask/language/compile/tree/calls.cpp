// SPDX-License-Identifier: GPL-3.0-or-later
// Calls, their arguments, and whether a known function accepts them.
#include "core/base/sentence.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/tree.h"
#include "core/mask/language/names/function_row.h"
#include "core/mask/language/names/known_names.h"

#include <algorithm>
#include <array>

namespace vqscope::language {
namespace {

/// create_block_mask(f, ...) is f: its other arguments change no cell.
Value block_mask(Compilation& c, const Expression& e, Scope& scope) {
  if (const ExpressionId mask = mask_argument(e); mask != no_expression)
    return c.last_block_mask = compile_expression(c, mask, scope);
  if (e.operands.size() < 2) {  // get_compiled_create_block_mask()
    Value value{.kind = Value::Kind::callable};
    value.callable = c.new_callable({.kind = Callable::Kind::known, .names = {"create_block_mask"}});
    return value;
  }
  return c.fail(e.range, "create_block_mask takes a function of (b, h, q_idx, kv_idx) first");
}

/// A call of a name that the text does not define, and of a.name.
Value call_by_name(Compilation& c, const Expression& e, const Expression& callee, Scope& scope) {
  const std::string& name = callee.name;
  if (language::makes_block_mask(name)) return block_mask(c, e, scope);
  if (const ExpressionId mask = attention_mask(c, e); mask != no_expression) return compile_expression(c, mask, scope);
  const FunctionRow* row = function_row(name, Called::alone);
  if (!row)
    return c.fail(callee.range, "{} is called but not defined in the text{}", shortened(name),
                  advised(name, plain_functions(), "known functions are "));
  if (row->of_call) return row->of_call(c, e, scope);
  const auto arguments = read_arguments(c, e, scope);
  return c.failed() ? Value{} : apply_known(c, name, e, arguments);
}

/// Arguments that change how a tensor is stored, but not its values.
constexpr std::array<std::string_view, 4> of_storage{"device", "requires_grad", "non_blocking", "_compile"};

}  // namespace

bool makes_block_mask(const Value& value) {
  const auto makes = [](const Callable* callable) {
    return callable->kind == Callable::Kind::known && language::makes_block_mask(callable->names.front());
  };
  if (value.kind != Value::Kind::callable) return false;
  const bool is_choice = value.callable->kind == Callable::Kind::chosen;
  return is_choice ? std::ranges::all_of(value.callable->members, makes) : makes(value.callable);
}

Value compile_call(Compilation& c, const Expression& e, Scope& scope) {
  const Expression& callee = c.at(e.operands[0]);
  if (callee.kind == ExpressionKind::attribute) {
    if (language::makes_block_mask(callee.name)) return block_mask(c, e, scope);
    const ExpressionId mask = attention_mask(c, e);
    return mask != no_expression ? compile_expression(c, mask, scope) : call_attribute(c, e, callee, scope);
  }
  if (callee.kind == ExpressionKind::name && !scope.find(callee.name)) return call_by_name(c, e, callee, scope);
  const Value function = compile_expression(c, e.operands[0], scope);
  if (c.failed()) return {};
  if (function.kind == Value::Kind::callable && makes_block_mask(function)) return block_mask(c, e, scope);
  if (function.kind == Value::Kind::free_name)
    return c.fail(e.range,
                  shortened(c.written(callee.range)) +
                      " is a parameter that is called; call the function that takes it with a mask of the text");
  if (function.kind != Value::Kind::callable)
    return c.fail(e.range, shortened(c.written(callee.range)) + " is not a function and cannot be called");
  const auto arguments = read_arguments(c, e, scope);
  if (c.failed()) return {};
  Value result = apply(c, *function.callable, arguments, e.range);
  const bool outermost = c.calls == 0 || &scope == c.term_scope;
  if (!c.failed() && outermost && callee.kind == ExpressionKind::name && result.kind == Value::Kind::node)
    c.names.try_emplace(result.node, callee.name);
  return result;
}

std::string advised(const std::string& name, const std::vector<std::string>& names, const std::string& before) {
  const std::string meant = did_you_mean(name, names);
  return meant.empty() ? fmt::format("; {}{}", before, join(names, ", ")) : meant;
}

ExpressionId mask_argument(const Expression& e) {
  for (std::size_t i = 1; i < e.operands.size(); ++i)
    if (e.keywords[i - 1] == "mask_mod" || (i == 1 && e.keywords[0].empty())) return e.operands[i];
  return no_expression;
}

ExpressionId attention_mask(const Compilation& c, const Expression& e) {
  const std::string& name = c.at(e.operands[0]).name;
  if (name.find("flex_attention") == std::string::npos && name.find("scaled_dot_product") == std::string::npos)
    return no_expression;
  for (std::size_t i = 1; i < e.operands.size(); ++i)
    if (e.keywords[i - 1] == "block_mask" || e.keywords[i - 1] == "attn_mask") return e.operands[i];
  return no_expression;
}

std::vector<Argument> read_arguments(Compilation& c, const Expression& e, Scope& scope) {
  std::vector<Argument> arguments;
  for (std::size_t i = 1; i < e.operands.size() && !c.failed(); ++i) {
    const std::string& keyword = e.keywords[i - 1];
    const Range range = c.at(e.operands[i]).range;
    if (std::ranges::find(of_storage, keyword) != of_storage.end()) continue;
    if (c.at(e.operands[i]).kind != ExpressionKind::starred) {
      arguments.push_back({compile_expression(c, e.operands[i], scope), keyword, range});
      continue;
    }
    if (keyword == "**") {
      const Value all = compile_expression(c, c.at(e.operands[i]).operands[0], scope);
      if (c.failed()) return {};
      if (all.kind != Value::Kind::dictionary)
        return c.fail(range, "** must be followed by a dictionary of the text"), std::vector<Argument>();
      for (const auto& [key, value] : all.dictionary->items()) {
        if (key.kind != Value::Kind::text)
          return c.fail(range, "the keys of a dictionary after ** must be texts"), std::vector<Argument>();
        arguments.push_back({value, key.name, range});
      }
      continue;
    }
    for (auto& item : items_of(c, {e.operands[i]}, scope)) arguments.push_back({std::move(item), "", range});
  }
  return arguments;
}

std::optional<ClampEnds> clamp_ends(Compilation& c, const std::vector<Argument>& arguments, Range range) {
  ClampEnds ends;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const std::string& keyword = argument.keyword;
    const bool is_value = keyword == "input" || (keyword.empty() && i == 0);
    const bool is_low = keyword == "min" || keyword == "a_min" || (keyword.empty() && i == 1);
    const bool is_high = keyword == "max" || keyword == "a_max" || (keyword.empty() && i == 2);
    if (!is_value && !is_low && !is_high)
      return c.fail(argument.range, "clamp takes a value, min and max"), std::nullopt;
    if (argument.value.kind != Value::Kind::nothing)
      (is_value ? ends.value : is_low ? ends.low : ends.high) = &argument;
  }
  if (!ends.value || (!ends.low && !ends.high))
    return c.fail(range, "clamp takes a value and min, max or both"), std::nullopt;
  return ends;
}

Value takes(Compilation& c, const std::string& name, std::size_t wanted, std::size_t found, Range range) {
  return c.fail(range, "{} takes {}{}, found {}", name, wanted, wanted == 1 ? " value" : " values", found);
}

const Argument* by_keyword(const std::vector<Argument>& arguments, std::string_view keyword) {
  const auto found = std::ranges::find(arguments, keyword, &Argument::keyword);
  return found == arguments.end() ? nullptr : &*found;
}

}  // namespace vqscope::language
