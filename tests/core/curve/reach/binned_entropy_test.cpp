// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/reach/reach_values.h"

#include "core/base/random.h"
#include "tests/support/curve_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace vqscope;
using test::near;

namespace {

BinnedEntropy binned(const std::vector<double>& numbers) {
  BinnedEntropy all;
  for (const double z : numbers) all.add(z);
  return all;
}

/// −Σ p ln p with p ∝ e^(a z), in two passes.
double definition(const std::vector<double>& numbers, double a) {
  double highest = numbers.front();
  for (const double z : numbers) highest = std::max(highest, z);
  double sum = 0, entropy = 0;
  for (const double z : numbers) sum += std::exp(a * (z - highest));
  for (const double z : numbers) {
    const double p = std::exp(a * (z - highest)) / sum;
    if (p > 0) entropy -= p * std::log(p);
  }
  return entropy;
}

}  // namespace

class BinnedEntropyTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void entropy_of_no_or_one_number_is_0() {
    QCOMPARE(BinnedEntropy().entropy(1), 0.0);
    QCOMPARE(BinnedEntropy().count(), Index{0});
    for (const double z : {-3.0, 0.0, 7.123})
      for (const double a : {0.0, 1.0, 8.0}) {
        QVERIFY(near(binned({z}).entropy(a), 0, 2e-5));
        QVERIFY(binned({z}).entropy(a) >= 0);
      }
  }

  /// p = (3/4, 1/4) at a = 1 for numbers ln 3 apart: ln 4 − 3/4 ln 3.
  void two_numbers_by_hand() {
    const auto two = binned({0, std::log(3.0)});
    QCOMPARE(two.count(), Index{2});
    QVERIFY(near(two.entropy(1), std::log(4.0) - 0.75 * std::log(3.0), 1e-5));
    QVERIFY2(near(two.entropy(0), std::log(2.0), 1e-12), "at no scale all are alike");
  }

  void equal_numbers_are_spread_evenly() {
    const auto all = binned(std::vector<double>(1000, 2.5));
    for (const double a : {0.0, 1.0, 8.0}) QVERIFY(near(all.entropy(a), std::log(1000.0), 2e-5));
  }

  void the_definition_at_every_scale() {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      SeededRandom random(seed);
      std::vector<double> numbers;
      for (int i = 0; i < 5'000; ++i) numbers.push_back(random.normal());
      const auto all = binned(numbers);
      for (const double a : {0.0, 0.1, 1.0, 2.5, 5.0, 8.0}) QVERIFY(near(all.entropy(a), definition(numbers, a), 1e-5));
    }
  }

  /// A sharper softmax is less spread.
  void entropy_falls_with_the_scale() {
    SeededRandom random(4);
    BinnedEntropy all;
    for (int i = 0; i < 1'000; ++i) all.add(random.normal());
    double last = all.entropy(0);
    for (double a = 0.25; a <= 8; a += 0.25) {
      QVERIFY(all.entropy(a) < last);
      last = all.entropy(a);
    }
  }

  void the_order_of_numbers_is_no_matter() {
    SeededRandom random(5);
    std::vector<double> numbers;
    for (int i = 0; i < 300; ++i) numbers.push_back(3 * random.normal());
    const double forward = binned(numbers).entropy(2);
    std::ranges::reverse(numbers);
    QVERIFY(near(binned(numbers).entropy(2), forward, 1e-12));
  }

  void numbers_far_out_are_taken_for_the_nearest() {
    QCOMPARE(binned({0, 1e300}).entropy(1), binned({0, 10}).entropy(1));
    QCOMPARE(binned({0, -50}).entropy(0.5), binned({0, -10}).entropy(0.5));
  }
};

VQSCOPE_TEST(BinnedEntropyTest)
#include "binned_entropy_test.moc"
