// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of a.f(x): functions of modules, methods of arrays, lists, dictionaries and texts.
#include "core/base/text.h"
#include "core/mask/language/code/library.h"
#include "core/mask/language/compile/tensor/tensor_operations.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/function_call.h"
#include "core/mask/language/names/known_names.h"

namespace vqscope::language {
namespace {

/// A method of a dictionary or a text; empty: the object is neither.
std::optional<Value> call_on_object(Compilation& c, const Expression& e, const Expression& callee, Scope& scope) {
  const Expression& of = c.at(callee.operands[0]);
  const FunctionRow* of_text = function_row(callee.name, Called::on_text);
  const FunctionRow* of_dictionary = function_row(callee.name, Called::on_dictionary);
  if (!of_text && !of_dictionary) return std::nullopt;
  const bool is_plain = of.kind == ExpressionKind::name || of.kind == ExpressionKind::attribute ||
                        of.kind == ExpressionKind::index || of.kind == ExpressionKind::call ||
                        of.kind == ExpressionKind::string || of.kind == ExpressionKind::dictionary;
  if (!is_plain) return std::nullopt;
  const Value object = compile_expression(c, callee.operands[0], scope);
  if (c.failed()) return std::nullopt;
  const FunctionRow* row = object.kind == Value::Kind::text         ? of_text
                           : object.kind == Value::Kind::dictionary ? of_dictionary
                                                                    : nullptr;
  if (!row) return std::nullopt;
  std::vector<Argument> arguments{{object, "", of.range}};
  for (auto& argument : read_arguments(c, e, scope)) arguments.push_back(std::move(argument));
  if (c.failed()) return std::nullopt;
  return row->of_values(c, {*row, callee.name, callee.name, e, arguments});
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
  if (!is_known && object.value.kind != Value::Kind::node && !object.value.default_value) return object.value;
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
  if (!function_row(name, Called::alone))
    return c.fail(callee.range, "{}.{} is not part of the mask language{}", module, shortened(name),
                  advised(name, torch_functions(), "of " + module + " there are "));
  const auto arguments = read_arguments(c, e, scope);
  if (c.failed()) return {};
  const bool is_numpy = is_numpy_module(module.substr(0, module.find('.')));
  return is_numpy ? apply_numpy(c, name, e, arguments) : apply_known(c, name, e, arguments);
}

/// nn.make_causal_mask, splash_attention_mask.LocalMask; null: the text defines what stands before
/// the point.
const Callable* function_of_library(Compilation& c, const Expression& callee, Scope& scope) {
  if (!is_library_function(callee.name)) return nullptr;
  const Expression& owner = c.syntax.owner_of(callee);
  const Value* found = is_of_module(owner) && !scope.find(owner.name) ? c.top->find(callee.name) : nullptr;
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
  const FunctionRow* row = function_row(name, Called::on_value);
  if (!row)
    return c.fail(callee.range, ".{}(...) is not part of the mask language{}", shortened(name),
                  advised(name, methods(), "known methods are "));
  if (row->of_call) return row->of_call(c, e, scope);
  std::vector<Argument> arguments{{compile_expression(c, callee.operands[0], scope), "", object.range}};
  if (c.failed()) return {};
  const Value::Kind kind = arguments.front().value.kind;
  const bool is_alike = row->unchanged == Unchanged::all;
  const bool of_array = is_tensor(c, arguments.front().value) && (kind == Value::Kind::tensor || !is_alike);
  if (is_alike && (of_array || kind == Value::Kind::tuple))
    return row->of_arrays ? apply_to_tensors(c, name, arguments, e.range).value_or(Value{}) : arguments.front().value;
  if (row->unchanged != Unchanged::none && !of_array) return arguments.front().value;
  const bool is_new = name.starts_with("new_");
  const TensorPtr model = is_new ? arguments.front().value.tensor : nullptr;
  if (is_new) arguments.clear();
  for (auto& argument : read_arguments(c, e, scope)) arguments.push_back(std::move(argument));
  if (c.failed()) return {};
  // A new array has the same type, except for new_tensor, which has its own values.
  if (model && model->is_bool && name != "new_tensor" && !by_keyword(arguments, "dtype"))
    arguments.push_back({{.kind = Value::Kind::text, .name = "bool"}, "dtype", e.range});
  if (name == "where" && arguments.size() > 1) std::swap(arguments[0], arguments[1]);  // x.where(condition, y)
  return c.is_numpy_text ? apply_numpy(c, name, e, arguments) : apply_known(c, name, e, arguments);
}

Value conversion(Compilation& c, const Expression& e, Scope& scope) {
  const ExpressionId object = c.at(e.operands[0]).operands[0];
  const Value value = compile_expression(c, object, scope);
  return c.failed() ? Value{} : converted(c, e, {value, "", c.at(object).range});
}

Value changed_text(Compilation&, const FunctionCall& call) {
  const std::string& text = call.arguments.front().value.name;
  if (call.name == "strip") return {.kind = Value::Kind::text, .name = std::string(trimmed(text))};
  if (call.name == "lower") return {.kind = Value::Kind::text, .name = lower_case(text)};
  std::string upper = text;
  for (char& letter : upper)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return {.kind = Value::Kind::text, .name = std::move(upper)};
}

Value begins_or_ends(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  if (arguments.size() != 2 || arguments[1].value.kind != Value::Kind::text)
    return c.fail(e.range, name + " takes one text");
  const std::string& text = arguments[0].value.name;
  const std::string& part = arguments[1].value.name;
  return c.flag(name == "startswith" ? text.starts_with(part) : text.ends_with(part), e.range);
}

}  // namespace vqscope::language
