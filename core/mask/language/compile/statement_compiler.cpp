// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/expression_compiler.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope::language {
namespace {

bool gives_back(const std::vector<Statement>& statements) {
  return std::ranges::any_of(statements, [](const Statement& s) {
    return s.kind == StatementKind::give_back || s.kind == StatementKind::refuse || gives_back(s.body) ||
           gives_back(s.otherwise);
  });
}

/// Counts an if by cell for as long as its branches are carried out.
class ChoiceGuard {
 public:
  explicit ChoiceGuard(int& choices) : m_choices(choices) { ++m_choices; }
  ~ChoiceGuard() { --m_choices; }
  ChoiceGuard(const ChoiceGuard&) = delete;
  ChoiceGuard& operator=(const ChoiceGuard&) = delete;

 private:
  int& m_choices;
};

bool raises(const std::vector<Statement>& statements) {
  return !statements.empty() && statements.back().kind == StatementKind::refuse;
}

}  // namespace

Scope& ExpressionCompiler::new_scope(Scope* parent) {
  m_scopes.emplace_back();
  m_scopes.back().parent = parent;
  return m_scopes.back();
}

const Callable* ExpressionCompiler::new_callable(Callable callable) {
  m_callables.push_back(std::move(callable));
  return &m_callables.back();
}

void ExpressionCompiler::assign(const Statement& statement, Scope& scope) {
  Value value = expression(statement.value, scope);
  if (!failed()) unpack(statement.targets, statement.unpacks, std::move(value), at(statement.value).range, scope);
  set_aside(statement, scope);
}

void ExpressionCompiler::set_aside(const Statement& statement, Scope& scope) {
  // Inside a function it is an error only to who uses the name.
  if (!failed() || m_is_fatal || &scope == m_top) return;
  leave_out(statement.targets, *m_out.error, scope);
  m_out.error.reset();
}

void ExpressionCompiler::change(const Statement& statement, Scope& scope) {
  const Expression& place = at(statement.place);
  const Expression& base = at(place.operands[0]);
  const Value value = expression(statement.value, scope);
  Value object = expression(place.operands[0], scope);
  const auto subscripts = failed() ? std::vector<Subscript>() : subscripts_of(place, scope);
  if (!failed() && object.kind == Value::Kind::tuple && m_choices == 0) {
    const auto index = subscripts.size() == 1 ? number(subscripts.front().value) : std::nullopt;
    const auto size = static_cast<Index>(object.items->size());
    const auto item = index ? side_of(*index, size) : std::nullopt;
    if (item)
      (*object.items)[*item] = value;
    else
      fail(place.range, "a list of " + to_text(size) + " has no such item");
  } else if (!failed()) {
    const TensorPtr array = array_at({object, "", base.range});
    // What is given, or counted of it, is an array of the text's own from here on.
    if (array && object.kind != Value::Kind::tensor && base.kind == ExpressionKind::name)
      scope.names[base.name] = {.kind = Value::Kind::tensor, .tensor = array};
    if (array) write(array, subscripts, {value, "", at(statement.value).range}, place.range);
  }
  // Under another name the array would stand as it was before.
  const bool is_shared =
      object.kind == Value::Kind::tensor && (object.tensor.use_count() > 2 || object.tensor->memory.use_count() > 1);
  m_is_fatal = m_is_fatal || (failed() && is_shared);
  set_aside(statement, scope);
}

bool ExpressionCompiler::changes_object(ExpressionId id) const {
  const Expression& e = at(id);
  if (e.kind != ExpressionKind::call || at(e.operands[0]).kind != ExpressionKind::attribute) return false;
  const std::string& name = at(e.operands[0]).name;
  return name == "append" || name == "extend" || name == "insert" || name == "fill_" || name == "zero_" ||
         name == "copy_" || name == "masked_fill_" || name == "scatter_" || name == "fill_diagonal_";
}

void ExpressionCompiler::unpack(const std::vector<std::string>& targets, bool unpacks, Value value, Range range,
                                Scope& scope) {
  if (!unpacks) return bind(scope, targets.front(), std::move(value));
  const bool is_table = value.kind == Value::Kind::free_name && is_given(value) &&
                        m_given.arrays.find(value.name)->second.shape.size() > 1;
  if (is_table) value = {.kind = Value::Kind::tensor, .tensor = as_tensor({value, "", range})};
  if (failed()) return;
  if (value.kind == Value::Kind::shape || value.kind == Value::Kind::free_name || value.kind == Value::Kind::array) {
    for (std::size_t i = 0; i < targets.size() && !failed(); ++i)
      bind(scope, targets[i], item_of(value, static_cast<Index>(i), range));
    return;
  }
  if (value.kind == Value::Kind::tensor) value = tuple_of(rows_of(value.tensor, range));
  if (failed()) return;
  if (value.kind != Value::Kind::tuple) return void(fail(range, "only a tuple can be unpacked into several names"));
  if (value.items->size() != targets.size())
    return void(fail(range, to_text(static_cast<Index>(value.items->size())) + " values cannot be unpacked into " +
                                to_text(static_cast<Index>(targets.size())) + " names"));
  for (std::size_t i = 0; i < targets.size(); ++i) bind(scope, targets[i], (*value.items)[i]);
}

