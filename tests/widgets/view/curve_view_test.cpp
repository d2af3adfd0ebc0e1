// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve_view.h"

#include "tests/support/test_main.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/theme/palette.h"
#include "widgets/view/curve/curve_drag.h"
#include "widgets/view/curve/curve_table.h"
#include "widgets/view/overlay.h"
#include "widgets/view/view_header.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <cmath>
#include <semaphore>

using namespace vqscope;
using namespace vqscope::test;

namespace {

CurveSet line() {
  CurveSet set{.x_name = "r", .x_title = "distance", .y_title = "score", .formula = "y = 2 r"};
  Curve curve{"double", {}};
  for (int x = 1; x <= 100; ++x) {
    set.x.push_back(x);
    curve.y.push_back(2 * x);
  }
  set.curves = {curve};
  return set;
}

struct Shown {
  CurveView view;
  QCustomPlot* plot = view.findChild<QCustomPlot*>();
  std::vector<std::optional<CellReport>> readouts;

  Shown() {
    QObject::connect(&view, &CurveView::readoutChanged, &view,
                     [this](const auto& report) { readouts.push_back(report); });
    view.resize(500, 400);
    view.show();
  }
  void show(const CurveSet& set) {
    view.setCurves("Title", "subtitle", set);
    plot->replot(QCustomPlot::rpImmediateRefresh);
  }
  QPoint at(double x) const { return {qRound(plot->xAxis->coordToPixel(x)), plot->axisRect()->rect().center().y()}; }
  /// A point of the name at the end of a curve.
  QPoint nameAt(const QString& name) const {
    plot->replot(QCustomPlot::rpImmediateRefresh);
    for (int i = 0; i < plot->itemCount(); ++i)
      if (const auto* label = qobject_cast<QCPItemText*>(plot->item(i)); label && label->text() == name)
        return (label->position->pixelPosition() + QPointF(6, 0)).toPoint();
    return {-1, -1};
  }
  QAction* action(const QString& text) const {
    for (QAction* each : view.actions())
      if (each->text() == text) return each;
    return nullptr;
  }
};

/// Curves that report two of their three points and then wait for a release.
struct Slow {
  std::binary_semaphore reported{0};
  std::binary_semaphore go{0};
  bool fails = false;
  bool cancels = false;  ///< when it is let go on
  Method method{.id = "slow", .title = "Slow", .category = "curves", .recipe = CurveRecipe{}};

  ~Slow() { FieldScheduler::waitForAll(10'000); }
  Slow() {
    std::get<CurveRecipe>(method.recipe).make = [this](const ParameterValues&, const Work& work) -> Result<CurveSet> {
      CurveSet set{.x_name = "x", .log_y = true, .x = {1, 2, 3}, .curves = {{"a", {}}, {"b", {}}}};
      for (const double y : {0.5, 0.25}) {
        set.curves[0].y.push_back(y);
        work.partial(set);
      }
      reported.release();
      go.acquire();
      if (fails) return invalid("no");
      if (cancels) return cancelled();
      set.curves[0].y.push_back(0.125);
      set.curves[1].y = {3, 2, 1};
      return set;
    };
  }
};

QString badgeOf(const CurveView& view) {
  for (const auto* label : view.findChildren<QLabel*>())
    if (label->property("class") == "badge") return label->text();
  return {};
}

}  // namespace

class CurveViewTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Partial curves stay when a computation is finished early, and are marked; the next one
  /// restarts.
  void finishKeepsPartialCurves() {
    Shown s;
    Slow slow;
    slow.cancels = true;
    QSignalSpy finished(&s.view, &CurveView::finished);
    s.view.setMethod(slow.method, {});
    slow.reported.acquire();
    s.view.finish();
    slow.go.release();
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY(s.view.isStopped() && !s.view.hasNothingNew());
    QCOMPARE(s.view.curves().curves[0].y[1], 0.25);
    QCOMPARE(badgeOf(s.view), QString("stopped"));
    s.view.setMethod(*find_method("t5_staircase"), default_values(find_method("t5_staircase")->parameters));
    QTRY_COMPARE(finished.count(), 2);
    QVERIFY(!s.view.isStopped());
    QCOMPARE(badgeOf(s.view), QString("exact"));
  }

