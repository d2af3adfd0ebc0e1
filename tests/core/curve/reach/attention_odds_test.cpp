// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/methods.h"
#include "tests/core/curve/curve_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

class AttentionOddsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The first slope of ALiBi is 1/2, its odds at 2,048 tokens are e^1024.
  void oddsBeyondDoublesAreNoPoints() {
    const Method method = attention_odds_method();
    const auto set = make_curves(method, default_values(method.parameters), {}).value();
    for (const auto& curve : set.curves)
      for (const double y : curve.y) QVERIFY(!std::isinf(y));
  }

  /// Slope 1/2 of the first of eight heads: e^(d/2). KERPLE log with r1 = r2 = 1: 1 + d.
  void by_hand() {
    const auto set = *curves_of("attention_odds", {{"q_length", Index{64}}});
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x.size(), std::size_t{65});
    for (std::size_t i = 0; i < set.x.size(); ++i) {
      QVERIFY(near(set.curves[0].y[i], 1, 1e-12));
      QVERIFY(near(set.curves[1].y[i] / std::exp(set.x[i] / 2), 1, 1e-12));
      QVERIFY(near(set.curves[2].y[i] / (1 + set.x[i]), 1, 1e-12));
    }
  }

  void gap_and_nearer_key() {
    const auto set = *curves_of("attention_odds", {{"q_length", Index{8}},
                                                   {"near_distance", Index{2}},
                                                   {"score_gap", 1.5},
                                                   {"biases", std::vector<std::string>{"alibi"}}});
    QVERIFY(near(set.curves[0].y[8], std::exp(1.5 + 3), 1e-9));
    QVERIFY(near(fact_of(set, "odds_alibi"), std::exp(4.5), 1e-9));
    QCOMPARE(set.marks.front().x, 2.0);
    COMPARE_ERROR(curves_of("attention_odds", {{"biases", std::vector<std::string>{}}}),
                  "biases is empty but must name one at least");
    QVERIFY(stops("attention_odds"));
  }
};

VQSCOPE_TEST(AttentionOddsTest)
#include "attention_odds_test.moc"
