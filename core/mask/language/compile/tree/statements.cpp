// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/tree/tree.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_access.h"
#include "core/mask/language/compile/tensor/tensor_operations.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/names/known_names.h"

#include <utility>

namespace vqscope::language {
namespace {

/// Moves an error in a function to the uses of the names that the statement would have assigned.
void set_aside(Compilation& c, const Statement& statement, Scope& scope) {
  // Inside a function it is an error only to who uses the name.
  if (c.lacks_key && c.attempts > 0) return;
  if (!c.failed() || c.is_fatal || &scope == c.top) return;
  leave_out(statement.targets, *c.out.error, scope);
  c.out.error.reset();
}

/// x[i] = y
void change_element(Compilation& c, const Statement& statement, Scope& scope) {
  const Expression& place = c.at(statement.place);
  const Expression& base = c.at(place.operands[0]);
  const Value value = compile_expression(c, statement.value, scope);
  Value object = compile_expression(c, place.operands[0], scope);
  if (!c.failed() && object.kind == Value::Kind::dictionary) {
    if (c.choices > 0)
      c.fail(place.range, "a dictionary cannot be changed under an if that differs by cell");
    else
      set_item(c, object, subscript_key(c, place, scope), value);
    return set_aside(c, statement, scope);
  }
  const auto subscripts = c.failed() ? std::vector<Subscript>() : subscripts_of(c, place, scope);
  if (!c.failed() && object.kind == Value::Kind::tuple && c.choices == 0) {
    const auto index = subscripts.size() == 1 ? known_number(c, subscripts.front().value) : std::nullopt;
    const auto size = static_cast<Index>(object.items->size());
    const auto item = index ? side_of(*index, size) : std::nullopt;
    if (item)
      (*object.items)[*item] = value;
    else
      c.fail(place.range, "a list of {} has no such item", size);
  } else if (!c.failed()) {
    const TensorPtr array = array_at(c, {object, "", base.range});
    // A given array, or one counted from it, becomes the text's own array from here on.
    if (array && object.kind != Value::Kind::tensor && base.kind == ExpressionKind::name)
      scope.names[base.name] = {.kind = Value::Kind::tensor, .tensor = array};
    if (array) write_elements(c, array, subscripts, {value, "", c.at(statement.value).range}, place.range);
  }
  // Under another name the array would stay unchanged.
  const bool is_shared =
      object.kind == Value::Kind::tensor && (object.tensor.use_count() > 2 || object.tensor->memory.use_count() > 1);
  c.is_fatal = c.is_fatal || (c.failed() && is_shared);
  set_aside(c, statement, scope);
}

/// Whether a node already has its name from a variable, which it keeps.
bool is_named(const Compilation& c, const Scope& scope, NodeId id) {
  const auto named = c.names.find(id);
  if (named == c.names.end()) return false;
  const auto variable = scope.names.find(named->second);
  return variable != scope.names.end() && variable->second.kind == Value::Kind::node && variable->second.node == id;
}

void require(Compilation& c, const Statement& statement, Scope& scope) {
  const Value condition = compile_expression(c, statement.value, scope);
  if (c.out.error) {  // an assert that cannot be evaluated here, such as on a tensor's shape, is assumed to hold
    c.out.error.reset();
    return;
  }
  const auto known = decided(c, condition);
  if (known && !*known)
    c.fail(statement.range, "this assert does not hold: " + shortened(c.written(c.at(statement.value).range)));
}

}  // namespace

void assign_names(Compilation& c, const Statement& statement, Scope& scope) {
  Value value = compile_expression(c, statement.value, scope);
  if (!c.failed())
    unpack(c, statement.targets, statement.unpacks, std::move(value), c.at(statement.value).range, scope);
  set_aside(c, statement, scope);
}

void unpack(Compilation& c, const std::vector<std::string>& targets, bool unpacks, Value value, Range range,
            Scope& scope) {
  if (!unpacks) return bind_name(c, scope, targets.front(), std::move(value));
  const bool is_table = value.kind == Value::Kind::free_name && is_given(c, value) &&
                        c.given.arrays.find(value.name)->second.shape.size() > 1;
  if (is_table) value = {.kind = Value::Kind::tensor, .tensor = as_tensor(c, {value, "", range})};
  if (c.failed()) return;
  if (value.kind == Value::Kind::shape || value.kind == Value::Kind::free_name || value.kind == Value::Kind::array) {
    for (std::size_t i = 0; i < targets.size() && !c.failed(); ++i)
      bind_name(c, scope, targets[i], item_of(c, value, static_cast<Index>(i), range));
    return;
  }
  if (value.kind == Value::Kind::tensor) value = tuple_of(c, rows_of(c, value.tensor, range));
  if (c.failed()) return;
  if (value.kind != Value::Kind::tuple) return void(c.fail(range, "only a tuple can be unpacked into several names"));
  if (value.items->size() != targets.size())
    return void(c.fail(range, "{} values cannot be unpacked into {} names", value.items->size(), targets.size()));
  for (std::size_t i = 0; i < targets.size(); ++i) bind_name(c, scope, targets[i], (*value.items)[i]);
}

void bind_name(Compilation& c, Scope& scope, const std::string& name, Value value) {
  if (&scope == c.term_scope || &scope == c.top) {
    // When a name is reassigned, its old node loses the name.
    if (const auto old = scope.names.find(name); old != scope.names.end() && old->second.kind == Value::Kind::node)
      if (const auto named = c.names.find(old->second.node); named != c.names.end() && named->second == name)
        c.names.erase(named);
    if (value.kind == Value::Kind::node && !is_named(c, scope, value.node)) c.names[value.node] = name;
  }
  scope.names[name] = std::move(value);
}

void carry_out(Compilation& c, const Statement& statement, Scope& scope) {
  switch (statement.kind) {
    case StatementKind::assign: return assign_names(c, statement, scope);
    case StatementKind::write: return change_element(c, statement, scope);
    case StatementKind::define: return define_function(c, statement, scope);
    case StatementKind::require: return require(c, statement, scope);
    case StatementKind::refuse: return void(c.fail(statement.range, "with these values the text reaches this raise"));
    case StatementKind::skipped:
      if (statement.unpacks) return void(c.fail(statement.range, statement.advice));
      return leave_out(statement.targets, source_error(c.text, statement.range, statement.advice), scope);
    case StatementKind::choose:
    case StatementKind::repeat:
    case StatementKind::attempt:
    case StatementKind::leave: {
      (void)compile_rest(c, {statement}, scope);
      return;
    }
    case StatementKind::expression:
      if (changes_object(c, statement.value)) change_object(c, statement.value, scope);
      return;
    case StatementKind::give_back: return;
  }
}

void leave_out(const std::vector<std::string>& names, const SourceError& error, Scope& scope) {
  for (const std::string& name : names)
    scope.names[name] = {.kind = Value::Kind::broken, .error = std::make_shared<const SourceError>(error)};
}

}  // namespace vqscope::language
