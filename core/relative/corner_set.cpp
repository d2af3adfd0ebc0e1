// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/relative/corner_set.h"

#include <algorithm>
#include <bit>

namespace vqscope {
namespace {

/// Numbers distinct values in the order of their coming; open addressing, at most half full.
class Numbering {
 public:
  explicit Numbering(std::vector<Index>& values) : m_values(values) { grow(); }

  std::uint32_t id_of(Index value) {
    std::size_t slot = slot_of(value);
    for (; m_slots[slot] != free; slot = (slot + 1) & m_mask)
      if (m_values[m_slots[slot]] == value) return m_slots[slot];
    m_slots[slot] = static_cast<std::uint32_t>(m_values.size());
    m_values.push_back(value);
    if (2 * m_values.size() > m_slots.size()) grow();
    return static_cast<std::uint32_t>(m_values.size()) - 1;
  }

 private:
  static constexpr std::uint32_t free = ~std::uint32_t{0};

  std::size_t slot_of(Index value) const {
    return static_cast<std::size_t>((static_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15U) >> m_shift);
  }

  void grow() {
    const std::size_t size = m_slots.empty() ? 4096 : 2 * m_slots.size();
    m_slots.assign(size, free);
    m_mask = size - 1;
    m_shift = 64 - std::countr_zero(size);
    for (std::size_t id = 0; id < m_values.size(); ++id) {
      std::size_t slot = slot_of(m_values[id]);
      while (m_slots[slot] != free) slot = (slot + 1) & m_mask;
      m_slots[slot] = static_cast<std::uint32_t>(id);
    }
  }

  std::vector<Index>& m_values;
  std::vector<std::uint32_t> m_slots;
  std::size_t m_mask = 0;
  int m_shift = 0;
};

}  // namespace

CornerSet::CornerSet(const TileGrid& grid, Index past_len)
    : m_cols(static_cast<Index>(grid.col_edges.size())), m_ids(grid.row_edges.size() * grid.col_edges.size()) {
  Numbering numbering(m_values);
  auto* next = m_ids.data();
  for (const Index row : grid.row_edges)
    for (const Index col : grid.col_edges) *next++ = numbering.id_of(col + 1 - (past_len + row));
}

std::vector<Index> CornerSet::sorted_with(const std::vector<Index>& more) {
  std::vector<Index> sorted = m_values;
  sorted.insert(sorted.end(), more.begin(), more.end());
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  m_ranks.resize(m_values.size());
  for (std::size_t id = 0; id < m_values.size(); ++id)
    m_ranks[id] = static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, m_values[id]) - sorted.begin());
  return sorted;
}

}  // namespace vqscope
