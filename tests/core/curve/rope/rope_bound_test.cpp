// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "tests/core/curve/curve_cases.h"
#include "tests/core/encoding/rope_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <complex>

using namespace vqscope;
using namespace vqscope::test;

class RopeBoundTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // Two pairs a half and a quarter turn apart: |−1| and |−1 + i|.
    const std::vector<Turns> rates{half_turn, quarter_turn};
    QVERIFY(near(rope_bound(rates, 0), (1 + 2) / 2.0, 1e-15));
    QVERIFY(near(rope_bound(rates, 1), (1 + std::sqrt(2.0)) / 2, 1e-15));
    QVERIFY(near(rope_bound(rates, 2), (1 + 0) / 2.0, 1e-15));
  }

  void by_the_published_numbers() {
    const auto rates = turns_of(rope_frequencies({}).inv_freq);
    QCOMPARE(rope_bound(rates, 0), 32.5);
    QVERIFY(near(rope_bound(rates, 1), 31.538, 5e-4));
    QVERIFY(near(rope_bound(rates, 10), 17.954, 5e-4));
    QVERIFY(near(rope_bound(rates, 100), 10.227, 5e-4));
  }

  void many_scores_equal_single_scores() {
    Random random(7);
    for (int i = 0; i < 20; ++i) {
      const auto rates = turns_of(random_picture(random, PhaseQuantity::phase, 10).frequencies.inv_freq);
      const auto distances = integer_axis(0, pick(random, 300, Index{1} << 31), 200, false);
      const auto bounds = rope_bounds(rates, distances, {});
      QCOMPARE(bounds.size(), distances.size());
      for (std::size_t k = 0; k < bounds.size(); ++k)
        QVERIFY(near(bounds[k], rope_bound(rates, static_cast<Index>(distances[k])), 1e-11));
    }
  }

  /// The use of the bound: B(r) ≤ n U(r) times what the products h_i of neighbouring pairs differ
  /// by, h_n = 0.
  void no_score_is_above_it() {
    Random random(8);
    const auto rates = turns_of(rope_frequencies({.head_dim = 32}).inv_freq);
    for (int i = 0; i < 200; ++i) {
      const Index r = pick(random, 0, 100000);
      std::complex<double> score = 0;
      double largest = 0;
      double last = 0;
      for (std::size_t k = rates.size(); k-- > 0;) {
        const double h = static_cast<double>(pick(random, -1000, 1000)) / 1000;
        largest = std::max(largest, std::abs(h - last));
        last = h;
        score += h * std::polar(1.0, signed_radians(static_cast<Turns>(r) * rates[k]));
      }
      QVERIFY(std::abs(score) <= 16 * rope_bound(rates, r) * largest + 1e-9);
    }
  }

  void curve() {
    const auto set = *curves_of("rope_bound", {{"q_length", Index{5000}}});
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.curves.size(), std::size_t{4});
    QCOMPARE(fact_of(set, "bound_at_0"), 32.5);
    QCOMPARE(set.marks.front().x, 4096.0);
    const auto yarn =
        *curves_of("rope_bound", {{"rope_type", std::string("yarn")}, {"compare", std::vector<std::string>{}}});
    QVERIFY(near(fact_of(yarn, "bound_at_0"), 32.5 * std::pow(0.1 * std::log(4.0) + 1, 2), 1e-12));
    QVERIFY(stops("rope_bound"));
  }
};

VQSCOPE_TEST(RopeBoundTest)
#include "rope_bound_test.moc"
