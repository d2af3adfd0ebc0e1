// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/decode/decode_lane.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

Index begin_of(Index position, Index length) { return position / length * length; }

/// The newest position up to `newest` that a ring of `size` slots has written into `slot`, starting
/// at position `first`; below `first`: none.
Index newest_in_ring(Index slot, Index size, Index first, Index newest) {
  const Index turns = (newest - first - slot) / size;
  return newest < first + slot ? first - 1 : first + slot + turns * size;
}

/// Maximum number of slots that a command line names one by one.
constexpr Index most_named = 64;

std::string list_of(Index first, Index count, Index missing) {
  std::string text;
  for (Index i = 0; i < count; ++i) text += fmt::format("{}{}", i == 0 ? "" : ",", i < missing ? first + i : -1);
  return text;
}

Index given_to_newest(const DecodeLane& lane, DecodeFault fault, Index newest) {
  return given_position(lane, fault, newest, newest);
}

}  // namespace

std::string name_of(TokenState state) {
  switch (state) {
    case TokenState::padding: return "padding";
    case TokenState::to_come: return "to come";
    case TokenState::cached: return "cached";
    case TokenState::searched: return "searched";
    case TokenState::compressed: return "compressed";
    case TokenState::evicted: return "evicted";
    case TokenState::newest: break;
  }
  return "newest";
}

Index DecodeLane::kept_from(Index newest) const {
  switch (sizes.policy) {
    case CachePolicy::window:
    case CachePolicy::sinks: return std::max<Index>(0, newest + 1 - sizes.window);
    case CachePolicy::transformer_xl:
    case CachePolicy::memorizing: return std::max<Index>(0, begin_of(newest, sizes.segment_len) - sizes.memory_len);
    case CachePolicy::infini: return begin_of(newest, sizes.segment_len);
    case CachePolicy::vq: return std::max<Index>(0, begin_of(newest, sizes.block_len) - sizes.block_len);
    case CachePolicy::full:
    case CachePolicy::paged: break;
  }
  return 0;
}

TokenState DecodeLane::state(Index position, Index newest) const {
  if (position < 0) return TokenState::padding;
  if (position > newest) return TokenState::to_come;
  if (position == newest) return TokenState::newest;
  if (position >= kept_from(newest)) {
    const bool memory = position < begin_of(newest, sizes.segment_len);
    return sizes.policy == CachePolicy::memorizing && memory ? TokenState::searched : TokenState::cached;
  }
  if (sizes.policy == CachePolicy::sinks && position < sizes.sinks) return TokenState::cached;
  const bool compresses = sizes.policy == CachePolicy::infini || sizes.policy == CachePolicy::vq;
  return compresses ? TokenState::compressed : TokenState::evicted;
}

std::optional<Index> DecodeLane::left_at(Index position, Index newest) const {
  const bool sink = sizes.policy == CachePolicy::sinks && position < sizes.sinks;
  if (position < 0 || sink || position >= kept_from(newest)) return std::nullopt;
  Index there = position, gone = newest;  // kept_from() never falls
  while (gone - there > 1) {
    const Index middle = there + (gone - there) / 2;
    (kept_from(middle) > position ? gone : there) = middle;
  }
  return gone;
}

Index DecodeLane::kept(Index newest) const {
  const Index from = kept_from(newest);
  const Index before = sizes.policy == CachePolicy::sinks ? std::min(from, sizes.sinks) : 0;
  return newest + 1 - from + before;
}

/// A full cache has slots for padding, like the batch's tensor.
Index DecodeLane::slot_count() const {
  switch (sizes.policy) {
    case CachePolicy::window: return sizes.window;
    case CachePolicy::sinks: return sizes.sinks + sizes.window;
    case CachePolicy::transformer_xl:
    case CachePolicy::memorizing: return sizes.memory_len + sizes.segment_len;
    case CachePolicy::infini: return sizes.segment_len;
    case CachePolicy::vq: return 2 * sizes.block_len;
    case CachePolicy::full:
    case CachePolicy::paged: break;
  }
  return padded + steps;
}

Index DecodeLane::empty_slots(Index newest) const {
  if (sizes.policy == CachePolicy::paged) return sizes.block_size - 1 - newest % sizes.block_size;
  return slot_count() - (sizes.policy == CachePolicy::full ? padding() + newest + 1 : kept(newest));
}

std::optional<Index> DecodeLane::in_slot(Index slot, Index newest) const {
  const auto if_kept = [&](Index position, Index first) {
    return position >= first && position <= newest ? std::optional(position) : std::nullopt;
  };
  switch (sizes.policy) {
    case CachePolicy::full: return slot - padding() <= newest ? std::optional(slot - padding()) : std::nullopt;
    case CachePolicy::window: return if_kept(newest_in_ring(slot, sizes.window, 0, newest), 0);
    case CachePolicy::sinks:
      if (slot < sizes.sinks) return if_kept(slot, 0);
      return if_kept(newest_in_ring(slot - sizes.sinks, sizes.window, sizes.sinks, newest), sizes.sinks);
    case CachePolicy::transformer_xl:
    case CachePolicy::memorizing:
    case CachePolicy::infini:
    case CachePolicy::vq:
    case CachePolicy::paged: break;
  }
  return if_kept(kept_from(newest) + slot, 0);
}

