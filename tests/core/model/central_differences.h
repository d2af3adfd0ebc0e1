// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/random.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <vector>

namespace vqscope::test {

using Doubles = std::vector<double>;

inline Doubles random_doubles(Index n, std::uint64_t seed, double spread = 1) {
  SeededRandom random(seed);
  Doubles values;
  for (Index i = 0; i < n; ++i) values.push_back(spread * random.normal());
  return values;
}

inline double dot(const Doubles& a, const Doubles& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// |gradient - central differences of four points| / |gradient| of a function of `x`, which is as it was afterwards.
inline double gradient_error(const Doubles& gradient, Doubles& x, const std::function<double()>& f) {
  constexpr double step = 1e-3;
  double apart = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double at = x[i];
    const auto value = [&](double steps) {
      x[i] = at + steps * step;
      return f();
    };
    const double slope = (8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * step);
    x[i] = at;
    apart += (slope - gradient[i]) * (slope - gradient[i]);
    size += gradient[i] * gradient[i];
  }
  return std::sqrt(apart / size);
}

/// Every operation's gradients are right to this.
inline constexpr double gradient_limit = 1e-6;

#define VERIFY_GRADIENT(gradient, x, f)                                        \
  do {                                                                         \
    const double error_found = vqscope::test::gradient_error(gradient, x, f);  \
    QVERIFY2(error_found < vqscope::test::gradient_limit,                      \
             qPrintable(QString(#gradient " is off by %1").arg(error_found))); \
  } while (false)

}  // namespace vqscope::test