void ExpressionCompiler::bind(Scope& scope, const std::string& name, Value value) {
  if (&scope == m_term_scope || &scope == m_top) {
    // A name that moves on leaves what it meant before without one.
    if (const auto old = scope.names.find(name); old != scope.names.end() && old->second.kind == Value::Kind::node)
      if (const auto named = m_names.find(old->second.node); named != m_names.end() && named->second == name)
        m_names.erase(named);
    if (value.kind == Value::Kind::node && !is_named(scope, value.node)) m_names[value.node] = name;
  }
  scope.names[name] = std::move(value);
}

bool ExpressionCompiler::is_named(const Scope& scope, NodeId id) const {
  const auto named = m_names.find(id);
  if (named == m_names.end()) return false;
  const auto variable = scope.names.find(named->second);
  return variable != scope.names.end() && variable->second.kind == Value::Kind::node && variable->second.node == id;
}

void ExpressionCompiler::define(const Statement& statement, Scope& scope) {
  Value value{.kind = Value::Kind::callable, .name = function(statement).name};
  value.callable = written_function(function(statement), scope);
  scope.names[function(statement).name] = value;
}

const Callable* ExpressionCompiler::written_function(const Function& function, Scope& scope) {
  Callable made{.function = &function, .scope = &scope};
  for (const Parameter& parameter : function.parameters) {
    if (parameter.fallback == no_expression || at(parameter.fallback).kind != ExpressionKind::name) continue;
    // i=i in a loop: its value now. What has none yet is asked for where the function is called.
    const Value* now = scope.find(at(parameter.fallback).name);
    if (!now) continue;
    if (!made.defaults) made.defaults = std::make_shared<Scope>();
    made.defaults->names[parameter.name] = *now;
  }
  return new_callable(std::move(made));
}

Value ExpressionCompiler::body(const Function& function, Scope& scope) {
  m_last_block_mask = {};
  const Value result = run({&function.body, 0, nullptr}, scope);
  if (result.kind != Value::Kind::none || failed()) return result;
  // def set_mask(): self.mask = create_block_mask(...)
  if (m_last_block_mask.kind == Value::Kind::callable) return m_last_block_mask;
  return fail(function.range, shortened(function.name) + " gives nothing back; end it with return");
}

Value ExpressionCompiler::run(const Rest& rest, Scope& scope) {
  for (std::size_t i = rest.next; i < rest.statements->size() && !failed(); ++i) {
    const Statement& statement = (*rest.statements)[i];
    if (statement.kind == StatementKind::give_back) return expression(statement.value, scope);
    if (statement.kind == StatementKind::choose) {
      const Rest after{rest.statements, i + 1, rest.outer};
      if (auto result = choose(statement, after, scope)) return *result;
      continue;
    }
    const bool is_value = statement.kind == StatementKind::expression;
    if (is_value && at(statement.value).kind != ExpressionKind::call &&
        at(statement.value).kind != ExpressionKind::string)
      return fail(statement.range, "the value of this line is not used; give it a name, or return it");
    carry_out(statement, scope);
  }
  if (failed() || !rest.outer) return {};
  return run(*rest.outer, scope);
}

void ExpressionCompiler::carry_out(const Statement& statement, Scope& scope) {
  switch (statement.kind) {
    case StatementKind::assign: return assign(statement, scope);
    case StatementKind::write: return change(statement, scope);
    case StatementKind::define: return define(statement, scope);
    case StatementKind::repeat: return repeat(statement, scope);
    case StatementKind::require: return require(statement, scope);
    case StatementKind::refuse: return void(fail(statement.range, "the text comes to this raise with these values"));
    case StatementKind::skipped:
      return leave_out(statement.targets, source_error(m_text, statement.range, statement.advice), scope);
    case StatementKind::choose: {
      const Rest nothing{&m_no_statements, 0, nullptr};
      (void)choose(statement, nothing, scope);
      return;
    }
    case StatementKind::expression:
      if (changes_object(statement.value)) (void)expression(statement.value, scope);
      return;
    case StatementKind::give_back: return;
  }
}

