// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/count/block_counter.h"

#include <algorithm>

namespace vqscope::language {
namespace {

constexpr std::size_t most_leaves = 12;
constexpr std::size_t most_upper = 128;

/// Writes id as f(query) + g(key) without a product; false if that is not possible.
bool split(const BoundProgram& program, NodeId id, Index factor, WeightedNodes& f, WeightedNodes& g) {
  constexpr std::size_t most_parts = 16;
  const BoundNode& node = program.at(id);
  if (!node.by_q || !node.by_kv) {
    // A constant counts as part of f.
    WeightedNodes& side = node.by_kv ? g : f;
    side.emplace_back(factor, id);
    return side.size() <= most_parts;
  }
  if (!node.exact) return false;
  switch (node.op) {
    case Op::negate: return split(program, node.a, -factor, f, g);
    case Op::add: return split(program, node.a, factor, f, g) && split(program, node.b, factor, f, g);
    case Op::subtract: return split(program, node.a, factor, f, g) && split(program, node.b, -factor, f, g);
    default: return false;
  }
}

}  // namespace

std::shared_ptr<const BlockPatterns> PatternTable::of(const WeightedNodes& nodes, bool of_keys,
                                                      const std::stop_token& stop) {
  const std::scoped_lock lock(m_mutex);
  const auto key = std::pair(of_keys, nodes);
  if (const auto found = m_made.find(key); found != m_made.end()) return found->second;
  m_values += of_keys ? m_program.extent.cols : m_program.extent.rows;
  if (m_values > most_values) return nullptr;
  auto made = BlockPatterns::make(m_program, nodes, of_keys, stop);
  if (!stop.stop_requested()) m_made.emplace(key, made);
  return made;
}

bool PatternTable::keep(Index bytes) const {
  if (m_kept + bytes > most_bytes_kept) return false;
  m_kept += bytes;
  return true;
}

BlockCounter::BlockCounter(const BoundProgram& program, const PatternTable& patterns)
    : m_program(program), m_table(patterns) {
  static std::atomic<std::uint64_t> made = 0;
  m_serial = ++made;
}

std::unique_ptr<const BlockCounter> BlockCounter::make(const BoundProgram& program, NodeId root, PatternTable& patterns,
                                                       const std::stop_token& stop) {
  std::unique_ptr<BlockCounter> made(new BlockCounter(program, patterns));
  const bool is_known =
      made->collect(root, patterns, stop) && !made->m_upper.empty() && made->m_upper.back().node == root;
  if (!is_known) return nullptr;
  if (made->is_relative()) made->m_relative = RelativeCounter::make(program, root, stop);
  return made;
}

bool BlockCounter::is_relative() const {
  return std::ranges::all_of(m_leaves, [](const Leaf& leaf) {
    const auto by_q = leaf.f ? leaf.f->slope() : 0;
    const auto by_kv = leaf.g ? leaf.g->slope() : 0;
    return by_q && by_kv && *by_q == -*by_kv;
  });
}

std::optional<int> BlockCounter::collect(NodeId id, PatternTable& patterns, const std::stop_token& stop) {
  if (id == no_node) return no_slot;
  if (const auto found = m_slots.find(id); found != m_slots.end()) return found->second;
  const BoundNode& node = m_program.at(id);
  Upper upper{id};
  if (node.op != Op::constant) {
    WeightedNodes f, g;
    if (split(m_program, id, 1, f, g)) {
      const auto slot = add_leaf(f, g, patterns, stop);
      if (slot) m_slots[id] = *slot;
      return slot;
    }
    const bool compares = node.op == Op::less || node.op == Op::less_equal || node.op == Op::equal;
    f.clear();
    g.clear();
    if (compares && split(m_program, node.a, 1, f, g) && split(m_program, node.b, -1, f, g)) {
      const auto slot = add_leaf(f, g, patterns, stop);
      if (!slot) return std::nullopt;
      upper.operands = {*slot, no_slot, no_slot};
      return add_upper(upper);
    }
    const std::array<NodeId, 3> operands{node.a, node.b, node.c};
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto slot = collect(operands[i], patterns, stop);
      if (!slot) return std::nullopt;
      upper.operands[i] = *slot;
    }
  }
  return add_upper(upper);
}

std::optional<int> BlockCounter::add_leaf(const WeightedNodes& f, const WeightedNodes& g, PatternTable& patterns,
                                          const std::stop_token& stop) {
  Leaf leaf;
  if (!f.empty() && !(leaf.f = patterns.of(f, false, stop))) return std::nullopt;
  if (!g.empty() && !(leaf.g = patterns.of(g, true, stop))) return std::nullopt;
  // Comparisons of the same difference share a leaf.
  for (std::size_t i = 0; i < m_leaves.size(); ++i)
    if (m_leaves[i].f == leaf.f && m_leaves[i].g == leaf.g) return m_leaf_slots[i];
  if (m_leaves.size() >= most_leaves) return std::nullopt;
  m_leaves.push_back(std::move(leaf));
  m_leaf_slots.push_back(m_slot_count);
  return m_slot_count++;
}

std::optional<int> BlockCounter::add_upper(Upper upper) {
  if (m_upper.size() >= most_upper) return std::nullopt;
  upper.slot = m_slot_count++;
  m_slots[upper.node] = upper.slot;
  m_upper.push_back(upper);
  return upper.slot;
}

std::size_t BlockCounter::KeyHash::operator()(const std::vector<Index>& key) const {
  std::uint64_t hash = key.size();
  for (const Index part : key) hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15U + (hash >> 29);
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

template <class Value>
std::optional<Value> BlockCounter::Memo<Value>::find(const std::vector<Index>& key) {
  Shard& shard = m_shards[KeyHash()(key) >> 8 & 15];
  const std::scoped_lock lock(shard.mutex);
  const auto found = shard.values.find(key);
  return found == shard.values.end() ? std::nullopt : std::optional(found->second);
}

template <class Value>
void BlockCounter::Memo<Value>::store(const std::vector<Index>& key, const Value& value, const PatternTable& limit) {
  // Of the key's numbers, and of an entry of the map with its place among the buckets.
  constexpr std::size_t entry_bytes = sizeof(std::pair<std::vector<Index>, Value>) + 64;
  if (!limit.keep(static_cast<Index>(entry_bytes + key.size() * sizeof(Index)))) return;
  Shard& shard = m_shards[KeyHash()(key) >> 8 & 15];
  const std::scoped_lock lock(shard.mutex);
  shard.values.emplace(key, value);
}

template class BlockCounter::Memo<std::uint64_t>;
template class BlockCounter::Memo<BlockCounter::Bits>;

const BlockCounter* LazyBlockCounter::get(const std::stop_token& stop) const {
  if (const BlockCounter* made = get_made()) return made;
  const std::scoped_lock lock(m_mutex);
  if (!m_is_made) {
    m_counter = BlockCounter::make(m_program, m_root, *m_patterns, stop);
    m_is_made = !stop.stop_requested();
    if (m_is_made) m_ready.store(m_counter.get(), std::memory_order_release);
  }
  return m_counter.get();
}

}  // namespace vqscope::language
