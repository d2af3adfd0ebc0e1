// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/live_curves.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <atomic>
#include <memory>
#include <stop_token>
#include <thread>

using namespace vqscope;

class LiveCurvesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void partialCurvesHaveGaps() {
    LiveCurves live;
    int n_partial = 0;
    const Work work = live.work([&](const CurveSet&) { ++n_partial; });
    work.partial({.x = {1, 2}, .curves = {{"a", {5}}}});
    QCOMPARE(n_partial, 1);
    const auto newest = live.take();
    QCOMPARE(newest->curves[0].y[0], 5.0);
    QVERIFY(std::isnan(newest->curves[0].y[1]));
    QVERIFY(!live.take());
  }

  /// A worker that reports waits while the work is paused; its time does not count.
  void pausedWorkWaits() {
    LiveCurves live;
    const Work work = live.work({});
    live.setPaused(true);
    QVERIFY(live.isPaused());
    std::atomic<bool> passed = false;
    std::jthread worker([&] {
      work.report(0.5);
      passed = true;
    });
    QTRY_COMPARE(live.percent(), 50);
    QVERIFY(!passed);
    const double before = live.seconds();
    live.setPaused(false);
    worker.join();
    QVERIFY(passed && !live.isPaused());
    QVERIFY(live.seconds() >= before);
  }

  /// Whoever waits for curves wants them: a pause ends.
  void awaitedCurves() {
    LiveCurves live;
    live.setPaused(true);
    std::jthread worker([&] {
      live.work({}).report(0.5);
      live.end(std::make_shared<const CurveSet>(CurveSet{.x = {1, 2, 3}}));
    });
    const auto whole = live.await({});
    QVERIFY(whole);
    QCOMPARE(whole->x.size(), std::size_t{3});
    LiveCurves other;
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!other.await({.progress = {}, .stop = stop.get_token()}));
    other.end();
    QVERIFY(!other.await({}));
  }

  void finishingEndsAPause() {
    LiveCurves live;
    const Work work = live.work({});
    live.setPaused(true);
    std::jthread worker([&] { work.report(0.25); });
    live.finish();
    worker.join();
    QVERIFY(work.stop.stop_requested() && live.isFinishing());
  }

  void remainingTimeOfTrainings() {
    LiveCurves live;
    const Work work = live.work({});
    work.report(0.5);  // trained before
    QVERIFY(!live.remaining());
    work.trained({.step = 1, .steps = 2, .tokens = 1, .loss = 1});
    QVERIFY(!live.remaining());
    work.report(0.75);
    QVERIFY(live.remaining() && *live.remaining() >= 0);
    work.report(1);
    QCOMPARE(*live.remaining(), 0.0);
    live.end();
    QCOMPARE(live.seconds(), live.seconds());
  }
};

VQSCOPE_TEST(LiveCurvesTest)
#include "live_curves_test.moc"
