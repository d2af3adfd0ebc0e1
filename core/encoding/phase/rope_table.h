// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/turns.h"

#include <span>
#include <vector>

namespace vqscope {

/// cos and sin of consecutive positions by angle addition in double: a table of `steps` positions
/// from 0, and one complex product a cell with the angle at which each segment of `steps` begins.
/// As float32 the error is that of rounding, 3e-8, at every position.
class RopeTable {
 public:
  static constexpr Index most_steps = 256;

  /// `rates` by pair, and the angles at position 0, none: 0. A caller that wants few rows saves
  /// time with few steps.
  explicit RopeTable(std::span<const Turns> rates, double amplitude = 1, Index steps = most_steps,
                     std::span<const Turns> offsets = {});

  /// Rows first, ..., first + count - 1 of [count, pairs], row-major, each value times the
  /// amplitude. Either destination may be null. Out is float or double.
  template <class Out>
  void fill(Index first, Index count, Out* cos, Out* sin) const;

 private:
  class Segments;

  std::vector<Turns> m_rates;
  std::vector<Turns> m_offsets;
  double m_amplitude;
  Index m_steps;
  std::vector<double> m_cos;  ///< [steps, pairs]
  std::vector<double> m_sin;
};

}  // namespace vqscope
