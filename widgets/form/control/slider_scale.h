// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <optional>

namespace vqscope {

/// The step of one key press or wheel notch.
enum class Step {
  fine,    ///< 1, or the last digit that matters in a real number
  coarse,  ///< ten times that
  notch,   ///< a visible move of the slider: 1/8 of an octave on a logarithmic scale
  octave,  ///< to the next power of two; a factor of two in real numbers; coarse on a linear scale
};

/// Maps numbers to positions on a slider, and defines the numbers that slider and arrow keys reach:
/// integers for integers, numbers with few digits for reals, all within the range.
class SliderScale {
 public:
  explicit SliderScale(const ParameterSpec& spec);

  /// 0 at the minimum, 1 at the maximum.
  double fraction(double value) const;
  double value(double fraction) const;
  double stepped(double value, int count, Step step) const;

 private:
  double warped(double value) const;
  double unwarped(double warped) const;
  double tidy(double value) const;
  double clamped(double value) const;
  double unit(double value, Step step) const;
  double next(double value, bool up, Step step) const;

  /// The value of the left end, if the minimum is far below usual values.
  double given(double value) const;

  double m_minimum;
  double m_maximum;
  bool m_integer;
  bool m_logarithmic;
  std::optional<double> m_automatic = std::nullopt;  ///< the minimum if it means automatic; it is one step below 0
  double m_first;  ///< the smallest value above a minimum of 0, which has no logarithm
};

}  // namespace vqscope
