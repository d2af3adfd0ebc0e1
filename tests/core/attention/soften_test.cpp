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

  void row_without_visible_keys() {
    std::array<float, 2> row{hidden_score, hidden_score};
    QVERIFY(std::isinf(soften(row.data(), 2)));
    QCOMPARE(row, (std::array<float, 2>{0, 0}));
  }
};

VQSCOPE_TEST(SoftenTest)
#include "soften_test.moc"
