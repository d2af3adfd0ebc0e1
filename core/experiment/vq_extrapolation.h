// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/rope/rope_scaling.h"
#include "core/method/method.h"

#include <vector>

namespace vqscope {

/// Half the sum of |share of a code in the one - its share in the other|: 0 where both use codes alike, 1 where they
/// have none in common.
double code_drift(const std::vector<Index>& a, const std::vector<Index>& b);

/// Rotates row i of [rows, head_dim], pairs half_split, as position i modulo `period`, cos and sin times the scaling's
/// attention factor. head_dim is even. Stopped, some rows are left as they are.
void rotate_rows(std::vector<float>& rows, const RopeScaling& scaling, Index period, const std::stop_token& stop = {});

/// `vq_extrapolation`: a codebook learnt on keys of positions below the training length, used beyond it.
Method vq_extrapolation_method();

}  // namespace vqscope
