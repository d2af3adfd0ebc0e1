// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/phase/turns.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace vqscope {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr double radians_per_unit = std::numbers::pi * 0x1p-63;

/// sin of half the angle, the angle taken in [-half, half) of a turn.
double sin_half(Turns turns) {
  return std::sin(static_cast<double>(static_cast<std::int64_t>(turns)) * radians_per_unit / 2);
}

/// numerator / modulus, where a modulus of 0 stands for 2^64.
std::uint64_t quotient(Wide numerator, std::uint64_t modulus) {
  return static_cast<std::uint64_t>(modulus == 0 ? numerator >> 64 : numerator / modulus);
}

}  // namespace

Turns turns_of(long double radians) {
  const long double turns = radians / (2 * std::numbers::pi_v<long double>);
  const long double part = turns - std::floor(turns);
  const long double units = std::round(std::ldexp(part, 64));
  return units >= 0x1p64L ? 0 : static_cast<Turns>(units);
}

std::vector<Turns> turns_of(std::span<const long double> radians) {
  std::vector<Turns> all;
  for (const long double each : radians) all.push_back(turns_of(each));
  return all;
}

double radians(Turns turns) {
  // The upper 53 bits are a double exactly, and the largest of them stays below 2π.
  return static_cast<double>(static_cast<std::int64_t>(turns >> 11)) * (radians_per_unit * 0x1p11);
}

double signed_radians(Turns turns) {
  if (turns == half_turn) return std::numbers::pi;
  const double value = static_cast<double>(static_cast<std::int64_t>(turns)) * radians_per_unit;
  // Rounding must not reach the -π that belongs to the other side.
  return std::max(value, std::nextafter(-std::numbers::pi, 0.0));
}

double cosine(Turns turns) {
  const Turns folded = std::min(turns, Turns{0} - turns);  // at most half a turn
  if (folded < quarter_turn / 2) return std::cos(signed_radians(folded));
  if (folded > half_turn - quarter_turn / 2) return -std::cos(signed_radians(half_turn - folded));
  return std::sin(signed_radians(quarter_turn - folded));
}

double sine(Turns turns) { return cosine(turns - quarter_turn); }

/// Values modulo m wrap `wraps` times. The smallest is the first or follows a wrap, the largest is
/// the last or comes before one. Those after a wrap are themselves a progression, modulo the rate:
/// Euclid's algorithm. Walked backwards where that makes the rate smaller, so that the modulus
/// halves each time.
TurnBounds bounds(const Progression& progression) {
  assert(progression.count > 0);
  std::uint64_t modulus = 0;  // 2^64
  std::uint64_t start = progression.start;
  std::uint64_t rate = progression.rate;
  std::uint64_t count = progression.count;
  std::uint64_t lift = 0;  // from a value after a wrap, levels down, to the one before that wrap
  TurnBounds found{std::numeric_limits<Turns>::max(), 0};
  for (;;) {
    const Wide unwrapped = start + static_cast<Wide>(count - 1) * rate;
    std::uint64_t wraps = quotient(unwrapped, modulus);
    std::uint64_t last = static_cast<std::uint64_t>(unwrapped) - wraps * modulus;
    if (rate > modulus - rate) {
      std::swap(start, last);
      rate = modulus - rate;
      wraps = count - 1 - wraps;
    }
    found.low = std::min(found.low, start);
    found.high = std::max(found.high, last + lift);
    if (wraps == 0) return found;
    lift += modulus - rate;
    const std::uint64_t shift = (modulus - rate) % rate;
    const std::uint64_t residue = start % rate;
    start = residue >= shift ? residue - shift : residue + rate - shift;
    modulus = rate;
    rate = shift == 0 ? 0 : modulus - shift;
    count = wraps;
  }
}

Turns distance_to(Turns target, const Progression& progression) {
  const TurnBounds around = bounds({progression.start - target, progression.rate, progression.count});
  return std::min(around.low, Turns{0} - around.high);
}

/// Σ e^{i(a + k t)}, k < n, is e^{ia} (e^{int} - 1) / (e^{it} - 1) = e^{i(a + (nt - t)/2)}
/// sin(nt/2) / sin(t/2), where nt may be taken modulo a whole turn.
VectorSum vector_sum(const Progression& p) {
  if (p.rate == 0) return {static_cast<double>(p.count), p.start};
  const Turns whole = p.rate * p.count;
  const double ratio = sin_half(whole) / sin_half(p.rate);
  const auto half = [](Turns turns) { return static_cast<Turns>(static_cast<std::int64_t>(turns) >> 1); };
  const Turns middle = p.start + half(whole) - half(p.rate);
  return {std::abs(ratio), ratio < 0 ? middle + half_turn : middle};
}

}  // namespace vqscope
