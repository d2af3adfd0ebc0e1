// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "core/encoding/table/table_values.h"
#include "tests/core/curve/curve_cases.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class BetaAryDigitTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // 1234 in base ten, and 5 = 101 in base two.
    QCOMPARE(beta_digit(1234, 1, 10), 4.0);
    QCOMPARE(beta_digit(1234, 2, 10), 3.0);
    QCOMPARE(beta_digit(1234, 3, 10), 2.0);
    QCOMPARE(beta_digit(1234, 4, 10), 1.0);
    QCOMPARE(beta_digit(1234, 5, 10), 0.0);
    QCOMPARE(beta_digit(1234, 5000, 10), 0.0);
    QCOMPARE(beta_digit(5, 1, 2) + 10 * beta_digit(5, 2, 2) + 100 * beta_digit(5, 3, 2), 101.0);
    // Base 2.5: floor(7 / 2.5) mod 2.5 is 2, and 7 mod 2.5 is 2.
    QCOMPARE(beta_digit(7, 1, 2.5L), 2.0);
    QCOMPARE(beta_digit(7, 2, 2.5L), 2.0);
    QCOMPARE(beta_digit(7.9L, 1, 10), 7.0);
  }

  void whole_bases_write_numbers() {
    Random random(10);
    for (int i = 0; i < 2000; ++i) {
      const Index beta = pick(random, 2, 1000);
      const Index number = pick(random, 0, Index{1} << pick(random, 1, 50));
      Index left = number;
      for (Index m = 1; left > 0; ++m, left /= beta)
        QCOMPARE(beta_digit(static_cast<long double>(number), m, static_cast<long double>(beta)),
                 static_cast<double>(left % beta));
    }
  }

  void by_the_published_number() {
    QVERIFY(near(ntk_base(1e4, 128, 8), 82684.6, 0.05));
    // The NTK base's own β is the β that this curve draws.
    const auto set =
        *curves_of("beta_ary_digit", {{"head_dim", Index{128}}, {"changes", std::vector<std::string>{"ntk"}}});
    QVERIFY(near(fact_of(set, "ntk_rope_theta"), 82684.6, 0.05));
    QVERIFY(near(fact_of(set, "beta_ntk"), static_cast<double>(rope_beta(ntk_base(1e4, 128, 8), 128)), 1e-12));
  }

  void curve() {
    const auto set = *curves_of("beta_ary_digit");
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(fact_of(set, "beta"), 10.0);
    QCOMPARE(set.curves.size(), std::size_t{6});
    QCOMPARE(curve_of(set, "digit_1").y[987], 7.0);
    QCOMPARE(curve_of(set, "digit_3").y[987], 9.0);
    // 984 / 8 = 123, and 987 / 8 has the same digits.
    QCOMPARE(curve_of(set, "digit_1_linear").y[987], 3.0);
    QCOMPARE(curve_of(set, "digit_2_linear").y[987], 2.0);
    const auto two = *curves_of(
        "beta_ary_digit", {{"beta", 2.0}, {"digits", std::vector<Index>{2}}, {"changes", std::vector<std::string>{}}});
    QCOMPARE(two.curves.size(), std::size_t{1});
    QCOMPARE(two.curves[0].y[6], 1.0);
    QVERIFY(stops("beta_ary_digit"));
  }

  void errors() {
    COMPARE_ERROR(curves_of("beta_ary_digit", {{"beta", 0.5}}),
                  "beta is 0.5 but must be above 1, or 0 for rope_theta^(2/d)");
    COMPARE_ERROR(curves_of("beta_ary_digit", {{"digits", std::vector<Index>{1, 5}}}),
                  "digits has 5 but must be at most d/2 = 4");
    COMPARE_ERROR(curves_of("beta_ary_digit", {{"digits", std::vector<Index>{}}}),
                  "digits is empty but must name one digit at least");
    COMPARE_ERROR(
        curves_of(
            "beta_ary_digit",
            {{"head_dim", Index{2}}, {"digits", std::vector<Index>{1}}, {"changes", std::vector<std::string>{"ntk"}}}),
        "head_dim is 2 but must be at least 4 with rope_type ntk, whose exponent d/(d-2) has no value at d = 2");
  }

  void an_automatic_base_that_is_a_whole_number_has_no_digit_too_many() {
    const auto set = *curves_of("beta_ary_digit", {{"rope_theta", 1000.0},
                                                   {"head_dim", Index{6}},
                                                   {"q_length", Index{11}},
                                                   {"changes", std::vector<std::string>{}},
                                                   {"digits", std::vector<Index>{1}}});
    QCOMPARE(fact_of(set, "beta"), 10.0);
    QCOMPARE(set.curves[0].y.back(), 0.0);
  }
};

VQSCOPE_TEST(BetaAryDigitTest)
#include "beta_ary_digit_test.moc"
