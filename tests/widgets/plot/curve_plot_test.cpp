// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve_plot.h"

#include "tests/support/test_main.h"
#include "tests/widgets/plot/shown_curves.h"
#include "widgets/plot/curve/curve_graph.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <set>

using namespace vqscope;
using namespace vqscope::test;

class CurvePlotTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void axesHaveTitlesAndHoldTheCurves() {
    ShownCurves s(curvesOf(2));
    QCOMPARE(s.plot.graphCount(), 2);
    QCOMPARE(s.plot.xAxis->label(), QString("relative distance r"));
    QCOMPARE(s.plot.yAxis->label(), QString("score"));
    QVERIFY(s.plot.xAxis->range().lower <= 0 && s.plot.xAxis->range().upper >= 100);
    QVERIFY(s.plot.yAxis->range().lower <= -20 && s.plot.yAxis->range().upper >= 180);
  }

  void titlesAreShortenedToFit() {
    CurveSet set = curvesOf(1);
    set.y_title = "a title that is much longer than a low plot is high";
    ShownCurves s(set);
    const auto shownIn = [&](int height) {
      s.plot.setViewport(QRect(0, 0, 500, height));
      for (int pass = 0; pass < 2; ++pass) s.plot.replot(QCustomPlot::rpImmediateRefresh);
      return s.plot.yAxis->label();
    };
    QVERIFY(shownIn(140).endsWith(QChar(0x2026)) && shownIn(140).startsWith("a t"));
    QCOMPARE(shownIn(800), QString::fromStdString(set.y_title));
    QCOMPARE(s.plot.xAxis->label(), QString("relative distance r"));
  }

  void longTitlesLoseWhatExplains() {
    const QFontMetrics metrics(figureStyle().text);
    const auto shown = [&](const char* title, const char* room) {
      return shortTitle(title, metrics, metrics.horizontalAdvance(room));
    };
    QCOMPARE(shown("error of the query's attention", "error of the query's attention"),
             QString("error of the query's attention"));
    QCOMPARE(shown("error of the query's attention", "error of the query"), QString("error"));
    QCOMPARE(shown("score of a token, B(r)", "score of a token, B"), QString("score of a token"));
    QCOMPARE(shown("distance (tokens)", "distance ("), QString("distance"));
    ShownCurves s([] {
      CurveSet set = curvesOf(1);
      set.y_title = "score of the distance to the query, the mean over all heads and layers";
      return set;
    }());
    s.plot.setViewport(QRect(0, 0, 500, 140));
    for (int pass = 0; pass < 2; ++pass) s.plot.replot(QCustomPlot::rpImmediateRefresh);
    QCOMPARE(s.plot.yAxis->label(), QString("score"));
    QVERIFY(s.curves.cutTextAt({3, 60}).endsWith("layers"));
    QVERIFY(s.curves.cutTextAt({250, 60}).isEmpty());
  }

  /// Curves that are still to come have no values at all.
  void curvesWithoutValuesNeedNoRoom() {
    CurveSet set = curvesOf(2);
    set.log_y = true;
    const double none = std::numeric_limits<double>::quiet_NaN();
    set.curves[1].y.assign(set.x.size(), none);
    ShownCurves s(set);
    QVERIFY(s.plot.yAxis->range().lower > 0 && s.plot.yAxis->range().contains(80));
    QCOMPARE(s.plot.legend->itemCount(), 2);
    set.curves[0].y = set.curves[1].y;
    s.curves.setCurves(set);
    s.plot.replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY(s.plot.yAxis->range().lower > 0 && std::isfinite(s.plot.yAxis->range().upper));
  }

  void logAxesFollowTheSetUntilToggled() {
    CurveSet set = curvesOf(1);
    set.log_x = true;
    ShownCurves s(set);
    QVERIFY(s.curves.logX() && !s.curves.logY());
    QVERIFY(s.isLog(s.plot.xAxis) && !s.isLog(s.plot.yAxis));
    s.curves.setLogAxes(false, true);
    QVERIFY(!s.isLog(s.plot.xAxis) && s.isLog(s.plot.yAxis));
    QVERIFY2(s.plot.yAxis->range().lower > 0, "a log axis shows what is above 0");
    // New values keep what a person chose.
    s.curves.setCurves(set);
    QVERIFY(!s.curves.logX() && s.curves.logY());
    s.curves.setLogAxes(true, false);
    QVERIFY(s.isLog(s.plot.xAxis) && s.plot.xAxis->range().lower > 0);
    QVERIFY(!s.isLog(s.plot.yAxis));
  }

  /// Within a fraction of a decade, labels still differ between ticks.
  void aLogAxisOfLittleRangeHasDifferentLabels() {
    CurveSet set = curvesOf(1);
    set.log_y = true;
    for (std::size_t i = 0; i < set.curves[0].y.size(); ++i) set.curves[0].y[i] = i % 2 == 0 ? 1.1e-7 : 1.3e-7;
    ShownCurves s(set);
    QVERIFY2(s.plot.yAxis->range().upper >= 10 * s.plot.yAxis->range().lower, "rounding is no effect");
    s.plot.yAxis->setRange(1.1e-7, 1.3e-7);
    s.plot.replot(QCustomPlot::rpImmediateRefresh);
    auto labels = s.plot.yAxis->tickVectorLabels();
    QVERIFY(labels.size() >= 3);
    std::ranges::sort(labels);
    QVERIFY(std::ranges::adjacent_find(labels) == labels.end());
  }

  void labelsOfANarrowLogAxisStayApart() {
    CurveSet set = curvesOf(1);
    for (double& x : set.x) x = std::pow(10, x / 18);  // to 360,000
    set.log_x = true;
    ShownCurves s(set);
    for (const int width : {110, 160, 240, 500}) {
      s.plot.setViewport(QRect(0, 0, width, 200));
      for (int pass = 0; pass < 2; ++pass) s.plot.replot(QCustomPlot::rpImmediateRefresh);
      const auto places = s.plot.xAxis->tickVector();
      const auto labels = s.plot.xAxis->tickVectorLabels();
      const QFontMetrics metrics(s.plot.xAxis->tickLabelFont());
      for (qsizetype i = 1; i < places.size(); ++i) {
        if (!s.plot.xAxis->range().contains(places[i - 1]) || !s.plot.xAxis->range().contains(places[i])) continue;
        const double apart = s.plot.xAxis->coordToPixel(places[i]) - s.plot.xAxis->coordToPixel(places[i - 1]);
        const int both = metrics.horizontalAdvance(labels[i]) + metrics.horizontalAdvance(labels[i - 1]);
        QVERIFY2(apart > both / 2.0, qPrintable(QStringLiteral("%1: %2").arg(width).arg(labels.join(' '))));
      }
    }
  }

  void logAxesOfNothingAboveZero() {
    CurveSet set = curvesOf(1);
    for (double& y : set.curves[0].y) y = -1;
    ShownCurves s(set);
    s.curves.setLogAxes(false, true);
    QVERIFY(std::isfinite(s.plot.yAxis->range().lower) && std::isfinite(s.plot.yAxis->range().upper));
    s.plot.replot(QCustomPlot::rpImmediateRefresh);
  }

  void aChosenRangeIsKept() {
    const CurveSet set = curvesOf(1);
    ShownCurves s(set);
    s.plot.xAxis->setRange(10, 20);
    s.curves.setCurves(set, true);
    QCOMPARE(s.plot.xAxis->range(), QCPRange(10, 20));
    s.curves.setCurves(set);
    QVERIFY(s.plot.xAxis->range().upper >= 100);
  }

  void nearestSampleOfALine() {
    CurveSet set;
    set.x = {1, 2, 4, 8};
    const auto nearest = [&](double x) { return static_cast<int>(nearestSample(set, x)); };
    QCOMPARE(nearest(-5), 0);
    QCOMPARE(nearest(1), 0);
    QCOMPARE(nearest(1.4), 0);
    QCOMPARE(nearest(1.6), 1);
    QCOMPARE(nearest(2.9), 1);
    QCOMPARE(nearest(3.1), 2);
    QCOMPARE(nearest(4), 2);
    QCOMPARE(nearest(1e9), 3);
  }

  /// A step holds from its x up to the next one.
  void nearestSampleOfSteps() {
    CurveSet set;
    set.steps = true;
    set.x = {1, 2, 4, 8};
    const auto nearest = [&](double x) { return static_cast<int>(nearestSample(set, x)); };
    QCOMPARE(nearest(0), 0);
    QCOMPARE(nearest(1.9), 0);
    QCOMPARE(nearest(2), 1);
    QCOMPARE(nearest(3.9), 1);
    QCOMPARE(nearest(7.9), 2);
    QCOMPARE(nearest(8), 3);
    QCOMPARE(nearest(100), 3);
    ShownCurves s(curvesOf(1));
    QCOMPARE(s.plot.graph(0)->lineStyle(), QCPGraph::lsLine);
    CurveSet stairs = curvesOf(1);
    stairs.steps = true;
    s.curves.setCurves(stairs);
    QCOMPARE(s.plot.graph(0)->lineStyle(), QCPGraph::lsStepLeft);
  }

  /// Curves that swing from sample to sample would cover each other: their means stand before them.
  void swingingCurvesHaveMeans() {
    CurveSet set{.x_name = "r", .x_title = "r", .y_title = "score"};
    set.curves = {{"a", {}}, {"b", {}}};
    for (int x = 0; x < 1024; ++x) {
      set.x.push_back(x);
      set.curves[0].y.push_back(x % 2 == 0 ? 5 : 1);
      set.curves[1].y.push_back(x % 2 == 0 ? 9 : -1);
    }
    ShownCurves s(set);
    QCOMPARE(s.plot.graphCount(), 4);
    QVERIFY(std::fabs(s.plot.graph(2)->data()->at(500)->value - 3) < 0.3);
    QVERIFY(s.plot.graph(0)->pen().color().alphaF() < 0.4F && s.plot.graph(2)->pen().color().alphaF() > 0.9F);
    s.curves.setHidden(0, true);
    QVERIFY(!s.plot.graph(2)->visible());
    for (double& y : set.curves[1].y) y += 20;  // beside the other
    s.curves.setCurves(set);
    QCOMPARE(s.plot.graphCount(), 2);
    set.curves.pop_back();
    s.curves.setCurves(set);
    QCOMPARE(s.plot.graphCount(), 1);
  }

  /// Points at powers of two have their ticks there.
  void pointsAreLabelled() {
    CurveSet set{.x_name = "S", .x_title = "codewords", .y_title = "error", .log_x = true};
    set.curves = {{"a", {}}};
    for (int x = 1; x <= 256; x *= 2) {
      set.x.push_back(x);
      set.curves[0].y.push_back(1.0 / x);
    }
    ShownCurves s(set);
    const auto ticks = s.plot.xAxis->tickVectorLabels();
    QVERIFY2(ticks.contains("64") && ticks.contains("256") && !ticks.contains("10") && !ticks.contains("100"),
             qPrintable(ticks.join(' ')));
  }

  void bytesAreInBinaryUnits() {
    CurveSet set{.x_name = "T", .x_title = "T", .y_title = "bytes of the KV cache", .log_x = true, .log_y = true};
    set.curves = {{"cache", {}}};
    for (int x = 64; x <= 1 << 20; x *= 2) {
      set.x.push_back(x);
      set.curves[0].y.push_back(x * 131072.0);
    }
    ShownCurves s(set);
    const auto logarithmic = s.plot.yAxis->tickVectorLabels();
    QVERIFY2(logarithmic.contains("1 GiB"), qPrintable(logarithmic.join(' ')));
    s.curves.setLogAxes(false, false);
    s.plot.replot(QCustomPlot::rpImmediateRefresh);
    const auto linear = s.plot.yAxis->tickVectorLabels();
    QVERIFY2(linear.contains("100 GiB") && linear.contains("0"), qPrintable(linear.join(' ')));
  }

  void aSingleSampleIsADot() {
    CurveSet set = curvesOf(1);
    set.x = {3};
    set.curves[0].y = {5};
    ShownCurves s(set);
    QVERIFY(!s.plot.graph(0)->scatterStyle().isNone());
    s.curves.setCurves(curvesOf(1));
    QVERIFY(s.plot.graph(0)->scatterStyle().isNone());
  }

  void marksLevelsAndSegmentsAreLabelled() {
    CurveSet set = curvesOf(1);
    set.marks = {{30, "clamp"}};
    set.levels = {{100, "limit"}};
    set.segments = {{0, 8, "exact"}, {8, 100, "logarithmic"}};
    ShownCurves s(set);
    QStringList labels;
    int lines = 0;
    for (int i = 0; i < s.plot.itemCount(); ++i) {
      if (const auto* label = qobject_cast<QCPItemText*>(s.plot.item(i))) labels << label->text();
      if (qobject_cast<QCPItemStraightLine*>(s.plot.item(i))) ++lines;
    }
    labels.sort();
    QCOMPARE(labels, (QStringList{"clamp", "exact", "limit", "logarithmic"}));
    QCOMPARE(lines, 3);
    s.curves.setCurves(curvesOf(1));
    QCOMPARE(s.plot.itemCount(), 0);
  }

  /// In a small plot, labels are cut or hidden: none is beyond the axes or over another.
  void labelsOfASmallPlotStayApart() {
    CurveSet set = curvesOf(1);
    set.marks = {{30, "the first clamp"}, {90, "no wavelength is longer"}};
    set.levels = {{100, "training length"}, {95, "limit"}};
    set.segments = {{0, 8, "exact half"}, {8, 100, "logarithmic half"}};
    ShownCurves s(set);
    for (const int width : {120, 150, 200, 300, 600}) {
      s.plot.setViewport(QRect(0, 0, width, 140));
      s.plot.replot();
      QList<QRectF> places;
      for (int i = 0; i < s.plot.itemCount(); ++i) {
        const auto* label = qobject_cast<QCPItemText*>(s.plot.item(i));
        if (!label || !label->visible()) continue;
        const QRectF place(label->topLeft->pixelPosition(), label->bottomRight->pixelPosition());
        QCOMPARE(label->layer()->name(), QString("legend"));  // no line strikes it through
        QVERIFY2(s.plot.axisRect()->rect().adjusted(-2, -2, 2, 40).contains(place.toRect()), qPrintable(label->text()));
        for (const QRectF& other : places)
          QVERIFY2(!other.adjusted(1, 1, -1, -1).intersects(place.adjusted(1, 1, -1, -1)), qPrintable(label->text()));
        places.append(place);
      }
      QVERIFY(width < 200 || places.size() >= 3);
    }
  }

  /// Not numbers of a range that nothing has.
  void emptyCurvesHaveNoAxes() {
    ShownCurves s(CurveSet{});
    for (const QCPAxis* axis : {s.plot.xAxis, s.plot.yAxis}) QVERIFY(!axis->realVisibility());
    s.curves.setCurves(curvesOf(1));
    for (const QCPAxis* axis : {s.plot.xAxis, s.plot.yAxis}) QVERIFY(axis->realVisibility());
  }

  void emptyCurvesAndGapsHaveFiniteAxes() {
    ShownCurves s({});
    QCOMPARE(s.plot.graphCount(), 0);
    CurveSet set = curvesOf(2);
    for (double& y : set.curves[0].y) y = std::numeric_limits<double>::quiet_NaN();
    s.curves.setCurves(set);
    s.plot.replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY(std::isfinite(s.plot.yAxis->range().lower) && std::isfinite(s.plot.yAxis->range().upper));
  }

  void oneSampleHasARange() {
    CurveSet set{.x = {5}, .curves = {{"a", {7}}}};
    ShownCurves s(set);
    QVERIFY(s.plot.xAxis->range().contains(5) && s.plot.xAxis->range().size() > 0);
    QVERIFY(s.plot.yAxis->range().contains(7) && s.plot.yAxis->range().size() > 0);
  }

  void titleAboveKeepsTheLegendLine() {
    ShownCurves s(curvesOf(3));
    s.plot.plotLayout()->insertRow(0);
    s.plot.plotLayout()->addElement(0, 0, new QCPTextElement(&s.plot, "title"));
    for (int pass = 0; pass < 2; ++pass) s.plot.replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY2(s.plot.axisRect()->height() > 250, qPrintable(QString::number(s.plot.axisRect()->height())));
  }

  void publishedValuesHaveMarkersAndAnAxisOfTheirOwn() {
    CurveSet set = curvesOf(1);
    set.published = Published{"a paper", "perplexity", 50, {{"theirs", {20, 300}, {18, 373}}}};
    ShownCurves s(set);
    QCOMPARE(s.plot.graphCount(), 2);
    QVERIFY(s.plot.graph(0)->scatterStyle().isNone());
    QVERIFY(!s.plot.graph(1)->scatterStyle().isNone());
    QCOMPARE(s.plot.graph(1)->valueAxis(), s.plot.yAxis2);
    QVERIFY(s.plot.yAxis2->visible() && s.isLog(s.plot.yAxis2));
    QCOMPARE(s.plot.yAxis2->label(), QString("perplexity"));
    QVERIFY2(s.plot.xAxis->range().upper >= 300, "its x are in view");
    QVERIFY2(s.plot.yAxis->range().upper < 100, "its y are not on the computed axis");
    QVERIFY2(s.plot.legend->visible(), "one curve alone has none");
    s.curves.setCurves(curvesOf(1));
    QVERIFY(!s.plot.yAxis2->visible());
    QCOMPARE(s.plot.graphCount(), 1);
  }

  void shortLogAxesHaveTicksBetweenPowersOfTen() {
    CurveSet set{.x_name = "T", .x_title = "T", .y_title = "seconds", .log_x = true, .log_y = true};
    for (int i = 0; i <= 50; ++i) {
      set.x.push_back(100 + 40 * i);
      set.curves.resize(1);
      set.curves[0].y.push_back(1e-5 * (1 + i));
    }
    ShownCurves s(set);
    QCOMPARE(s.plot.xAxis->tickVectorLabels().filter("1000").size(), 1);
    const auto labels = s.plot.yAxis->tickVectorLabels();
    QVERIFY2(labels.contains("2e-5"), qPrintable(labels.join(' ')));
    QCOMPARE(QSet<QString>(labels.begin(), labels.end()).size(), labels.size());
  }
};

VQSCOPE_TEST(CurvePlotTest)
#include "curve_plot_test.moc"
