// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/expression_compiler.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope::language {

Value ExpressionCompiler::join_masks(const Expression& e, bool all, Scope& scope) {
  Callable joined{.kind = all ? Callable::Kind::all_of : Callable::Kind::any_of};
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    const Value member = expression(e.operands[i], scope);
    const Range range = at(e.operands[i]).range;
    if (failed()) return {};
    if (member.kind != Value::Kind::callable)
      return fail(range, (all ? "and_masks" : "or_masks") + std::string(" joins functions of (b, h, q_idx, kv_idx), ") +
                             shortened(written(range)) + " is none");
    const bool is_nested = all && member.callable->kind == Callable::Kind::all_of;
    if (is_nested) {
      joined.members.insert(joined.members.end(), member.callable->members.begin(), member.callable->members.end());
      joined.names.insert(joined.names.end(), member.callable->names.begin(), member.callable->names.end());
      joined.ranges.insert(joined.ranges.end(), member.callable->ranges.begin(), member.callable->ranges.end());
      continue;
    }
    joined.members.push_back(member.callable);
    joined.names.push_back(written(range));
    joined.ranges.push_back(range);
    if (joined.members.size() > max_nodes) return fail(e.range, "too many masks are joined here");
  }
  Value value{.kind = Value::Kind::callable};
  value.callable = new_callable(std::move(joined));
  return value;
}

Value ExpressionCompiler::apply(const Callable& callable, const std::vector<Argument>& arguments, Range range) {
  if (callable.kind != Callable::Kind::written) return apply_joined(callable, arguments, range);
  const Function& function = *callable.function;
  if (std::ranges::find(m_active, &function) != m_active.end())
    return fail(range, shortened(function.name) + " calls itself; recursion is not part of the mask language");
  if (m_calls >= max_calls)
    return fail(range, "functions call one another more than " + to_text(Index{max_calls}) + " deep");
  Scope& scope = new_scope(callable.scope);
  bind_arguments(function, callable, arguments, range, scope);
  if (failed()) return {};
  ++m_calls;
  m_active.push_back(&function);
  Value result = body(function, scope);
  m_active.pop_back();
  --m_calls;
  return result;
}

void ExpressionCompiler::bind_arguments(const Function& function, const Callable& callable,
                                        const std::vector<Argument>& arguments, Range range, Scope& scope) {
  const auto& parameters = function.parameters;
  std::size_t position = 0;
  for (const Argument& argument : arguments) {
    std::size_t target = position;
    if (argument.keyword.empty()) {
      ++position;
    } else {
      target = static_cast<std::size_t>(std::ranges::find(parameters, argument.keyword, &Parameter::name) -
                                        parameters.begin());
      if (target == parameters.size())
        return void(
            fail(argument.range, shortened(function.name) + " has no parameter " + shortened(argument.keyword)));
    }
    if (target >= parameters.size())
      return void(fail(range, shortened(function.name) + " takes " + to_text(static_cast<Index>(parameters.size())) +
                                  " arguments, found " + to_text(static_cast<Index>(arguments.size()))));
    if (!scope.names.try_emplace(parameters[target].name, argument.value).second)
      return void(fail(argument.range,
                       shortened(function.name) + " is given " + shortened(parameters[target].name) + " twice"));
  }
  for (const Parameter& parameter : parameters) {
    if (scope.names.contains(parameter.name)) continue;
    if (parameter.fallback == no_expression)
      return void(fail(range, shortened(function.name) + " is not given its argument " + shortened(parameter.name)));
    scope.names[parameter.name] = expression(parameter.fallback, *callable.scope);
  }
}

Value ExpressionCompiler::apply_joined(const Callable& callable, const std::vector<Argument>& arguments, Range range) {
  const bool all = callable.kind == Callable::Kind::all_of;
  Value result = of_node(m_build.constant(all ? 1 : 0, true, range));
  if (++m_calls > max_calls) return fail(range, "masks are joined more than " + to_text(Index{max_calls}) + " deep");
  for (std::size_t i = 0; i < callable.members.size() && !failed(); ++i) {
    const Value member = apply(*callable.members[i], arguments, range);
    const NodeId next = as_bool(as_node(member, callable.ranges[i]));
    if (failed()) return {};
    if (m_calls <= 2) m_names.try_emplace(next, callable.names[i]);
    result = i == 0 ? of_node(next) : make(all ? Op::logical_and : Op::logical_or, true, range, result.node, next);
  }
  --m_calls;
  return result;
}

}  // namespace vqscope::language
