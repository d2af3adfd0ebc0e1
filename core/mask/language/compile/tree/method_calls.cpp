// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of a.f(x): functions of modules, methods of arrays, lists, dictionaries and texts.
#include "core/mask/language/compile/tree/tree.h"

#include "core/mask/language/code/library.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/names/known_names.h"

#include <algorithm>

namespace vqscope::language {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Methods that return a number unchanged.
bool is_reshaping(const std::string& name) {
  return contains({"item", "view", "reshape", "unsqueeze", "squeeze", "expand", "tolist", "flatten", "float", "half",
                   "double", "expand_as", "view_as"},
                  name);
}

/// Methods that return any value unchanged.
bool is_alike(const std::string& name) {
  return contains({"contiguous", "clone", "detach", "cpu", "cuda", "numpy", "copy"}, name);
}

Value text_method(Compilation& c, const std::string& name, const std::vector<Argument>& arguments, Range range) {
  std::string text = arguments.front().value.name;
  if (name == "startswith" || name == "endswith") {
    if (arguments.size() != 2 || arguments[1].value.kind != Value::Kind::text)
      return c.fail(range, name + " takes one text");
    const std::string& part = arguments[1].value.name;
    return c.flag(name == "startswith" ? text.starts_with(part) : text.ends_with(part), range);
  }
  if (name == "strip") {
    const auto begin = std::min(text.find_first_not_of(" \t\n"), text.size());
    const auto end = text.find_last_not_of(" \t\n");
    text = end == std::string::npos ? std::string() : text.substr(begin, end + 1 - begin);
  } else {
    const bool is_lower = name == "lower";
    std::ranges::transform(text, text.begin(), [&](unsigned char letter) {
      const bool turns = is_lower ? letter >= 'A' && letter <= 'Z' : letter >= 'a' && letter <= 'z';
      return static_cast<char>(turns ? letter ^ 0x20U : letter);
    });
  }
  return {.kind = Value::Kind::text, .name = std::move(text)};
}

/// A method of a dictionary or a text; empty: the object is neither.
std::optional<Value> call_on_object(Compilation& c, const Expression& e, const Expression& callee, Scope& scope) {
  const Expression& of = c.at(callee.operands[0]);
  const bool may_be_text = contains({"lower", "upper", "strip", "startswith", "endswith"}, callee.name);
  const bool may_be_dictionary =
      contains({"get", "keys", "values", "items", "update", "setdefault", "pop", "copy"}, callee.name);
  if (!may_be_text && !may_be_dictionary) return std::nullopt;
  const bool is_plain = of.kind == ExpressionKind::name || of.kind == ExpressionKind::attribute ||
                        of.kind == ExpressionKind::index || of.kind == ExpressionKind::call ||
                        of.kind == ExpressionKind::string || of.kind == ExpressionKind::dictionary;
  if (!is_plain) return std::nullopt;
  const Value object = compile_expression(c, callee.operands[0], scope);
  if (c.failed()) return std::nullopt;
  const bool is_text = object.kind == Value::Kind::text && may_be_text;
  if (!is_text && object.kind != Value::Kind::dictionary) return std::nullopt;
  std::vector<Argument> arguments{{object, "", of.range}};
  for (auto& argument : read_arguments(c, e, scope)) arguments.push_back(std::move(argument));
  if (c.failed()) return std::nullopt;
  return is_text ? text_method(c, callee.name, arguments, e.range)
                 : dictionary_method(c, callee.name, arguments, e.range);
}

/// Converts a fraction to an integer, rounding towards zero.
Value converted_fraction(Compilation& c, const Expression& e, const Argument& object) {
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    const std::string& type = c.at(e.operands[i]).name;
    if (type == "bool") return c.of_node(c.as_bool(object.value.node));
    if (type.starts_with("int") || type == "long") return rounded(c, Rounding::to_zero, object.value, e.range);
  }
  return object.value;
}

/// .to(torch.bool) tests whether the value is not zero; devices and other integer types change
/// nothing.
Value converted(Compilation& c, const Expression& e, const Argument& object) {
  const bool is_array = is_tensor(c, object.value);
  if (object.value.kind == Value::Kind::ratio) return converted_fraction(c, e, object);
  if (!is_array && object.value.kind != Value::Kind::node && object.value.kind != Value::Kind::free_name)
    return object.value;
  // An array that is not given yet is not converted.
  const bool is_known = object.value.kind == Value::Kind::tensor || is_given(c, object.value);
  if (!is_known && object.value.kind != Value::Kind::node && !object.value.fallback) return object.value;
  if (is_array) {
    for (std::size_t i = 1; i < e.operands.size(); ++i) {
      const std::string& type = c.at(e.operands[i]).name;
      const bool is_bool = type == "bool", is_int = type.starts_with("int") || type == "long";
      if (is_bool || is_int)
        return each_element(
            c, is_bool ? "bool" : "int", {object}, [&](const auto& cell) { return converted(c, e, cell[0]); }, e.range);
    }
    return object.value;
  }
  const NodeId value = c.as_node(object.value, object.range);
  if (c.failed()) return {};
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    const Expression& type = c.at(e.operands[i]);
    const bool is_type = type.kind == ExpressionKind::attribute || type.kind == ExpressionKind::name;
    if (is_type && type.name == "bool") return c.of_node(c.as_bool(value));
    if (is_type && (type.name.starts_with("int") || type.name == "long")) return c.of_node(c.as_int(value));
  }
  return c.of_node(value);
}

