// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/lane_evaluator.h"

#include "core/mask/language/evaluate/lane_operations.h"

namespace vqscope::language {
namespace {

__extension__ using Wide = __int128;

/// The value of a node of only the query, whose operands are known.
Index value_at(const BoundProgram& program, const BoundNode& node, Index q, const std::vector<Index>& values) {
  const auto operand = [&](NodeId id) { return id == no_node ? Index{0} : values[static_cast<std::size_t>(id)]; };
  switch (node.op) {
    case Op::constant: return node.value;
    case Op::q: return q;
    case Op::element: {
      const BoundArray& array = *program.arrays[static_cast<std::size_t>(node.value)];
      const Index at = operand(node.a);
      return at >= 0 && at < array.size() ? array.at(at) : 0;
    }
    default: return evaluate(node.op, operand(node.a), operand(node.b), operand(node.c));
  }
}

/// The border of a step in one row, clamped to a number far beyond any matrix.
Index border_of(const LaneStep& step, const std::vector<Index>& values) {
  Wide sum = step.kind == LaneKind::block ? 0 : step.array;
  for (const auto& [factor, id] : step.border.parts) sum += Wide{factor} * values[static_cast<std::size_t>(id)];
  constexpr Index far = Index{1} << 60;
  return static_cast<Index>(std::clamp<Wide>(sum, -far, far));
}

/// A row during evaluation: slots of one block of lanes, and what is constant from block to block.
template <class Int>
class LaneRow {
 public:
  LaneRow(const BoundProgram& program, const LanePlan& plan, Index q)
      : m_program(program),
        m_plan(plan),
        m_ints(static_cast<std::size_t>(plan.int_slots * lane_count)),
        m_bools(static_cast<std::size_t>(plan.bool_slots * lane_count)) {
    std::vector<Index> values(program.nodes.size());
    for (const NodeId id : plan.by_query)
      values[static_cast<std::size_t>(id)] = value_at(program, program.at(id), q, values);
    for (const Broadcast& broadcast : plan.broadcasts) {
      const Index value = values[static_cast<std::size_t>(broadcast.node)];
      if (broadcast.is_bool)
        std::fill_n(bool_slot(broadcast.slot), lane_count, static_cast<Bool>(value));
      else
        std::fill_n(int_slot(broadcast.slot), lane_count, static_cast<Int>(value));
    }
    for (const LaneStep& step : plan.steps) m_borders.push_back(border_of(step, values));
  }

  /// The truth values of the lanes from key `begin` on.
  const Bool* block(Index begin) {
    for (std::size_t s = 0; s < m_plan.steps.size(); ++s) run(m_plan.steps[s], m_borders[s], begin);
    return bool_slot(m_plan.result);
  }

 private:
  Int* int_slot(int slot) { return m_ints.data() + std::ptrdiff_t{slot} * lane_count; }
  Bool* bool_slot(int slot) { return m_bools.data() + std::ptrdiff_t{slot} * lane_count; }

  void run(const LaneStep& step, Index border, Index begin) {
    const Index lane = border - begin;
    switch (step.kind) {
      case LaneKind::below: return fill_segment(0, lane, bool_slot(step.to));
      case LaneKind::from: return fill_segment(lane, lane_count, bool_slot(step.to));
      case LaneKind::only: return fill_segment(lane, lane + 1, bool_slot(step.to));
      case LaneKind::block: {
        const auto array = static_cast<std::size_t>(step.array);
        return read_block(*m_program.arrays[array], m_plan.narrow_arrays[array], border + begin, int_slot(step.to));
      }
      case LaneKind::operation: return operate(step, begin);
    }
  }

  void operate(const LaneStep& step, Index begin) {
    switch (step.op) {
      case Op::kv: {
        Int* to = int_slot(step.to);
        for (int i = 0; i < lane_count; ++i) to[i] = static_cast<Int>(begin + i);
        break;
      }
      case Op::element:
        gather(*m_program.arrays[static_cast<std::size_t>(step.array)], int_slot(step.a), int_slot(step.to));
        break;
      case Op::select:
        if (step.of_bools)
          choose(bool_slot(step.a), bool_slot(step.b), bool_slot(step.c), bool_slot(step.to));
        else
          choose(bool_slot(step.a), int_slot(step.b), int_slot(step.c), int_slot(step.to));
        break;
      case Op::to_int: {
        const Bool* from = bool_slot(step.a);
        Int* to = int_slot(step.to);
        for (int i = 0; i < lane_count; ++i) to[i] = from[i];
        break;
      }
      case Op::logical_not:
      case Op::logical_and:
      case Op::logical_or:
      case Op::logical_xor: logic(step.op, bool_slot(step.a), bool_slot(step.b), bool_slot(step.to)); break;
      default:
        if (step.is_bool)
          comparison(step.op, int_slot(step.a), int_slot(step.b), bool_slot(step.to));
        else
          integers(step.op, int_slot(step.a), int_slot(step.b), int_slot(step.to));
    }
  }

  const BoundProgram& m_program;
  const LanePlan& m_plan;
  std::vector<Int> m_ints;
  std::vector<Bool> m_bools;
  std::vector<Index> m_borders;
};

}  // namespace

LaneEvaluator::LaneEvaluator(const BoundProgram& program, NodeId root)
    : m_program(program), m_plan(std::make_unique<LanePlan>(lane_plan(program, root))) {}

LaneEvaluator::~LaneEvaluator() = default;

void LaneEvaluator::row(Index q, Range cols, std::uint8_t* out) const {
  if (m_plan->narrow)
    run<std::int32_t>(q, cols, out);
  else
    run<Index>(q, cols, out);
}

template <class Int>
void LaneEvaluator::run(Index q, Range cols, std::uint8_t* out) const {
  constexpr Index lanes = lane_count;
  LaneRow<Int> row(m_program, *m_plan, q);
  for (Index begin = cols.begin; begin < cols.end; begin += lanes)
    std::copy_n(row.block(begin), std::min(lanes, cols.end - begin), out + (begin - cols.begin));
}

void LaneEvaluator::intervals(Index q, Range cols, std::vector<Range>& out) const {
  constexpr Index chunk = 1 << 16;
  std::vector<Bool> bytes(static_cast<std::size_t>(std::min(cols.size(), chunk)));
  bool inside = !out.empty() && out.back().end == cols.begin;
  if (inside) out.back().end = cols.end;
  for (Index begin = cols.begin; begin < cols.end; begin += chunk) {
    const Index count = std::min(chunk, cols.end - begin);
    row(q, {begin, begin + count}, bytes.data());
    for (Index i = 0; i < count;) {
      const auto* next =
          static_cast<const Bool*>(std::memchr(bytes.data() + i, inside ? 0 : 1, static_cast<std::size_t>(count - i)));
      if (!next) break;
      i = next - bytes.data();
      if (inside)
        out.back().end = begin + i;
      else
        out.push_back({begin + i, cols.end});
      inside = !inside;
    }
  }
}

}  // namespace vqscope::language