void ExpressionCompiler::leave_out(const std::vector<std::string>& names, const SourceError& error, Scope& scope) {
  for (const std::string& name : names)
    scope.names[name] = {.kind = Value::Kind::broken, .error = std::make_shared<const SourceError>(error)};
}

std::optional<Value> ExpressionCompiler::choose(const Statement& statement, const Rest& after, Scope& scope) {
  if (only_calls(statement.body) && only_calls(statement.otherwise)) return std::nullopt;
  const Value condition = expression(statement.value, scope);
  if (failed()) return Value{};
  if (const auto known = decided(condition)) return take(*known ? statement.body : statement.otherwise, after, scope);
  const NodeId asked = as_node(condition, at(statement.value).range);
  if (failed()) return Value{};
  const ChoiceGuard inside(m_choices);
  // Where it would raise there is no mask: with values that are given it is known.
  if (raises(statement.body)) return take(statement.otherwise, after, scope);
  if (raises(statement.otherwise)) return take(statement.body, after, scope);
  warn_of_tensors(statement.range, asked, "if", "write torch.where(condition, x, y)");
  if (!gives_back(statement.body) && !gives_back(statement.otherwise)) {
    Scope yes = scope, no = scope;
    (void)run({&statement.body, 0, nullptr}, yes);
    (void)run({&statement.otherwise, 0, nullptr}, no);
    merge(asked, yes, no, statement.range, scope);
    return std::nullopt;
  }
  // Functions that are defined in a branch look for names in its scope, which has to stay.
  Scope& first = new_scope(scope.parent);
  Scope& second = new_scope(scope.parent);
  first.names = scope.names;
  second.names = scope.names;
  const Value a = run({&statement.body, 0, &after}, first);
  const Value b = run({&statement.otherwise, 0, &after}, second);
  if (failed()) return Value{};
  if (a.kind == Value::Kind::none || b.kind == Value::Kind::none)
    return fail(statement.range, "one way through this if gives nothing back; end it with return");
  return either(asked, {a, "", statement.range}, {b, "", statement.range}, statement.range, Op::select);
}

bool ExpressionCompiler::only_calls(const std::vector<Statement>& statements) const {
  return std::ranges::all_of(statements, [&](const Statement& one) {
    return one.kind == StatementKind::expression && at(one.value).kind == ExpressionKind::call &&
           !changes_object(one.value);
  });
}

std::optional<Value> ExpressionCompiler::take(const std::vector<Statement>& way, const Rest& after, Scope& scope) {
  if (gives_back(way)) return run({&way, 0, &after}, scope);
  (void)run({&way, 0, nullptr}, scope);
  return std::nullopt;
}

void ExpressionCompiler::merge(NodeId condition, const Scope& yes, const Scope& no, Range range, Scope& scope) {
  if (failed()) return;
  for (const auto& [name, value] : yes.names) {
    const auto other = no.names.find(name);
    const bool same = other != no.names.end() && is_same(value, other->second);
    if (same) {
      scope.names[name] = value;
    } else if (other == no.names.end()) {
      leave_out({name}, source_error(m_text, range, shortened(name) + " has a value only where this if holds"), scope);
    } else if (!failed()) {
      const Value merged = either(condition, {value, "", range}, {other->second, "", range}, range, Op::select);
      if (!failed()) bind(scope, name, merged);
    }
  }
  for (const auto& [name, value] : no.names)
    if (!yes.names.contains(name))
      leave_out({name}, source_error(m_text, range, shortened(name) + " has a value only where this if does not hold"),
                scope);
}

bool ExpressionCompiler::is_same(const Value& a, const Value& b) {
  return a.kind == b.kind && a.node == b.node && a.denominator == b.denominator && a.items == b.items &&
         a.place == b.place && a.tensor == b.tensor && a.callable == b.callable && a.name == b.name &&
         a.error == b.error;
}

void ExpressionCompiler::repeat(const Statement& statement, Scope& scope) {
  const auto items = items_in({expression(statement.value, scope), "", at(statement.value).range});
  if (failed()) return;
  if (gives_back(statement.body))
    return void(fail(statement.range, "return inside a for is not part of the mask language"));
  for (const Value& item : items) {
    unpack(statement.targets, statement.unpacks, item, at(statement.value).range, scope);
    if (!failed()) (void)run({&statement.body, 0, nullptr}, scope);
    if (failed()) return;
  }
}

void ExpressionCompiler::require(const Statement& statement, Scope& scope) {
  const Value condition = expression(statement.value, scope);
  if (m_out.error) {  // what cannot be asked here, such as the shape of a tensor, is taken to hold
    m_out.error.reset();
    return;
  }
  const auto known = decided(condition);
  if (known && !*known)
    fail(statement.range, "this assert does not hold: " + shortened(written(at(statement.value).range)));
}

}  // namespace vqscope::language
