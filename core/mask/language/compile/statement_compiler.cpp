// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/expression_compiler.h"

#include "core/base/text.h"
#include "core/mask/language/names/known_names.h"

#include <algorithm>
#include <utility>

namespace vqscope::language {
namespace {

/// Whether statements may end what comes after them: return, raise, break, continue.
bool leaves(const std::vector<Statement>& statements) {
  return std::ranges::any_of(statements, [](const Statement& s) {
    return s.kind == StatementKind::give_back || s.kind == StatementKind::refuse || s.kind == StatementKind::leave ||
           leaves(s.body) || leaves(s.otherwise);
  });
}

constexpr int max_rounds = 600;  // of loops that are left where a cell decides it

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
  if (m_lacks_key && m_attempts > 0) return;
  if (!failed() || m_is_fatal || &scope == m_top) return;
  leave_out(statement.targets, *m_out.error, scope);
  m_out.error.reset();
}

void ExpressionCompiler::change(const Statement& statement, Scope& scope) {
  const Expression& place = at(statement.place);
  const Expression& base = at(place.operands[0]);
  const Value value = expression(statement.value, scope);
  Value object = expression(place.operands[0], scope);
  if (!failed() && object.kind == Value::Kind::dictionary) {
    if (m_choices > 0)
      fail(place.range, "a dictionary is changed only where an if holds that differs by cell");
    else
      set_item(object, subscript_key(place, scope), value);
    return set_aside(statement, scope);
  }
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
  return e.kind == ExpressionKind::call && at(e.operands[0]).kind == ExpressionKind::attribute &&
         language::changes_object(at(e.operands[0]).name);
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
  const Leaving outer = std::exchange(m_leaving, Leaving::none);
  const Value result = run({.statements = &function.body}, scope);
  m_leaving = outer;
  if (result.kind != Value::Kind::none || failed()) return result;
  // def set_mask(): self.mask = create_block_mask(...)
  if (m_last_block_mask.kind == Value::Kind::callable) return m_last_block_mask;
  return fail(function.range, shortened(function.name) + " gives nothing back; end it with return");
}

Value ExpressionCompiler::run(const Rest& rest, Scope& scope) {
  if (rest.loop) return rounds(rest, scope);
  for (std::size_t i = rest.next; i < rest.statements->size() && !failed(); ++i) {
    const Statement& statement = (*rest.statements)[i];
    const Rest after{.statements = rest.statements, .next = i + 1, .outer = rest.outer};
    if (statement.kind == StatementKind::give_back) return expression(statement.value, scope);
    if (statement.kind == StatementKind::leave) {
      m_leaving = statement.unpacks ? Leaving::round : Leaving::loop;
      return {};
    }
    const bool is_block = statement.kind == StatementKind::choose || statement.kind == StatementKind::repeat ||
                          statement.kind == StatementKind::attempt;
    if (is_block) {
      const Value result = statement.kind == StatementKind::choose   ? choose(statement, after, scope)
                           : statement.kind == StatementKind::repeat ? repeat(statement, after, scope)
                                                                     : attempt(statement, after, scope);
      if (result.kind != Value::Kind::none || m_leaving != Leaving::none) return result;
      continue;
    }
    const bool is_value = statement.kind == StatementKind::expression;
    if (is_value && at(statement.value).kind != ExpressionKind::call &&
        at(statement.value).kind != ExpressionKind::string)
      return fail(statement.range, "the value of this line is not used; give it a name, or return it");
    carry_out(statement, scope);
  }
  return {};
}

Value ExpressionCompiler::run_through(const Rest& rest, Scope& scope) {
  if (++m_rounds > max_rounds) fail({}, "this if leaves loops in more than " + to_text(Index{max_rounds}) + " places");
  Value result = failed() ? Value{} : run(rest, scope);
  const Rest* next = rest.outer;
  if (m_leaving != Leaving::none) {
    while (next && !next->loop) next = next->outer;
    if (next && m_leaving == Leaving::loop) next = next->outer;
    m_leaving = Leaving::none;
  }
  if (result.kind == Value::Kind::none && next && !failed()) result = run_through(*next, scope);
  --m_rounds;
  return result;
}

void ExpressionCompiler::carry_out(const Statement& statement, Scope& scope) {
  switch (statement.kind) {
    case StatementKind::assign: return assign(statement, scope);
    case StatementKind::write: return change(statement, scope);
    case StatementKind::define: return define(statement, scope);
    case StatementKind::require: return require(statement, scope);
    case StatementKind::refuse: return void(fail(statement.range, "the text comes to this raise with these values"));
    case StatementKind::skipped:
      return leave_out(statement.targets, source_error(m_text, statement.range, statement.advice), scope);
    case StatementKind::choose:
    case StatementKind::repeat:
    case StatementKind::attempt:
    case StatementKind::leave: {
      const std::vector<Statement> alone{statement};
      (void)run({.statements = &alone}, scope);
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

Value ExpressionCompiler::choose(const Statement& statement, const Rest& after, Scope& scope) {
  if (only_calls(statement.body) && only_calls(statement.otherwise)) return {};
  const Value condition = expression(statement.value, scope);
  if (failed()) return {};
  const auto take = [&](const std::vector<Statement>& way) {
    return run({.statements = &way, .outer = &after}, scope);
  };
  if (const auto known = decided(condition)) return take(*known ? statement.body : statement.otherwise);
  const NodeId asked = as_node(condition, at(statement.value).range);
  if (failed()) return {};
  const ChoiceGuard inside(m_choices);
  // Where it would raise there is no mask: with values that are given it is known.
  if (raises(statement.body)) return take(statement.otherwise);
  if (raises(statement.otherwise)) return take(statement.body);
  warn_of_tensors(statement.range, asked, "if", "write torch.where(condition, x, y)");
  if (!leaves(statement.body) && !leaves(statement.otherwise)) {
    Scope yes = scope, no = scope;
    (void)run({.statements = &statement.body}, yes);
    (void)run({.statements = &statement.otherwise}, no);
    merge(asked, yes, no, statement.range, scope);
    return {};
  }
  // Functions that are defined in a branch look for names in its scope, which has to stay.
  Scope& first = new_scope(scope.parent);
  Scope& second = new_scope(scope.parent);
  first.names = scope.names;
  second.names = scope.names;
  const Value a = run_through({.statements = &statement.body, .outer = &after}, first);
  const Value b = run_through({.statements = &statement.otherwise, .outer = &after}, second);
  if (failed()) return {};
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
         a.place == b.place && a.tensor == b.tensor && a.dictionary == b.dictionary && a.callable == b.callable &&
         a.name == b.name && a.error == b.error;
}

Value ExpressionCompiler::repeat(const Statement& statement, const Rest& after, Scope& scope) {
  std::vector<Value> items;
  const bool is_for = !statement.targets.empty();
  if (is_for) items = items_in({expression(statement.value, scope), "", at(statement.value).range});
  return failed() ? Value{} : rounds({.outer = &after, .loop = &statement, .items = &items}, scope);
}

Value ExpressionCompiler::rounds(const Rest& rest, Scope& scope) {
  const Statement& statement = *rest.loop;
  for (std::size_t i = rest.next; has_round(rest, i, scope); ++i) {
    if (!statement.targets.empty())
      unpack(statement.targets, statement.unpacks, (*rest.items)[i], at(statement.value).range, scope);
    const Rest next{.next = i + 1, .outer = rest.outer, .loop = rest.loop, .items = rest.items};
    const Value result = failed() ? Value{} : run({.statements = &statement.body, .outer = &next}, scope);
    const bool ends = std::exchange(m_leaving, Leaving::none) == Leaving::loop;
    if (failed() || result.kind != Value::Kind::none || ends) return result;
  }
  return {};
}

bool ExpressionCompiler::has_round(const Rest& rest, std::size_t round, Scope& scope) {
  if (failed()) return false;
  const Statement& statement = *rest.loop;
  if (!statement.targets.empty()) return round < rest.items->size();
  const Value condition = expression(statement.value, scope);
  const auto known = failed() ? std::nullopt : decided(condition);
  if (!known && !failed())
    fail(at(statement.value).range,
         "how often this while is repeated must be known before any cell is looked at; a mask says for one (q_idx, "
         "kv_idx) what holds");
  return known.value_or(false);
}

/// What a dictionary does not have is the one error of Python that is foreseen.
Value ExpressionCompiler::attempt(const Statement& statement, const Rest& after, Scope& scope) {
  ++m_attempts;
  const Value result = run({.statements = &statement.body, .outer = &after}, scope);
  --m_attempts;
  if (!std::exchange(m_lacks_key, false)) return result;
  m_out.error.reset();
  return run({.statements = &statement.otherwise, .outer = &after}, scope);
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
