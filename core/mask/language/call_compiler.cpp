// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/expression_compiler.h"
#include "core/mask/language/known_names.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope::language {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Of a tensor of one value these give the tensor.
bool is_reshaping(const std::string& name) {
  return contains({"item", "view", "reshape", "unsqueeze", "squeeze", "expand", "contiguous", "clone", "detach", "cpu",
                   "cuda", "float", "half", "double", "tolist", "flatten"},
                  name);
}

/// The name that was most likely meant, or all that there are.
std::string advised(const std::string& name, const std::vector<std::string>& names, const std::string& before) {
  const std::string meant = did_you_mean(name, names);
  return meant.empty() ? "; " + before + join(names, ", ") : meant;
}

}  // namespace

Value ExpressionCompiler::call(const Expression& e, Scope& scope) {
  const Expression& callee = at(e.operands[0]);
  if (callee.kind == ExpressionKind::attribute) return call_attribute(e, callee, scope);
  if (callee.kind == ExpressionKind::name && !scope.find(callee.name)) return call_plain(e, callee, scope);
  const Value function = expression(e.operands[0], scope);
  if (failed()) return {};
  if (function.kind == Value::Kind::free_name)
    return fail(e.range, shortened(written(callee.range)) +
                             " is a parameter that is called; call the function that takes it with a mask of the text");
  if (function.kind != Value::Kind::callable)
    return fail(e.range, shortened(written(callee.range)) + " is no function, it cannot be called");
  const auto arguments = read_arguments(e, 1, scope);
  if (failed()) return {};
  Value result = apply(*function.callable, arguments, e.range);
  const bool outermost = m_calls == 0 || &scope == m_term_scope;
  if (!failed() && outermost && callee.kind == ExpressionKind::name && result.kind == Value::Kind::node)
    m_names.try_emplace(result.node, callee.name);
  return result;
}

std::vector<Argument> ExpressionCompiler::read_arguments(const Expression& e, std::size_t first, Scope& scope) {
  std::vector<Argument> arguments;
  for (std::size_t i = first; i < e.operands.size() && !failed(); ++i) {
    const std::string& keyword = e.keywords[i - 1];
    const Range range = at(e.operands[i]).range;
    // What changes how a tensor is kept, and no value.
    if (contains({"device", "requires_grad", "non_blocking", "_compile"}, keyword)) continue;
    if (at(e.operands[i]).kind != ExpressionKind::starred) {
      arguments.push_back({expression(e.operands[i], scope), keyword, range});
      continue;
    }
    for (auto& item : items_of({e.operands[i]}, scope)) arguments.push_back({std::move(item), "", range});
  }
  return arguments;
}

Value ExpressionCompiler::call_plain(const Expression& e, const Expression& callee, Scope& scope) {
  const std::string& name = callee.name;
  if (makes_block_mask(name)) return block_mask(e, scope);
  if (!is_function(name)) {
    return fail(callee.range, shortened(name) + " is called but not defined in the text" +
                                  advised(name, plain_functions(), "functions that are known are "));
  }
  const auto arguments = read_arguments(e, 1, scope);
  return failed() ? Value{} : apply_known(name, e, arguments);
}

Value ExpressionCompiler::call_attribute(const Expression& e, const Expression& callee, Scope& scope) {
  const std::string& name = callee.name;
  if (makes_block_mask(name)) return block_mask(e, scope);
  if (const auto module = module_of(callee.operands[0], scope)) {
    if (!is_function(name))
      return fail(callee.range, *module + "." + shortened(name) + " is not part of the mask language" +
                                    advised(name, torch_functions(), "of " + *module + " there are "));
    const auto arguments = read_arguments(e, 1, scope);
    return failed() ? Value{} : apply_known(name, e, arguments);
  }
  const Expression& object = at(callee.operands[0]);
  if (object.kind == ExpressionKind::name)
    if (const Value* set = scope.find(object.name + "." + name); set && set->kind == Value::Kind::callable) {
      const auto arguments = read_arguments(e, 1, scope);
      return failed() ? Value{} : apply(*set->callable, arguments, e.range);
    }
  if (!contains(methods(), name))
    return fail(callee.range, "." + shortened(name) + "(...) is not part of the mask language" +
                                  advised(name, methods(), "after a value there may stand "));
  std::vector<Argument> arguments{{expression(callee.operands[0], scope), "", object.range}};
  if (failed()) return {};
  if (is_reshaping(name)) return arguments.front().value;
  if (name == "to" || name == "type" || name == "astype") return converted(e, arguments.front());
  if (name.starts_with("new_")) arguments.clear();
  for (auto& argument : read_arguments(e, 1, scope)) arguments.push_back(std::move(argument));
  return failed() ? Value{} : apply_known(name, e, arguments);
}

ExpressionId ExpressionCompiler::mask_argument(const Expression& e) const {
  for (std::size_t i = 1; i < e.operands.size(); ++i)
    if (e.keywords[i - 1] == "mask_mod" || (i == 1 && e.keywords[0].empty())) return e.operands[i];
  return no_expression;
}

Value ExpressionCompiler::block_mask(const Expression& e, Scope& scope) {
  if (const ExpressionId mask = mask_argument(e); mask != no_expression) return expression(mask, scope);
  return fail(e.range, "create_block_mask is given a function of (b, h, q_idx, kv_idx) first");
}

/// torch, np, jax.numpy and the like, where the text has not given the name a meaning of its own.
std::optional<std::string> ExpressionCompiler::module_of(ExpressionId id, Scope& scope) {
  const Expression& e = at(id);
  if (e.kind == ExpressionKind::name && is_module(e.name) && !scope.find(e.name)) return e.name;
  if (e.kind != ExpressionKind::attribute) return std::nullopt;
  const auto outer = module_of(e.operands[0], scope);
  return outer ? std::optional(*outer + "." + e.name) : std::nullopt;
}

Value ExpressionCompiler::converted(const Expression& e, const Argument& object) {
  if (object.value.kind != Value::Kind::node && object.value.kind != Value::Kind::free_name) return object.value;
  // An array stays one, whatever its type.
  if (object.value.kind == Value::Kind::free_name && !object.value.fallback) return object.value;
  const NodeId value = as_node(object.value, object.range);
  if (failed()) return {};
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    const Expression& type = at(e.operands[i]);
    const bool is_type = type.kind == ExpressionKind::attribute || type.kind == ExpressionKind::name;
    if (is_type && type.name == "bool") return of_node(as_bool(value));
    if (is_type && (type.name.starts_with("int") || type.name == "long")) return of_node(as_int(value));
  }
  return of_node(value);
}

}  // namespace vqscope::language
