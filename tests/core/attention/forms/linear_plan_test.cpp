// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/form_parts.h"

#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class LinearPlanTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// 10 tokens in blocks of 4 are 3 blocks, of which a bias over 5 tokens makes 2 explicit.
  void by_hand() {
    AttentionSample sample({.length = 10});
    const LinearPlan plan(sample.input(), {.block_len = 4});
    QCOMPARE(plan.blocks, Index{3});
    QCOMPARE(plan.before, Index{0});
    QCOMPARE(plan.queries, Index{4});
    QCOMPARE(plan.pieces, Index{1});
    QVERIFY(plan.tokens({-2, -1}) == (Range{0, 0}));
    QVERIFY(plan.tokens({1, 3}) == (Range{4, 10}));
    sample.bias = random_bias(5, 1);
    QCOMPARE(LinearPlan(sample.input(), {.block_len = 4}).before, Index{2});
    QCOMPARE(LinearPlan(sample.input(), {.block_len = 100}).block_len, Index{10});
  }

  /// Blocks at once, which memory grows with: those that a reduction needs, else a few for each
  /// thread.
  void waves() {
    const AttentionSample sample({.length = 100});
    const auto wave = [&](CacheReduction reduction, int threads) {
      return LinearPlan(sample.input(), {.block_len = 4, .reduction = reduction, .threads = threads}).wave;
    };
    QCOMPARE(wave(CacheReduction::serial_scan, 1), Index{1});
    QCOMPARE(wave(CacheReduction::serial_scan, 3), Index{6});
    QCOMPARE(wave(CacheReduction::serial_scan, 99), Index{25});
    QCOMPARE(wave(CacheReduction::input_scan, 3), Index{1});
    QCOMPARE(wave(CacheReduction::matmul, 1), Index{25});
    QCOMPARE(wave(CacheReduction::associative_scan, 1), Index{25});
  }

  /// A long block is shared out, so that threads have something to do and weights fit.
  void a_block_is_cut_into_pieces() {
    const AttentionSample sample({.length = 1200});
    const LinearPlan plan(sample.input(), {.block_len = 1100});
    QCOMPARE(plan.queries, Index{512});
    QCOMPARE(plan.pieces, Index{3});
    const LinearPlan scanned(sample.input(), {.block_len = 1100, .reduction = CacheReduction::input_scan});
    QCOMPARE(scanned.queries, Index{128});
    QCOMPARE(scanned.pieces, Index{9});
  }
};

VQSCOPE_TEST(LinearPlanTest)
#include "linear_plan_test.moc"
