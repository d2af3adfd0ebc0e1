// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/expression_compiler.h"
#include "core/mask/language/names/known_names.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope::language {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Of a number these give the number.
bool is_reshaping(const std::string& name) {
  return contains({"item", "view", "reshape", "unsqueeze", "squeeze", "expand", "tolist", "flatten", "float", "half",
                   "double", "round", "expand_as", "view_as"},
                  name);
}

/// Of anything these give what it is.
bool is_alike(const std::string& name) {
  return contains({"contiguous", "clone", "detach", "cpu", "cuda", "numpy", "copy"}, name);
}

/// The name that was most likely meant, or all that there are.
std::string advised(const std::string& name, const std::vector<std::string>& names, const std::string& before) {
  const std::string meant = did_you_mean(name, names);
  return meant.empty() ? "; " + before + join(names, ", ") : meant;
}

}  // namespace

/// create_block_mask under another name, such as what torch.compile gives of it.
bool ExpressionCompiler::makes_block_mask(const Value& value) {
  const auto makes = [](const Callable* callable) {
    return callable->kind == Callable::Kind::known && language::makes_block_mask(callable->names.front());
  };
  if (value.kind != Value::Kind::callable) return false;
  const bool is_choice = value.callable->kind == Callable::Kind::chosen;
  return is_choice ? std::ranges::all_of(value.callable->members, makes) : makes(value.callable);
}

Value ExpressionCompiler::call(const Expression& e, Scope& scope) {
  const Expression& callee = at(e.operands[0]);
  if (callee.kind == ExpressionKind::attribute) return call_attribute(e, callee, scope);
  if (callee.kind == ExpressionKind::name && !scope.find(callee.name)) return call_plain(e, callee, scope);
  const Value function = expression(e.operands[0], scope);
  if (failed()) return {};
  if (function.kind == Value::Kind::callable && makes_block_mask(function)) return block_mask(e, scope);
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
  if (language::makes_block_mask(name)) return block_mask(e, scope);
  if (const ExpressionId mask = attention_mask(e); mask != no_expression) return expression(mask, scope);
  if (!is_function(name)) {
    return fail(callee.range, shortened(name) + " is called but not defined in the text" +
                                  advised(name, plain_functions(), "functions that are known are "));
  }
  const auto arguments = read_arguments(e, 1, scope);
  return failed() ? Value{} : apply_known(name, e, arguments);
}

Value ExpressionCompiler::call_attribute(const Expression& e, const Expression& callee, Scope& scope) {
  const std::string& name = callee.name;
  if (language::makes_block_mask(name)) return block_mask(e, scope);
  if (const ExpressionId mask = attention_mask(e); mask != no_expression) return expression(mask, scope);
  if (const auto module = module_of(callee.operands[0], scope)) {
    if (!is_function(name))
      return fail(callee.range, *module + "." + shortened(name) + " is not part of the mask language" +
                                    advised(name, torch_functions(), "of " + *module + " there are "));
    const auto arguments = read_arguments(e, 1, scope);
    // NumPy repeats each element as torch's repeat_interleave does.
    const bool is_numpy = *module == "np" || *module == "numpy" || *module == "jnp" || *module == "jax.numpy";
    return failed() ? Value{} : apply_known(is_numpy && name == "repeat" ? "repeat_interleave" : name, e, arguments);
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
  const Value::Kind kind = arguments.front().value.kind;
  const bool is_list = kind == Value::Kind::tuple && contains({"append", "extend", "insert"}, name);
  const bool of_array = is_tensor(arguments.front().value) && (kind == Value::Kind::tensor || !is_alike(name));
  if (name == "to" || name == "type" || name == "astype") return converted(e, arguments.front());
  if (is_alike(name) && (of_array || kind == Value::Kind::tuple) && !is_list) {
    if (name != "clone" && name != "copy") return arguments.front().value;
    const TensorPtr tensor = as_tensor(arguments.front());
    Tensor copy = tensor ? *tensor : Tensor();
    copy.memory = Tensor().memory;
    return of_tensor(std::move(copy), e.range);
  }
  if ((is_reshaping(name) || is_alike(name)) && !of_array) return arguments.front().value;
  if (name == "item" && of_array) {
    const auto known = number(arguments.front());
    return known ? of_node(m_build.constant(*known, false, e.range)) : Value{};
  }
  if (name.starts_with("new_")) arguments.clear();
  for (auto& argument : read_arguments(e, 1, scope)) arguments.push_back(std::move(argument));
  if (failed()) return {};
  if (is_list) return changed_list(name, arguments, e.range);
  if (name == "where" && arguments.size() > 1) std::swap(arguments[0], arguments[1]);  // x.where(condition, y)
  return apply_known(name, e, arguments);
}

ExpressionId ExpressionCompiler::mask_argument(const Expression& e) const {
  for (std::size_t i = 1; i < e.operands.size(); ++i)
    if (e.keywords[i - 1] == "mask_mod" || (i == 1 && e.keywords[0].empty())) return e.operands[i];
  return no_expression;
}

ExpressionId ExpressionCompiler::attention_mask(const Expression& e) const {
  const std::string& name = at(e.operands[0]).name;
  if (name.find("flex_attention") == std::string::npos && name.find("scaled_dot_product") == std::string::npos)
    return no_expression;
  for (std::size_t i = 1; i < e.operands.size(); ++i)
    if (e.keywords[i - 1] == "block_mask" || e.keywords[i - 1] == "attn_mask") return e.operands[i];
  return no_expression;
}

Value ExpressionCompiler::block_mask(const Expression& e, Scope& scope) {
  if (const ExpressionId mask = mask_argument(e); mask != no_expression)
    return m_last_block_mask = expression(mask, scope);
  if (e.operands.size() < 2) {  // get_compiled_create_block_mask()
    Value value{.kind = Value::Kind::callable};
    value.callable = new_callable({.kind = Callable::Kind::known, .names = {"create_block_mask"}});
    return value;
  }
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
  const bool is_array = is_tensor(object.value);
  if (!is_array && object.value.kind != Value::Kind::node && object.value.kind != Value::Kind::free_name)
    return object.value;
  // What is not given yet stays what it is, whatever its type.
  const bool is_known = object.value.kind == Value::Kind::tensor || is_given(object.value);
  if (!is_known && object.value.kind != Value::Kind::node && !object.value.fallback) return object.value;
  if (is_array) {
    for (std::size_t i = 1; i < e.operands.size(); ++i) {
      const std::string& type = at(e.operands[i]).name;
      const bool is_bool = type == "bool", is_int = type.starts_with("int") || type == "long";
      if (is_bool || is_int)
        return each(
            is_bool ? "bool" : "int", {object}, [&](const auto& cell) { return converted(e, cell[0]); }, e.range);
    }
    return object.value;
  }
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
