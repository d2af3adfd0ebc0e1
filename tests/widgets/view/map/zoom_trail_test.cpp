// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/map/zoom_trail.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

using Move = ZoomTrail::Move;

/// A square of `size` cells from (at, at).
ViewRange square(double at, double size) { return {at, at + size, at, at + size}; }

}  // namespace

class ZoomTrailTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void beginsWithTheWholeMatrix() {
    ZoomTrail trail;
    QVERIFY(!trail.here() && !trail.canGoBack() && trail.around().empty());
    QVERIFY(!trail.back());
  }

  void jumpsAreStops() {
    ZoomTrail trail;
    trail.visit(square(0, 1000), Move::jump);
    trail.visit(square(100, 100), Move::jump);
    trail.visit(square(120, 10), Move::jump);
    QCOMPARE(trail.around(), (std::vector{square(0, 1000), square(100, 100)}));
    QCOMPARE(trail.back(), std::optional(square(100, 100)));
    QCOMPARE(trail.back(), std::optional(square(0, 1000)));
    QVERIFY(!trail.back() && !trail.canGoBack());
  }

  /// A turn of the wheel is many small steps, and one way back.
  void stepsAreOneStop() {
    ZoomTrail trail;
    for (const double size : {900.0, 700.0, 500.0, 300.0}) trail.visit(square(0, size), Move::step);
    QVERIFY(trail.around().empty());
    QVERIFY(!trail.back());
    trail.visit(square(0, 900), Move::step);
    trail.visit(square(50, 900), Move::step);  // panned
    QVERIFY(!trail.back());
  }

  void aDeepZoomLeavesStops() {
    ZoomTrail trail;
    for (double size = 1000; size > 1; size /= 1.5) trail.visit(square(0, size), Move::step);
    const auto around = trail.around();
    QCOMPARE(around.size(), std::size_t{2});
    QVERIFY(around[0].row_last > 16 * trail.here()->row_last);
    QCOMPARE(trail.back(), std::optional(around[1]));
  }

  void distantStopsAreNotAround() {
    ZoomTrail trail;
    trail.visit(square(0, 100), Move::jump);
    trail.visit(square(500, 100), Move::jump);
    QVERIFY(trail.around().empty());
    QCOMPARE(trail.back(), std::optional(square(0, 100)));
  }

  void theWholeIsAStop() {
    ZoomTrail trail;
    trail.visit(square(0, 100), Move::jump);
    trail.visit(std::nullopt, Move::jump);
    QVERIFY(trail.canGoBack());
    QCOMPARE(trail.back(), std::optional(square(0, 100)));
  }

  void longTrailsDropTheirBeginning() {
    ZoomTrail trail;
    for (int i = 0; i < 1000; ++i) trail.visit(square(i, 5), Move::jump);
    int stops = 0;
    for (; trail.canGoBack(); ++stops) trail.back();
    QCOMPARE(stops, 100);
  }
};

VQSCOPE_TEST(ZoomTrailTest)
#include "zoom_trail_test.moc"
