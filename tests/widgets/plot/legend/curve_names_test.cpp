// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"
#include "tests/widgets/plot/shown_curves.h"
#include "widgets/parts/text.h"
#include "widgets/plot/curve/end_labels.h"
#include "widgets/plot/legend/curve_legend_item.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

using namespace vqscope;
using namespace vqscope::test;

/// Names of curves: at their ends, in the legend, or in cells of their own.
class CurveNamesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void oneCurveNeedsNoLegend() {
    ShownCurves s(curvesOf(1));
    QVERIFY(!s.plot.legend->visible());
    s.curves.setMultiples(false);
    s.curves.setCurves(curvesOf(9));
    s.plot.replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY(s.plot.legend->visible());
    QVERIFY(s.plot.legend->itemCount() >= 9);  // cells of a grid, of which some can be empty
  }

  /// Up to eight curves have their names at their ends, apart from each other; a small plot has a
  /// legend instead.
  void namesStandAtTheEnds() {
    ShownCurves s(curvesOf(8));
    const auto labels = [&] {
      QList<QCPItemText*> all;
      for (int i = 0; i < s.plot.itemCount(); ++i)
        if (auto* label = qobject_cast<QCPItemText*>(s.plot.item(i)); label && label->visible()) all << label;
      return all;
    };
    for (int pass = 0; pass < 2; ++pass) s.plot.replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY(!s.plot.legend->visible());
    QCOMPARE(labels().size(), 8);
    const QRect rect = s.plot.axisRect()->rect();
    for (int i = 0; i < 8; ++i) {
      const QPointF at = labels()[i]->position->pixelPosition();
      QVERIFY(at.x() > rect.right() && at.y() >= rect.top() && at.y() <= rect.bottom() + 1);
      QCOMPARE(labels()[i]->color(), s.plot.graph(i)->pen().color());
      if (i > 0) QVERIFY(labels()[i - 1]->position->pixelPosition().y() - at.y() > 10);
      QCOMPARE(s.curves.curveInLegend(at + QPointF(4, 0)), std::optional(static_cast<std::size_t>(i)));
    }
    s.plot.setViewport(QRect(0, 0, 260, 300));
    for (int pass = 0; pass < 2; ++pass) s.plot.replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY(s.plot.legend->visible() && labels().isEmpty());
    s.curves.setNamed(false);
    s.plot.replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY(!s.plot.legend->visible() && labels().isEmpty());
  }

  void placesOfNames() {
    QCOMPARE(placesApart({10, 50, 90}, 10, 0, 100), (std::vector<double>{10, 50, 90}));
    QCOMPARE(placesApart({50, 50}, 10, 0, 100), (std::vector<double>{45, 55}));
    QCOMPARE(placesApart({100, 100, 0}, 10, 0, 100), (std::vector<double>{90, 100, 0}));
    for (int i = 0; i < 100; ++i) {
      std::vector<double> wanted;
      for (int k = 0; k < 8; ++k) wanted.push_back((i * 37 + k * k * 11) % 100);
      auto places = placesApart(wanted, 10, 0, 100);
      std::ranges::sort(places);
      for (std::size_t k = 1; k < places.size(); ++k) QVERIFY(places[k] - places[k - 1] > 10 - 1e-9);
      QVERIFY(places.front() >= 0 && places.back() <= 100);
    }
  }

  /// Nine curves: eight colours, and grey. With one hidden, the grey one gets a colour.
  void atMostEightColours() {
    ShownCurves s(curvesOf(9));
    const auto colour = [&](int graph) { return s.plot.graph(graph)->pen().color(); };
    QVERIFY2(colour(8).saturation() < 80, qPrintable(colour(8).name()));
    QVERIFY(colour(7).saturation() >= 80);
    s.curves.setHidden(0, true);
    QVERIFY(colour(8).saturation() >= 80);
  }

  /// Nine curves or more, where there is room: each has a cell with its name, and the axes are those
  /// of the cells.
  void manyCurvesAreSmallMultiples() {
    CurveSet set = curvesOf(9);
    set.marks = {{50, "trained"}};
    ShownCurves s(set);
    const auto replot = [&](int width, int height) {
      s.plot.setViewport(QRect(0, 0, width, height));
      for (int pass = 0; pass < 2; ++pass) s.plot.replot(QCustomPlot::rpImmediateRefresh);
    };
    replot(600, 400);
    QVERIFY(s.curves.isMany() && s.curves.hasMultiples());
    QVERIFY(!s.plot.axisRect()->visible() && !s.plot.legend->visible());
    for (int i = 0; i < s.plot.itemCount(); ++i) QVERIFY(!s.plot.item(i)->visible());
    std::set<std::size_t> found;
    double leastX = 1e9, mostX = -1e9;
    for (int x = 0; x < 600; x += 4)
      for (int y = 0; y < 400; y += 4) {
        const auto curve = s.curves.curveAt(QPointF(x, y));
        QCOMPARE(curve.has_value(), s.curves.xAt(QPointF(x, y)).has_value());
        if (!curve) continue;
        found.insert(*curve);
        leastX = std::min(leastX, *s.curves.xAt(QPointF(x, y)));
        mostX = std::max(mostX, *s.curves.xAt(QPointF(x, y)));
      }
    QCOMPARE(found.size(), std::size_t{9});
    QVERIFY(leastX < 3 && mostX > 97 && leastX > -10 && mostX < 110);
    QVERIFY(s.curves.setSample(20) && !s.curves.setSample(20));
    replot(300, 120);
    QVERIFY2(!s.curves.hasMultiples() && s.plot.axisRect()->visible(), "no room");
    replot(600, 400);
    s.curves.setHidden(3, true);
    replot(600, 400);
    QVERIFY2(!s.curves.hasMultiples(), "eight have colours");
    s.curves.showAll();
    CurveSet gaps = set;  // few samples have dots, and a gap has none
    gaps.x.resize(10);
    for (Curve& curve : gaps.curves) curve.y = {1, no_value, 3, 4, no_value, 6, 7, 8, 9, 10};
    s.curves.setCurves(gaps);
    s.curves.setSample(1);
    replot(600, 400);
    QVERIFY(s.curves.hasMultiples());
    CurveSet points = set;
    for (Curve& curve : points.curves) std::fill(curve.y.begin() + 1, curve.y.end(), no_value);
    s.curves.setCurves(points);
    QVERIFY2(!s.curves.isMany(), "points are no tangle");
    s.curves.setCurves(set);
    s.curves.setMultiples(false);
    replot(600, 400);
    QVERIFY(s.curves.isMany() && !s.curves.hasMultiples() && s.plot.axisRect()->visible());
  }

  void aLitCurveLetsTheOthersFade() {
    ShownCurves s(curvesOf(3));
    s.curves.setLit(1);
    const auto alpha = [&](int graph) { return s.plot.graph(graph)->pen().color().alphaF(); };
    QVERIFY(alpha(0) < 0.2F && alpha(1) > 0.9F && alpha(2) < 0.2F);
    s.curves.setCurves(curvesOf(3));
    QVERIFY(alpha(0) > 0.9F);
    const QPointF at(s.plot.xAxis->coordToPixel(60), s.plot.yAxis->coordToPixel(2 * 60 - 20));
    QCOMPARE(s.curves.curveAt(at), std::optional(std::size_t{1}));
    QVERIFY(!s.curves.curveAt({s.plot.xAxis->coordToPixel(10), s.plot.yAxis->coordToPixel(200)}));
  }

  /// It stands above the plot, in as many lines as it takes, and leaves no room behind when it is
  /// not needed.
  void legendDoesNotCoverCurves() {
    ShownCurves s(curvesOf(9));
    s.curves.setMultiples(false);
    const auto plotTop = [&] { return s.plot.axisRect()->rect().top(); };
    for (const int width : {700, 260, 120}) {
      s.plot.setViewport(QRect(0, 0, width, 300));
      for (int pass = 0; pass < 2; ++pass) s.plot.replot(QCustomPlot::rpImmediateRefresh);
      QVERIFY(s.plot.legend->rect().bottom() <= plotTop());
      QVERIFY(s.plot.legend->rect().height() < 150);
      QVERIFY2(s.plot.legend->rect().right() <= width, qPrintable(QString::number(width)));
    }
    s.plot.setViewport(QRect(0, 0, 120, 110));
    for (int pass = 0; pass < 2; ++pass) s.plot.replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY2(!s.plot.legend->visible(), "no legend without room for curves");
    QVERIFY2(plotTop() < 32, qPrintable(QString::number(plotTop())));
    s.curves.setCurves(curvesOf(1));
    for (int pass = 0; pass < 2; ++pass) s.plot.replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY2(plotTop() < 32, qPrintable(QString::number(plotTop())));
  }

  void aNameThatIsLongerThanThePlotIsCutInTheLegend() {
    CurveSet set = curvesOf(2);
    set.curves[1].name = "a name that is much longer than a small figure is wide";
    ShownCurves s(set);
    s.plot.setViewport(QRect(0, 0, 120, 300));
    for (int pass = 0; pass < 2; ++pass) s.plot.replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY(s.plot.legend->visible());
    const auto item = [&](int curve) {
      return qobject_cast<CurveLegendItem*>(s.plot.legend->itemWithPlottable(s.plot.graph(curve)));
    };
    QCOMPARE(item(0)->shownName(), QString("curve 0"));
    QVERIFY2(item(1)->shownName().endsWith(QChar(0x2026)), qPrintable(item(1)->shownName()));
    QVERIFY2(item(1)->rect().left() < 20, "it begins before the axis");
    s.curves.setTitles("x", "a title that is longer than the axis is high, and would reach the legend");
    s.plot.replot(QCustomPlot::rpImmediateRefresh);
    const int half = QFontMetrics(s.plot.yAxis->labelFont()).horizontalAdvance(s.plot.yAxis->label()) / 2;
    QVERIFY(s.plot.axisRect()->center().y() - half >= s.plot.legend->outerRect().bottom());
    const auto textAt = [&](int curve) {
      return s.curves.cutTextAt(QRectF(item(curve)->rect()).topLeft() + QPointF(4, 4));
    };
    QCOMPARE(textAt(0), QString());
    QCOMPARE(textAt(1), text(set.curves[1].name));
  }

  /// Two lines with a band each: the legend has the lines, and edges have their line's colour.
  void bandsOfSeveralLines() {
    CurveSet set = curvesOf(6);
    set.bands = {{0, 1, 2}, {3, 4, 5}};
    ShownCurves s(set);
    QCOMPARE(s.plot.legend->itemCount(), 2);
    QCOMPARE(s.plot.graph(5)->channelFillGraph(), s.plot.graph(4));
    QColor fill = s.plot.graph(5)->brush().color();
    QVERIFY(fill.alphaF() < 0.3F);
    fill.setAlphaF(1);
    QCOMPARE(fill, s.plot.graph(3)->pen().color());
    QVERIFY(s.plot.graph(0)->pen().color() != s.plot.graph(3)->pen().color());
  }

  void aBandHidesTheLegend() {
    CurveSet set = curvesOf(3);
    set.bands = {{0, 1, 2}};
    ShownCurves s(set);
    QVERIFY(!s.plot.legend->visible());
    QCOMPARE(s.plot.graph(2)->channelFillGraph(), s.plot.graph(1));
    QVERIFY(s.plot.graph(2)->brush().style() != Qt::NoBrush);
    QCOMPARE(s.plot.graph(1)->pen().style(), Qt::NoPen);
    QVERIFY(s.plot.graph(0)->pen().style() != Qt::NoPen);
  }
};

VQSCOPE_TEST(CurveNamesTest)
#include "curve_names_test.moc"
