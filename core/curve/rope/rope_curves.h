// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/rope/rope_scaling.h"

namespace vqscope {

/// Mean over pairs of the share of the arc tested at length `length` that was not trained at `original` positions:
/// trained arc min(2π, θ (original - 1)) without scaling, tested arc min(2π, θ' (length - 1)). At each length the
/// scaling is set up for it: seq_len = length, and factor = length / original unless the type follows seq_len by
/// itself.
double phase_excess(const RopeScaling& scaling, Index length);

}  // namespace vqscope
