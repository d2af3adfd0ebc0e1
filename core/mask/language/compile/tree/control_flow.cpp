// SPDX-License-Identifier: GPL-3.0-or-later
// The values of if, loops, try and the statements in them.
#include "core/mask/language/compile/tree/tree.h"

#include "core/base/text.h"

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

constexpr int max_rounds = 600;  // of loops that a cell may leave

/// Counts an if by cell while its branches are compiled.
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

/// Statements from `next` on, or the rounds of a loop from `next` on, and what comes after them.
struct Rest {
  const std::vector<Statement>* statements = nullptr;
  std::size_t next = 0;
  const Rest* outer = nullptr;
  const Statement* loop = nullptr;
  const std::vector<Value>* items = nullptr;  ///< that a for goes through
};

Value run_statements(Compilation& c, const Rest& rest, Scope& scope);

/// A missing key of a dictionary is the only Python error that try handles.
Value attempt(Compilation& c, const Statement& statement, const Rest& after, Scope& scope) {
  ++c.attempts;
  Value result = run_statements(c, {.statements = &statement.body, .outer = &after}, scope);
  --c.attempts;
  if (!std::exchange(c.lacks_key, false)) return result;
  c.out.error.reset();
  return run_statements(c, {.statements = &statement.otherwise, .outer = &after}, scope);
}

bool is_same_value(const Value& a, const Value& b) {
  return a.kind == b.kind && a.node == b.node && a.denominator == b.denominator && a.items == b.items &&
         a.place == b.place && a.tensor == b.tensor && a.dictionary == b.dictionary && a.callable == b.callable &&
         a.name == b.name && a.error == b.error;
}

void merge(Compilation& c, NodeId condition, const Scope& yes, const Scope& no, Range range, Scope& scope) {
  if (c.failed()) return;
  for (const auto& [name, value] : yes.names) {
    const auto other = no.names.find(name);
    const bool same = other != no.names.end() && is_same_value(value, other->second);
    if (same) {
      scope.names[name] = value;
    } else if (other == no.names.end()) {
      leave_out({name}, source_error(c.text, range, shortened(name) + " has a value only where this if holds"), scope);
    } else if (!c.failed()) {
      const Value merged = either(c, condition, {value, "", range}, {other->second, "", range}, range, Op::select);
      if (!c.failed()) bind_name(c, scope, name, merged);
    }
  }
  for (const auto& [name, value] : no.names)
    if (!yes.names.contains(name))
      leave_out({name}, source_error(c.text, range, shortened(name) + " has a value only where this if does not hold"),
                scope);
}

/// Whether statements only call functions without effect here, such as print.
bool only_calls(const Compilation& c, const std::vector<Statement>& statements) {
  return std::ranges::all_of(statements, [&](const Statement& one) {
    return one.kind == StatementKind::expression && c.at(one.value).kind == ExpressionKind::call &&
           !changes_object(c, one.value);
  });
}

/// The same, and of all that comes after them.
Value run_through(Compilation& c, const Rest& rest, Scope& scope) {
  if (++c.rounds > max_rounds) c.fail({}, "this if leaves loops in more than {} places", max_rounds);
  Value result = c.failed() ? Value{} : run_statements(c, rest, scope);
  const Rest* next = rest.outer;
  if (c.leaving != Leaving::none) {
    while (next && !next->loop) next = next->outer;
    if (next && c.leaving == Leaving::loop) next = next->outer;
    c.leaving = Leaving::none;
  }
  if (result.kind == Value::Kind::none && next && !c.failed()) result = run_through(c, *next, scope);
  --c.rounds;
  return result;
}

/// An if that is known before any cell is evaluated takes one branch; else both are compiled, and
/// each cell has the values of its own branch. If a branch leaves, the statements after the if are
/// compiled with each branch.
Value choose_way(Compilation& c, const Statement& statement, const Rest& after, Scope& scope) {
  if (only_calls(c, statement.body) && only_calls(c, statement.otherwise)) return {};
  const Value condition = compile_expression(c, statement.value, scope);
  if (c.failed()) return {};
  const auto take = [&](const std::vector<Statement>& way) {
    return run_statements(c, {.statements = &way, .outer = &after}, scope);
  };
  if (const auto known = decided(c, condition)) return take(*known ? statement.body : statement.otherwise);
  const NodeId test = c.as_node(condition, c.at(statement.value).range);
  if (c.failed()) return {};
  const ChoiceGuard inside(c.choices);
  // A branch that raises gives no mask, so the other branch is taken.
  if (raises(statement.body)) return take(statement.otherwise);
  if (raises(statement.otherwise)) return take(statement.body);
  warn_of_tensors(c, statement.range, test, "if", "write torch.where(condition, x, y)");
  if (!leaves(statement.body) && !leaves(statement.otherwise)) {
    Scope yes = scope, no = scope;
    (void)run_statements(c, {.statements = &statement.body}, yes);
    (void)run_statements(c, {.statements = &statement.otherwise}, no);
    merge(c, test, yes, no, statement.range, scope);
    return {};
  }
  // Functions defined in a branch look up names in its scope, which must stay alive.
  Scope& first = c.new_scope(scope.parent);
  Scope& second = c.new_scope(scope.parent);
  first.names = scope.names;
  second.names = scope.names;
  const Value a = run_through(c, {.statements = &statement.body, .outer = &after}, first);
  const Value b = run_through(c, {.statements = &statement.otherwise, .outer = &after}, second);
  if (c.failed()) return {};
  if (a.kind == Value::Kind::none || b.kind == Value::Kind::none)
    return c.fail(statement.range, "one path through this if returns nothing; end it with return");
  return either(c, test, {a, "", statement.range}, {b, "", statement.range}, statement.range, Op::select);
}

