// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/decode/decode_lane.h"

#include <span>
#include <string_view>

namespace vqscope {

/// Mistakes of decoding loops, made on purpose.
enum class DecodeFault {
  none,
  restart,       ///< new tokens count positions from 0
  shared,        ///< one position for the batch: new tokens have the column of the padded tensor
  ahead,         ///< new tokens are one position ahead, as a draft that was not accepted
  renumbered,    ///< the newest token has its place in the cache; older keys keep their positions
  empty_visible  ///< slots that are not written yet are read
};

struct DecodeFaultInfo {
  DecodeFault fault;
  std::string_view id;
  std::string_view help;
};
std::span<const DecodeFaultInfo> decode_fault_infos();

/// The position that the model is given for the token at `position` while it was the newest, or is `newest` now.
Index given_position(const DecodeLane& lane, DecodeFault fault, Index position, Index newest);

/// Whether the newest token reads this one at another distance than the true one.
bool reads_wrong_distance(const DecodeLane& lane, DecodeFault fault, Index position, Index newest);

/// What the fault does to the newest token of a lane in one sentence, and a `vqscope check` that finds it; empty: it
/// does nothing there.
std::string fault_sentence(const DecodeLane& lane, DecodeFault fault, Index newest);
std::string fault_check(const DecodeLane& lane, DecodeFault fault, Index newest);

}  // namespace vqscope
