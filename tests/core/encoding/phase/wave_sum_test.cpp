// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/phase/wave_sum.h"

#include "core/base/text.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The largest sum of at(): that of the waves' amplitudes.
double longest(const std::vector<Wave>& waves, Index d) {
  double length = 0;
  for (const Wave& wave : waves)
    length = std::max(length, std::abs(wave.amplitude) * std::exp(wave.growth * static_cast<double>(d)));
  return length;
}

/// The first place where fill() is off by more than 1e-13 of the longest wave and 1e-200, or
/// nothing.
std::string fill_differs(const std::vector<Wave>& waves, Index first, Index count) {
  const WaveSum sum(waves);
  std::vector<double> values(static_cast<std::size_t>(count), -777);
  sum.fill(first, values);
  for (Index i = 0; i < count; ++i) {
    const double got = values[static_cast<std::size_t>(i)];
    const double wanted = sum.at(first + i);
    if (std::abs(got - wanted) > 1e-13 * longest(waves, first + i) + 1e-200)
      return to_text(first + i) + ": got " + to_text(got) + ", expected " + to_text(wanted);
  }
  return {};
}

}  // namespace

class WaveSumTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const std::vector<Wave> waves{{.rate = quarter_turn, .amplitude = 3}, {.rate = half_turn, .amplitude = 2}};
    const WaveSum sum(waves);
    std::vector<double> values(4);
    sum.fill(0, values);
    const std::vector<double> wanted{5, -2, -1, -2};
    for (std::size_t i = 0; i < 4; ++i) {
      QVERIFY(std::abs(values[i] - wanted[i]) < 5e-14);
      QVERIFY(std::abs(sum.at(static_cast<Index>(i)) - wanted[i]) < 5e-15);
    }
    QCOMPARE(sum.reach(), 5.0);
  }

  /// Any number of waves, also such that do not fill the last lanes, at distances up to 2^31 and
  /// beyond.
  void cosines_by_the_definition() {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
      std::vector<Wave> waves;
      for (Index k = pick(random, 0, 20); k > 0; --k) {
        const auto any = [&] { return static_cast<Turns>(pick(random, 0, Index{1} << 62)) << pick(random, 0, 2); };
        waves.push_back({.rate = any(), .amplitude = static_cast<double>(pick(random, -3, 3)), .phase = any()});
      }
      const Index d = pick(random, -(Index{1} << 32), Index{1} << 32);
      double wanted = 0;
      for (const Wave& wave : waves) wanted += wave.amplitude * cosine(wave.phase + static_cast<Turns>(d) * wave.rate);
      const double got = WaveSum(waves).at(d);
      QVERIFY2(std::abs(got - wanted) < 1e-15 * (1 + 3 * static_cast<double>(waves.size())), to_text(got).c_str());
    }
    // Quarters are exact.
    const WaveSum quarters(std::vector<Wave>{{.rate = quarter_turn}});
    QVERIFY(quarters.at(0) == 1 && quarters.at(1) == 0 && quarters.at(-3) == 0);
    QVERIFY(std::abs(quarters.at(2) + 1) < 1e-15);
  }

  void any_waves_anywhere() {
    Random random(1);
    for (int i = 0; i < 120; ++i) {
      std::vector<Wave> waves;
      const bool grows = i % 3 > 0;
      const double strength = std::pow(10.0, -static_cast<double>(pick(random, 0, 5)));
      for (Index count = pick(random, 1, 20); count > 0; --count)
        waves.push_back({.rate = static_cast<Turns>(pick(random, 0, 1 << 30)) << 32,
                         .amplitude = static_cast<double>(pick(random, -10, 10)),
                         .phase = static_cast<Turns>(pick(random, 0, 1 << 30)) << 32,
                         .growth = grows ? strength * static_cast<double>(pick(random, 0, 100)) / 100 : 0});
      // Growing waves towards the past alone, as their users have them.
      const Index count = pick(random, 1, 9000);
      const Index first = grows ? -count - pick(random, 0, 1) * pick(random, 0, 100000) : pick(random, -100000, 100000);
      const auto wrong = fill_differs(waves, first, count);
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
  }

  /// Waves of very different decay: far out one is left, then nothing that a double can hold.
  void only_the_slowest_wave_remains_far_out() {
    std::vector<Wave> waves;
    for (int i = 0; i < 64; ++i)
      waves.push_back(
          {.rate = turns_of(std::pow(10000.0L, -i / 64.0L)), .growth = -std::log((2 * i + 51.2) / 179.2) / 512});
    for (const Index first : {-5000, -100000, -1000000, -40000000}) {
      const auto wrong = fill_differs(waves, first, 5000);
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
    std::vector<double> values(100, -777);
    WaveSum(waves).fill(-40000000, values);
    for (const double value : values) QCOMPARE(value, 0.0);
  }

  void waves_in_a_row_are_single_ones() {
    Random random(1);
    for (int i = 0; i < 40; ++i) {
      std::vector<Wave> waves(static_cast<std::size_t>(pick(random, 1, 8)));
      for (auto& wave : waves)
        wave = {.rate = turns_of(std::pow(10.0L, -static_cast<long double>(pick(random, 0, 40)) / 10)),
                .amplitude = static_cast<double>(pick(random, -20, 20)) / 10,
                .phase = static_cast<Turns>(pick(random, 0, 1000)) << 50,
                .growth = static_cast<double>(pick(random, -20, 0)) / 1e4};
      const WaveSum sum(waves);
      const Index first = pick(random, 0, 1) * pick(random, 0, 2000000);
      std::vector<double> values(static_cast<std::size_t>(pick(random, 0, 5000)));
      sum.fill(first, values);
      for (std::size_t k = 0; k < values.size(); ++k)
        QVERIFY(std::abs(values[k] - sum.at(first + static_cast<Index>(k))) < 1e-12);
    }
  }
};

VQSCOPE_TEST(WaveSumTest)
#include "wave_sum_test.moc"
