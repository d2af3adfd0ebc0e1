// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/phase/wave_sum.h"

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

namespace vqscope {
namespace {

constexpr Index most_places = 16;

/// A wave at d: its value is the length times the cosine.
struct Vector {
  double cos, sin;
};

Vector vector_at(const Wave& wave, Index d) {
  const double length = wave.growth == 0 ? 1 : std::exp(wave.growth * static_cast<double>(d));
  const double angle = signed_radians(wave.phase + static_cast<Turns>(d) * wave.rate);
  return {length * std::cos(angle), length * std::sin(angle)};
}

constexpr std::size_t lanes = 8;
using Lanes = Eigen::Array<double, static_cast<int>(lanes), 1>;

/// Coefficients of the sine's series after the first term: x^3, x^5, ..., x^21.
constexpr std::array<double, 10> coefficients = [] {
  std::array<double, 10> all{};
  double last = 1;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = last /= -static_cast<double>((2 * i + 2) * (2 * i + 3));
  return all;
}();

/// The angle from a quarter turn, which is at most a quarter turn: its sine is the cosine of
/// `turns`.
double from_quarter(Turns turns) {
  constexpr double radians_of_unit = 2 * std::numbers::pi * 0x1p-64;
  const Turns from_0 = turns > half_turn ? Turns{0} - turns : turns;
  return static_cast<double>(static_cast<std::int64_t>(quarter_turn - from_0)) * radians_of_unit;
}

/// Within 5e-16 up to a quarter turn, many at a time: a picture of 2^31 tokens takes a billion of
/// them.
Lanes sine_of(const Lanes& x) {
  const Lanes square = x * x;
  Lanes sum = Lanes::Constant(coefficients.back());
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) sum = sum * square + coefficients[i];
  return x + x * square * sum;
}

/// ln of a wave's length at d: -∞ of none.
double log_length(const Wave& wave, Index d) {
  return std::log(std::abs(wave.amplitude)) + wave.growth * static_cast<double>(d);
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

WaveSum::WaveSum(std::vector<Wave> waves)
    : m_waves(std::move(waves)), m_cos(rows * m_waves.size()), m_sin(rows * m_waves.size()) {
  std::ranges::stable_sort(m_waves, {}, &Wave::growth);
  std::size_t next = 0;
  for (const Wave& wave : m_waves) {
    const Wave turned{.rate = wave.rate, .growth = wave.growth};
    const Vector by = vector_at(turned, 1);
    Vector now{};
    for (Index step = 0; step < rows; ++step, ++next) {
      now = step % 16 == 0 ? vector_at(turned, step) : product(now, by);
      m_cos[next] = now.cos;
      m_sin[next] = now.sin;
    }
  }
  m_grows = std::ranges::any_of(m_waves, [](const Wave& wave) { return wave.growth != 0; });
}

double WaveSum::at(Index d) const {
  double sum = 0;
  if (m_grows) {
    for (const Wave& wave : m_waves) sum += wave.amplitude * vector_at(wave, d).cos;
    return sum;
  }
  for (std::size_t first = 0; first < m_waves.size(); first += lanes) {
    Lanes angles = Lanes::Zero();
    Lanes amplitudes = Lanes::Zero();
    for (std::size_t i = first; i < std::min(first + lanes, m_waves.size()); ++i) {
      const Wave& wave = m_waves[i];
      const auto lane = static_cast<Eigen::Index>(i - first);
      angles[lane] = from_quarter(wave.phase + static_cast<Turns>(d) * wave.rate);
      amplitudes[lane] = wave.amplitude;
    }
    sum += (amplitudes * sine_of(angles)).sum();
  }
  return sum;
}

/// The waves that count on [first, last], as indices: where growth makes one of them 10^19 times as
/// long as others, the others are lost in its rounding; what no double can hold is 0. Lengths are
/// exponentials, so the ends decide.
Range WaveSum::counting(Index first, Index last) const {
  constexpr double lost = 44;        // ln 10^19
  constexpr double smallest = -746;  // ln of what rounds to 0
  Range all{0, static_cast<Index>(m_waves.size())};
  if (!m_grows) return all;
  const Index nearest = std::abs(first) < std::abs(last) ? first : last;
  const auto strongest =
      std::ranges::max_element(m_waves, {}, [&](const Wave& wave) { return log_length(wave, nearest); });
  const auto counts = [&](const Wave& wave) {
    return std::ranges::any_of(std::array{first, last}, [&](Index d) {
      return log_length(wave, d) > std::max(log_length(*strongest, d) - lost, smallest);
    });
  };
  while (all.size() > 0 && !counts(m_waves[static_cast<std::size_t>(all.begin)])) ++all.begin;
  while (all.size() > 0 && !counts(m_waves[static_cast<std::size_t>(all.end - 1)])) --all.end;
  return all;
}

void WaveSum::fill(Index first, std::span<double> out) const {
  // Without growth the steps before a place have the vectors of those after it, turned the other
  // way: half the work.
  const Index width = m_grows ? steps : 2 * steps;
  const Index before = width - steps;
  const auto waves = static_cast<Eigen::Index>(m_waves.size());
  const Eigen::Map<const Eigen::MatrixXd> cos_steps(m_cos.data(), rows, waves);
  const Eigen::Map<const Eigen::MatrixXd> sin_steps(m_sin.data(), rows, waves);
  Eigen::MatrixXd cos(waves, most_places);
  Eigen::MatrixXd sin(waves, most_places);
  Eigen::MatrixXd even;
  Eigen::MatrixXd odd;
  std::array<double, 2 * steps> values{};
  for (std::size_t done = 0; done < out.size();) {
    const auto left = static_cast<Index>(out.size() - done);
    const Index places = std::min(most_places, (left + width - 1) / width);
    const Index start = first + static_cast<Index>(done);
    const Range some = counting(start, start + std::min(left, places * width) - 1);
    for (Eigen::Index i = some.begin; i < some.end; ++i) {
      const Wave& wave = m_waves[static_cast<std::size_t>(i)];
      const Index begin = start + before;
      const Vector by = vector_at({.rate = wave.rate}, width);
      Vector now = vector_at(wave, begin);
      for (Index place = 0; place < places; ++place) {
        // What has shrunk to nothing cannot grow again.
        if (place > 0) now = m_grows ? vector_at(wave, begin + place * width) : product(now, by);
        cos(i, place) = wave.amplitude * now.cos;
        sin(i, place) = wave.amplitude * now.sin;
      }
    }
    even.noalias() = cos_steps.middleCols(some.begin, some.size()) * cos.block(some.begin, 0, some.size(), places);
    odd.noalias() = sin_steps.middleCols(some.begin, some.size()) * sin.block(some.begin, 0, some.size(), places);
    for (Index place = 0; place < places; ++place) {
      const double* e = even.data() + place * rows;
      const double* o = odd.data() + place * rows;
      for (Index step = 0; step < steps; ++step) values[static_cast<std::size_t>(before + step)] = e[step] - o[step];
      for (Index step = 1; step <= before; ++step) values[static_cast<std::size_t>(before - step)] = e[step] + o[step];
      const auto count = std::min<std::size_t>(static_cast<std::size_t>(width), out.size() - done);
      std::copy_n(values.data(), count, out.data() + done);
      done += count;
    }
  }
}

double WaveSum::reach() const {
  double sum = 0;
  for (const Wave& wave : m_waves) sum += std::abs(wave.amplitude);
  return sum;
}

RelativePiece waves_from(Index begin, std::vector<Wave> waves) {
  const auto sum = std::make_shared<const WaveSum>(std::move(waves));
  const auto cost = static_cast<double>(sum->count());
  return {.begin = begin,
          .kind = PieceKind::rough,
          .at = [sum](double d) { return sum->at(static_cast<Index>(d)); },
          .fill = [sum](Index first, std::span<double> out) { sum->fill(first, out); },
          .bounds = {-sum->reach(), sum->reach()},
          .cost = std::max(cost, 1.0)};
}

}  // namespace vqscope
