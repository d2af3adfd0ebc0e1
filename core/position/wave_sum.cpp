// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position/wave_sum.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <memory>

namespace vqscope {
namespace {

constexpr Index most_strides = 16;

/// A wave at d: its value is the length times the cosine.
struct Vector {
  double cos, sin;
};

Vector vector_at(const Wave& wave, Index d) {
  const double length = wave.growth == 0 ? 1 : std::exp(wave.growth * static_cast<double>(d));
  const double angle = signed_radians(wave.phase + static_cast<Turns>(d) * wave.rate);
  return {length * std::cos(angle), length * std::sin(angle)};
}

Vector product(const Vector& a, const Vector& b) {
  return {a.cos * b.cos - a.sin * b.sin, a.sin * b.cos + a.cos * b.sin};
}

}  // namespace

std::vector<Wave> waves_of(std::span<const Turns> rates, double amplitude) {
  std::vector<Wave> waves;
  for (const Turns rate : rates) waves.push_back({rate, amplitude});
  return waves;
}

WaveSum::WaveSum(std::vector<Wave> waves) : m_waves(std::move(waves)), m_steps(2 * steps * m_waves.size()) {
  double* next = m_steps.data();
  for (const Wave& wave : m_waves) {
    const Wave turned{.rate = wave.rate, .growth = wave.growth};
    const Vector by = vector_at(turned, 1);
    Vector now{};
    for (Index step = 0; step < steps; ++step, ++next) {
      now = step % 16 == 0 ? vector_at(turned, step) : product(now, by);
      next[0] = now.cos;
      next[steps] = -now.sin;
    }
    next += steps;
  }
}

double WaveSum::at(Index d) const {
  double sum = 0;
  for (const Wave& wave : m_waves) sum += wave.amplitude * vector_at(wave, d).cos;
  return sum;
}

void WaveSum::fill(Index first, std::span<double> out) const {
  const auto terms = static_cast<Eigen::Index>(2 * m_waves.size());
  const Eigen::Map<const Eigen::MatrixXd> table(m_steps.data(), steps, terms);
  Eigen::MatrixXd beginnings(terms, most_strides);
  Eigen::MatrixXd values;
  for (std::size_t done = 0; done < out.size();) {
    const auto left = static_cast<Index>(out.size() - done);
    const Index strides = std::min(most_strides, (left + steps - 1) / steps);
    const Index begin = first + static_cast<Index>(done);
    for (std::size_t i = 0; i < m_waves.size(); ++i) {
      const Wave& wave = m_waves[i];
      const Vector by = vector_at({.rate = wave.rate}, steps);
      Vector now = vector_at(wave, begin);
      for (Index stride = 0; stride < strides; ++stride) {
        // What has shrunk to nothing cannot grow again.
        if (stride > 0) now = wave.growth == 0 ? product(now, by) : vector_at(wave, begin + stride * steps);
        beginnings(static_cast<Eigen::Index>(2 * i), stride) = wave.amplitude * now.cos;
        beginnings(static_cast<Eigen::Index>(2 * i + 1), stride) = wave.amplitude * now.sin;
      }
    }
    values.noalias() = table.topRows(std::min(steps, left)) * beginnings.leftCols(strides);
    const Index count = std::min(left, values.size());
    std::copy_n(values.data(), count, out.data() + done);
    done += static_cast<std::size_t>(count);
  }
}

double WaveSum::reach() const {
  double sum = 0;
  for (const Wave& wave : m_waves) sum += std::abs(wave.amplitude);
  return sum;
}

RelativePiece waves_from(Index begin, std::vector<Wave> waves) {
  const auto sum = std::make_shared<const WaveSum>(std::move(waves));
  return {.begin = begin,
          .kind = PieceKind::rough,
          .at = [sum](double d) { return sum->at(static_cast<Index>(d)); },
          .fill = [sum](Index first, std::span<double> out) { sum->fill(first, out); },
          .bounds = {-sum->reach(), sum->reach()}};
}

}  // namespace vqscope