/// torch, np, jax.numpy and the like, unless the text defines the name itself.
std::optional<std::string> module_of(Compilation& c, ExpressionId id, Scope& scope) {
  const Expression& e = c.at(id);
  if (e.kind == ExpressionKind::name && is_module(e.name) && !scope.find(e.name)) return e.name;
  if (e.kind != ExpressionKind::attribute) return std::nullopt;
  const auto outer = module_of(c, e.operands[0], scope);
  return outer ? std::optional(*outer + "." + e.name) : std::nullopt;
}

/// torch.f(x), np.f(x)
Value call_of_module(Compilation& c, const Expression& e, const Expression& callee, const std::string& module,
                     Scope& scope) {
  const std::string& name = callee.name;
  if (!is_function(name))
    return c.fail(callee.range, "{}.{} is not part of the mask language{}", module, shortened(name),
                  advised(name, torch_functions(), "of " + module + " there are "));
  const auto arguments = read_arguments(c, e, scope);
  if (c.failed()) return {};
  const bool is_numpy = is_numpy_module(module.substr(0, module.find('.')));
  return is_numpy ? apply_numpy(c, name, e, arguments) : apply_known(c, name, e, arguments);
}

/// nn.make_causal_mask, splash_attention_mask.LocalMask; null: the text defines what stands before the point.
const Callable* function_of_library(Compilation& c, const Expression& callee, Scope& scope) {
  if (!is_library_function(callee.name)) return nullptr;
  const Expression* root = &callee;
  while (root->kind == ExpressionKind::attribute) root = &c.at(root->operands[0]);
  const Value* found = is_of_module(*root) && !scope.find(root->name) ? c.top->find(callee.name) : nullptr;
  return found && found->kind == Value::Kind::callable ? found->callable : nullptr;
}

}  // namespace

Value call_attribute(Compilation& c, const Expression& e, const Expression& callee, Scope& scope) {
  const std::string& name = callee.name;
  if (const Callable* function = function_of_library(c, callee, scope)) {
    const auto arguments = read_arguments(c, e, scope);
    return c.failed() ? Value{} : apply(c, *function, arguments, e.range);
  }
  if (const auto module = module_of(c, callee.operands[0], scope)) return call_of_module(c, e, callee, *module, scope);
  const Expression& object = c.at(callee.operands[0]);
  if (auto made = call_on_object(c, e, callee, scope); made || c.failed()) return made.value_or(Value{});
  if (object.kind == ExpressionKind::name)
    if (const Value* set = scope.find(object.name + "." + name); set && set->kind == Value::Kind::callable) {
      const auto arguments = read_arguments(c, e, scope);
      return c.failed() ? Value{} : apply(c, *set->callable, arguments, e.range);
    }
  if (!contains(methods(), name))
    return c.fail(callee.range, ".{}(...) is not part of the mask language{}", shortened(name),
                  advised(name, methods(), "known methods are "));
  std::vector<Argument> arguments{{compile_expression(c, callee.operands[0], scope), "", object.range}};
  if (c.failed()) return {};
  const Value::Kind kind = arguments.front().value.kind;
  const bool is_list = kind == Value::Kind::tuple && contains({"append", "extend", "insert"}, name);
  const bool of_array = is_tensor(c, arguments.front().value) && (kind == Value::Kind::tensor || !is_alike(name));
  if (name == "to" || name == "type" || name == "astype") return converted(c, e, arguments.front());
  if (is_alike(name) && (of_array || kind == Value::Kind::tuple) && !is_list) {
    if (name != "clone" && name != "copy") return arguments.front().value;
    const TensorPtr tensor = as_tensor(c, arguments.front());
    Tensor copy = tensor ? *tensor : Tensor();
    copy.memory = Tensor().memory;
    return of_tensor(c, std::move(copy), e.range);
  }
  if ((is_reshaping(name) || is_alike(name)) && !of_array) return arguments.front().value;
  if (name == "item" && of_array) {
    const auto known = known_number(c, arguments.front());
    return known ? c.of_node(c.build.constant(*known, false, e.range)) : Value{};
  }
  const TensorPtr model = name.starts_with("new_") ? arguments.front().value.tensor : nullptr;
  if (name.starts_with("new_")) arguments.clear();
  for (auto& argument : read_arguments(c, e, scope)) arguments.push_back(std::move(argument));
  if (c.failed()) return {};
  // A new array has the same type, except for new_tensor, which has its own values.
  if (model && model->is_bool && name != "new_tensor" && !by_keyword(arguments, "dtype"))
    arguments.push_back({{.kind = Value::Kind::text, .name = "bool"}, "dtype", e.range});
  if (is_list) return changed_list(c, name, arguments, e.range);
  if (kind == Value::Kind::tuple && (name == "index" || name == "count"))
    return found_in_list(c, name, arguments, e.range);
  if (name == "where" && arguments.size() > 1) std::swap(arguments[0], arguments[1]);  // x.where(condition, y)
  return c.is_numpy_text ? apply_numpy(c, name, e, arguments) : apply_known(c, name, e, arguments);
}

}  // namespace vqscope::language
