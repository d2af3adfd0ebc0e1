// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/mask/language/compile/tree/function_call.h"

#include <algorithm>
#include <utility>

namespace vqscope::language {
namespace {

/// Evaluates all masks: FlexAttention joins them with & and |.
Value apply_joined(Compilation& c, const Callable& callable, const std::vector<Argument>& arguments, Range range) {
  const bool all = callable.kind == Callable::Kind::all_of;
  Value result = c.of_node(c.build.constant(all ? 1 : 0, true, range));
  if (c.calls >= max_calls) return c.fail(range, "masks are joined more than {} deep", max_calls);
  ++c.calls;
  for (std::size_t i = 0; i < callable.members.size() && !c.failed(); ++i) {
    const Value member = apply(c, *callable.members[i], arguments, range);
    const NodeId next = c.as_bool(c.as_node(member, callable.ranges[i]));
    if (c.failed()) break;
    if (c.calls <= 2) c.names.try_emplace(next, callable.names[i]);
    result = i == 0 ? c.of_node(next) : c.make(all ? Op::logical_and : Op::logical_or, true, range, result.node, next);
  }
  --c.calls;
  return c.failed() ? Value{} : result;
}

/// Whether a default may have changed when its function is called: a name of the text can be
/// reassigned, and a list or the result of a call is one object for all calls. A literal stays the
/// same. So does a free name, which a function that is never called must not require.
bool may_change(const Compilation& c, ExpressionId id, const Scope& scope) {
  const Expression& e = c.at(id);
  switch (e.kind) {
    case ExpressionKind::name: return scope.find(e.name) != nullptr;
    case ExpressionKind::call:
    case ExpressionKind::tuple:
    case ExpressionKind::set:
    case ExpressionKind::dictionary:
    case ExpressionKind::generator:
    case ExpressionKind::lambda: return true;
    case ExpressionKind::string: return !e.symbols.empty();
    case ExpressionKind::attribute:
      if (const Expression& owner = c.at(e.operands[0]); owner.kind == ExpressionKind::name)
        if (scope.find(owner.name + "." + e.name)) return true;
      break;
    default: break;
  }
  return std::ranges::any_of(e.operands, [&](ExpressionId operand) { return may_change(c, operand, scope); });
}

}  // namespace

void define_function(Compilation& c, const Statement& statement, Scope& scope) {
  Value value{.kind = Value::Kind::callable, .name = c.function(statement).name};
  value.callable = written_function(c, c.function(statement), scope);
  scope.names[c.function(statement).name] = value;
}

const Callable* written_function(Compilation& c, const Function& function, Scope& scope) {
  Callable made{.function = &function, .scope = &scope};
  for (const Parameter& parameter : function.parameters) {
    if (parameter.default_value == no_expression || c.failed() || !may_change(c, parameter.default_value, scope))
      continue;
    Value now = compile_expression(c, parameter.default_value, scope);
    if (c.failed()) {
      if (c.is_fatal || (c.lacks_key && c.attempts > 0)) break;
      // The error concerns only uses of the parameter.
      now = {.kind = Value::Kind::broken, .error = std::make_shared<const SourceError>(*c.out.error)};
      c.out.error.reset();
    }
    if (!made.defaults) made.defaults = std::make_shared<Scope>();
    made.defaults->names[parameter.name] = std::move(now);
  }
  return c.new_callable(std::move(made));
}

Value join_masks(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  const bool all = name == "and_masks";
  Callable joined{.kind = all ? Callable::Kind::all_of : Callable::Kind::any_of};
  for (const Argument& argument : arguments) {
    const Value& member = argument.value;
    if (c.failed()) return {};
    if (member.kind != Value::Kind::callable)
      return c.fail(argument.range, "{} joins functions of (b, h, q_idx, kv_idx), {} is not one", name,
                    shortened(c.written(argument.range)));
    const bool is_nested = all && member.callable->kind == Callable::Kind::all_of;
    if (is_nested) {
      joined.members.insert(joined.members.end(), member.callable->members.begin(), member.callable->members.end());
      joined.names.insert(joined.names.end(), member.callable->names.begin(), member.callable->names.end());
      joined.ranges.insert(joined.ranges.end(), member.callable->ranges.begin(), member.callable->ranges.end());
      continue;
    }
    joined.members.push_back(member.callable);
    joined.names.push_back(c.written(argument.range));
    joined.ranges.push_back(argument.range);
    if (joined.members.size() > max_nodes) return c.fail(e.range, "too many masks are joined here");
  }
  if (joined.members.empty()) return c.fail(e.range, "there is no mask to join here");
  Value value{.kind = Value::Kind::callable};
  value.callable = c.new_callable(std::move(joined));
  return value;
}

Value apply(Compilation& c, const Callable& callable, const std::vector<Argument>& arguments, Range range) {
  switch (callable.kind) {
    case Callable::Kind::all_of:
    case Callable::Kind::any_of: return apply_joined(c, callable, arguments, range);
    case Callable::Kind::chosen: {
      const Value yes = apply(c, *callable.members[0], arguments, range);
      const Value no = apply(c, *callable.members[1], arguments, range);
      return c.failed() ? Value{} : either(c, callable.condition, {yes, "", range}, {no, "", range}, range, Op::select);
    }
    case Callable::Kind::partial: {
      std::vector<Argument> all = callable.given;
      // Positional arguments come first; keyword arguments give way to those of the call.
      const auto first_keyword = std::ranges::find_if(all, [](const Argument& a) { return !a.keyword.empty(); });
      all.insert(first_keyword, arguments.begin(), arguments.end());
      return apply(c, *callable.members[0], all, range);
    }
    case Callable::Kind::known: {
      const Expression call{.kind = ExpressionKind::call, .range = range};
      return apply_known(c, callable.names.front(), call, arguments);
    }
    case Callable::Kind::written: break;
  }
  const Function& function = *callable.function;
  if (std::ranges::find(c.active, &function) != c.active.end())
    return c.fail(range, shortened(function.name) + " calls itself; recursion is not part of the mask language");
  if (c.calls >= max_calls) return c.fail(range, "functions call one another more than {} deep", max_calls);
  Scope& scope = c.new_scope(callable.scope);
  bind_arguments(c, function, callable, arguments, range, scope);
  if (c.failed()) return {};
  ++c.calls;
  c.active.push_back(&function);
  Value result = compile_body(c, function, scope);
  c.active.pop_back();
  --c.calls;
  return result;
}

Value default_value(Compilation& c, const Callable& callable, const Parameter& parameter) {
  const Value* known = callable.defaults ? callable.defaults->find(parameter.name) : nullptr;
  return known ? *known : compile_expression(c, parameter.default_value, *callable.scope);
}

void bind_arguments(Compilation& c, const Function& function, const Callable& callable,
                    const std::vector<Argument>& arguments, Range range, Scope& scope) {
  const auto& parameters = function.parameters;
  std::size_t position = 0;
  std::vector<Value> gathered;
  for (const Argument& argument : arguments) {
    std::size_t target = position;
    if (argument.keyword.empty()) {
      if (position < parameters.size() && parameters[position].gathers) {
        gathered.push_back(argument.value);
        continue;
      }
      ++position;
    } else {
      target = static_cast<std::size_t>(std::ranges::find(parameters, argument.keyword, &Parameter::name) -
                                        parameters.begin());
      if (target == parameters.size())
        return void(
            c.fail(argument.range, "{} has no parameter {}", shortened(function.name), shortened(argument.keyword)));
    }
    if (target >= parameters.size())
      return void(c.fail(range, "{} takes {} {}, found {}", shortened(function.name), parameters.size(),
                         parameters.size() == 1 ? "argument" : "arguments", arguments.size()));
    if (!scope.names.try_emplace(parameters[target].name, argument.value).second)
      return void(
          c.fail(argument.range, "{} is given {} twice", shortened(function.name), shortened(parameters[target].name)));
  }
  for (const Parameter& parameter : parameters) {
    if (scope.names.contains(parameter.name)) continue;
    if (parameter.gathers) {
      scope.names[parameter.name] = tuple_of(c, std::exchange(gathered, {}));
      continue;
    }
    if (parameter.default_value == no_expression)
      return void(c.fail(range, "{} is missing its argument {}", shortened(function.name), shortened(parameter.name)));
    scope.names[parameter.name] = default_value(c, callable, parameter);
  }
}

}  // namespace vqscope::language
