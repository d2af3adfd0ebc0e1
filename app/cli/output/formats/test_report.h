// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/lint.h"
#include "core/method/curve_set.h"

#include <string>

namespace vqscope {

/// The tests of a result, of which the fact NAME_passed is 0 or 1, as a report: an error for each that failed, at the
/// token that NAME_first gives.
LintReport reportOfTests(const CurveSet& curves);

/// The tests that failed, "future_token from 3"; empty: none.
std::string failuresIn(const CurveSet& curves);

}  // namespace vqscope
