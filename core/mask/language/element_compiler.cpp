// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/expression_compiler.h"

#include "core/base/text.h"

namespace vqscope::language {

Value ExpressionCompiler::element(const Expression& e, Scope& scope) {
  const Expression& base = at(e.operands[0]);
  if (base.kind == ExpressionKind::index && base.operands.size() == 2 && is_batch_name(base.operands[1], scope)) {
    Expression once = e;
    once.operands[0] = base.operands[0];
    return element(once, scope);
  }
  Value array = expression(e.operands[0], scope);
  if (failed()) return {};
  if (array.kind == Value::Kind::node && node(array.node).op == Op::variable &&
      static_cast<Variable>(node(array.node).value) == Variable::key_valid)
    array = {.kind = Value::Kind::free_name, .name = "key_valid"};
  std::vector<NodeId> indices;
  for (std::size_t i = 1; i < e.operands.size(); ++i) indices.push_back(operand(e.operands[i], scope));
  if (failed()) return {};
  // x[b, kv_idx]: the values given are those of this b.
  while (indices.size() > 1 && is_batch(indices.front())) indices.erase(indices.begin());
  if (indices.size() > 1)
    return fail(e.range, "arrays have one index here; only b and h may stand before it, as in x[b, kv_idx]");
  if (array.kind == Value::Kind::tuple) return of_tuple(array, indices.front(), e.range);
  if (array.kind != Value::Kind::free_name)
    return fail(base.range, "only an array can be indexed, and a name that is free in the text is one");
  return array_element(array, as_int(indices.front()), e.range);
}

bool ExpressionCompiler::is_batch_name(ExpressionId id, Scope& scope) {
  if (at(id).kind != ExpressionKind::name) return false;
  const Value value = expression(id, scope);
  return value.kind == Value::Kind::node && is_batch(value.node);
}

bool ExpressionCompiler::is_batch(NodeId id) const {
  const Node& n = node(id);
  return n.op == Op::variable &&
         (n.value == static_cast<Index>(Variable::b) || n.value == static_cast<Index>(Variable::h));
}

Value ExpressionCompiler::of_tuple(const Value& tuple, NodeId index, Range range) {
  const Node& n = node(index);
  const auto size = static_cast<Index>(tuple.items->size());
  if (n.op != Op::constant || n.value < 0 || n.value >= size)
    return fail(range, "a tuple of " + to_text(size) + " is indexed with a number from 0 to " + to_text(size - 1));
  return (*tuple.items)[static_cast<std::size_t>(n.value)];
}

}  // namespace vqscope::language
