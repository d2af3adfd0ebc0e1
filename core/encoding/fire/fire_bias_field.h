// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `fire`: [q_length, kv_length] float32, FIRE's bias of one head; query i stands at position past_len + i. Keys ahead
/// of the query have none: NaN. Beyond fire_threshold the bias depends on the query's position besides the distance, so
/// the cells are no function of relative position.
Method fire_method();

/// `fire_by_distance`: the same by distance, a curve for each of some query positions.
Method fire_by_distance_method();

}  // namespace vqscope