std::optional<Index> DecodeLane::slot_of(Index position, Index newest) const {
  const TokenState now = state(position, newest);
  if (now == TokenState::to_come || now == TokenState::evicted || now == TokenState::compressed) return std::nullopt;
  if (sizes.policy == CachePolicy::full) return position + padding();
  if (now == TokenState::padding) return std::nullopt;
  if (sizes.policy == CachePolicy::window) return position % sizes.window;
  if (sizes.policy == CachePolicy::sinks)
    return position < sizes.sinks ? position : sizes.sinks + (position - sizes.sinks) % sizes.window;
  return position - kept_from(newest);
}

std::span<const DecodeFaultInfo> decode_fault_infos() {
  static constexpr DecodeFaultInfo all[]{
      {DecodeFault::none, "none", "positions and visibility are right"},
      {DecodeFault::restart, "restart", "new tokens count positions from 0"},
      {DecodeFault::shared, "shared", "one position for the whole batch, so that padding counts"},
      {DecodeFault::ahead, "ahead", "new tokens are one position ahead, as after a rejected draft"},
      {DecodeFault::renumbered, "renumbered", "the position of the newest token is its index in the cache"},
      {DecodeFault::empty_visible, "empty_visible", "slots that are not written yet are read"},
      {DecodeFault::stale_table, "stale_table",
       "the block table is that of the prompts: block 0 stands for every later block"},
      {DecodeFault::ended_writes, "ended_writes", "a lane that has ended goes on reading and writing"}};
  return all;
}

Index given_position(const DecodeLane& lane, DecodeFault fault, Index position, Index newest) {
  const Index fresh = position - lane.prompt;  // index among the new tokens, from 0
  if (fresh < 0) return position;
  switch (fault) {
    case DecodeFault::restart: return fresh;
    case DecodeFault::shared: return lane.padded + fresh;
    case DecodeFault::ahead: return position + 1;
    case DecodeFault::renumbered: return position == newest ? lane.kept(newest) - 1 : position;
    case DecodeFault::none:
    case DecodeFault::empty_visible:
    case DecodeFault::stale_table:
    case DecodeFault::ended_writes: break;
  }
  return position;
}

std::string end_of(const DecodeLane& lane) {
  return fmt::format("the lane has ended after {} new {}", *lane.ends, *lane.ends == 1 ? "token" : "tokens");
}

bool reads_wrong_distance(const DecodeLane& lane, DecodeFault fault, Index position, Index newest) {
  const TokenState state = lane.state(position, newest);
  if (state == TokenState::to_come) {
    const bool in_order = lane.sizes.policy == CachePolicy::full || lane.sizes.policy == CachePolicy::paged;
    return fault == DecodeFault::empty_visible && in_order && position <= newest + lane.empty_slots(newest);
  }
  if (state != TokenState::cached && state != TokenState::searched) return false;
  const Index given = given_to_newest(lane, fault, newest) - given_position(lane, fault, position, newest);
  return given != newest - position;
}

std::string fault_sentence(const DecodeLane& lane, DecodeFault fault, Index newest) {
  if (fault == DecodeFault::empty_visible) {
    const Index empty = lane.empty_slots(newest);
    return empty > 0 ? fmt::format("{} empty {} read", empty, empty == 1 ? "slot is" : "slots are") : std::string();
  }
  if (fault == DecodeFault::ended_writes && newest > lane.prompt - 1 + lane.ends.value_or(newest))
    return end_of(lane) + " but goes on reading and writing";
  const Index given = given_to_newest(lane, fault, newest);
  return given == newest ? std::string() : fmt::format("the newest token has position {}, expected {}", given, newest);
}

std::string fault_check(const DecodeLane& lane, DecodeFault fault, Index newest) {
  if (fault_sentence(lane, fault, newest).empty()) return {};
  const Index given = given_to_newest(lane, fault, newest);
  if (fault == DecodeFault::empty_visible) {
    if (lane.sizes.policy != CachePolicy::full || lane.slot_count() > most_named) return {};
    return fmt::format(
        "vqscope check --set mask=bidirectional --objective causal --set q_length=1 --set past_len={} --array "
        "cache_positions={}",
        lane.slot_count() - 1, list_of(0, lane.slot_count(), newest + 1));
  }
  if (fault == DecodeFault::ended_writes) return {};
  if (fault == DecodeFault::renumbered) {
    const Index kept = newest + 1 - lane.kept_from(newest);
    if (kept > most_named) return {};
    const std::string positions = list_of(lane.kept_from(newest), kept, kept);
    return fmt::format(
        "vqscope check --set mask=sliding_window --set sliding_window={} --set q_length=1 --set past_len={} --array "
        "cache_positions={} --array kv_position_ids={} --array q_position_ids={}",
        kept, kept - 1, positions, positions, given);
  }
  const std::string padding =
      lane.padding() > 0 ? fmt::format(" --set padding_side=left --set padding={}", lane.padding()) : std::string();
  return fmt::format("vqscope check --set mask=decode --set q_length=1 --set past_len={}{} --array position_ids={}",
                     lane.padding() + newest, padding, given);
}

}  // namespace vqscope
