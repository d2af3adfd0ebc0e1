// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/figure/figure_spec.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class FigureSpecTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// 25.4 mm are 96 px.
  void sides() {
    QCOMPARE(parse_figure_side("25.4mm"), std::optional(96.0));
    QCOMPARE(parse_figure_side(" 600px "), std::optional(600.0));
    QCOMPARE(parse_figure_side("600"), std::optional(600.0));
    QCOMPARE(parse_figure_side("one column"), std::optional(figure_points(84)));
    QCOMPARE(parse_figure_side("two-columns"), std::optional(figure_points(174)));
    for (const char* text : {"", "mm", "84cm", "inf", "nan", "column"}) QVERIFY2(!parse_figure_side(text), text);
    QCOMPARE(figure_side_text(96), std::string("96px (25.4mm)"));
  }

  void boundsAreChecked() {
    QVERIFY(check_figure({}));
    COMPARE_ERROR(check_figure({.width = 10}),
                  "width of the figure is 10px, must be from 76px (20.11mm) to 4096px (1084mm)");
    COMPARE_ERROR(check_figure({.dpi = 7}), "dpi of the figure is 7, must be an integer from 36 to 1200");
    COMPARE_ERROR(check_figure({.font_size = 100}), "font size of the figure is 100, must be from 4 to 72 points");
  }

  /// 9 points unless the panel is small, and never below 7 by itself.
  void textFollowsSmallPanels() {
    QCOMPARE(figure_scale({}, 800, 640), 1.0);
    QCOMPARE(figure_scale({}, 240, 240), 1.0);
    QCOMPARE(figure_scale({}, 317, 216), 0.9);
    QCOMPARE(figure_scale({}, 317, 100), 7.0 / 9);
    QCOMPARE(figure_scale({.font_size = 4.5}, 317, 100), 0.5);
  }
};

VQSCOPE_TEST(FigureSpecTest)
#include "figure_spec_test.moc"
