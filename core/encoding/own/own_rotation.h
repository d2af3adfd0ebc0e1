// SPDX-License-Identifier: GPL-3.0-or-later
// The RoPE by which methods of attention rotate q and k of the user's tensors.
#pragma once

#include "core/encoding/own/rotated_pair.h"

#include <memory>

namespace vqscope {

/// `rope_type`, which is none unless it is set, the other knobs of RopeScaling but head_dim and
/// precision, and `pair_layout`; all relevant where `relevant` holds.
std::vector<ParameterSpec> rotation_parameters(const std::string& group, const std::vector<Relevance>& relevant = {});

/// The rotation of vectors of `dims` numbers in a sequence of `length` tokens; null: none. Refuses an
/// odd size, and what the scaling's check refuses.
Result<std::shared_ptr<const Rotation>> rotation_of(const ParameterValues& values, Index dims, Index length);

/// Rotates rows of `width` numbers at the positions `first`, first + 1, ... After a stop, only some.
void rotate_tokens(const Rotation& rotation, std::span<float> rows, Index width, Index first,
                   const std::stop_token& stop = {});

/// "q and k are rotated by RoPE: yarn, rope_theta 10000"; empty: they are not.
std::string rotation_sentence(const ParameterValues& values);

}  // namespace vqscope
