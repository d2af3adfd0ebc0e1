// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/study/variant_study.h"
#include "core/method/curve_set.h"
#include "core/method/parameter.h"

namespace vqscope {

std::vector<ParameterSpec> extrapolation_parameters();

/// 1, 2, 4, ... up to longest_multiple.
std::vector<Index> extrapolation_multiples(const ParameterValues& values);

/// Measures of one variant: [seed][x], NaN where not measured yet.
using SeedMeasures = std::vector<std::vector<double>>;

/// The mean at one x over the seeds that are measured; NaN if there are none.
double mean_over_seeds(const SeedMeasures& measures, std::size_t x);

/// `lines`: the mean over the seeds, with a band from the least to the greatest, or each seed.
ParameterSpec lines_parameter();

/// Adds the curves of one variant according to `lines`.
void add_variant(const ParameterValues& values, const std::string& title, const SeedMeasures& measures, CurveSet& set);

}  // namespace vqscope
