// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "core/method/parameter.h"

namespace vqscope {

/// Perplexity on WikiText-103 against length, models trained at 512 tokens (Press et al. 2022,
/// ALiBi, table 2).
Published alibi_table_2();

/// `overlay`: none, or a table of published values that a curve over length may carry.
ParameterSpec overlay_parameter();
void apply_overlay(const ParameterValues& values, CurveSet& set);

/// `x_unit`: tokens, or trained_lengths.
ParameterSpec x_unit_parameter();

/// Gives a set over tokens the x of `x_unit`: in trained_lengths all that is in tokens along x is
/// divided by `trained`, published values by the length that their own models were trained at.
void apply_x_unit(const ParameterValues& values, Index trained, CurveSet& set);

}  // namespace vqscope
