// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/start_parts.h"

#include "tests/support/test_main.h"

#include <QLabel>
#include <QTest>

using namespace vqscope;

class WrapGridTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void asManyColumnsAsFit() {
    QWidget frame;
    auto* grid = new WrapGrid(100, 10, false, &frame);
    for (int i = 0; i < 7; ++i) grid->addWidget(new QWidget);
    QCOMPARE(grid->columnsFor(99), 1);
    QCOMPARE(grid->columnsFor(209), 1);
    QCOMPARE(grid->columnsFor(210), 2);
    QCOMPARE(grid->columnsFor(540), 5);
    grid->setMostColumns(4);
    QCOMPARE(grid->columnsFor(540), 4);
    grid->setMostColumns(100);
  }

  void balancedRows() {
    QWidget frame;
    auto* grid = new WrapGrid(100, 10, true, &frame);
    for (int i = 0; i < 5; ++i) grid->addWidget(new QWidget);
    QCOMPARE(grid->columnsFor(540), 5);
    QCOMPARE(grid->columnsFor(440), 3);  // 3 and 2 instead of 4 and 1
    QCOMPARE(grid->columnsFor(210), 2);
    QCOMPARE(grid->columnsFor(5000), 5);
  }

  void rowsAreAsHighAsTheirHighestItem() {
    QWidget frame;
    auto* grid = new WrapGrid(100, 10, false, &frame);
    const int heights[]{20, 40, 30};
    for (const int height : heights) {
      auto* item = new QWidget;
      item->setFixedHeight(height);
      grid->addWidget(item);
    }
    QCOMPARE(grid->heightForWidth(210), 40 + 10 + 30);
    frame.setGeometry(0, 0, 210, 80);
    grid->setGeometry(frame.rect());
    QCOMPARE(grid->itemAt(1)->widget()->geometry().topLeft(), QPoint(110, 0));
    QCOMPARE(grid->itemAt(2)->geometry(), QRect(0, 50, 100, 30));
    QVERIFY(!grid->itemAt(3) && !grid->takeAt(-1));
  }
};

VQSCOPE_TEST(WrapGridTest)
#include "wrap_grid_test.moc"
