// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "core/encoding/rope/rope_scaling.h"
#include "tests/core/curve/curve_cases.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class InterpolationBoundTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_the_published_number() {
    QVERIFY(near(1 / interpolation_bound(1, 1e4, 1), 294.73, 5e-3));
    QVERIFY(near(interpolation_bound(128, 1e4, 2), 256 / 294.73, 1e-4));
    QVERIFY(near(fact_of(*curves_of("interpolation_bound"), "divisor"), 294.73, 5e-3));
    QVERIFY(near(fact_of(*curves_of("interpolation_bound"), "bound"), 128 / 294.73, 1e-4));
  }

  /// About 600 times, as in the paper for base 10 000.
  void the_extrapolation_bound_beside_it() {
    const auto set = *curves_of("interpolation_bound", {{"max_h", 3.0}});
    QVERIFY(near(fact_of(set, "ratio"), 589.46, 1e-2));
    QCOMPARE(fact_of(set, "extrapolation_bound"), 2 * 128 * 3.0);
    QCOMPARE(set.curves[1].y.front(), 768.0);
    // The sum over pairs is d or more at every distance up to the training length.
    const auto inv_freq = rope_frequencies({}).inv_freq;
    for (int s = 0; s < 4096; ++s) {
      double re = 0, im = 0, sum = 0;
      for (const long double each : inv_freq) {
        re += std::cos(s * static_cast<double>(each)), im += std::sin(s * static_cast<double>(each));
        sum += std::hypot(re, im);
      }
      QVERIFY2(sum >= 128, qPrintable(QString::number(s)));
    }
  }

  /// Scores of random q and k at random places between two positions. The theorem takes its sum
  /// over the pairs, Σ θ² = 1 / (1 − b^(−4/d)), for an integral, d / (4 ln b), which is 16 % less
  /// here.
  void no_score_is_further_from_the_line() {
    Random random(9);
    const auto inv_freq = rope_frequencies({}).inv_freq;
    for (int i = 0; i < 300; ++i) {
      std::vector<std::pair<double, double>> h;
      for (std::size_t k = 0; k < inv_freq.size(); ++k)
        h.emplace_back(static_cast<double>(pick(random, 0, 1000)) / 1000,
                       static_cast<double>(pick(random, -3141, 3141)) / 1000);
      const auto score = [&](double s) {
        double sum = 0;
        for (std::size_t k = 0; k < h.size(); ++k)
          sum += h[k].first * std::cos(s * static_cast<double>(inv_freq[k]) + h[k].second);
        return sum;
      };
      const auto s = static_cast<double>(pick(random, 0, 4096));
      const double part = static_cast<double>(pick(random, 0, 1000)) / 1000;
      const double line = (1 - part) * score(s) + part * score(s + 1);
      QVERIFY(std::abs(score(s + part) - line) <= interpolation_bound(128, 1e4, 1) * 1.16);
    }
  }

  void curve() {
    const auto set = *curves_of("interpolation_bound", {{"points", Index{9}}, {"max_h", 3.0}});
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x.size(), std::size_t{9});
    QVERIFY(near(set.x[3], 1e4, 1e-8));
    QVERIFY(near(set.curves[0].y[3], 3 * 128 / 294.73, 1e-4));
    QVERIFY(std::ranges::is_sorted(set.curves[0].y, std::greater<>()));
    QCOMPARE(set.marks.front().x, 1e4);
    QVERIFY(curves_of("interpolation_bound", {{"rope_theta", 2.0}})->marks.empty());
    QVERIFY(stops("interpolation_bound"));
    COMPARE_ERROR(curves_of("interpolation_bound", {{"rotary_dim", Index{6}}, {"head_dim", Index{4}}}),
                  "rotary_dim is 6 but must be at most head_dim = 4, or 0 to follow it");
  }
};

VQSCOPE_TEST(InterpolationBoundTest)
#include "interpolation_bound_test.moc"