  /// An export waits for the curves that the view is computing; nobody waits for dropped work.
  void curvesThatAreComing() {
    Shown s;
    Slow slow, other;
    s.view.setMethod(slow.method, {});
    slow.reported.acquire();
    QVERIFY(!s.view.computationOf(other.method, {}));
    const auto live = s.view.computationOf(slow.method, {});
    QVERIFY(live);
    s.view.setMethod(other.method, {});
    const auto dropped = s.view.computationOf(other.method, {});
    QVERIFY(dropped && !s.view.computationOf(slow.method, {}));
    s.view.stop();
    QVERIFY(!dropped->await({}));
    slow.go.release();
    QVERIFY(!live->await({}));  // it was stopped, which the method did not heed
    s.view.setMethod(slow.method, {});
    slow.reported.acquire();
    slow.go.release();
    const auto whole = s.view.computationOf(slow.method, {})->await({});
    QVERIFY(whole);
    QCOMPARE(whole->curves[0].y.back(), 0.125);
  }

  /// Older curves stay if the computation has reported nothing.
  void finishBeforeAnyCurve() {
    Shown s;
    s.show(line());
    std::binary_semaphore begun{0};
    Method method{.id = "mute", .title = "Mute", .category = "curves", .recipe = CurveRecipe{}};
    std::get<CurveRecipe>(method.recipe).make = [&](const ParameterValues&, const Work& work) -> Result<CurveSet> {
      begun.release();
      std::binary_semaphore stopped{0};
      const std::stop_callback onStop(work.stop, [&] { stopped.release(); });
      stopped.acquire();
      return cancelled();
    };
    QSignalSpy finished(&s.view, &CurveView::finished);
    s.view.setMethod(method, {});
    begun.acquire();
    s.view.finish();
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY(s.view.hasNothingNew() && !s.view.isStopped());
    QVERIFY(s.view.curves().curves.empty());  // those of another method left with it
  }

