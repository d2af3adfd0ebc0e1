// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

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

/// The bias of one head by FIRE: a network with one hidden layer of ReLU of the normalised distance x of FireScale,
///
///   bias(p, n) = W2 relu(W1 x + b1) + b2
struct FireNetwork {
  double c = 0.1;                   ///< at least 0
  double threshold = 512;           ///< L
  std::vector<double> hidden;       ///< W1, [width]
  std::vector<double> hidden_bias;  ///< b1, [width]
  std::vector<double> output;       ///< W2 of the head, [width]
  double output_bias = 0;           ///< b2 of the head

  FireScale<double> scale(double position) const { return {c, threshold, position}; }
  /// W2 relu(W1 x + b1) + b2.
  double of_normalised(double x) const;
  double bias(double position, double distance) const;
  /// Least and greatest value for x from 0 to 1, which every key up to its query has.
  std::pair<double, double> range() const;
};

/// The network's parameters, the sequence apart: threshold, c, heads and either given weights or a
/// seed of weights as before training, uniform within ±fan_in^(-1/2).
std::vector<ParameterSpec> fire_parameters();
/// Refuses weights whose sizes do not fit, and some without the others.
Result<void> check_fire_parameters(const ParameterValues& values);
/// Expects values that pass check_fire_parameters().
FireNetwork fire_from(const ParameterValues& values);

}  // namespace vqscope
