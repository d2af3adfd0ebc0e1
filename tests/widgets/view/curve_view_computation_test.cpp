// SPDX-License-Identifier: GPL-3.0-or-later
// Curves that a view computes: parts of them, those before them, and their end.
#include "tests/support/test_main.h"
#include "tests/widgets/view/shown_curve_view.h"
#include "widgets/theme/palette.h"
#include "widgets/view/overlay.h"
#include "widgets/view/view_header.h"

#include <QLabel>

#include <cmath>
#include <memory>
#include <semaphore>

using namespace vqscope;
using namespace vqscope::test;

namespace {

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

class CurveViewComputationTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  /// Partial curves stay when a computation is finished early, and are marked; the next one
  /// restarts.
  void finishKeepsPartialCurves() {
    ShownCurveView s;
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
    ShownCurveView s;
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
    ShownCurveView s;
    s.show(ShownCurveView::line());
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

  void aMethodsCurvesAppear() {
    ShownCurveView s;
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
    ShownCurveView s;
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
    ShownCurveView s;
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
    ShownCurveView s;
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
      ShownCurveView s;
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
    ShownCurveView s;
    s.show(ShownCurveView::line());
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
    ShownCurveView s;
    s.show(ShownCurveView::line());
    s.view.setMethod(slow.method, {});
    slow.reported.acquire();
    QTRY_COMPARE(s.view.curves().x.size(), std::size_t{3});
    slow.go.release();
    QTRY_VERIFY_WITH_TIMEOUT(!s.view.isBusy(), 120000);
    QVERIFY2(s.view.curves().x.empty(), "the curves before were of another method");
  }

  void newRequestRemovesPartialCurves() {
    Slow slow;
    ShownCurveView s;
    s.show(ShownCurveView::line());
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
};

VQSCOPE_TEST(CurveViewComputationTest)
#include "curve_view_computation_test.moc"