bool has_round(Compilation& c, const Rest& rest, std::size_t round, Scope& scope) {
  if (c.failed()) return false;
  const Statement& statement = *rest.loop;
  if (!statement.targets.empty()) return round < rest.items->size();
  const Value condition = compile_expression(c, statement.value, scope);
  const auto known = c.failed() ? std::nullopt : decided(c, condition);
  if (!known && !c.failed())
    c.fail(c.at(statement.value).range,
           "how often this while is repeated must be known before any cell is evaluated; a mask says for one (q_idx, "
           "kv_idx) what holds");
  return known.value_or(false);
}

Value rounds(Compilation& c, const Rest& rest, Scope& scope) {
  const Statement& statement = *rest.loop;
  for (std::size_t i = rest.next; has_round(c, rest, i, scope); ++i) {
    if (!statement.targets.empty())
      unpack(c, statement.targets, statement.unpacks, (*rest.items)[i], c.at(statement.value).range, scope);
    const Rest next{.next = i + 1, .outer = rest.outer, .loop = rest.loop, .items = rest.items};
    Value result = c.failed() ? Value{} : run_statements(c, {.statements = &statement.body, .outer = &next}, scope);
    const bool ends = std::exchange(c.leaving, Leaving::none) == Leaving::loop;
    if (c.failed() || result.kind != Value::Kind::none || ends) return result;
  }
  return {};
}

/// A for or a while whose rounds are known before any cell is evaluated.
Value repeat_rounds(Compilation& c, const Statement& statement, const Rest& after, Scope& scope) {
  std::vector<Value> items;
  const bool is_for = !statement.targets.empty();
  if (is_for) items = items_in(c, {compile_expression(c, statement.value, scope), "", c.at(statement.value).range});
  return c.failed() ? Value{} : rounds(c, {.outer = &after, .loop = &statement, .items = &items}, scope);
}

/// Result of the statements; none if they reach their end or leave a loop.
Value run_statements(Compilation& c, const Rest& rest, Scope& scope) {
  if (rest.loop) return rounds(c, rest, scope);
  for (std::size_t i = rest.next; i < rest.statements->size() && !c.failed(); ++i) {
    const Statement& statement = (*rest.statements)[i];
    const Rest after{.statements = rest.statements, .next = i + 1, .outer = rest.outer};
    if (statement.kind == StatementKind::give_back) return compile_expression(c, statement.value, scope);
    if (statement.kind == StatementKind::leave) {
      c.leaving = statement.unpacks ? Leaving::round : Leaving::loop;
      return {};
    }
    const bool is_block = statement.kind == StatementKind::choose || statement.kind == StatementKind::repeat ||
                          statement.kind == StatementKind::attempt;
    if (is_block) {
      Value result = statement.kind == StatementKind::choose   ? choose_way(c, statement, after, scope)
                     : statement.kind == StatementKind::repeat ? repeat_rounds(c, statement, after, scope)
                                                               : attempt(c, statement, after, scope);
      if (result.kind != Value::Kind::none || c.leaving != Leaving::none) return result;
      continue;
    }
    const bool is_value = statement.kind == StatementKind::expression;
    if (is_value && c.at(statement.value).kind != ExpressionKind::call &&
        c.at(statement.value).kind != ExpressionKind::string)
      return c.fail(statement.range, "the value of this line is not used; give it a name, or return it");
    carry_out(c, statement, scope);
  }
  return {};
}

}  // namespace

Value compile_body(Compilation& c, const Function& function, Scope& scope) {
  c.last_block_mask = {};
  const Leaving outer = std::exchange(c.leaving, Leaving::none);
  Value result = run_statements(c, {.statements = &function.body}, scope);
  c.leaving = outer;
  if (result.kind != Value::Kind::none || c.failed()) return result;
  // def set_mask(): self.mask = create_block_mask(...)
  if (c.last_block_mask.kind == Value::Kind::callable) return c.last_block_mask;
  return c.fail(function.range, shortened(function.name) + " returns nothing; end it with return");
}

Value compile_rest(Compilation& c, const std::vector<Statement>& statements, Scope& scope) {
  return run_statements(c, {.statements = &statements}, scope);
}

}  // namespace vqscope::language
