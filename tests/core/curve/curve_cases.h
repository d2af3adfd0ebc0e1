// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/curve/methods.h"
#include "tests/support/curve_checks.h"

namespace vqscope::test {

// For methods of the curves' list:
inline ParameterValues curve_values(const char* id, const ParameterValues::Map& set) {
  return curve_values(curve_methods(), id, set);
}
inline Result<CurveSet> curves_of(const char* id, const ParameterValues::Map& set = {}) {
  return curves_of(curve_methods(), id, set);
}
inline std::vector<CurveSet> reported_sets(const char* id, const ParameterValues::Map& set = {}) {
  return reported_sets(curve_methods(), id, set);
}
inline bool stops(const char* id, const ParameterValues::Map& set = {}) { return stops(curve_methods(), id, set); }

}  // namespace vqscope::test
