// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <optional>

namespace vqscope {

/// How far one key press or wheel notch goes.
enum class Step {
  fine,    ///< 1, or the last digit that matters in a real number
  coarse,  ///< ten times that
  notch,   ///< what is worth a slider's move: 1/8 of an octave on a logarithmic scale
  octave,  ///< to the next power of two; a factor of two in real numbers; coarse on a linear scale
};

/// Where a number stands on a slider, and which numbers a slider and the arrow keys reach: integers for integers, few
/// digits for reals, and nothing outside the range.
class SliderScale {
 public:
  explicit SliderScale(const ParameterSpec& spec);

  /// 0 at the minimum, 1 at the maximum.
  double share(double value) const;
  double value(double share) const;
  double stepped(double value, int count, Step step) const;

 private:
  double warped(double value) const;
  double unwarped(double warped) const;
  double tidy(double value) const;
  double clamped(double value) const;
  double unit(double value, Step step) const;
  double next(double value, bool up, Step step) const;

  /// What the left end stands for, where the minimum is far below what is usual.
  double given(double value) const;

  double m_minimum;
  double m_maximum;
  bool m_integer;
  bool m_logarithmic;
  std::optional<double> m_automatic = std::nullopt;  ///< a minimum that is no number to slide to, one step below 0
  double m_first;                                    ///< the smallest step from a minimum that has no logarithm
};

}  // namespace vqscope
