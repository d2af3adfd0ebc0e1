// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/decode/decode_lane.h"

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
    case CachePolicy::full: break;
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
    case CachePolicy::full: break;
  }
  return padded + steps;
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
    case CachePolicy::vq: break;
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

}  // namespace vqscope
