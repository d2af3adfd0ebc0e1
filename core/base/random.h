// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace vqscope {

/// Numbers drawn from a seed, the same on every machine (SplitMix64, Steele et al. 2014).
class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed) : m_state(seed) {}

  std::uint64_t bits() {
    m_state += 0x9e3779b97f4a7c15U;
    std::uint64_t z = m_state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  /// As if that many bits() had been taken.
  void skip(std::uint64_t count) { m_state += count * 0x9e3779b97f4a7c15U; }

  /// In (0, 1].
  double uniform() { return (static_cast<double>(bits() >> 11) + 1) * 0x1p-53; }

  /// A normal number of mean 0 and variance 1 (Box and Muller), from two bits().
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t m_state;
};

}  // namespace vqscope
