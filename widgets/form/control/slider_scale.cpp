// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/slider_scale.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

double power_of_ten_below(double value) { return std::pow(10, std::floor(std::log10(value))); }

/// Removes rounding noise, as of 0.1 + 0.2.
double rounded(double value, int digits) { return parse_real(to_text(value, digits)).value_or(value); }

/// An eighth of the octave of the integer; 1 below 16.
double eighth(double value) { return value < 16 ? 1 : std::exp2(std::floor(std::log2(value)) - 3); }

double next_power_of_two(double value, bool up) {
  if (value < 1 || (value == 1 && !up)) return up ? 1 : 0;
  const double exponent = std::log2(value);
  return std::exp2(up ? std::floor(exponent) + 1 : std::ceil(exponent) - 1);
}

}  // namespace

SliderScale::SliderScale(const ParameterSpec& spec)
    : m_minimum(spec.minimum),
      m_maximum(spec.maximum),
      m_integer(spec.kind == ParameterKind::integer),
      m_logarithmic(spec.logarithmic),
      m_first(m_integer ? 1 : (m_maximum - m_minimum) * 1e-6) {
  if (!m_integer || spec.automatic.empty() || m_minimum >= -1) return;
  m_automatic = m_minimum;
  m_minimum = -1;
}

double SliderScale::warped(double value) const {
  if (!m_logarithmic) return value;
  return m_minimum > 0 ? std::log(value) : std::log1p((value - m_minimum) / m_first);
}

double SliderScale::unwarped(double warped) const {
  if (!m_logarithmic) return warped;
  return m_minimum > 0 ? std::exp(warped) : m_minimum + m_first * std::expm1(warped);
}

double SliderScale::clamped(double value) const { return std::clamp(value, m_minimum, m_maximum); }

double SliderScale::fraction(double value) const {
  if (m_maximum <= m_minimum) return 0;
  const double low = warped(m_minimum);
  return (warped(clamped(value)) - low) / (warped(m_maximum) - low);
}

double SliderScale::value(double fraction) const {
  // The ends are exact, without rounding of the logarithm.
  if (fraction <= 0 || m_maximum <= m_minimum) return m_automatic.value_or(m_minimum);
  if (fraction >= 1) return m_maximum;
  const double low = warped(m_minimum);
  return given(clamped(tidy(unwarped(low + fraction * (warped(m_maximum) - low)))));
}

double SliderScale::tidy(double value) const {
  if (m_integer) {
    const double grain = m_logarithmic ? eighth(value) : 1;
    return std::round(value / grain) * grain;
  }
  if (m_logarithmic) return rounded(value, 3);
  const double grain = power_of_ten_below((m_maximum - m_minimum) / 100) / 10;
  return rounded(std::round(value / grain) * grain, 12);
}

double SliderScale::unit(double value, Step step) const {
  const double ten = step == Step::coarse ? 10 : 1;
  if (m_integer) return step == Step::octave ? 10 : ten;
  if (!m_logarithmic) return ten * power_of_ten_below((m_maximum - m_minimum) / 100);
  return ten * std::max(m_first, power_of_ten_below(std::max(std::abs(value), m_first)) / 10);
}

double SliderScale::next(double value, bool up, Step step) const {
  if (m_logarithmic && m_integer && step == Step::octave) return next_power_of_two(value, up);
  if (m_logarithmic && m_integer && step == Step::notch) {
    const double grain = eighth(up ? value : value - 1);
    return up ? std::floor(value / grain) * grain + grain : std::ceil(value / grain) * grain - grain;
  }
  if (m_logarithmic && step == Step::octave) return up ? std::max(2 * value, m_first) : value / 2;
  const double by = unit(value, step);
  return up ? value + by : value - by;
}

double SliderScale::given(double value) const { return m_automatic && value <= m_minimum ? *m_automatic : value; }

double SliderScale::stepped(double value, int count, Step step) const {
  value = std::max(value, m_minimum);
  for (int i = 0; i < std::abs(count); ++i) value = clamped(next(value, count > 0, step));
  return m_integer ? given(value) : clamped(rounded(value, 12));
}

}  // namespace vqscope
