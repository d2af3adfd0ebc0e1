// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/lane_evaluator.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace vqscope::language {
namespace {

__extension__ using Wide = __int128;
using Bool = std::uint8_t;

/// sign * kv + the sum of parts that depend on the query alone; unbounded, since nothing in it wraps.
struct Linear {
  Index sign = 0;
  std::vector<std::pair<Index, NodeId>> parts;
};

constexpr std::size_t most_parts = 16;

bool append(Linear& sum, Index factor, const Linear& other) {
  sum.sign += factor * other.sign;
  for (const auto& [f, id] : other.parts) sum.parts.emplace_back(factor * f, id);
  return sum.parts.size() <= most_parts;
}

std::optional<Linear> linear(const BoundProgram& program, NodeId id) {
  const BoundNode& node = program.at(id);
  if (!node.by_kv) return Linear{0, {{1, id}}};
  if (node.op == BoundOp::kv) return Linear{1, {}};
  if (!node.exact) return std::nullopt;
  if (node.op != BoundOp::add && node.op != BoundOp::subtract && node.op != BoundOp::negate) return std::nullopt;
  auto sum = linear(program, node.a);
  if (!sum) return std::nullopt;
  if (node.op == BoundOp::negate) {
    Linear negated;
    append(negated, -1, *sum);
    return negated;
  }
  const auto other = linear(program, node.b);
  if (!other || !append(*sum, node.op == BoundOp::add ? 1 : -1, *other)) return std::nullopt;
  return sum;
}

/// What a step does with its slots.
enum class Kind : std::uint8_t { operation, below, from, only, block };

struct Step {
  Kind kind = Kind::operation;
  BoundOp op = BoundOp::constant;
  bool is_bool = false;
  bool of_bools = false;  ///< the operands chosen from are truth values
  int to = 0;
  int a = 0, b = 0, c = 0;
  Index array = 0;
  Linear border;  ///< below: kv < border; from: kv >= border; only: kv == border. block: index = kv + border
};

/// A slot that holds what depends on the query alone, all lanes alike.
struct Broadcast {
  NodeId node = no_node;
  bool is_bool = false;
  int slot = 0;
};

template <class Int>
std::vector<Int> converted(std::span<const Index> values) {
  return {values.begin(), values.end()};
}

}  // namespace

