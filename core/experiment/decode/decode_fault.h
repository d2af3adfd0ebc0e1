// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/decode/decode_lane.h"

#include <span>
#include <string_view>

namespace vqscope {

/// Deliberate mistakes of decoding loops.
enum class DecodeFault {
  none,
  restart,       ///< new tokens count positions from 0
  shared,        ///< one position for the batch: the column of the padded tensor
  ahead,         ///< new tokens are one position ahead, as after a rejected draft
  renumbered,    ///< the newest token's position is its index in the cache; older keys keep theirs
  empty_visible  ///< slots that are not written yet are read
};

struct DecodeFaultInfo {
  DecodeFault fault;
  std::string_view id;
  std::string_view help;
};
std::span<const DecodeFaultInfo> decode_fault_infos();

/// The position that the model gets for the token at `position`, with `newest` as the newest token
/// now.
Index given_position(const DecodeLane& lane, DecodeFault fault, Index position, Index newest);

/// Whether the newest token reads this token at a wrong distance.
bool reads_wrong_distance(const DecodeLane& lane, DecodeFault fault, Index position, Index newest);

/// One sentence on the effect of the fault on the newest token of a lane, and a `vqscope check`
/// that finds it; empty: no effect.
std::string fault_sentence(const DecodeLane& lane, DecodeFault fault, Index newest);
std::string fault_check(const DecodeLane& lane, DecodeFault fault, Index newest);

}  // namespace vqscope
