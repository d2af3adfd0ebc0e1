// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/count/block_walk.h"

#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace vqscope::language {
namespace {

constexpr Index leaf = BlockPatterns::leaf;

/// Approximate nanoseconds per block, per node of a block, and per block that was evaluated
/// recently.
constexpr Index block_steps = 40;
constexpr Index node_steps = 4;
constexpr Index leaf_steps = 6;

std::size_t at(int slot) { return static_cast<std::size_t>(slot); }

/// A block of level 0 that a thread evaluated recently: neighbouring tiles of a picture share such
/// blocks.
struct RecentLeaf {
  std::uint64_t counter = 0;
  Index rows = 0;
  Index cols = 0;
  std::array<std::uint16_t, std::size_t{leaf}> bits{};
};

RecentLeaf& recent_leaf(Index rows, Index cols) {
  static thread_local std::array<RecentLeaf, 1024> recent;
  return recent[static_cast<std::size_t>((cols & 255) | (rows & 3) << 8)];
}

bool is_decided(Bounds bounds) { return bounds.low == bounds.high; }

}  // namespace

BlockSide BlockSide::half(Index which) const {
  const Index size = leaf << (level - 1);
  const Index first = begin() + which * size;
  return {level - 1, 2 * block + which, {first, first + size}};
}

BlockSides::BlockSides(Range range) {
  for (Index first = range.begin; first < range.end;) {
    const Index block = first / leaf;
    if (first % leaf != 0 || first + leaf > range.end) {
      const Index last = std::min(range.end, (block + 1) * leaf);
      all[count++] = {0, block, {first, last}};
      first = last;
      continue;
    }
    int level = 0;
    while ((block >> level) % 2 == 0 && first + (leaf << (level + 1)) <= range.end) ++level;
    all[count++] = {level, block >> level, {first, first + (leaf << level)}};
    first += leaf << level;
  }
}

std::optional<std::uint64_t> BlockWalk::count(const Rect& cells) {
  const BlockSides row_sides(cells.rows);
  const BlockSides col_sides(cells.cols);
  std::uint64_t total = 0;
  for (const BlockSide& rows : row_sides)
    for (const BlockSide& cols : col_sides) {
      total += count(rows, cols);
      if (m_is_over) return std::nullopt;
      if (is_enough()) return total;
    }
  return total;
}

std::optional<Coverage> BlockWalk::certain_coverage(const Rect& cells) {
  m_until_mixed = true;
  if (!count(cells)) return std::nullopt;
  return m_seen == 0 ? Coverage::none : m_unseen == 0 ? Coverage::all : Coverage::mixed;
}

std::uint64_t BlockWalk::counted(std::uint64_t seen, const BlockSide& rows, const BlockSide& cols) {
  m_seen += seen;
  m_unseen += Rect{rows.used, cols.used}.area() - seen;
  return seen;
}

std::uint64_t BlockWalk::count(const BlockSide& rows, const BlockSide& cols) {
  if (rows.level == 0 && cols.level == 0) return counted(count_bits(bits(rows, cols), rows, cols), rows, cols);
  if (const auto holds = decided(rows, cols))
    return counted(*holds ? Rect{rows.used, cols.used}.area() : 0, rows, cols);
  if (m_is_over) return 0;
  const bool is_whole = rows.is_whole() && cols.is_whole();
  make_key(rows, cols);
  // Blocks of one side are cut where a tile ends, at any index of a block of level 0.
  if (!is_whole) {
    m_key.front() = -1 - m_key.front();
    for (const BlockSide& side : {rows, cols})
      m_key.insert(m_key.end(), {side.used.begin - side.begin(), side.used.end - side.begin()});
  }
  if (const auto known = m_counter.m_counts.find(m_key)) return counted(*known, rows, cols);
  const std::vector<Index> key = m_key;
  std::uint64_t total = 0;
  for (const Index which : {0, 1}) {
    total += rows.level >= cols.level ? count(rows.half(which), cols) : count(rows, cols.half(which));
    if (is_enough()) return total;
  }
  if (!m_is_over) m_counter.m_counts.store(key, total, m_counter.m_table);
  return total;
}

std::optional<bool> BlockWalk::decided(const BlockSide& rows, const BlockSide& cols) {
  const auto nodes = static_cast<Index>(m_counter.m_upper.size() + m_counter.m_leaves.size());
  if (m_is_over || !m_budget.spend(block_steps + node_steps * nodes)) return m_is_over = true, std::nullopt;
  const Bounds root = bound(rows, cols);
  return is_decided(root) ? std::optional(root.low != 0) : std::nullopt;
}

