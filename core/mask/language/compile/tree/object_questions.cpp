// SPDX-License-Identifier: GPL-3.0-or-later
// isinstance, getattr, hasattr; and calls that are statements and change an object: x.append(y), x.mul_(y),
// torch.add(x, y, out=x).
#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/function_call.h"
#include "core/mask/language/compile/tree/tree.h"
#include "core/mask/language/names/known_names.h"

#include <algorithm>

namespace vqscope::language {
namespace {

Value is_instance(Compilation& c, const Expression& e, Scope& scope) {
  const Value value = compile_expression(c, e.operands[1], scope);
  if (c.failed()) return {};
  const Expression& types = c.at(e.operands[2]);
  const auto is_type = [&](ExpressionId id) {
    const std::string& type = c.at(id).name;
    switch (value.kind) {
      case Value::Kind::node: return type == "int" || (type == "bool" && c.node(value.node).is_bool);
      case Value::Kind::free_name:
        return is_tensor(c, value) ? type.ends_with("Tensor") || type == "ndarray" : type == "int";
      case Value::Kind::ratio: return type == "float";
      case Value::Kind::tuple: return type == "list" || type == "tuple" || type == "Sequence" || type == "Iterable";
      case Value::Kind::dictionary: return type == "dict" || type == "Mapping";
      case Value::Kind::text: return type == "str";
      case Value::Kind::callable: return type == "Callable";
      case Value::Kind::tensor: return type.ends_with("Tensor") || type == "ndarray";
      default: return false;
    }
  };
  const bool several = types.kind == ExpressionKind::tuple;
  return c.flag(several ? std::ranges::any_of(types.operands, is_type) : is_type(e.operands[2]), e.range);
}

bool is_known_change(const Compilation& c, const Expression& call) {
  const Expression& callee = c.at(call.operands[0]);
  return callee.kind == ExpressionKind::attribute && changes_object(callee.name);
}

/// x of x[0].y(z).w; none if it begins otherwise.
ExpressionId object_root(const Compilation& c, ExpressionId id) {
  using enum ExpressionKind;
  while (c.at(id).kind == attribute || c.at(id).kind == index || c.at(id).kind == call) id = c.at(id).operands[0];
  return c.at(id).kind == name ? id : no_expression;
}

/// Whether torch changes an object in a function of this name. Those that change no element are
/// left out.
bool changes_by_convention(std::string_view name) {
  constexpr std::array<std::string_view, 5> harmless{"requires_grad_", "detach_", "share_memory_", "squeeze_",
                                                     "unsqueeze_"};
  constexpr std::array<std::string_view, 4> of_numpy{"fill_diagonal", "copyto", "putmask", "place"};
  const bool ends = name.size() > 1 && name.ends_with('_') && !name.ends_with("__");
  return (ends && std::ranges::find(harmless, name) == harmless.end()) ||
         std::ranges::find(of_numpy, name) != of_numpy.end();
}

/// Object that a call changes by the conventions of torch and NumPy; none: no object.
ExpressionId changed_by_convention(const Compilation& c, const Expression& call) {
  for (std::size_t i = 1; i < call.operands.size(); ++i)
    if (call.keywords[i - 1] == "out") return call.operands[i];
  const Expression& callee = c.at(call.operands[0]);
  if (callee.kind != ExpressionKind::attribute || !changes_by_convention(callee.name)) return no_expression;
  const ExpressionId root = object_root(c, callee.operands[0]);
  const bool of_module = root != no_expression && (is_module(c.at(root).name) || c.at(root).name == "init");
  if (!of_module) return callee.operands[0];
  return call.operands.size() > 1 ? call.operands[1] : no_expression;
}

}  // namespace

Value object_question(Compilation& c, const Expression& e, Scope& scope) {
  const std::string& name = c.at(e.operands[0]).name;
  if (e.operands.size() < 3) return takes(c, name, 2, e.operands.size() - 1, e.range);
  if (name == "isinstance") return is_instance(c, e, scope);
  const Expression& object = c.at(e.operands[1]);
  const Value wanted = compile_expression(c, e.operands[2], scope);
  if (c.failed()) return {};
  const bool is_attribute = object.kind == ExpressionKind::attribute;
  if ((object.kind != ExpressionKind::name && !is_attribute) || wanted.kind != Value::Kind::text)
    return c.fail(e.range, name + " takes a name and what is asked of it as a text");
  const Value inner = is_attribute ? compile_expression(c, e.operands[1], scope) : Value{};
  if (c.failed()) return {};
  const Value* owner = is_attribute ? &inner : scope.find(object.name);
  if (owner && owner->kind == Value::Kind::dictionary) {
    const auto found = found_item(c, *owner, {wanted, "", e.range});
    if (c.failed()) return {};
    if (name == "hasattr") return c.flag(found.has_value(), e.range);
    if (found) return *found;
    return e.operands.size() > 3 ? compile_expression(c, e.operands[3], scope)
                                 : c.fail(e.range, "{} has no {}", shortened(object.name), shortened(wanted.name));
  }
  const Value* set = scope.find(object.name + "." + wanted.name);
  const bool is_array = c.text.find(wanted.name + "[") != std::string_view::npos;
  if (name == "hasattr") {
    if (set || (owner && owner->kind != Value::Kind::free_name)) return c.flag(set != nullptr, e.range);
    if (is_module(object.name)) return c.flag(is_function(wanted.name), e.range);
    const bool has = c.optional_name(wanted.name, is_array, e.range).kind != Value::Kind::nothing;
    if (!has)
      c.warn(e.range, "{} is taken to have no {}; give {} if it has", shortened(object.name), shortened(wanted.name),
             shortened(wanted.name));
    return c.flag(has, e.range);
  }
  if (set) return *set;
  Value default_value = e.operands.size() > 3 ? compile_expression(c, e.operands[3], scope) : Value{};
  if (c.failed()) return {};
  const Range default_range = e.operands.size() > 3 ? c.at(e.operands[3]).range : e.range;
  const auto written = c.written_default(default_value, default_range);
  const bool needs_value = default_value.kind == Value::Kind::none || written;
  if (needs_value && (c.is_word(wanted.name) || default_value.kind == Value::Kind::text))
    return c.word_value(wanted.name, written, e.range);
  // An attribute that the text does not define is a free name with the default given here.
  if (default_value.kind == Value::Kind::nothing) return c.optional_name(wanted.name, is_array, e.range);
  Value value{.kind = Value::Kind::free_name, .name = wanted.name};
  const auto known = default_value.kind == Value::Kind::node && c.node(default_value.node).op == Op::constant;
  if (default_value.kind != Value::Kind::none && !known) return default_value;
  if (known) {
    value.default_value = c.node(default_value.node).value;
    value.is_flag = c.node(default_value.node).is_bool;
  }
  return value;
}

bool changes_object(const Compilation& c, ExpressionId id) {
  const Expression& e = c.at(id);
  return e.kind == ExpressionKind::call && (is_known_change(c, e) || changed_by_convention(c, e) != no_expression);
}

std::string changed_name(const Compilation& c, ExpressionId id) {
  const Expression& call = c.at(id);
  const ExpressionId object =
      is_known_change(c, call) ? c.at(call.operands[0]).operands[0] : changed_by_convention(c, call);
  const ExpressionId root = object == no_expression ? no_expression : object_root(c, object);
  return root == no_expression ? std::string() : c.at(root).name;
}

void change_object(Compilation& c, ExpressionId id, Scope& scope) {
  const Expression& call = c.at(id);
  if (is_known_change(c, call)) return void(compile_expression(c, id, scope));
  const std::string name = changed_name(c, id);
  const Value* object = scope.find(name);
  const bool is_foreign = !object || object->kind == Value::Kind::broken || object->kind == Value::Kind::text ||
                          object->kind == Value::Kind::callable;
  if (is_foreign) return;
  c.fail(call.range, "the mask language does not follow how {} changes {} in place; assign its result to {}",
         shortened(c.written(c.at(call.operands[0]).range)), shortened(name), shortened(name));
}

}  // namespace vqscope::language
