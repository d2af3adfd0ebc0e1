// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/rows.h"

#include "core/attention/tensor_view.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace vqscope;

class SoftenTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    std::array<float, 3> row{0, hidden_score, std::log(3.0F)};
    QVERIFY(std::abs(soften(row.data(), 3) - std::log(4.0)) < 1e-6);
    QVERIFY(std::abs(row[0] - 0.25F) < 1e-6F);
    QCOMPARE(row[1], 0.0F);
    QVERIFY(std::abs(row[2] - 0.75F) < 1e-6F);
  }

  /// 1 / (1 + 2 + e^log 1) and so on; a sink far above the scores takes all of the weight, as they
  /// take it of a sink far below.
  void sink_by_hand() {
    std::array<float, 3> row{0, hidden_score, std::log(2.0F)};
    QVERIFY(std::abs(soften(row.data(), 3, 0) - std::log(4.0)) < 1e-6);
    QVERIFY(std::abs(row[0] - 0.25F) < 1e-6F && std::abs(row[2] - 0.5F) < 1e-6F);
    std::array<float, 2> low{-100000, -100000}, high{100000, hidden_score};
    QCOMPARE(soften(low.data(), 2, 2), 2.0);
    QCOMPARE(low, (std::array<float, 2>{0, 0}));
    QCOMPARE(soften(high.data(), 2, 2), 100000.0);
    QCOMPARE(high[0], 1.0F);
    std::array<float, 2> empty{hidden_score, hidden_score};
    QVERIFY(std::isinf(soften(empty.data(), 2, 2)));
    QCOMPARE(empty[0], 0.0F);
  }

  void row_without_visible_keys() {
    std::array<float, 2> row{hidden_score, hidden_score};
    QVERIFY(std::isinf(soften(row.data(), 2)));
    QCOMPARE(row, (std::array<float, 2>{0, 0}));
  }
};

VQSCOPE_TEST(SoftenTest)
#include "soften_test.moc"
