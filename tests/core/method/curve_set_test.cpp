// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/curve_set.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace vqscope;

class CurveSetTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void short_ranges_are_whole() {
    QCOMPARE(integer_axis(-2, 2, 5, false), (std::vector<double>{-2, -1, 0, 1, 2}));
    QCOMPARE(integer_axis(3, 5, 100, true), (std::vector<double>{3, 4, 5}));
    QCOMPARE(integer_axis(7, 7, 2, false), std::vector<double>{7});
  }

  void even() {
    QCOMPARE(integer_axis(0, 100, 5, false), (std::vector<double>{0, 25, 50, 75, 100}));
    QCOMPARE(integer_axis(-5, 5, 3, false), (std::vector<double>{-5, 0, 5}));
    QCOMPARE(integer_axis(0, 9, 2, false), (std::vector<double>{0, 9}));
  }

  /// Near 1 several points would fall on the same integer: each integer is there once.
  void logarithmic() {
    QCOMPARE(integer_axis(1, 10000, 5, true), (std::vector<double>{1, 10, 100, 1000, 10000}));
    QCOMPARE(integer_axis(1, 8, 7, true), (std::vector<double>{1, 2, 3, 4, 6, 8}));
  }

  /// For a linear axis and a logarithmic one: every integer near 1, and no gap above twice an even
  /// step.
  void mixed() {
    QCOMPARE(mixed_axis(0, 5, 100), (std::vector<double>{0, 1, 2, 3, 4, 5}));
    const auto axis = mixed_axis(0, 131071, 1024);
    QVERIFY(axis.size() <= 1024);
    QCOMPARE(axis.front(), 0.0);
    QCOMPARE(axis.back(), 131071.0);
    for (int i = 0; i < 40; ++i) QCOMPARE(axis[static_cast<std::size_t>(i)], static_cast<double>(i));
    for (std::size_t i = 1; i < axis.size(); ++i) {
      QVERIFY(axis[i] > axis[i - 1]);
      QVERIFY2(axis[i] - axis[i - 1] <= 258, qPrintable(QString::number(axis[i])));
      if (axis[i - 1] > 0) QVERIFY2(axis[i] <= axis[i - 1] + 1 || axis[i] / axis[i - 1] < 1.05, "no log-spaced point");
    }
  }

  void equal_curves_are_found() {
    CurveSet set{.x = {0, 1, 2}};
    set.curves = {{"a", {0, 1, no_value}}, {"b", {0, 1, no_value}}, {"c", {0, 1, 5}}, {"d", {0, 1 + 1e-9, no_value}}};
    using Found = std::vector<std::optional<std::size_t>>;
    QCOMPARE(coincident_curves(set), (Found{std::nullopt, 0, std::nullopt, 0}));
    // Curves that are not computed yet are not the same.
    set.curves = {{"a", {}}, {"b", {}}};
    QCOMPARE(coincident_curves(set), (Found{std::nullopt, std::nullopt}));
    // A difference of a pixel is one, however small it is beside the numbers.
    set.curves = {{"a", {1000, 1001, 1002}}, {"b", {1000, 1001, 1001.9}}};
    QCOMPARE(coincident_curves(set), (Found{std::nullopt, std::nullopt}));
  }

  void any_axis_data() {
    QTest::addColumn<Index>("first");
    QTest::addColumn<Index>("last");
    QTest::addColumn<Index>("points");
    QTest::addColumn<bool>("logarithmic");
    QTest::newRow("even") << Index{-1000} << Index{1000} << Index{97} << false;
    QTest::newRow("one more than points") << Index{1} << Index{513} << Index{512} << false;
    QTest::newRow("log") << Index{1} << Index{2097152} << Index{4096} << true;
    QTest::newRow("log from 17") << Index{17} << Index{1000000007} << Index{300} << true;
    QTest::newRow("beyond 32 bits") << Index{1} << (Index{1} << 52) << Index{1000} << false;
    QTest::newRow("log beyond 32 bits") << Index{1} << (Index{1} << 52) << Index{1000} << true;
  }

  void any_axis() {
    QFETCH(Index, first);
    QFETCH(Index, last);
    QFETCH(Index, points);
    QFETCH(bool, logarithmic);
    const auto axis = integer_axis(first, last, points, logarithmic);
    QVERIFY2(axis.size() <= static_cast<std::size_t>(points), qPrintable(QString::number(axis.size())));
    QCOMPARE(axis.front(), static_cast<double>(first));
    QCOMPARE(axis.back(), static_cast<double>(last));
    for (const double x : axis) QVERIFY2(x == std::trunc(x), qPrintable(QString::number(x)));
    QVERIFY(std::ranges::adjacent_find(axis, std::greater_equal<>()) == axis.end());
  }
};

VQSCOPE_TEST(CurveSetTest)
#include "curve_set_test.moc"
