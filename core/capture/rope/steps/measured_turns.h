// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <complex>
#include <string>
#include <vector>

namespace vqscope {

/// Differences of angles, in (-π, π].
double wrapped_angle(double angle);

/// What a rotation did to each row and pair of columns: one complex factor, m·exp(i·p·f) for
/// position p, frequency f and attention factor m, and how far it may be off.
struct MeasuredTurns {
  Index rows = 0;
  Index pairs = 0;
  std::vector<std::complex<double>> factor;  ///< [rows, pairs]
  std::vector<double> variance;  ///< [rows, pairs]: expected square of |error|; huge where a row had nothing to turn

  std::complex<double> at(Index row, Index pair) const { return factor[index(row, pair)]; }
  double variance_at(Index row, Index pair) const { return variance[index(row, pair)]; }
  double phase(Index row, Index pair) const { return std::arg(at(row, pair)); }
  std::size_t index(Index row, Index pair) const { return static_cast<std::size_t>(row * pairs + pair); }

  /// Root mean square of the factors' moduli, weighted by what is known of each.
  double modulus() const;
};

}  // namespace vqscope
