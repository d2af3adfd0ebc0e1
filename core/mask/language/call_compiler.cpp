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

std::string listed(const std::vector<std::string>& names) { return join(names, ", "); }

}  // namespace

Value ExpressionCompiler::call(const Expression& e, Scope& scope) {
  const Expression& callee = at(e.operands[0]);
  if (callee.kind == ExpressionKind::attribute) return call_attribute(e, callee, scope);
  if (callee.kind == ExpressionKind::name && !scope.find(callee.name)) return call_plain(e, callee, scope);
  const Value function = expression(e.operands[0], scope);
  if (failed()) return {};
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
  for (std::size_t i = first; i < e.operands.size() && !failed(); ++i)
    arguments.push_back({expression(e.operands[i], scope), e.keywords[i - 1], at(e.operands[i]).range});
  return arguments;
}

Value ExpressionCompiler::call_plain(const Expression& e, const Expression& callee, Scope& scope) {
  const std::string& name = callee.name;
  if (name == "and_masks" || name == "or_masks") return join_masks(e, name == "and_masks", scope);
  if (!contains(plain_functions(), name)) {
    std::vector<std::string> known = plain_functions();
    for (const auto& torch : torch_functions()) known.push_back("torch." + torch);
    return fail(callee.range, shortened(name) +
                                  " is called but not defined in the text; functions that are known are " +
                                  listed(known) + did_you_mean(name, plain_functions()));
  }
  const auto arguments = read_arguments(e, 1, scope);
  return failed() ? Value{} : apply_known(name, e, arguments);
}

Value ExpressionCompiler::call_attribute(const Expression& e, const Expression& callee, Scope& scope) {
  const Expression& object = at(callee.operands[0]);
  const std::string& name = callee.name;
  if (object.kind == ExpressionKind::name && object.name == "torch" && !scope.find("torch")) {
    if (!contains(torch_functions(), name))
      return fail(callee.range, "torch." + shortened(name) + " is not part of the mask language; of torch there are " +
                                    listed(torch_functions()) + did_you_mean(name, torch_functions()));
    const auto arguments = read_arguments(e, 1, scope);
    return failed() ? Value{} : apply_known(name, e, arguments);
  }
  if (!contains(methods(), name))
    return fail(callee.range, "." + shortened(name) +
                                  "(...) is not part of the mask language; after a value there may stand " +
                                  listed(methods()) + did_you_mean(name, methods()));
  std::vector<Argument> arguments{{expression(callee.operands[0], scope), "", object.range}};
  if (name == "to") return converted(e, arguments.front());
  for (auto& argument : read_arguments(e, 1, scope)) arguments.push_back(std::move(argument));
  return failed() ? Value{} : apply_known(name, e, arguments);
}

Value ExpressionCompiler::converted(const Expression& e, const Argument& object) {
  const NodeId value = as_node(object.value, object.range);
  if (failed()) return {};
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    const Expression& type = at(e.operands[i]);
    if (type.kind == ExpressionKind::attribute && type.name == "bool") return of_node(as_bool(value));
    if (type.kind == ExpressionKind::attribute && type.name.starts_with("int")) return of_node(as_int(value));
  }
  return of_node(value);
}

}  // namespace vqscope::language
