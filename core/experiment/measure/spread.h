// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "core/method/parameter.h"

namespace vqscope {

/// What several measurements of one thing gave. NaN: it was left out.
struct Spread {
  double median = no_value;
  double least = no_value;
  double greatest = no_value;
};

/// Of an even number of values, the median is the mean of the two in the middle.
Spread spread_of(std::vector<double> values);
/// `amount` by each: what grows where the measured value falls, such as tokens a second.
Spread amount_by(double amount, const Spread& measured);
Spread scaled(const Spread& spread, double factor);
/// As far apart as the two allow: from the least by the greatest to the greatest by the least.
Spread ratio_of(const Spread& above, const Spread& below);

/// Gives every curve of the set a band of two more curves, which come after all of them.
void add_spread_curves(CurveSet& set);
/// The median to the curve, least and greatest to its band if it has one.
void add_spread(CurveSet& set, std::size_t curve, const Spread& spread);

/// `repeats`: how often each time is measured.
ParameterSpec repeats_parameter();

}  // namespace vqscope
