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
                  "width of the figure is 10px but must be from 76px (20.11mm) to 4096px (1084mm)");
    COMPARE_ERROR(check_figure({.dpi = 7}), "dpi of the figure is 7 but must be an integer from 36 to 1200");
    COMPARE_ERROR(check_figure({.rows = 7}), "grid of the figure is 7x0 but must be from 1x1 to 6x6");
    COMPARE_ERROR(check_figure({.font_size = 100}), "font size of the figure is 100 but must be from 4 to 72 points");
  }

  void grids() {
    const auto of = [](std::size_t panels, int rows = 0, int cols = 0) {
      return *figure_grid({.rows = rows, .cols = cols}, panels);
    };
    QCOMPARE(of(1), (FigureGrid{1, 1}));
    QCOMPARE(of(3), (FigureGrid{1, 3}));
    QCOMPARE(of(4), (FigureGrid{2, 2}));
    QCOMPARE(of(5), (FigureGrid{2, 3}));
    QCOMPARE(of(4, 1), (FigureGrid{1, 4}));
    QCOMPARE(of(3, 0, 1), (FigureGrid{3, 1}));
    COMPARE_ERROR(figure_grid({.rows = 1, .cols = 2}, 3),
                  "the grid of 1x2 has no place for 3 panels; a grid has at most 6x6");
    COMPARE_ERROR(
        figure_grid({.width = 96, .height = 96}, 4),
        "each panel of the grid of 2x2 has 48px (12.7mm) × 48px (12.7mm) but must have at least 60px (15.88mm) on "
        "each side");
    COMPARE_ERROR(figure_grid({}, 37), "the grid of 6x7 has no place for 37 panels; a grid has at most 6x6");
    QCOMPARE(suggested_figure_height(1800, {1, 3}), 480.0);
    QCOMPARE(suggested_figure_height(800, {1, 1}), 640.0);
    QCOMPARE(suggested_figure_height(300, {1, 3}), 170.0);
  }

  void presetsHaveNamesOfTheirOwn() {
    const std::vector<FigurePreset> same{{"a", {}}, {"a", {}}};
    COMPARE_ERROR(check_presets(same), "two presets have the name a");
    const std::vector<FigurePreset> unnamed{{"", {}}};
    COMPARE_ERROR(check_presets(unnamed), "the name of a preset has 0 bytes but must have 1 to 80");
    const std::vector<FigurePreset> invalid{{"a", {.dpi = 7}}};
    COMPARE_ERROR(check_presets(invalid), "dpi of the figure is 7 but must be an integer from 36 to 1200");
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
