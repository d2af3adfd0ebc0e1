// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/extrapolation/biased_schemes.h"
#include "core/method/curve_set.h"

namespace vqscope {

/// Positions below which the codebook is learned.
Index trained_length(const ParameterValues& values);

/// A curve for each scheme with each bias over the sequence length, up to the q_length of `setting`.
Result<CurveSet> extrapolate_schemes(const ParameterValues& values, const VqSetting& setting, ComparedBiases biases,
                                     const Work& work);

}  // namespace vqscope
