// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/study/variant_study.h"
#include "core/method/curve_set.h"

namespace vqscope {

/// Of one variant: [seed][x], NaN where it is not measured yet.
using SeedMeasures = std::vector<std::vector<double>>;

/// The mean over the seeds at one x; NaN while a seed is missing.
double mean_over_seeds(const SeedMeasures& measures, std::size_t x);

/// `lines`: the mean over the seeds, with the least and the greatest, or each seed.
ParameterSpec lines_parameter();

/// Adds the curves of one variant as `lines` asks for; a band where it is the only one.
void add_variant(const ParameterValues& values, const std::string& title, const SeedMeasures& measures, bool alone,
                 CurveSet& set);

}  // namespace vqscope
