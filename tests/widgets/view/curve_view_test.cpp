// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve_view.h"

#include "tests/support/test_main.h"
#include "tests/widgets/view/shown_curve_view.h"
#include "widgets/theme/palette.h"
#include "widgets/view/curve/curve_drag.h"
#include "widgets/view/curve/curve_table.h"
#include "widgets/view/view_header.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QToolButton>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

class CurveViewTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  /// Numbers under a mouse that rests are those of the curves on the screen.
  void theReadoutFollowsNewCurves() {
    ShownCurveView s;
    CurveSet set = ShownCurveView::line();
    s.show(set);
    moveMouse(s.plot, s.at(40));
    QVERIFY(!s.readouts.empty() && s.readouts.back());
    const std::size_t before = s.readouts.size();
    for (double& y : set.curves[0].y) y += 1000;
    s.show(set);
    QVERIFY(s.readouts.size() > before && s.readouts.back());
    QVERIFY(s.readouts.back()->facts != s.readouts[before - 1]->facts);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(s.plot, &leave);
    const std::size_t left = s.readouts.size();
    s.show(set);
    QCOMPARE(s.readouts.size(), left);  // nothing is read where no mouse is
  }

  void chosenAxesAreKeptAndEmitted() {
    ShownCurveView s;
    QSignalSpy chosen(&s.view, &CurveView::axesChosen);
    const Method& method = *find_method("t5_staircase");
    s.view.setMethod(method, default_values(method.parameters), CurveAxes{true, true});
    QTRY_VERIFY(!s.view.curves().x.empty());
    QCOMPARE(s.plot->xAxis->scaleType(), QCPAxis::stLogarithmic);
    QCOMPARE(s.plot->yAxis->scaleType(), QCPAxis::stLogarithmic);
    QCOMPARE(chosen.count(), 0);
    for (auto* action : s.view.actions())
      if (action->text() == "log x") action->trigger();
    QCOMPARE(chosen.count(), 1);
    QVERIFY((chosen[0][0].value<CurveAxes>() == CurveAxes{false, true}));
    QCOMPARE(s.plot->xAxis->scaleType(), QCPAxis::stLinear);
  }

  void theMouseReadsEveryCurve() {
    ShownCurveView s;
    s.show(ShownCurveView::line());
    moveMouse(s.plot, s.at(40));
    QVERIFY(!s.readouts.empty() && s.readouts.back());
    const CellReport report = *s.readouts.back();
    QCOMPARE(report.facts, (std::vector<std::pair<std::string, std::string>>{{"r", "40"}, {"double", "80"}}));
    QCOMPARE(report.why, std::string("y = 2 r"));
    moveMouse(s.plot, QPoint(1, 1));
    QVERIFY2(!s.readouts.back(), "there is nothing to read beside the axes");
  }

  void theWheelZoomsAndADoubleClickFits() {
    ShownCurveView s;
    s.show(ShownCurveView::line());
    const QCPRange all = s.plot->xAxis->range();
    wheel(s.plot, s.at(50), 3);
    QVERIFY(s.plot->xAxis->range().size() < all.size());
    QTest::mouseDClick(s.plot, Qt::LeftButton, {}, s.at(50));
    QCOMPARE(s.plot->xAxis->range(), all);
  }

  void newCurvesKeepAZoom() {
    ShownCurveView s;
    s.show(ShownCurveView::line());
    wheel(s.plot, s.at(50), 3);
    const QCPRange zoomed = s.plot->xAxis->range();
    CurveSet other = ShownCurveView::line();
    for (double& y : other.curves[0].y) y *= 3;
    s.show(other);
    QCOMPARE(s.plot->xAxis->range(), zoomed);
    s.view.fit();
    QVERIFY(s.plot->xAxis->range().contains(1) && s.plot->xAxis->range().contains(100));
  }

  void draggingPans() {
    ShownCurveView s;
    s.show(ShownCurveView::line());
    const QCPRange before = s.plot->xAxis->range();
    drag(s.plot, s.at(50), s.at(30));
    QVERIFY(s.plot->xAxis->range().lower > before.lower + 10);
    QVERIFY(std::abs(s.plot->xAxis->range().size() - before.size()) < 1e-6);
  }

  void logAxesCanBeChosen() {
    ShownCurveView s;
    s.show(ShownCurveView::line());
    QAction* logX = s.action("log x");
    QVERIFY(logX);
    QVERIFY(!logX->isChecked());
    logX->trigger();
    QCOMPARE(s.plot->xAxis->scaleType(), QCPAxis::stLogarithmic);
    logX->trigger();
    QCOMPARE(s.plot->xAxis->scaleType(), QCPAxis::stLinear);
  }

  void theNumbersAsATable() {
    ShownCurveView s;
    s.show(ShownCurveView::line());
    auto* button = s.view.header()->findChild<QToolButton*>();
    for (auto* each : s.view.header()->findChildren<QToolButton*>())
      if (each->toolTip() == "Table of the numbers") button = each;
    button->click();
    auto* table = s.view.findChild<CurveTable*>();
    QVERIFY(table && table->isVisible() && !s.plot->isVisible());
    QCOMPARE(table->model()->rowCount(), 100);
    CurveSet other = ShownCurveView::line();
    other.curves[0].y[0] = 7;
    s.show(other);
    QCOMPARE(table->model()->index(0, 1).data().toString(), QString("7"));
    button->click();
    QVERIFY(!table->isVisible() && s.plot->isVisible());
  }

  void categoriesHaveNamesAndNoLogarithm() {
    ShownCurveView s;
    CurveSet set{.x_name = "task", .x_title = "task", .y_title = "error", .formula = "measured"};
    set.x = {0, 1};
    set.x_names = {"fact", "copy"};
    set.curves = {{"full", {0, 0.5}}, {"window", {1, 0}}};
    s.show(set);
    QVERIFY(!s.action("log x")->isEnabled() && s.action("log y")->isEnabled());
    QCOMPARE(s.plot->xAxis->range().lower, -0.5);
    const auto names = s.plot->xAxis->ticker().dynamicCast<QCPAxisTickerText>();
    QVERIFY(names && names->ticks().value(1) == "copy");
    s.action("Table of the numbers")->trigger();
    QCOMPARE(s.view.findChild<CurveTable*>()->model()->index(1, 0).data().toString(), QString("copy"));
    s.action("Table of the numbers")->trigger();
    s.show(ShownCurveView::line());
    QVERIFY(s.action("log x")->isEnabled());
  }

  void emptyViewGivesNoReadout() {
    ShownCurveView s;
    moveMouse(s.plot, s.plot->rect().center());
    wheel(s.plot, s.plot->rect().center(), 1);
    QTest::mouseDClick(s.plot, Qt::LeftButton, {}, s.plot->rect().center());
    s.view.fit();
    for (const auto& readout : s.readouts) QVERIFY(!readout);
  }

  void wheelZoomsXAndWithShiftY() {
    ShownCurveView s;
    s.show(ShownCurveView::line());
    const auto turn = [&](Qt::KeyboardModifiers modifiers) {
      const QPointF at = s.plot->axisRect()->rect().center();
      QWheelEvent event(at, s.plot->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
      QApplication::sendEvent(s.plot, &event);
    };
    const QCPRange x = s.plot->xAxis->range();
    const QCPRange y = s.plot->yAxis->range();
    turn({});
    QVERIFY(s.plot->xAxis->range().size() < x.size());
    QCOMPARE(s.plot->yAxis->range(), y);
    const QCPRange zoomed = s.plot->xAxis->range();
    turn(Qt::ShiftModifier);
    QCOMPARE(s.plot->xAxis->range(), zoomed);
    QVERIFY(s.plot->yAxis->range().size() < y.size());
    s.view.fit();
    QCOMPARE(s.plot->xAxis->range(), x);
    turn(Qt::ControlModifier);
    QCOMPARE(s.plot->xAxis->range(), x);
  }

  /// The mouse on a curve, or on its name, lets the others fade.
  void theCurveUnderTheMouseIsLit() {
    ShownCurveView s;
    CurveSet set = ShownCurveView::line();
    set.curves.push_back({"negative", {}});
    for (const double y : set.curves[0].y) set.curves[1].y.push_back(-y);
    s.show(set);
    const auto alpha = [&](int graph) { return s.plot->graph(graph)->pen().color().alphaF(); };
    QVERIFY(alpha(0) > 0.9F && alpha(1) > 0.9F);
    const int x = qRound(s.plot->xAxis->coordToPixel(50));
    moveMouse(s.plot, {x, qRound(s.plot->yAxis->coordToPixel(100))});
    QVERIFY(alpha(0) > 0.9F && alpha(1) < 0.2F);
    moveMouse(s.plot, s.nameAt("negative"));
    QVERIFY(alpha(0) < 0.2F && alpha(1) > 0.9F);
    QCOMPARE(s.plot->cursor().shape(), Qt::PointingHandCursor);
    moveMouse(s.plot, {x, s.plot->axisRect()->rect().top() + 2});
    QVERIFY(alpha(0) > 0.9F && alpha(1) > 0.9F);
  }

  /// Shift drags a box that the axes then show.
  void aBoxIsZoomedInto() {
    ShownCurveView s;
    s.show(ShownCurveView::line());
    const QPoint from = s.at(20), to(s.at(60).x(), from.y() + 40);
    const double top = s.plot->yAxis->pixelToCoord(from.y());
    drag(s.plot, from, to, Qt::ShiftModifier);
    QVERIFY(std::fabs(s.plot->xAxis->range().lower - 20) < 1 && std::fabs(s.plot->xAxis->range().upper - 60) < 1);
    QVERIFY(std::fabs(s.plot->yAxis->range().upper - top) < 1e-6 * std::fabs(top) + 1e-6);
    const QCPRange zoomed = s.plot->xAxis->range();
    drag(s.plot, from, from + QPoint(2, 2), Qt::ShiftModifier);
    QCOMPARE(s.plot->xAxis->range(), zoomed);
    s.view.fit();
    const QCPRange whole = s.plot->xAxis->range();
    drag(s.plot, s.at(20), s.at(60), Qt::ControlModifier);
    QCOMPARE(s.plot->xAxis->range(), whole);
    const auto ruler = [&]() -> QString {
      for (int i = 0; i < s.plot->itemCount(); ++i)
        if (const auto* label = qobject_cast<QCPItemText*>(s.plot->item(i));
            label && label->visible() && label->text().startsWith(QStringLiteral("Δ")))
          return label->text();
      return {};
    };
    QCOMPARE(ruler(), QStringLiteral("Δx 40\nΔy 0"));
    s.show(ShownCurveView::line());
    QCOMPARE(ruler(), QStringLiteral("Δx 40\nΔy 0"));
    QTest::keyClick(&s.view, Qt::Key_Escape);
    QVERIFY(ruler().isEmpty());
  }

  void distancesAreSaid() {
    QCOMPARE(distanceWords("x", 1024, 4096, true, false), QStringLiteral("Δx 3072 (× 4)"));
    QCOMPARE(distanceWords("y", 3, 1.5, false, false), QStringLiteral("Δy −1.5"));
    QCOMPARE(distanceWords("y", 0, 3 * 1024, true, true), QStringLiteral("Δy 3 KiB"));
  }

  /// A click on a name in the legend hides its curve, and the others take the height.
  void theLegendHidesCurves() {
    ShownCurveView s;
    CurveSet set = ShownCurveView::line();
    set.curves.push_back({"hundredfold", {}});
    for (const double y : set.curves[0].y) set.curves[1].y.push_back(100 * y);
    s.show(set);
    const auto entry = [&](int graph) { return s.nameAt(s.plot->graph(graph)->name()); };
    QTest::mouseClick(s.plot, Qt::LeftButton, {}, entry(1));
    QVERIFY(!s.plot->graph(1)->visible() && s.plot->graph(0)->visible());
    QVERIFY(s.plot->yAxis->range().upper < 1000);
    s.show(set);
    QVERIFY2(!s.plot->graph(1)->visible(), "new values keep what is hidden");
    QTest::mouseClick(s.plot, Qt::LeftButton, {}, entry(1));
    QVERIFY(s.plot->graph(1)->visible());
    QVERIFY(s.plot->yAxis->range().upper > 10000);
  }

  void theMenuHasCurvesAndCopies() {
    ShownCurveView s;
    CurveSet set = ShownCurveView::line();
    set.curves.push_back({"other", set.curves[0].y});
    s.show(set);
    QContextMenuEvent event(QContextMenuEvent::Mouse, s.at(50), s.plot->mapToGlobal(s.at(50)));
    QApplication::sendEvent(s.plot, &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    QStringList titles;
    for (const auto* each : menu->actions()) titles << each->text();
    for (const char* title : {"Copy data", "Copy picture", "log x", "log y", "Fit", "Table of the numbers", "Curves"})
      QVERIFY2(titles.count(title) == 1, title);
    menu->close();
    s.action("Copy data")->trigger();
    QVERIFY(QApplication::clipboard()->text().startsWith("distance\tdouble\tother\n1\t2\t2\n2\t4\t4\n"));
  }

  void arrowKeysMoveTheReadout() {
    ShownCurveView s;
    s.show(ShownCurveView::line());
    moveMouse(s.plot, s.at(50));
    QTest::keyClick(&s.view, Qt::Key_Right);
    QCOMPARE(s.readouts.back()->facts[0].second, std::string("51"));
    QTest::keyClick(&s.view, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(s.readouts.back()->facts[0].second, std::string("41"));
    QTest::keyClick(&s.view, Qt::Key_Plus);
    QVERIFY(s.plot->xAxis->range().size() < 60);
  }
};

VQSCOPE_TEST(CurveViewTest)
#include "curve_view_test.moc"
