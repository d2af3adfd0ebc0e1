// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/decode/decode_fault.h"

#include "core/base/sentence.h"

namespace vqscope {
namespace {

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

std::span<const DecodeFaultInfo> decode_fault_infos() {
  static constexpr DecodeFaultInfo all[]{
      {DecodeFault::none, "none", "positions and visibility are right"},
      {DecodeFault::restart, "restart", "new tokens count positions from 0"},
      {DecodeFault::shared, "shared", "one position for the whole batch, so that padding counts"},
      {DecodeFault::ahead, "ahead", "new tokens are one position ahead, as after a rejected draft"},
      {DecodeFault::renumbered, "renumbered", "the position of the newest token is its index in the cache"},
      {DecodeFault::empty_visible, "empty_visible", "slots that are not written yet are read"}};
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
    case DecodeFault::empty_visible: break;
  }
  return position;
}

bool reads_wrong_distance(const DecodeLane& lane, DecodeFault fault, Index position, Index newest) {
  const TokenState state = lane.state(position, newest);
  if (state == TokenState::to_come) {
    const auto slot = lane.sizes.policy == CachePolicy::full ? position + lane.padding() : lane.slot_count();
    return fault == DecodeFault::empty_visible && slot < lane.slot_count();
  }
  if (state != TokenState::cached && state != TokenState::searched) return false;
  const Index given = given_to_newest(lane, fault, newest) - given_position(lane, fault, position, newest);
  return given != newest - position;
}

std::string fault_sentence(const DecodeLane& lane, DecodeFault fault, Index newest) {
  if (fault == DecodeFault::empty_visible) {
    const Index empty =
        lane.slot_count() - (lane.sizes.policy == CachePolicy::full ? lane.padding() + newest + 1 : lane.kept(newest));
    return empty > 0 ? fmt::format("{} empty {} read", empty, empty == 1 ? "slot is" : "slots are") : std::string();
  }
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
