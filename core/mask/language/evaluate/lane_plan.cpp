// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/lane_plan.h"

#include <algorithm>
#include <array>
#include <limits>

namespace vqscope::language {
namespace {

class Planner {
 public:
  Planner(const BoundProgram& program, NodeId root) : m_program(program), m_root(root) {
    const std::size_t count = program.nodes.size();
    m_slot.assign(count, -1);
    m_needed.assign(count, false);
    m_query.assign(count, false);
    m_last_use.assign(count, -1);
  }

  void fill(LanePlan& plan) {
    mark();
    plan.narrow = all_narrow();
    for (NodeId id = 0; id <= m_root; ++id)
      if (m_needed[index(id)] && m_program.at(id).by_kv) step(plan, id);
    plan.result = operand(plan, m_root);
    plan.int_slots = m_next[0];
    plan.bool_slots = m_next[1];
    mark_query();
    for (NodeId id = 0; id < static_cast<NodeId>(m_query.size()); ++id)
      if (m_query[index(id)]) plan.by_query.push_back(id);
  }

 private:
  static std::size_t index(NodeId id) { return static_cast<std::size_t>(id); }

  /// The comparison as a border in kv, if it is one.
  std::optional<LaneStep> border(NodeId id) const {
    const BoundNode& node = m_program.at(id);
    if (node.op != Op::less && node.op != Op::less_equal && node.op != Op::equal) return std::nullopt;
    auto left = linear(m_program, node.a);
    const auto right = linear(m_program, node.b);
    if (!left || !right || !append(*left, -1, *right)) return std::nullopt;
    if (left->sign != 1 && left->sign != -1) return std::nullopt;
    // sign * kv + rest < 0.
    const bool rises = left->sign == 1;
    LaneStep made{.is_bool = true};
    append(made.border, rises ? -1 : 1, Linear{0, left->parts});
    made.kind = node.op == Op::equal ? LaneKind::only : rises ? LaneKind::below : LaneKind::from;
    // kv <= r is kv < r + 1; kv > r is kv >= r + 1.
    made.array = (rises && node.op == Op::less_equal) || (!rises && node.op == Op::less) ? 1 : 0;
    return made;
  }

  /// An element whose index is kv plus a function of the query, and always valid.
  std::optional<LaneStep> block(NodeId id) const {
    const BoundNode& node = m_program.at(id);
    if (node.op != Op::element) return std::nullopt;
    const BoundArray& array = *m_program.arrays[index(static_cast<NodeId>(node.value))];
    const Bounds at = m_program.at(node.a).bounds;
    if (at.low < 0 || at.high >= array.size()) return std::nullopt;
    auto position = linear(m_program, node.a);
    if (!position || position->sign != 1) return std::nullopt;
    LaneStep made{.kind = LaneKind::block, .array = node.value};
    append(made.border, 1, Linear{0, position->parts});
    return made;
  }

  void need(NodeId id) { m_needed[index(id)] = true; }

  void mark() {
    need(m_root);
    for (NodeId id = m_root; id >= 0; --id) {
      if (!m_needed[index(id)] || !m_program.at(id).by_kv) continue;
      const BoundNode& node = m_program.at(id);
      if (border(id) || block(id)) continue;
      for (const NodeId operand : {node.a, node.b, node.c}) {
        if (operand == no_node) continue;
        need(operand);
        m_last_use[index(operand)] = std::max(m_last_use[index(operand)], id);
      }
    }
    m_last_use[index(m_root)] = static_cast<NodeId>(m_program.nodes.size());
  }

