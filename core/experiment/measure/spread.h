// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "core/method/parameter.h"

namespace vqscope {

/// Spread of several measurements of one quantity. NaN: skipped.
struct Spread {
  double median = no_value;
  double least = no_value;
  double greatest = no_value;
};

/// For an even number of values, the median is the mean of the two middle ones.
Spread spread_of(std::vector<double> values);
/// `amount` divided by each value, such as tokens per second; increases as the measured value
/// falls.
Spread amount_by(double amount, const Spread& measured);
Spread scaled(const Spread& spread, double factor);
/// The widest range of the ratio: from least / greatest to greatest / least.
Spread ratio_of(const Spread& above, const Spread& below);

/// Gives every curve of the set a band of two more curves, which come after all of them.
void add_spread_curves(CurveSet& set);
/// Adds the median to the curve, and least and greatest to its band if it has one.
void add_spread(CurveSet& set, std::size_t curve, const Spread& spread);

/// Marks each x at which a curve begins to have no value, with the curves and the reason: a
/// measurement that is left out is told from one that is out of sight.
void mark_skipped(CurveSet& set, const std::string& reason);

/// `repeats`: how many times each time is measured.
ParameterSpec repeats_parameter();

}  // namespace vqscope
