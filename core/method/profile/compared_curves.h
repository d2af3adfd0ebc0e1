// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"

namespace vqscope {

/// The curves of two sides of a comparison in one plot, each with its side before its name, over all
/// x of both. Between its own x, a curve of steps keeps its last value, and others are joined
/// linearly; beyond them it has no value.
CurveSet curves_of_both(const CurveSet& a, const CurveSet& b);

}  // namespace vqscope
