// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

namespace vqscope::language {

/// Which integer a fraction is rounded to.
enum class Rounding { down, up, to_zero };

/// A fraction; over 1 the integer alone.
Value ratio_of(Compilation& c, const Value& numerator, NodeId denominator);

/// A number as a fraction.
Value as_ratio(Compilation& c, const Argument& argument);

/// An operator between numbers of which one is a fraction.
Value fraction(Compilation& c, const Expression& e, const std::string& symbol, const Argument& left,
               const Argument& right);

/// Whole fractions are compared by their floor or ceiling, whatever the sign of what they are divided by.
Value compare_fractions(Compilation& c, const std::string& symbol, const Value& left, const Value& right, Range range);

/// The integer next to a fraction.
Value rounded(Compilation& c, Rounding rounding, const Value& fraction, Range range);

}  // namespace vqscope::language
