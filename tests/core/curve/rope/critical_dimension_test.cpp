// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "core/encoding/rope/rope_scaling.h"
#include "tests/core/curve/curve_cases.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class CriticalDimensionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Base 16 and d = 8: wavelengths 2π, 4π, 8π, 16π, that is 6.3, 12.6, 25.1 and 50.3 tokens.
  void by_hand() {
    QCOMPARE(critical_dimension(8, 16, 1), Index{0});
    QCOMPARE(critical_dimension(8, 16, 6), Index{0});
    QCOMPARE(critical_dimension(8, 16, 7), Index{2});
    QCOMPARE(critical_dimension(8, 16, 13), Index{4});
    QCOMPARE(critical_dimension(8, 16, 51), Index{8});
    QCOMPARE(critical_dimension(8, 16, 1000000), Index{8});
  }

  void by_the_published_numbers() {
    QCOMPARE(critical_dimension(128, 1e4, 4096), Index{92});
    QCOMPARE(critical_dimension(128, 5e5, 8192), Index{70});
    QCOMPARE(fact_of(*curves_of("critical_dimension"), "pairs_beyond_trained_length"), 18.0);
    QCOMPARE(fact_of(*curves_of("critical_dimension"), "critical_dimension"), 92.0);
  }

  /// The formula counts the pairs whose wavelength is below L, and one count is the other.
  void formula_and_count_agree() {
    Random random(4);
    for (int i = 0; i < 30; ++i) {
      const Index d = 2 * pick(random, 1, 100);
      const double base = std::pow(10.0, static_cast<double>(pick(random, 1, 8)));
      const auto set = *curves_of("critical_dimension", {{"head_dim", d},
                                                         {"rope_theta", base},
                                                         {"q_length", pick(random, 1, Index{1} << 31)},
                                                         {"points", Index{200}}});
      for (std::size_t k = 0; k < set.x.size(); ++k) {
        Index within = 0;
        for (Index pair = 0; pair < d / 2; ++pair) {
          const double fraction = 2 * static_cast<double>(pair) / static_cast<double>(d);
          within += 2 * M_PI * std::pow(base, fraction) <= set.x[k] ? 1 : 0;
        }
        QCOMPARE(set.curves[0].y[k], 2.0 * static_cast<double>(within));
        QCOMPARE(set.curves[1].y[k], 2.0 * static_cast<double>(within));
      }
    }
  }

  void curve() {
    const auto set = *curves_of("critical_dimension");
    COMPARE_TEXT(incomplete(set), "");
    QVERIFY(set.integer);
    QCOMPARE(set.x.back(), 131072.0);
    QCOMPARE(set.marks.front().x, 4096.0);
    QCOMPARE(curves_of("critical_dimension", {{"q_length", Index{1}}})->curves[0].y, std::vector<double>{0});
    QVERIFY(stops("critical_dimension"));
    COMPARE_ERROR(curves_of("critical_dimension", {{"head_dim", Index{7}}}), "head_dim is 7 but must be even");
  }
};

VQSCOPE_TEST(CriticalDimensionTest)
#include "critical_dimension_test.moc"
