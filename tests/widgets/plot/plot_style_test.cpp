// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/plot_style.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

namespace {

/// Distance of two colours, by the weights of the eye in "redmean": black and white are 765 apart.
double apart(const QColor& a, const QColor& b) {
  const double mean = (a.red() + b.red()) / 2.0;
  const double r = a.red() - b.red(), g = a.green() - b.green(), blue = a.blue() - b.blue();
  return std::sqrt((2 + mean / 256) * r * r + 4 * g * g + (2 + (255 - mean) / 256) * blue * blue);
}

}  // namespace

class PlotStyleTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void coloursOfCurvesDoNotRepeat() {
    for (const Theme theme : {Theme::light, Theme::dark}) {
      const Palette& colours = palette(theme);
      for (int i = 0; i < mostCurveColours; ++i) {
        const QColor own = curveStyle(i, colours).colour;
        QVERIFY2(apart(own, colours.panel) > 100, qPrintable(QString("curve %1 on the panel").arg(i)));
        for (int j = 0; j < i; ++j) {
          const double distance = apart(own, curveStyle(j, colours).colour);
          QVERIFY2(distance > 24, qPrintable(QString("%1 and %2: %3").arg(i).arg(j).arg(distance)));
        }
      }
    }
  }

  void neighboursHaveOtherDashes() {
    for (int i = 1; i < mostCurveColours; ++i)
      QVERIFY(i % 12 == 0 ||
              curveStyle(i, palette(Theme::light)).dash != curveStyle(i - 1, palette(Theme::light)).dash);
  }
};

VQSCOPE_TEST(PlotStyleTest)
#include "plot_style_test.moc"
