// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that are statements and change an object: x.append(y), x.mul_(y), torch.add(x, y, out=x).
#include "core/base/text.h"
#include "core/mask/language/compile/tree/tree.h"
#include "core/mask/language/names/known_names.h"

#include <algorithm>

namespace vqscope::language {
namespace {

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

/// Whether torch changes an object in a function of this name. Those that change no element are left out.
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
