// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/map/zoom_trail.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class RangeMovesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The centre of cell 9 is 9.5: it stays where it is; a cell out of view moves nothing.
  void zoomingKeepsACellInPlace() {
    const ViewRange range{0, 20, 10, 30};
    QCOMPARE(scaled(range, 0.5, std::nullopt), (ViewRange{5, 15, 15, 25}));
    QCOMPARE(scaled(range, 0.5, Cell{9, 12}), (ViewRange{4.75, 14.75, 11.25, 21.25}));
    QCOMPARE(scaled(range, 0.5, Cell{40, 40}), scaled(range, 0.5, std::nullopt));
  }

  void aCellComesIntoView() {
    const ViewRange range{0, 20, 10, 30};
    QCOMPARE(revealing(range, {0, 29}), range);
    QCOMPARE(revealing(range, {20, 29}), (ViewRange{10.5, 30.5, 10, 30}));
  }

  /// 320 pixels show 10 cells of 32; a range has 8 cells at least, or all that there are.
  void aRangeAroundACell() {
    QCOMPARE(rangeAround({50, 50}, 32, {100, 100}, {320, 640}), (ViewRange{40.5, 60.5, 45.5, 55.5}));
    QCOMPARE(rangeAround({50, 50}, 320, {100, 100}, {320, 320}), (ViewRange{46.5, 54.5, 46.5, 54.5}));
    QCOMPARE(fitted(rangeAround({0, 2}, 32, {100, 4}, {320, 320}), {100, 4}), (ViewRange{0, 10, 0, 4}));
  }
};

VQSCOPE_TEST(RangeMovesTest)
#include "range_moves_test.moc"
