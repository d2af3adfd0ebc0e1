// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/painted_table.h"

#include "tests/support/test_main.h"

#include <QAccessible>
#include <QTest>
#include <QWidget>

using namespace vqscope;

namespace {

/// Two columns, of which the cells say where they are.
class NumberTable : public QWidget, public PaintedTable {
  Q_OBJECT
 public:
  int rows = 3;
  int current = 1;
  int shownRows() const override { return rows; }
  int shownColumns() const override { return 2; }
  QString titleOfColumn(int column) const override { return column == 0 ? "key" : "verdict"; }
  QString textOfCell(int row, int column) const override { return QString("%1, %2").arg(row).arg(column); }
  int currentRow() const override { return current; }
};

QAccessibleTableInterface* tableOf(QWidget& widget) {
  auto* read = QAccessible::queryAccessibleInterface(&widget);
  return read ? read->tableInterface() : nullptr;
}

}  // namespace

class PaintedTableTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { makePaintedTablesAccessible(); }

  void cellsAndTitles() {
    NumberTable widget;
    auto* table = tableOf(widget);
    QVERIFY(table);
    QCOMPARE(table->rowCount(), 3);
    QCOMPARE(table->columnCount(), 2);
    auto* cell = table->cellAt(2, 1);
    QVERIFY(cell && cell->isValid());
    QCOMPARE(cell->text(QAccessible::Name), QString("2, 1"));
    QCOMPARE(cell->tableCellInterface()->columnHeaderCells().front()->text(QAccessible::Name), QString("verdict"));
    QCOMPARE(cell->tableCellInterface()->table(), QAccessible::queryAccessibleInterface(&widget));
    QVERIFY(!table->cellAt(3, 0) && !table->cellAt(0, 2) && !table->cellAt(-1, 0));
    QCOMPARE(table->columnDescription(0), QString("key"));
  }

  void childrenAreTheTitlesAndThenTheCells() {
    NumberTable widget;
    auto* read = QAccessible::queryAccessibleInterface(&widget);
    QCOMPARE(read->childCount(), 8);
    QCOMPARE(read->child(0)->role(), QAccessible::ColumnHeader);
    QCOMPARE(read->child(1)->text(QAccessible::Name), QString("verdict"));
    for (int i = 0; i < read->childCount(); ++i) QCOMPARE(read->indexOfChild(read->child(i)), i);
    QVERIFY(!read->child(8) && !read->child(-1));
  }

  void theCurrentRowIsSelected() {
    NumberTable widget;
    auto* table = tableOf(widget);
    QCOMPARE(table->selectedRows(), QList<int>{1});
    QCOMPARE(table->selectedCellCount(), 2);
    QVERIFY(table->cellAt(1, 0)->state().selected && !table->cellAt(0, 0)->state().selected);
    widget.current = -1;
    QVERIFY(table->selectedRows().isEmpty());
  }

  /// A reader may keep a cell of a row that is no longer there.
  void rowsGo() {
    NumberTable widget;
    auto* cell = tableOf(widget)->cellAt(2, 0);
    widget.rows = 1;
    QVERIFY(!cell->isValid());
    QCOMPARE(cell->text(QAccessible::Name), QString());
    widget.rows = 3;
    QVERIFY(cell->isValid());
  }

  void otherWidgetsStayAsTheyAre() {
    QWidget plain;
    QVERIFY(!tableOf(plain));
  }
};

VQSCOPE_TEST(PaintedTableTest)
#include "painted_table_test.moc"