const BlockWalk::Bits& BlockWalk::bits(const BlockSide& rows, const BlockSide& cols) {
  static constexpr Bits none{};
  if (m_is_over || !m_budget.spend(leaf_steps)) return m_is_over = true, none;
  RecentLeaf& recent = recent_leaf(rows.block, cols.block);
  if (recent.counter != m_counter.m_serial || recent.rows != rows.block || recent.cols != cols.block)
    recent = {m_counter.m_serial, rows.block, cols.block, leaf_bits(rows, cols)};
  return recent.bits;
}

const BlockWalk::Bits& BlockWalk::leaf_bits(const BlockSide& rows, const BlockSide& cols) {
  m_budget.spend(block_steps);
  const Bounds root = bound(rows, cols);
  if (is_decided(root)) {
    m_leaf.fill(root.low != 0 ? 0xffff : 0);
    return m_leaf;
  }
  make_key(rows, cols);
  const auto known = m_counter.m_bits.find(m_key);
  m_leaf = known ? *known : bits_of(rows, cols);
  if (!known) m_counter.m_bits.store(m_key, m_leaf, m_counter.m_table);
  return m_leaf;
}

std::uint64_t BlockWalk::count_bits(const Bits& bits, const BlockSide& rows, const BlockSide& cols) {
  const auto before = [](Index end) { return (std::uint32_t{1} << end) - 1; };
  const std::uint32_t wanted = before(cols.used.end - cols.begin()) & ~before(cols.used.begin - cols.begin());
  std::uint64_t total = 0;
  for (Index q = rows.used.begin; q < rows.used.end; ++q)
    total += static_cast<std::uint64_t>(std::popcount(bits[static_cast<std::size_t>(q - rows.begin())] & wanted));
  return total;
}

/// Evaluates cell by cell, where the bounds are the value.
BlockWalk::Bits BlockWalk::bits_of(const BlockSide& rows, const BlockSide& cols) {
  m_budget.spend(leaf * leaf * node_steps * static_cast<Index>(m_counter.m_upper.size()));
  Bits bits{};
  std::vector<Index> values(m_bounds.size());
  const auto value = [&](int slot) { return slot == BlockCounter::no_slot ? Index{0} : values[at(slot)]; };
  for (Index q = 0; q < leaf; ++q)
    for (Index kv = 0; kv < leaf; ++kv) {
      for (std::size_t i = 0; i < m_counter.m_leaves.size(); ++i) {
        const auto& [f, g] = m_counter.m_leaves[i];
        Index& to = values[at(m_counter.m_leaf_slots[i])];
        to = 0;
        if (f) to += f->base(0, rows.block) + f->values(f->pattern(0, rows.block))[q];
        if (g) to += g->base(0, cols.block) + g->values(g->pattern(0, cols.block))[kv];
      }
      for (const auto& upper : m_counter.m_upper) {
        const BoundNode& node = m_program.at(upper.node);
        Index& to = values[at(upper.slot)];
        if (node.op == Op::constant) {
          to = node.value;
        } else if (node.op == Op::element) {
          const BoundArray& array = *m_program.arrays[static_cast<std::size_t>(node.value)];
          const Index index = value(upper.operands[0]);
          to = index >= 0 && index < array.size() ? array.at(index) : 0;
        } else {
          to = evaluate(node.op, value(upper.operands[0]), value(upper.operands[1]), value(upper.operands[2]));
        }
      }
      if (values[at(m_counter.m_upper.back().slot)] != 0)
        bits[static_cast<std::size_t>(q)] |= static_cast<std::uint16_t>(1U << kv);
    }
  return bits;
}

void BlockWalk::make_room() {
  m_bounds.resize(static_cast<std::size_t>(m_counter.m_slot_count));
  m_needs.resize(m_bounds.size());
}

Bounds BlockWalk::bound(const BlockSide& rows, const BlockSide& cols) {
  make_room();
  for (std::size_t i = 0; i < m_counter.m_leaves.size(); ++i) {
    Bounds total;
    const auto add = [&](const BlockPatterns* part, const BlockSide& side) {
      if (!part) return;
      const Bounds bounds = part->bounds(side.level, part->pattern(side.level, side.block));
      const Index base = part->base(side.level, side.block);
      total = {total.low + base + bounds.low, total.high + base + bounds.high};
    };
    add(m_counter.m_leaves[i].f.get(), rows);
    add(m_counter.m_leaves[i].g.get(), cols);
    m_bounds[at(m_counter.m_leaf_slots[i])] = total;
  }
  return bound_upper({rows.used, cols.used});
}

