// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/ordering.h"

#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

double tau(const std::vector<double>& a, const std::vector<double>& b) { return kendall_tau(a, b); }

}  // namespace

class OrderingTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    QCOMPARE(tau({1, 2, 3}, {10, 20, 30}), 1.0);
    QCOMPARE(tau({1, 2, 3}, {30, 20, 10}), -1.0);
    // Pairs: (1,2) agrees, (1,3) agrees, (2,3) does not: (2 - 1) / 3.
    QVERIFY(std::abs(tau({1, 2, 3}, {1, 3, 2}) - 1.0 / 3) < 1e-15);
    // (1,2) ties in b: 2 pairs agree, 3 do not tie in a, 2 in b: 2 / sqrt(6).
    QVERIFY(std::abs(tau({1, 2, 3}, {1, 1, 2}) - 2 / std::sqrt(6.0)) < 1e-15);
    QVERIFY(std::isnan(tau({1, 2}, {5, 5})));
    QVERIFY(std::isnan(tau({1}, {5})));
    QVERIFY(std::isnan(tau({}, {})));
  }

  /// Only the order counts; the two lists may change places; one backwards changes the sign.
  void properties() {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
      std::vector<double> a, b;
      for (Index n = pick(random, 2, 9); n > 0; --n) {
        a.push_back(static_cast<double>(pick(random, 0, 5)));
        b.push_back(static_cast<double>(pick(random, 0, 5)));
      }
      const double both = tau(a, b);
      if (std::isnan(both)) continue;
      QVERIFY(-1 <= both && both <= 1);
      QCOMPARE(tau(b, a), both);
      auto grown = a, backwards = a;
      std::ranges::transform(a, grown.begin(), [](double x) { return std::exp(x); });
      std::ranges::transform(a, backwards.begin(), [](double x) { return -x; });
      QCOMPARE(tau(grown, b), both);
      QCOMPARE(tau(backwards, b), -both);
    }
  }

  void ranks() {
    const Scores scores{{"a", 0.5}, {"b", 0.9}, {"c", 0.5}};
    QCOMPARE(rank_of(scores, "b"), 1.0);
    QCOMPARE(rank_of(scores, "a"), 2.0);
    QCOMPARE(rank_of(scores, "c"), 2.0);
    QVERIFY(std::isnan(rank_of(scores, "d")));
  }

  void published_orders_compare_common_entries() {
    QCOMPARE(kendall_tau(press_2022(), {{"alibi", 0.0}, {"sinusoidal", -1.2}, {"vq", 5}}), 1.0);
    QCOMPARE(kendall_tau(kazemnejad_2023(), {{"alibi", 0.8}, {"nope", 0.1}}), -1.0);
    QVERIFY(std::isnan(kendall_tau(kazemnejad_2023(), {{"rope", 0.8}, {"sinusoidal", 0.1}})));  // not parted there
    QVERIFY(std::isnan(kendall_tau(press_2022(), {{"vq", 1}, {"window", 2}})));
  }
};

VQSCOPE_TEST(OrderingTest)
#include "ordering_test.moc"
