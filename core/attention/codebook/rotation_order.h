// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/encoding/own/rotated_pair.h"
#include "core/method/parameter.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// Whether keys are rotated by RoPE before codewords replace them.
enum class RotationOrder {
  rotate_first,           ///< codewords are for rotated keys
  quantise_first,         ///< codewords are for unrotated keys, each is rotated at the position of its key
  quantise_first_clipped  ///< the same, and distances beyond block_len count as block_len (ReRoPE)
};

/// `rotation_order`, relevant while keys are rotated and where `relevant` holds.
ParameterSpec rotation_order_parameter(const std::string& group, const std::vector<Relevance>& relevant = {});

/// rotate_first where nothing is rotated, or the values have no order.
RotationOrder rotation_order_of(const ParameterValues& values);

/// Queries R_L q for keys that are farther away than L = `clip` tokens: their scores with unrotated
/// keys are those of a rotation by L. After a stop, only some are rotated.
std::vector<float> far_queries(const Rotation& rotation, std::span<const float> queries, Index width, Index clip,
                               const std::stop_token& stop = {});

/// Refuses the order in which keys of one code have different scores.
Result<void> check_linear_order(RotationOrder order);

/// What the order means for the linear form: "codewords are for rotated keys: the linear form is
/// exact".
std::string rotation_order_sentence(RotationOrder order, Index block_len);

}  // namespace vqscope