struct LaneEvaluator::Plan {
  bool narrow = false;
  int result = 0;
  std::vector<Step> steps;
  std::vector<Broadcast> broadcasts;
  std::vector<NodeId> by_query;  ///< nodes of the query alone, operands first
  int int_slots = 0;
  int bool_slots = 0;
  std::vector<std::vector<std::int32_t>> narrow_arrays;  ///< as BoundProgram::arrays; empty where not given by value
};

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

  template <class Plan>
  void fill(Plan& plan) {
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

  /// The comparison as a border in kv, when it is one.
  std::optional<Step> border(NodeId id) const {
    const BoundNode& node = m_program.at(id);
    if (node.op != BoundOp::less && node.op != BoundOp::less_equal && node.op != BoundOp::equal) return std::nullopt;
    auto left = linear(m_program, node.a);
    const auto right = linear(m_program, node.b);
    if (!left || !right || !append(*left, -1, *right)) return std::nullopt;
    if (left->sign != 1 && left->sign != -1) return std::nullopt;
    // sign * kv + rest < 0.
    const bool rises = left->sign == 1;
    Step made{.is_bool = true};
    append(made.border, rises ? -1 : 1, Linear{0, left->parts});
    made.kind = node.op == BoundOp::equal ? Kind::only : rises ? Kind::below : Kind::from;
    // kv <= r is kv < r + 1; kv > r is kv >= r + 1.
    made.array = (rises && node.op == BoundOp::less_equal) || (!rises && node.op == BoundOp::less) ? 1 : 0;
    return made;
  }

  /// An element whose index is kv and something of the query, never outside.
  std::optional<Step> block(NodeId id) const {
    const BoundNode& node = m_program.at(id);
    if (node.op != BoundOp::element) return std::nullopt;
    const BoundArray& array = *m_program.arrays[index(static_cast<NodeId>(node.value))];
    const Bounds at = m_program.at(node.a).bounds;
    if (at.low < 0 || at.high >= array.size()) return std::nullopt;
    auto position = linear(m_program, node.a);
    if (!position || position->sign != 1) return std::nullopt;
    Step made{.kind = Kind::block, .array = node.value};
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

  /// The slot of a node; what depends on the query alone gets one of its own for good.
  template <class Plan>
  int operand(Plan& plan, NodeId id) {
    int& at = m_slot[index(id)];
    if (at < 0) {
      const bool is_bool = m_program.at(id).is_bool;
      at = m_next[is_bool ? 1 : 0]++;
      plan.broadcasts.push_back({id, is_bool, at});
      m_query[index(id)] = true;
    }
    return at;
  }

  template <class Plan>
  void step(Plan& plan, NodeId id) {
    const BoundNode& node = m_program.at(id);
    Step made{.op = node.op, .is_bool = node.is_bool, .array = node.value};
    if (auto found = border(id))
      made = std::move(*found);
    else if (auto stretch = block(id))
      made = std::move(*stretch);
    else {
      if (node.a != no_node) made.a = operand(plan, node.a);
      if (node.b != no_node) made.b = operand(plan, node.b);
      if (node.c != no_node) made.c = operand(plan, node.c);
      made.of_bools = node.op == BoundOp::select && node.is_bool;
    }
    for (const auto& [factor, part] : made.border.parts) m_query[index(part)] = true;
    made.to = m_slot[index(id)] = slot(node.is_bool);
    if (made.kind == Kind::operation) release(node, id);
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

constexpr int lane_count = static_cast<int>(LaneEvaluator::lanes);

template <class From, class To, class F>
void each(const From* a, const From* b, To* to, F f) {
  for (int i = 0; i < lane_count; ++i) to[i] = static_cast<To>(f(a[i], b[i]));
}

/// The operations that are worth a loop of their own; the others go lane by lane.
template <class Int>
void integers(BoundOp op, const Int* a, const Int* b, Int* to) {
  using Unsigned = std::make_unsigned_t<Int>;
  switch (op) {
    case BoundOp::add:
      return each(a, b, to, [](Int x, Int y) { return static_cast<Unsigned>(x) + static_cast<Unsigned>(y); });
    case BoundOp::subtract:
      return each(a, b, to, [](Int x, Int y) { return static_cast<Unsigned>(x) - static_cast<Unsigned>(y); });
    case BoundOp::multiply:
      return each(a, b, to, [](Int x, Int y) { return static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y); });
    case BoundOp::minimum: return each(a, b, to, [](Int x, Int y) { return std::min(x, y); });
    case BoundOp::maximum: return each(a, b, to, [](Int x, Int y) { return std::max(x, y); });
    case BoundOp::bit_and: return each(a, b, to, [](Int x, Int y) { return x & y; });
    case BoundOp::bit_or: return each(a, b, to, [](Int x, Int y) { return x | y; });
    case BoundOp::bit_xor: return each(a, b, to, [](Int x, Int y) { return x ^ y; });
    case BoundOp::absolute:
      return each(a, a, to, [](Int x, Int) { return x < 0 ? Unsigned{0} - static_cast<Unsigned>(x) : Unsigned(x); });
    case BoundOp::negate: return each(a, a, to, [](Int x, Int) { return Unsigned{0} - static_cast<Unsigned>(x); });
    default: return each(a, b, to, [op](Int x, Int y) { return evaluate(op, x, y, 0); });
  }
}

template <class Int>
void comparison(BoundOp op, const Int* a, const Int* b, Bool* to) {
  switch (op) {
    case BoundOp::less: return each(a, b, to, [](Int x, Int y) { return x < y; });
    case BoundOp::less_equal: return each(a, b, to, [](Int x, Int y) { return x <= y; });
    case BoundOp::equal: return each(a, b, to, [](Int x, Int y) { return x == y; });
    default: return each(a, b, to, [op](Int x, Int y) { return evaluate(op, x, y, 0); });
  }
}

void logic(BoundOp op, const Bool* a, const Bool* b, Bool* to) {
  switch (op) {
    case BoundOp::logical_and: return each(a, b, to, [](Bool x, Bool y) { return x & y; });
    case BoundOp::logical_or: return each(a, b, to, [](Bool x, Bool y) { return x | y; });
    case BoundOp::logical_xor: return each(a, b, to, [](Bool x, Bool y) { return x ^ y; });
    default: return each(a, a, to, [](Bool x, Bool) { return x ^ 1; });
  }
}

template <class T>
void choose(const Bool* a, const T* b, const T* c, T* to) {
  for (int i = 0; i < lane_count; ++i) to[i] = a[i] != 0 ? b[i] : c[i];
}

/// A stretch of an array; what lies beyond its end is left as it was.
template <class Int>
void read_block(const BoundArray& array, const std::vector<std::int32_t>& narrow, Index begin, Int* to) {
  const Index end = std::min(begin + LaneEvaluator::lanes, array.size());
  if constexpr (sizeof(Int) == sizeof(std::int32_t))
    if (!narrow.empty()) return void(std::copy(narrow.begin() + begin, narrow.begin() + end, to));
  if (!array.values().empty()) {
    for (Index i = begin; i < end; ++i) to[i - begin] = static_cast<Int>(array.values()[static_cast<std::size_t>(i)]);
    return;
  }
  for (std::size_t p = array.piece_index(begin); p < array.pieces().size(); ++p) {
    const ArrayPiece& piece = array.pieces()[p];
    if (piece.range.begin >= end) return;
    for (Index i = std::max(begin, piece.range.begin); i < std::min(end, piece.range.end); ++i)
      to[i - begin] = static_cast<Int>(piece.at(i));
  }
}

template <class Int>
void gather(const BoundArray& array, const Int* at, Int* to) {
  const Index size = array.size();
  for (int i = 0; i < lane_count; ++i) {
    const Index k = at[i];
    to[i] = k >= 0 && k < size ? static_cast<Int>(array.at(k)) : Int{0};
  }
}

/// 1 in the lanes of `ones`, clipped, 0 elsewhere.
void fill_stretch(Index begin, Index end, Bool* to) {
  begin = std::clamp<Index>(begin, 0, LaneEvaluator::lanes);
  end = std::clamp<Index>(end, begin, LaneEvaluator::lanes);
  std::memset(to, 0, static_cast<std::size_t>(LaneEvaluator::lanes));
  std::memset(to + begin, 1, static_cast<std::size_t>(end - begin));
}

Index value_at(const BoundProgram& program, const BoundNode& node, Index q, const std::vector<Index>& values) {
  const auto operand = [&](NodeId id) { return id == no_node ? Index{0} : values[static_cast<std::size_t>(id)]; };
  switch (node.op) {
    case BoundOp::constant: return node.value;
    case BoundOp::q: return q;
    case BoundOp::element: {
      const BoundArray& array = *program.arrays[static_cast<std::size_t>(node.value)];
      const Index at = operand(node.a);
      return at >= 0 && at < array.size() ? array.at(at) : 0;
    }
    default: return evaluate(node.op, operand(node.a), operand(node.b), operand(node.c));
  }
}

/// Borders beyond any matrix are as good as far beyond it.
Index border_of(const Step& step, const std::vector<Index>& values) {
  Wide sum = step.kind == Kind::block ? 0 : step.array;
  for (const auto& [factor, id] : step.border.parts) sum += Wide{factor} * values[static_cast<std::size_t>(id)];
  constexpr Index far = Index{1} << 60;
  return static_cast<Index>(std::clamp<Wide>(sum, -far, far));
}

}  // namespace

LaneEvaluator::LaneEvaluator(const BoundProgram& program, NodeId root) : m_program(program) {
  auto plan = std::make_unique<Plan>();
  Planner(program, root).fill(*plan);
  plan->narrow_arrays.resize(program.arrays.size());
  if (plan->narrow)
    for (const Step& step : plan->steps) {
      const auto array = static_cast<std::size_t>(step.array);
      if (step.kind == Kind::block && plan->narrow_arrays[array].empty())
        plan->narrow_arrays[array] = converted<std::int32_t>(program.arrays[array]->values());
    }
  m_plan = std::move(plan);
}

LaneEvaluator::~LaneEvaluator() = default;

void LaneEvaluator::row(Index q, Range cols, std::uint8_t* out) const {
  if (m_plan->narrow)
    run<std::int32_t>(q, cols, out);
  else
    run<Index>(q, cols, out);
}

template <class Int>
void LaneEvaluator::run(Index q, Range cols, std::uint8_t* out) const {
  const Plan& plan = *m_plan;
  std::vector<Index> values(m_program.nodes.size());
  for (const NodeId id : plan.by_query)
    values[static_cast<std::size_t>(id)] = value_at(m_program, m_program.at(id), q, values);
  std::vector<Int> ints(static_cast<std::size_t>(plan.int_slots * lane_count));
  std::vector<Bool> bools(static_cast<std::size_t>(plan.bool_slots * lane_count));
  const auto int_slot = [&](int slot) { return ints.data() + slot * lane_count; };
  const auto bool_slot = [&](int slot) { return bools.data() + slot * lane_count; };
  for (const Broadcast& broadcast : plan.broadcasts) {
    const Index value = values[static_cast<std::size_t>(broadcast.node)];
    if (broadcast.is_bool)
      std::fill_n(bool_slot(broadcast.slot), lane_count, static_cast<Bool>(value));
    else
      std::fill_n(int_slot(broadcast.slot), lane_count, static_cast<Int>(value));
  }
  std::vector<Index> borders;
  for (const Step& step : plan.steps) borders.push_back(border_of(step, values));

  for (Index begin = cols.begin; begin < cols.end; begin += lanes) {
    for (std::size_t s = 0; s < plan.steps.size(); ++s) {
      const Step& step = plan.steps[s];
      const Index border = borders[s] - begin;
      switch (step.kind) {
        case Kind::below: fill_stretch(0, border, bool_slot(step.to)); continue;
        case Kind::from: fill_stretch(border, lanes, bool_slot(step.to)); continue;
        case Kind::only: fill_stretch(border, border + 1, bool_slot(step.to)); continue;
        case Kind::block:
          read_block(*m_program.arrays[static_cast<std::size_t>(step.array)],
                     plan.narrow_arrays[static_cast<std::size_t>(step.array)], borders[s] + begin, int_slot(step.to));
          continue;
        case Kind::operation: break;
      }
      switch (step.op) {
        case BoundOp::kv: {
          Int* to = int_slot(step.to);
          for (int i = 0; i < lane_count; ++i) to[i] = static_cast<Int>(begin + i);
          break;
        }
        case BoundOp::element:
          gather(*m_program.arrays[static_cast<std::size_t>(step.array)], int_slot(step.a), int_slot(step.to));
          break;
        case BoundOp::select:
          if (step.of_bools)
            choose(bool_slot(step.a), bool_slot(step.b), bool_slot(step.c), bool_slot(step.to));
          else
            choose(bool_slot(step.a), int_slot(step.b), int_slot(step.c), int_slot(step.to));
          break;
        case BoundOp::to_int: {
          const Bool* from = bool_slot(step.a);
          Int* to = int_slot(step.to);
          for (int i = 0; i < lane_count; ++i) to[i] = from[i];
          break;
        }
        case BoundOp::logical_not:
        case BoundOp::logical_and:
        case BoundOp::logical_or:
        case BoundOp::logical_xor: logic(step.op, bool_slot(step.a), bool_slot(step.b), bool_slot(step.to)); break;
        default:
          if (step.is_bool)
            comparison(step.op, int_slot(step.a), int_slot(step.b), bool_slot(step.to));
          else
            integers(step.op, int_slot(step.a), int_slot(step.b), int_slot(step.to));
      }
    }
    std::copy_n(bool_slot(plan.result), std::min(lanes, cols.end - begin), out + (begin - cols.begin));
  }
}

void LaneEvaluator::intervals(Index q, Range cols, std::vector<Range>& out) const {
  constexpr Index chunk = 1 << 16;
  std::vector<Bool> bytes(static_cast<std::size_t>(std::min(cols.size(), chunk)));
  bool inside = false;
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
