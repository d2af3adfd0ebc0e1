// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/capture/store/layer_tensor.h"
#include "core/lint/finding.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace vqscope {

/// Each rule looks at one layer: nothing where it holds or has nothing to look at.
using RuleAnswer = Result<std::optional<Finding>>;

/// The first number of the layer that is NaN or infinite, in the order in which its tensors are made,
/// and why, where the mask or an earlier tensor tells.
RuleAnswer first_not_finite(const Capture& capture, Index layer, const std::stop_token& stop);
/// Weight on a key that the mask hides.
RuleAnswer masked_weight(const Capture& capture, Index layer, const std::stop_token& stop);
/// Rows of weights that do not sum to 1: by a sink that the config does not have where all are below.
RuleAnswer row_sums(const Capture& capture, Index layer, const std::stop_token& stop);
/// Position ids of queries against the last key that the mask shows them.
RuleAnswer mask_positions(const Capture& capture, Index layer, const std::stop_token& stop);
/// Positions by which q and k were turned against the position ids.
RuleAnswer turned_positions(const Capture& capture, Index layer, const std::stop_token& stop);

}  // namespace vqscope
