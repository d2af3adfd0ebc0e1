// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/study/variant_study.h"

namespace vqscope {

/// Models of the synthetic language and their loss at each multiple of the training length: always
/// on the same last 32 tokens of 96 windows, while the context before them grows. `values` are
/// those of length_extrapolation.
VariantStudy language_study(const ParameterValues& values);

/// Loss minus that of the first test, by variant and seed.
VariantMeasures gaps_of(VariantMeasures losses);

}  // namespace vqscope
