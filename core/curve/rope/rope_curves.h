// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/rope/rope_scaling.h"
#include "core/method/method.h"

namespace vqscope {

/// Mean over pairs of the share of the arc tested at length `length` that was not trained at `original` positions:
/// trained arc min(2π, θ (original - 1)) without scaling, tested arc min(2π, θ' (length - 1)). At each length the
/// scaling is set up for it: seq_len = length, and factor = length / original unless the type follows seq_len by
/// itself.
double phase_excess(const RopeScaling& scaling, Index length);

/// `rope_score`: B(r) = Σ cos(r θ_i) against relative distance.
Method rope_score_method();

/// `rope_wavelength`: tokens a turn against pair.
Method rope_wavelength_method();

/// `rope_inv_freq`: radians a position and wavelength, by pair.
Method rope_inv_freq_method();

/// `rope_phase_ood`: phase_excess against length.
Method rope_phase_ood_method();

}  // namespace vqscope