  bool all_narrow() const {
    constexpr Bounds narrow{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    for (std::size_t i = 0; i < m_needed.size(); ++i) {
      const BoundNode& node = m_program.nodes[i];
      if (m_needed[i] && (!node.exact || node.bounds.low < narrow.low || node.bounds.high > narrow.high)) return false;
    }
    return true;
  }

  void mark_query() {
    for (auto id = static_cast<NodeId>(m_query.size()) - 1; id >= 0; --id) {
      if (!m_query[index(id)]) continue;
      const BoundNode& node = m_program.at(id);
      for (const NodeId operand : {node.a, node.b, node.c})
        if (operand != no_node) m_query[index(operand)] = true;
    }
  }

  int slot(bool is_bool) {
    auto& unused = m_unused[is_bool ? 1 : 0];
    if (unused.empty()) return m_next[is_bool ? 1 : 0]++;
    const int reused = unused.back();
    unused.pop_back();
    return reused;
  }

  /// The slot of a node; a node that depends only on the query gets a permanent slot.
  int operand(LanePlan& plan, NodeId id) {
    int& at = m_slot[index(id)];
    if (at < 0) {
      const bool is_bool = m_program.at(id).is_bool;
      at = m_next[is_bool ? 1 : 0]++;
      plan.broadcasts.push_back({id, is_bool, at});
      m_query[index(id)] = true;
    }
    return at;
  }

  void step(LanePlan& plan, NodeId id) {
    const BoundNode& node = m_program.at(id);
    LaneStep made{.op = node.op, .is_bool = node.is_bool, .array = node.value};
    if (auto found = border(id))
      made = std::move(*found);
    else if (auto segment = block(id))
      made = std::move(*segment);
    else {
      if (node.a != no_node) made.a = operand(plan, node.a);
      if (node.b != no_node) made.b = operand(plan, node.b);
      if (node.c != no_node) made.c = operand(plan, node.c);
      made.of_bools = node.op == Op::select && node.is_bool;
    }
    for (const auto& [factor, part] : made.border.parts) m_query[index(part)] = true;
    made.to = m_slot[index(id)] = slot(node.is_bool);
    if (made.kind == LaneKind::operation) release(node, id);
    plan.steps.push_back(std::move(made));
  }

  void release(const BoundNode& node, NodeId user) {
    std::vector<NodeId> operands{node.a, node.b, node.c};
    std::ranges::sort(operands);
    operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
    for (const NodeId operand : operands)
      if (operand != no_node && m_program.at(operand).by_kv && m_last_use[index(operand)] == user)
        m_unused[m_program.at(operand).is_bool ? 1 : 0].push_back(m_slot[index(operand)]);
  }

  const BoundProgram& m_program;
  NodeId m_root;
  std::vector<int> m_slot;
  std::vector<bool> m_needed;
  std::vector<bool> m_query;
  std::vector<NodeId> m_last_use;
  std::array<int, 2> m_next{};
  std::array<std::vector<int>, 2> m_unused;
};

}  // namespace

bool append(Linear& sum, Index factor, const Linear& other) {
  constexpr std::size_t most_parts = 16;
  sum.sign += factor * other.sign;
  for (const auto& [f, id] : other.parts) sum.parts.emplace_back(factor * f, id);
  return sum.parts.size() <= most_parts;
}

std::optional<Linear> linear(const BoundProgram& program, NodeId id) {
  const BoundNode& node = program.at(id);
  if (!node.by_kv) return Linear{0, {{1, id}}};
  if (node.op == Op::kv) return Linear{1, {}};
  if (!node.exact) return std::nullopt;
  if (node.op != Op::add && node.op != Op::subtract && node.op != Op::negate) return std::nullopt;
  auto sum = linear(program, node.a);
  if (!sum) return std::nullopt;
  if (node.op == Op::negate) {
    Linear negated;
    append(negated, -1, *sum);
    return negated;
  }
  const auto other = linear(program, node.b);
  if (!other || !append(*sum, node.op == Op::add ? 1 : -1, *other)) return std::nullopt;
  return sum;
}

LanePlan lane_plan(const BoundProgram& program, NodeId root) {
  LanePlan plan;
  Planner(program, root).fill(plan);
  plan.narrow_arrays.resize(program.arrays.size());
  if (!plan.narrow) return plan;
  for (const LaneStep& step : plan.steps) {
    const auto array = static_cast<std::size_t>(step.array);
    if (step.kind != LaneKind::block || !plan.narrow_arrays[array].empty()) continue;
    const auto& values = program.arrays[array]->values();
    plan.narrow_arrays[array] = {values.begin(), values.end()};
  }
  return plan;
}

}  // namespace vqscope::language
