// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/decode/paged_cache.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index most_named_blocks = 16;
constexpr Index most_named_slots = 64;

}  // namespace

PagedCache::PagedCache(const DecodeBatch& batch)
    : m_size(batch.lanes.front().sizes.block_size), m_fault(batch.fault), m_tables(batch.lanes.size()) {
  for (Index step = 0; step <= batch.step; ++step) advance(batch, step);
  PagedCache later = *this;
  for (Index step = batch.step + 1; step <= batch.lanes.front().steps; ++step) later.advance(batch, step);
  m_blocks = later.m_blocks;
  m_owner.resize(static_cast<std::size_t>(m_blocks), -1);
  m_held.resize(static_cast<std::size_t>(slot_count()));
  for (std::size_t i = 0; i < m_tables.size(); ++i) {
    Table& table = m_tables[i];
    for (Index place = 0; table.reads && place <= batch.newest(batch.lanes[i]) / m_size; ++place)
      table.places.emplace_back(block_at(table, place), place);
    std::ranges::sort(table.places);
  }
}

/// Ended lanes give back first; then each lane writes its newest token, in order.
void PagedCache::advance(const DecodeBatch& batch, Index step) {
  const auto lanes = static_cast<Index>(batch.lanes.size());
  const auto lane_at = [&](Index i) -> const DecodeLane& { return batch.lanes[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < lanes; ++i)
    if (lane_at(i).has_ended(step) && !lane_at(i).has_ended(step - 1)) give_back(i);
  for (Index i = 0; i < lanes; ++i) {
    const DecodeLane& lane = lane_at(i);
    if (lane.has_ended(step) && m_fault != DecodeFault::ended_writes) continue;
    const Index newest = lane.prompt - 1 + step;
    if (!lane.has_ended(step)) need(i, newest + 1);
    for (Index position = step == 0 ? 0 : newest; position <= newest; ++position) write(i, position);
  }
}

void PagedCache::need(Index lane, Index tokens) {
  Table& table = m_tables[static_cast<std::size_t>(lane)];
  const bool prefill = table.blocks.empty();
  while (static_cast<Index>(table.blocks.size()) * m_size < tokens) {
    if (m_free.empty()) {
      m_free.push_back(m_blocks++);
      m_owner.push_back(-1);
      m_held.resize(m_held.size() + static_cast<std::size_t>(m_size));
    }
    table.blocks.push_back(m_free.back());
    m_owner[static_cast<std::size_t>(m_free.back())] = lane;
    m_free.pop_back();
  }
  if (prefill || m_fault != DecodeFault::stale_table) table.known = static_cast<Index>(table.blocks.size());
}

void PagedCache::give_back(Index lane) {
  Table& table = m_tables[static_cast<std::size_t>(lane)];
  for (const Index block : table.blocks) m_owner[static_cast<std::size_t>(block)] = -1;
  m_free.insert(m_free.end(), table.blocks.begin(), table.blocks.end());
  table.reads = m_fault == DecodeFault::ended_writes;
}

void PagedCache::write(Index lane, Index position) {
  m_held[static_cast<std::size_t>(slot(lane, position))] = {lane, position};
}

Index PagedCache::block_at(const Table& table, Index place) const {
  return place < table.known ? table.blocks[static_cast<std::size_t>(place)] : 0;
}

Index PagedCache::slot(Index lane, Index position) const {
  return block_at(m_tables[static_cast<std::size_t>(lane)], position / m_size) * m_size + position % m_size;
}

std::optional<Index> PagedCache::position_in(Index lane, Index slot) const {
  const auto& places = m_tables[static_cast<std::size_t>(lane)].places;
  const auto found = std::ranges::lower_bound(places, std::pair<Index, Index>{slot / m_size, 0});
  if (found == places.end() || found->first != slot / m_size) return std::nullopt;
  return found->second * m_size + slot % m_size;
}

std::string PagedCache::table_text(Index lane) const {
  const Table& table = m_tables[static_cast<std::size_t>(lane)];
  std::string text;
  const auto count = static_cast<Index>(table.blocks.size());
  for (Index place = 0; place < std::min(count, most_named_blocks); ++place)
    text += fmt::format("{}{}", place == 0 ? "" : ", ", block_at(table, place));
  return count > most_named_blocks ? text + ", …" : text;
}

namespace {

/// -1 for slots that hold something else than the token that the lane expects there.
std::string paged_check(const PagedCache& cache, Index lane, Index newest) {
  if (newest >= most_named_slots || !cache.holds(lane, newest)) return {};
  std::string held;
  for (Index position = 0; position <= newest; ++position)
    held += fmt::format("{}{}", position == 0 ? "" : ",", cache.holds(lane, position) ? position : -1);
  return fmt::format(
      "; found by vqscope check --set mask=bidirectional --objective causal --set q_length=1 --set past_len={} --array "
      "cache_positions={}",
      newest, held);
}

}  // namespace

std::string paged_fault_sentence(const DecodeBatch& batch) {
  const PagedCache cache(batch);
  for (std::size_t i = 0; i < batch.lanes.size(); ++i) {
    if (batch.lanes[i].has_ended(batch.step)) continue;
    const auto lane = static_cast<Index>(i);
    const Index newest = batch.newest(batch.lanes[i]);
    for (Index position = 0; position <= newest; ++position) {
      if (cache.holds(lane, position)) continue;
      const Index slot = cache.slot(lane, position);
      const LaneToken held = cache.held(slot);
      return fmt::format("lane {} reads position {} from block {}, where position {} of lane {} is{}", lane, position,
                         slot / batch.lanes[i].sizes.block_size, held.position, held.lane,
                         paged_check(cache, lane, newest));
    }
  }
  return {};
}

}  // namespace vqscope
