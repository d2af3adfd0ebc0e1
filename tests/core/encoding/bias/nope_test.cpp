// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class NopeTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void bias_is_zero_everywhere() {
    const auto field = relative_field("nope", {{"q_length", Index{1} << 31}});
    QCOMPARE(field->at(5, 900000), 0.0);
    QCOMPARE(field->value_range(), (std::pair{0.0, 0.0}));
    Summary summary;
    const Index length = field->extent().rows;
    QVERIFY(field->summarize({{0, 1, length}, {0, length}}, {}, summary));
    QCOMPARE(summary.mean, (std::vector<float>{0, 0}));
    QCOMPARE(summary.max, (std::vector<float>{0, 0}));
    COMPARE_TEXT(method_is_wrong("nope"), "");
    COMPARE_TEXT(why_at("nope", -2), "k is 2 behind q, which nothing tells");
  }
};

VQSCOPE_TEST(NopeTest)
#include "nope_test.moc"
