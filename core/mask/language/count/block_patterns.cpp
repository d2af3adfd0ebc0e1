// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/count/block_patterns.h"

#include "core/mask/language/evaluate/lane_operations.h"
#include "core/mask/language/solve/piecewise.h"

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>

namespace vqscope::language {
namespace {

struct KeyHash {
  template <std::size_t n>
  std::size_t operator()(const std::array<Index, n>& key) const {
    std::uint64_t hash = 0;
    for (const Index part : key) hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15U + (hash >> 29);
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

/// Ids of keys in the order of first occurrence.
template <std::size_t n>
class Ids {
 public:
  /// The id of the key, and whether it is new.
  std::pair<std::uint32_t, bool> of(const std::array<Index, n>& key) {
    // Neighbours are often equal.
    if (m_last && m_last->first == key) return {m_last->second, false};
    const auto [found, is_new] = m_ids.try_emplace(key, static_cast<std::uint32_t>(m_ids.size()));
    m_last = *found;
    return {found->second, is_new};
  }

 private:
  std::unordered_map<std::array<Index, n>, std::uint32_t, KeyHash> m_ids;
  std::optional<std::pair<std::array<Index, n>, std::uint32_t>> m_last;
};

/// Nodes of only the query or only the key over consecutive indices, one block of lanes at a time.
class SideEvaluator {
 public:
  SideEvaluator(const BoundProgram& program, const WeightedNodes& nodes) : m_program(program), m_nodes(nodes) {
    std::vector<bool> below(program.nodes.size());
    for (const auto& [factor, id] : nodes) below[static_cast<std::size_t>(id)] = true;
    for (auto id = static_cast<NodeId>(program.nodes.size()) - 1; id >= 0; --id) {
      if (!below[static_cast<std::size_t>(id)]) continue;
      m_needed.push_back(id);
      for (const NodeId operand : {program.at(id).a, program.at(id).b, program.at(id).c})
        if (operand != no_node) below[static_cast<std::size_t>(operand)] = true;
    }
    std::ranges::reverse(m_needed);
    m_lanes.resize(m_needed.size() * lane_count);
    m_slots.resize(program.nodes.size(), m_lanes.data());
    for (std::size_t i = 0; i < m_needed.size(); ++i)
      m_slots[static_cast<std::size_t>(m_needed[i])] = m_lanes.data() + i * lane_count;
  }

  /// The sums at begin, begin + 1, ... for all lanes. False: one of them is too large.
  bool sums(Index begin, Index* to) {
    for (const NodeId id : m_needed) run(m_program.at(id), begin, slot(id));
    std::fill_n(to, lane_count, Index{0});
    bool fits = true;
    for (const auto& [factor, id] : m_nodes) {
      const Index* from = slot(id);
      for (int i = 0; i < lane_count; ++i) {
        const auto product = static_cast<std::uint64_t>(factor) * static_cast<std::uint64_t>(from[i]);
        to[i] = static_cast<Index>(static_cast<std::uint64_t>(to[i]) + product);
        fits = fits && from[i] > -most_value && from[i] < most_value;
      }
    }
    return fits;
  }

 private:
  /// Factors are small, so that is_moderate allows sums of such values.
  static constexpr Index most_value = Index{1} << 40;

  Index* slot(NodeId id) { return id == no_node ? m_lanes.data() : m_slots[static_cast<std::size_t>(id)]; }

  void run(const BoundNode& node, Index begin, Index* to) {
    switch (node.op) {
      case Op::constant: std::fill_n(to, lane_count, node.value); return;
      case Op::q:
      case Op::kv:
        for (int i = 0; i < lane_count; ++i) to[i] = begin + i;
        return;
      case Op::element: return gather(*m_program.arrays[static_cast<std::size_t>(node.value)], slot(node.a), to);
      case Op::select: {
        const Index *a = slot(node.a), *b = slot(node.b), *c = slot(node.c);
        for (int i = 0; i < lane_count; ++i) to[i] = a[i] != 0 ? b[i] : c[i];
        return;
      }
      default: integers(node.op, slot(node.a), slot(node.b), to);
    }
  }

  const BoundProgram& m_program;
  const WeightedNodes& m_nodes;
  std::vector<NodeId> m_needed;  ///< operands first
  std::vector<Index> m_lanes;
  std::vector<Index*> m_slots;  ///< by node
};

std::optional<Index> slope_of(std::span<const Index> values) {
  if (values.size() < 2) return std::nullopt;
  const Index slope = values[1] - values[0];
  const auto differs = [&](Index a, Index b) { return b - a != slope; };
  return std::ranges::adjacent_find(values, differs) == values.end() ? std::optional(slope) : std::nullopt;
}

}  // namespace

std::shared_ptr<const BlockPatterns> BlockPatterns::make(const BoundProgram& program, const WeightedNodes& nodes,
                                                         bool of_keys, const std::stop_token& stop) {
  const Index size = of_keys ? program.extent.cols : program.extent.rows;
  SideEvaluator evaluator(program, nodes);
  constexpr Index lanes = lane_count;
  std::vector<Index> values(static_cast<std::size_t>((size + lanes - 1) / lanes * lanes));
  for (Index begin = 0; begin < size; begin += lanes)
    if (!evaluator.sums(begin, values.data() + begin) || stop.stop_requested()) return nullptr;
  const auto slope = slope_of({values.data(), static_cast<std::size_t>(size)});
  // Values after the end are never used.
  std::fill(values.begin() + size, values.end(), values[static_cast<std::size_t>(size) - 1]);
  values.resize(static_cast<std::size_t>((size + leaf - 1) / leaf * leaf));
  auto made = std::make_shared<BlockPatterns>();
  if (!made->add_leaves(values)) return nullptr;
  made->add_levels(size / leaf);
  made->m_slope = slope;
  return made;
}

bool BlockPatterns::add_leaves(const std::vector<Index>& values) {
  const std::size_t blocks = values.size() / std::size_t{leaf};
  const std::size_t most_patterns = std::max<std::size_t>(1024, blocks / 8);
  Ids<std::size_t{leaf} - 1> ids;
  Level level;
  level.patterns.reserve(blocks);
  m_bases.reserve(blocks);
  for (std::size_t block = 0; block < blocks; ++block) {
    const Index* first = values.data() + block * std::size_t{leaf};
    std::array<Index, std::size_t{leaf} - 1> key{};
    for (std::size_t i = 0; i < key.size(); ++i) key[i] = first[i + 1] - *first;
    const auto [id, is_new] = ids.of(key);
    level.patterns.push_back(id);
    m_bases.push_back(*first);
    if (!is_new) continue;
    if (id >= most_patterns) return false;
    m_values.push_back(0);
    m_values.insert(m_values.end(), key.begin(), key.end());
    const auto [low, high] = std::ranges::minmax(key);
    level.bounds.push_back({std::min<Index>(low, 0), std::max<Index>(high, 0)});
  }
  m_levels.push_back(std::move(level));
  return true;
}

void BlockPatterns::add_levels(Index whole_blocks) {
  for (Index blocks = whole_blocks / 2; blocks > 0; blocks /= 2) {
    const Level& lower = m_levels.back();
    const int lower_level = static_cast<int>(m_levels.size()) - 1;
    Ids<3> ids;
    Level level;
    level.patterns.reserve(at(blocks));
    for (Index block = 0; block < blocks; ++block) {
      const std::uint32_t left = lower.patterns[at(2 * block)];
      const std::uint32_t right = lower.patterns[at(2 * block + 1)];
      const Index step = base(lower_level, 2 * block + 1) - base(lower_level, 2 * block);
      const auto [id, is_new] = ids.of({left, right, step});
      level.patterns.push_back(id);
      const Bounds a = lower.bounds[left], b = lower.bounds[right];
      if (is_new) level.bounds.push_back({std::min(a.low, b.low + step), std::max(a.high, b.high + step)});
    }
    m_levels.push_back(std::move(level));
  }
}

Bounds BlockPatterns::bounds_over(Range range) const {
  // Four blocks or a few more: smaller blocks extend less beyond the range.
  int level = 0;
  while ((leaf << (level + 2)) < range.size() && level_at(level + 1) < m_levels.size()) ++level;
  const auto whole = [&](int l) { return static_cast<Index>(m_levels[level_at(l)].patterns.size()); };
  Bounds found{std::numeric_limits<Index>::max(), std::numeric_limits<Index>::min()};
  for (Index begin = range.begin; begin < range.end;) {
    // The last blocks are smaller.
    int here = level;
    while (here > 0 && begin / (leaf << here) >= whole(here)) --here;
    const Index block = begin / (leaf << here);
    const Bounds part = bounds(here, pattern(here, block));
    found = {std::min(found.low, base(here, block) + part.low), std::max(found.high, base(here, block) + part.high)};
    begin = (block + 1) * (leaf << here);
  }
  return found;
}

}  // namespace vqscope::language
