// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/turns.h"
#include "core/relative/relative_function.h"

#include <span>
#include <vector>

namespace vqscope {

/// amplitude · e^(growth · d) · cos(phase + d · rate) of a whole number d.
struct Wave {
  Turns rate = 0;
  double amplitude = 1;
  Turns phase = 0;
  double growth = 0;
};

/// One wave a rate, each with that amplitude.
std::vector<Wave> waves_of(std::span<const Turns> rates, double amplitude = 1);

/// A sum of waves at many whole numbers in a row: the vectors at a few places times those of the
/// steps from a place to its neighbours, which is a product of matrices.
class WaveSum {
 public:
  static constexpr Index steps = 256;

  explicit WaveSum(std::vector<Wave> waves);

  /// The sum itself, within 1e-15 a wave of amplitude 1.
  double at(Index d) const;

  /// at() of first, first + 1, ..., within 1e-14 a wave of amplitude 1; with growth, of the
  /// strongest wave's length there while that is above 1e-200.
  void fill(Index first, std::span<double> out) const;

  Index count() const { return static_cast<Index>(m_waves.size()); }

  /// No value without growth is beyond it, on either side of 0.
  double reach() const;

 private:
  static constexpr Index rows = steps + 1;

  Range counting(Index first, Index last) const;

  std::vector<Wave> m_waves;  ///< by growth
  std::vector<double> m_cos;  ///< [rows, waves] by columns
  std::vector<double> m_sin;
  bool m_grows = false;
};

/// The sum from relative position `begin` on; growth, where there is one, must carry no value
/// beyond reach().
RelativePiece waves_from(Index begin, std::vector<Wave> waves);

}  // namespace vqscope
