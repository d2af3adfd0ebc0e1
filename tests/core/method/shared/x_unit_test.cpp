// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/method/shared/published.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

ParameterValues unit(const char* name) {
  ParameterValues values;
  values.set("x_unit", std::string(name));
  return values;
}

CurveSet lengths() {
  CurveSet set{.x_name = "length", .x_title = "sequence length L (tokens)"};
  set.x = {512, 1024, 1536};
  set.curves = {{"y", {1, 2, 3}}};
  set.marks = {{512, "training length 512"}};
  set.segments = {{512, 1024, "one"}};
  return set;
}

}  // namespace

class XUnitTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void unit_of_tokens_keeps_the_curves() {
    CurveSet set = lengths();
    apply_x_unit(unit("tokens"), 512, set);
    QCOMPARE(set.x, lengths().x);
    COMPARE_TEXT(set.x_name, "length");
    QVERIFY(!set.real_x);
  }

  void everything_along_x_is_divided() {
    CurveSet set = lengths();
    set.published = alibi_table_2();
    apply_x_unit(unit("trained_lengths"), 512, set);
    QCOMPARE(set.x, (std::vector<double>{1, 2, 3}));
    QCOMPARE(set.marks[0].x, 1.0);
    QCOMPARE(set.segments[0].to, 2.0);
    QCOMPARE(set.curves[0].y, lengths().curves[0].y);
    COMPARE_TEXT(set.x_name, "length_in_trained_lengths");
    COMPARE_TEXT(set.x_title, "sequence length L (training lengths)");
    QVERIFY(set.real_x);
    QCOMPARE(set.published->series[0].x[0], 1.0);
  }

  void published_values_have_their_models_own_length() {
    CurveSet set = lengths();
    set.published = alibi_table_2();
    apply_x_unit(unit("trained_lengths"), 4096, set);
    QCOMPARE(set.x[0], 0.125);
    QCOMPARE(set.published->series[0].x[4], 12512.0 / 512);
  }

  void table_agrees_with_the_paper() {
    const auto table = alibi_table_2();
    QCOMPARE(table.series.size(), std::size_t{4});
    QCOMPARE(table.series[0].y, (std::vector<double>{20.05, 43.54, 132.41, 240.44, 373.17}));
    QCOMPARE(table.series[3].y[4], 18.31);
  }
};

VQSCOPE_TEST(XUnitTest)
#include "x_unit_test.moc"
