// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// RoPE of patches of an image in row-major order (Su et al. 2021, extended; Heo et al. 2024, axial): the first half of
/// a head's pairs turn with the patch's row, the second with its column, each by rope_theta^(-4i / head_dim), i below
/// head_dim / 4. Which half is which is a choice made here, and scores do not depend on it.
///
/// `rope_2d_score`: [patches, patches] float32, Σ cos(Δrow θ_i) + Σ cos(Δcol θ_i): q · k / 2 for q = k = ones, as
/// `rope_score_field`.
Method rope_2d_score_method();

/// `rope_2d_phase`: [patches, head_dim / 2] float32, the wrapped angle in [0, 2π).
Method rope_2d_phase_method();

}  // namespace vqscope
