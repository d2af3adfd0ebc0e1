// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

namespace vqscope {

/// What FIRE's network takes of a key n tokens behind a query at position p, counted from 0 (Li et al. 2023,
/// "Functional interpolation for relative positions", equation 4):
///
///   x = ψ(n) / (ψ(max(p, L)) + 1e-6),   ψ(y) = ln(1 + |c| y)
///
/// All keys of a query have one scale.
template <class Real>
struct FireScale {
  /// `c` and `threshold`, which is L, are at least 0.
  FireScale(Real c_, Real threshold, Real position)
      : c(c_),
        reach(std::max(position, threshold)),
        normaliser(psi(reach) + static_cast<Real>(1e-6)),
        constant(position <= threshold) {}

  Real psi(Real y) const { return std::log1p(c * y); }
  /// x
  Real normalised(Real distance) const { return psi(distance) / normaliser; }

  Real c;           ///< |c|
  Real reach;       ///< max(p, L)
  Real normaliser;  ///< ψ(reach) + 1e-6
  bool constant;    ///< p is at most L: queries up to L have the same scale
};

}  // namespace vqscope