Coverage BlockWalk::coverage(const Rect& cells) {
  make_room();
  for (std::size_t i = 0; i < m_counter.m_leaves.size(); ++i) {
    const auto& [f, g] = m_counter.m_leaves[i];
    const Bounds by_q = f ? f->bounds_over(cells.rows) : Bounds{};
    const Bounds by_kv = g ? g->bounds_over(cells.cols) : Bounds{};
    m_bounds[at(m_counter.m_leaf_slots[i])] = {by_q.low + by_kv.low, by_q.high + by_kv.high};
  }
  const Bounds bounds = bound_upper(cells);
  return bounds.high == 0 ? Coverage::none : bounds.low == 1 ? Coverage::all : Coverage::mixed;
}

Bounds BlockWalk::bound_upper(const Rect& cells) {
  const auto of = [&](int slot) { return slot == BlockCounter::no_slot ? Bounds{} : m_bounds[at(slot)]; };
  for (const auto& [id, operands, slot] : m_counter.m_upper)
    m_bounds[at(slot)] =
        bounds_of(m_program, m_program.at(id), cells, of(operands[0]), of(operands[1]), of(operands[2]));
  return m_bounds[at(m_counter.m_upper.back().slot)];
}

void BlockWalk::need(int slot, Index period) {
  if (slot == BlockCounter::no_slot) return;
  Need& made = m_needs[at(slot)];
  const Index most_period = Index{1} << 31;
  const Index both = made.is_live ? (made.period == 0 || period == 0 ? 0 : std::lcm(made.period, period)) : period;
  made = {true, both < most_period ? both : 0};
}

void BlockWalk::find_needs() {
  std::ranges::fill(m_needs, Need{});
  m_needs[at(m_counter.m_upper.back().slot)].is_live = true;
  for (auto upper = m_counter.m_upper.rbegin(); upper != m_counter.m_upper.rend(); ++upper) {
    const Need needed = m_needs[at(upper->slot)];
    if (!needed.is_live || is_decided(m_bounds[at(upper->slot)])) continue;
    const BoundNode& node = m_program.at(upper->node);
    const auto [a, b, c] = upper->operands;
    Index of_a = 0;
    Index of_b = 0;
    if (node.op == Op::modulo && is_decided(m_bounds[at(b)])) {
      of_a = std::max<Index>(m_bounds[at(b)].low, 0);
    } else if (node.exact && (node.op == Op::add || node.op == Op::subtract || node.op == Op::negate)) {
      of_a = of_b = needed.period;
    } else if (node.exact && node.op == Op::absolute) {
      const Bounds inner = m_bounds[at(a)];
      if (inner.low >= 0 || inner.high <= 0) of_a = needed.period;
    }
    need(a, of_a);
    need(b, of_b);
    need(c, 0);
  }
}

void BlockWalk::make_key(const BlockSide& rows, const BlockSide& cols) {
  find_needs();
  m_key.assign({rows.level * 64 + cols.level});
  // Decided values that are still needed are part of the key; so is the sign that abs() removes.
  for (const auto& [id, operands, slot] : m_counter.m_upper) {
    if (!m_needs[at(slot)].is_live) continue;
    const Op op = m_program.at(id).op;
    if (is_decided(m_bounds[at(slot)])) {
      if (op != Op::constant) m_key.insert(m_key.end(), {-1 - slot, m_bounds[at(slot)].low});
    } else if (op == Op::absolute) {
      const Bounds inner = m_bounds[at(operands[0])];
      m_key.insert(m_key.end(), {-1 - slot, inner.low >= 0 ? 1 : inner.high <= 0 ? -1 : 0});
    }
  }
  for (std::size_t i = 0; i < m_counter.m_leaves.size(); ++i) {
    const int slot = m_counter.m_leaf_slots[i];
    const Need needed = m_needs[at(slot)];
    if (!needed.is_live) continue;
    const auto& [f, g] = m_counter.m_leaves[i];
    const Index base = (f ? f->base(rows.level, rows.block) : 0) + (g ? g->base(cols.level, cols.block) : 0);
    m_key.insert(m_key.end(), {slot, f ? f->pattern(rows.level, rows.block) : Index{0},
                               g ? g->pattern(cols.level, cols.block) : Index{0},
                               needed.period > 0 ? floor_modulo(base, needed.period) : base});
  }
}

}  // namespace vqscope::language
