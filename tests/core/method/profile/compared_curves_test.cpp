// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/profile/compared_curves.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

class ComparedCurvesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void steps_keep_their_value() {
    const CurveSet a{.steps = true, .x = {0, 4}, .curves = {{"value", {1, 0}}}};
    const CurveSet b{.steps = true, .x = {0, 2, 4}, .curves = {{"value", {0, 1, 1}}}};
    const CurveSet both = curves_of_both(a, b);
    QCOMPARE(both.x, (std::vector<double>{0, 2, 4}));
    QCOMPARE(both.curves[0].name, std::string("A"));
    QCOMPARE(both.curves[0].y, (std::vector<double>{1, 1, 0}));
    QCOMPARE(both.curves[1].y, (std::vector<double>{0, 1, 1}));
  }

  void others_are_joined() {
    const CurveSet a{.x = {0, 4}, .curves = {{"mean", {1, 5}}, {"max", {2, 6}}}, .bands = {{0, 0, 1}}};
    const CurveSet b{.x = {1, 6}, .curves = {{"mean", {0, 10}}}};
    const CurveSet both = curves_of_both(a, b);
    QCOMPARE(both.x, (std::vector<double>{0, 1, 4, 6}));
    QCOMPARE(both.curves[1].name, std::string("A max"));
    QCOMPARE(both.curves[0].y[1], 2.0);
    QVERIFY(std::isnan(both.curves[0].y[3]) && std::isnan(both.curves[2].y[0]));
    QCOMPARE(both.curves[2].y[2], 6.0);
    QCOMPARE(both.bands, (std::vector<CurveBand>{{0, 0, 1}}));
  }
};

VQSCOPE_TEST(ComparedCurvesTest)
#include "compared_curves_test.moc"
