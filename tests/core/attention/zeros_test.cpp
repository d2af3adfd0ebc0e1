// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/workers.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;

class ZerosTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// For sizes around a page and around one thread's share, also in memory that was used before.
  void size_is_the_requested_size() {
    for (const Index n : {0, 1, 1023, 1024, 1025, (1 << 20) - 1, 1 << 20, (1 << 21) + 3, 5'000'001})
      for (const int threads : {1, 2, 5}) {
        std::vector<float> values = zeros(n, threads);
        QCOMPARE(static_cast<Index>(values.size()), n);
        QVERIFY(std::ranges::all_of(values, [](float x) { return x == 0; }));
        std::ranges::fill(values, 1.0F);
      }
  }
};

VQSCOPE_TEST(ZerosTest)
#include "zeros_test.moc"
