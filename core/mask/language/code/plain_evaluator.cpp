// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code/plain_evaluator.h"

#include "core/base/sentence.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>

namespace vqscope::language {

void PlainEvaluator::move_to(Index q, Index kv) {
  m_q = q;
  m_kv = kv;
  m_failed = false;
  if (++m_cell == 0) {
    std::ranges::fill(m_done, 0);
    m_cell = 1;
  }
}

std::optional<Index> PlainEvaluator::known(NodeId id) const {
  const auto i = static_cast<std::size_t>(id);
  return m_done[i] == m_cell ? std::optional(m_values[i]) : std::nullopt;
}

std::optional<Index> PlainEvaluator::evaluate(NodeId id) {
  if (const auto value = known(id)) return value;
  const auto value = compute(m_code.at(id));
  if (value) {
    m_values[static_cast<std::size_t>(id)] = *value;
    m_done[static_cast<std::size_t>(id)] = m_cell;
  }
  return value;
}

std::optional<Index> PlainEvaluator::compute(const Node& node) {
  switch (node.op) {
    case Op::constant: return node.value;
    case Op::variable: return variable(static_cast<Variable>(node.value));
    case Op::parameter: return m_environment.integers[static_cast<std::size_t>(node.value)];
    case Op::length: return m_environment.arrays[static_cast<std::size_t>(node.value)]->size();
    default: break;
  }
  const auto a = evaluate(node.a);
  if (!a) return std::nullopt;
  switch (node.op) {
    case Op::and_then: return *a ? evaluate(node.b) : a;
    case Op::or_else: return *a ? a : evaluate(node.b);
    case Op::select: return evaluate(*a ? node.b : node.c);
    case Op::element: return element(node, *a);
    case Op::along: return along(node, *a);
    default: break;
  }
  const auto b = node.b == no_node ? std::optional<Index>(0) : evaluate(node.b);
  if (!b) return std::nullopt;
  if (node.op != Op::where) return arithmetic(node, *a, *b);
  const auto c = evaluate(node.c);
  return !c ? std::nullopt : *a ? b : c;
}

std::optional<Index> PlainEvaluator::variable(Variable variable) const {
  const Environment& known = m_environment;
  switch (variable) {
    case Variable::b: return known.b;
    case Variable::h: return known.h;
    case Variable::q_idx: return m_q;
    case Variable::kv_idx: return m_kv;
    case Variable::q_pos: return known.q_pos->at(m_q);
    case Variable::kv_pos: return known.kv_pos->at(m_kv);
    case Variable::q_doc: return known.q_doc->at(m_q);
    case Variable::kv_doc: return known.kv_doc->at(m_kv);
    case Variable::key_valid: return known.key_valid->at(m_kv) != 0 ? 1 : 0;
    case Variable::past_len: return known.past_len;
    case Variable::q_len: return known.extent.rows;
    case Variable::kv_len: return known.extent.cols;
  }
  return std::nullopt;
}

std::optional<Index> PlainEvaluator::element(const Node& node, Index index) {
  const BoundArray& array = *m_environment.arrays[static_cast<std::size_t>(node.value)];
  if (index >= -array.size() && index < array.size()) return array.at(index < 0 ? index + array.size() : index);
  const std::string& name = m_code.arrays[static_cast<std::size_t>(node.value)].name;
  if (array.size() == 0) return fail(node, fmt::format("{}[{}]: the array is empty", shortened(name), index));
  return fail(node, fmt::format("{}[{}] is out of range; indices go from {} to {}", shortened(name), index,
                                -array.size(), array.size() - 1));
}

std::optional<Index> PlainEvaluator::along(const Node& node, Index index) {
  if (index >= -node.value && index < node.value) return index < 0 ? index + node.value : index;
  return fail(node, fmt::format("the index {} is out of range; this dimension has {}{}", index, node.value,
                                node.value == 1 ? " element" : " elements"));
}

std::optional<Index> PlainEvaluator::fail(const Node& node, std::string message) {
  if (!m_failed) m_error = {node.range, std::move(message)};
  m_failed = true;
  return std::nullopt;
}

std::optional<Index> PlainEvaluator::arithmetic(const Node& node, Index a, Index b) {
  switch (node.op) {
    case Op::negate:
      return a == lowest ? fail(node, fmt::format("-({}) does not fit in 64 bits", a)) : std::optional(-a);
    case Op::absolute:
      return a == lowest ? fail(node, fmt::format("abs({}) does not fit in 64 bits", a))
                         : std::optional(a < 0 ? -a : a);
    case Op::bit_not: return ~a;
    case Op::logical_and: return a & b;
    case Op::logical_or: return a | b;
    case Op::logical_xor: return a ^ b;
    case Op::minimum: return std::min(a, b);
    case Op::maximum: return std::max(a, b);
    case Op::to_bool: return a != 0;
    case Op::to_int: return a;
    case Op::logical_not: return a == 0;
    default: return applied(node, *operator_of(node.op), a, b);
  }
}

std::optional<Index> PlainEvaluator::applied(const Node& node, const Operator& row, Index a, Index b) {
  const auto result = row.value(a, b);
  if (result) return result;
  const std::string written = fmt::format("{} {} {}", a, row.symbol, b);
  const char* refusal = row.refusal ? row.refusal(a, b) : nullptr;
  return fail(node, refusal ? fmt::format("{}: {}", written, refusal) : written + " does not fit in 64 bits");
}

}  // namespace vqscope::language