  /// Numbers under a mouse that rests are those of the curves on the screen.
  void theReadoutFollowsNewCurves() {
    Shown s;
    CurveSet set = line();
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

  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void aMethodsCurvesAppear() {
    Shown s;
    QSignalSpy shown(&s.view, &CurveView::curvesShown);
    const Method& method = *find_method("t5_staircase");
    s.view.setMethod(method, default_values(method.parameters));
    QTRY_COMPARE(shown.count(), 1);
    QVERIFY(!s.view.curves().x.empty());
    QCOMPARE(s.view.header()->title(), QString::fromStdString(method.title));
    QCOMPARE(s.plot->graphCount(), static_cast<int>(s.view.curves().curves.size()));
    QVERIFY(!s.view.isBusy());
  }

  void valuesThatDoNotCheckKeepTheLastCurves() {
    Shown s;
    QSignalSpy shown(&s.view, &CurveView::curvesShown);
    const Method& method = *find_method("t5_staircase");
    auto values = default_values(method.parameters);
    s.view.setMethod(method, values);
    QTRY_COMPARE(shown.count(), 1);
    const auto before = s.view.curves().x;
    values.set("num_buckets", Index{31});
    s.view.setMethod(method, values);
    QTRY_VERIFY_WITH_TIMEOUT(!s.view.isBusy(), 120000);
    QCOMPARE(shown.count(), 1);
    QCOMPARE(s.view.curves().x, before);
    QCOMPARE(badgeOf(s.view), QString("not up to date"));
    QVERIFY(s.view.freshness().cause.startsWith("num_buckets is 31"));
  }

  /// Curves of former values stand there until the new ones come: never as exact.
  void formerCurvesAreMarked() {
    Slow slow;
    Shown s;
    const Method& method = *find_method("t5_staircase");
    s.view.setMethod(method, default_values(method.parameters));
    QTRY_COMPARE(badgeOf(s.view), QString("exact"));
    s.view.setMethod(slow.method, {});
    QCOMPARE(badgeOf(s.view), QString("computing"));
    QVERIFY(s.view.freshness().state == Freshness::State::computing);
    auto* overlay = s.view.findChild<Overlay*>();
    slow.reported.acquire();
    QTRY_COMPARE(s.view.curves().x.size(), std::size_t{3});
    QVERIFY2(overlay->freshness().isCurrent(), "what is known so far is of the new values");
    slow.go.release();
    QTRY_COMPARE(badgeOf(s.view), QString("exact"));
    s.view.setFreshness(Freshness::outdated("no"));
    QCOMPARE(badgeOf(s.view), QString("not up to date"));
    QTRY_VERIFY(overlay->isVisible());
    s.view.setFreshness({});
    QVERIFY(overlay->isHidden());
    QCOMPARE(badgeOf(s.view), QString("exact"));
  }

  /// Curves of another method or session go at once, and do not come when their computation ends.
  void curvesOfAnotherMethodAreRemoved() {
    Slow slow;
    Shown s;
    const Method& method = *find_method("t5_staircase");
    const auto values = default_values(method.parameters);
    s.view.setMethod(slow.method, {});
    slow.reported.acquire();
    QTRY_VERIFY(!s.view.curves().x.empty());
    s.view.expect(method, values);
    QVERIFY(s.view.curves().x.empty());
    QCOMPARE(s.view.header()->title(), QString::fromStdString(method.title));
    QVERIFY2(s.view.freshness().isCurrent(), "the computation is not of this method");
    s.view.setFreshness(Freshness::onRequest("Press Run"));
    QCOMPARE(badgeOf(s.view), QString("no result"));
    slow.go.release();
    QTRY_VERIFY_WITH_TIMEOUT(!s.view.isBusy(), 120000);
    QVERIFY(s.view.curves().x.empty());
    s.view.setFreshness({});
    s.view.setMethod(method, values);
    QTRY_COMPARE(badgeOf(s.view), QString("exact"));
    s.view.setMethod(slow.method, {});
    QVERIFY(s.view.curves().x.empty());
    slow.reported.acquire();
    s.view.clear();
    QCOMPARE(s.view.header()->title(), QString());
    slow.go.release();
    QTRY_VERIFY_WITH_TIMEOUT(!s.view.isBusy(), 120000);
    QVERIFY(s.view.curves().x.empty());
  }

  void chosenAxesAreKeptAndEmitted() {
    Shown s;
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

  /// Also where the view is gone meanwhile: gaps for what was to come.
  void partialCurvesAreKept() {
    struct Kept {
      int times = 0;
      bool complete = true;
      CurveSet curves;
    };
    const auto kept = std::make_shared<Kept>();
    Slow slow;
    slow.fails = true;
    {
      Shown s;
      s.view.setKeeper([kept] {
        return [kept](const Method&, const ParameterValues&, const CurveSet& curves, double, bool complete) {
          *kept = {kept->times + 1, complete, curves};
        };
      });
      s.view.setMethod(slow.method, {});
      slow.reported.acquire();
    }
    slow.go.release();
    QVERIFY(FieldScheduler::waitForAll(10'000));
    QCOMPARE(kept->times, 1);
    QVERIFY(!kept->complete);
    QCOMPARE(kept->curves.curves[0].y[1], 0.25);
    QVERIFY(std::isnan(kept->curves.curves[0].y[2]));
  }

  /// Known values are plotted during the computation: newest first, gaps for missing ones.
  void partialCurvesAreDrawn() {
    Slow slow;
    Shown s;
    s.show(line());
    s.view.setMethod(slow.method, {});
    slow.reported.acquire();
    QTRY_COMPARE(s.view.curves().x.size(), std::size_t{3});
    QCOMPARE(s.view.header()->title(), QString("Slow"));
    QVERIFY(badgeOf(s.view).startsWith("computing"));
    QCOMPARE(s.view.curves().curves[0].y[1], 0.25);
    QVERIFY(std::isnan(s.view.curves().curves[0].y[2]) && std::isnan(s.view.curves().curves[1].y[0]));
    QCOMPARE(s.plot->graphCount(), 2);
    s.plot->replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY(s.plot->yAxis->range().lower > 0 && s.plot->yAxis->range().contains(0.25));
    moveMouse(s.plot, s.at(3));
    QCOMPARE(s.readouts.back()->facts[1].second, std::string("–"));
    slow.go.release();
    QTRY_VERIFY_WITH_TIMEOUT(!s.view.isBusy(), 120000);
    QCOMPARE(s.view.curves().curves[1].y, (std::vector<double>{3, 2, 1}));
    QCOMPARE(badgeOf(s.view), QString("exact"));
  }

  void failureRemovesPartialCurves() {
    Slow slow;
    slow.fails = true;
    Shown s;
    s.show(line());
    s.view.setMethod(slow.method, {});
    slow.reported.acquire();
    QTRY_COMPARE(s.view.curves().x.size(), std::size_t{3});
    slow.go.release();
    QTRY_VERIFY_WITH_TIMEOUT(!s.view.isBusy(), 120000);
    QVERIFY2(s.view.curves().x.empty(), "the curves before were of another method");
  }

  void newRequestRemovesPartialCurves() {
    Slow slow;
    Shown s;
    s.show(line());
    s.view.setMethod(slow.method, {});
    slow.reported.acquire();
    QTRY_COMPARE(s.view.curves().x.size(), std::size_t{3});
    const Method& next = *find_method("t5_staircase");
    s.view.setMethod(next, default_values(next.parameters));
    QVERIFY2(s.view.curves().x.empty(), "the curves before were of another method");
    slow.go.release();
    QTRY_VERIFY_WITH_TIMEOUT(!s.view.isBusy(), 120000);
    QCOMPARE(s.view.header()->title(), QString::fromStdString(next.title));
  }

  void theMouseReadsEveryCurve() {
    Shown s;
    s.show(line());
    moveMouse(s.plot, s.at(40));
    QVERIFY(!s.readouts.empty() && s.readouts.back());
    const CellReport report = *s.readouts.back();
    QCOMPARE(report.facts, (std::vector<std::pair<std::string, std::string>>{{"r", "40"}, {"double", "80"}}));
    QCOMPARE(report.why, std::string("y = 2 r"));
    moveMouse(s.plot, QPoint(1, 1));
    QVERIFY2(!s.readouts.back(), "there is nothing to read beside the axes");
  }

  void theWheelZoomsAndADoubleClickFits() {
    Shown s;
    s.show(line());
    const QCPRange all = s.plot->xAxis->range();
    wheel(s.plot, s.at(50), 3);
    QVERIFY(s.plot->xAxis->range().size() < all.size());
    QTest::mouseDClick(s.plot, Qt::LeftButton, {}, s.at(50));
    QCOMPARE(s.plot->xAxis->range(), all);
  }

  void newCurvesKeepAZoom() {
    Shown s;
    s.show(line());
    wheel(s.plot, s.at(50), 3);
    const QCPRange zoomed = s.plot->xAxis->range();
    CurveSet other = line();
    for (double& y : other.curves[0].y) y *= 3;
    s.show(other);
    QCOMPARE(s.plot->xAxis->range(), zoomed);
    s.view.fit();
    QVERIFY(s.plot->xAxis->range().contains(1) && s.plot->xAxis->range().contains(100));
  }

  void draggingPans() {
    Shown s;
    s.show(line());
    const QCPRange before = s.plot->xAxis->range();
    drag(s.plot, s.at(50), s.at(30));
    QVERIFY(s.plot->xAxis->range().lower > before.lower + 10);
    QVERIFY(std::abs(s.plot->xAxis->range().size() - before.size()) < 1e-6);
  }

  void logAxesCanBeChosen() {
    Shown s;
    s.show(line());
    QAction* logX = s.action("log x");
    QVERIFY(logX);
    QVERIFY(!logX->isChecked());
    logX->trigger();
    QCOMPARE(s.plot->xAxis->scaleType(), QCPAxis::stLogarithmic);
    logX->trigger();
    QCOMPARE(s.plot->xAxis->scaleType(), QCPAxis::stLinear);
  }

  void theNumbersAsATable() {
    Shown s;
    s.show(line());
    auto* button = s.view.header()->findChild<QToolButton*>();
    for (auto* each : s.view.header()->findChildren<QToolButton*>())
      if (each->toolTip() == "Table of the numbers") button = each;
    button->click();
    auto* table = s.view.findChild<CurveTable*>();
    QVERIFY(table && table->isVisible() && !s.plot->isVisible());
    QCOMPARE(table->model()->rowCount(), 100);
    CurveSet other = line();
    other.curves[0].y[0] = 7;
    s.show(other);
    QCOMPARE(table->model()->index(0, 1).data().toString(), QString("7"));
    button->click();
    QVERIFY(!table->isVisible() && s.plot->isVisible());
  }

  void categoriesHaveNamesAndNoLogarithm() {
    Shown s;
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
    s.show(line());
    QVERIFY(s.action("log x")->isEnabled());
  }

  void emptyViewGivesNoReadout() {
    Shown s;
    moveMouse(s.plot, s.plot->rect().center());
    wheel(s.plot, s.plot->rect().center(), 1);
    QTest::mouseDClick(s.plot, Qt::LeftButton, {}, s.plot->rect().center());
    s.view.fit();
    for (const auto& readout : s.readouts) QVERIFY(!readout);
  }

  void wheelZoomsXAndWithShiftY() {
    Shown s;
    s.show(line());
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
    Shown s;
    CurveSet set = line();
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
    Shown s;
    s.show(line());
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
    s.show(line());
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
    Shown s;
    CurveSet set = line();
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
    Shown s;
    CurveSet set = line();
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
    Shown s;
    s.show(line());
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
