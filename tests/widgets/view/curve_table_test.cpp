// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve/curve_table.h"

#include "tests/support/test_main.h"

#include <QApplication>
#include <QClipboard>
#include <QTest>

#include <limits>
#include <string>

using namespace vqscope;

namespace {

CurveSet tabulated() {
  CurveSet set{.x_name = "x", .x_title = "tokens", .x = {1, 2, 4}};
  set.curves = {{"a", {0.1, std::numeric_limits<double>::quiet_NaN(), 1.0 / 3}}, {"b", {1e-30, 2, 3e9}}};
  set.published = Published{.source = "Authors 2020, table 1", .series = {{"model", {2, 3}, {7.5, 8}}}};
  return set;
}

}  // namespace

class CurveTableTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void columnsAreXCurvesAndPublishedValues() {
    CurveTable table;
    table.setCurves(tabulated());
    const auto& model = *table.model();
    QStringList titles;
    for (int i = 0; i < model.columnCount(); ++i) titles << model.headerData(i, Qt::Horizontal).toString();
    QCOMPARE(titles, (QStringList{"tokens", "a", "b", "model (published)"}));
    QCOMPARE(model.headerData(3, Qt::Horizontal, Qt::ToolTipRole).toString(), QString("Authors 2020, table 1"));
    const QStringList expected{"1|0.1|1e-30|", "2||2|7.5", "3|||8", "4|0.3333333|3e+09|"};
    QCOMPARE(model.rowCount(), static_cast<int>(expected.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
      QStringList cells;
      for (int i = 0; i < 4; ++i) cells << model.index(row, i).data().toString();
      QCOMPARE(cells.join('|'), expected[row]);
    }
  }

  void selectedCellsAreCopied() {
    CurveTable table;
    table.setCurves(tabulated());
    QCOMPARE(table.selectedText(), QString());
    QVERIFY(!table.model()->data({}, Qt::DisplayRole).isValid());
    table.selectionModel()->select(QItemSelection(table.model()->index(1, 0), table.model()->index(3, 1)),
                                   QItemSelectionModel::Select);
    QTest::keySequence(&table, QKeySequence::Copy);
    QCOMPARE(QApplication::clipboard()->text(), QString("tokens\ta\n2\t\n3\t\n4\t0.3333333333333333\n"));
  }

  /// Numbers are made when they are seen, and copied whole.
  void wideTablesAreCopiedWhole() {
    CurveSet set{.x_name = "x", .x_title = "tokens"};
    for (int i = 0; i < 4096; ++i) set.x.push_back(i);
    for (int i = 0; i < 64; ++i) set.curves.push_back({"c" + std::to_string(i), std::vector<double>(4096, i / 3.0)});
    CurveTable table;
    table.setCurves(set);
    const int digits = table.fontMetrics().horizontalAdvance("0.6666667");
    QVERIFY(table.columnWidth(3) > digits && table.columnWidth(3) < 2 * digits);
    table.selectAll();
    const QString copied = table.selectedText();
    QCOMPARE(copied.count('\n'), 4097);
    QVERIFY(copied.startsWith("tokens\tc0\tc1\t"));
    QVERIFY(copied.endsWith("\t20.666666666666668\t21\n"));
  }

  void emptyCurvesHaveNoRows() {
    CurveTable table;
    table.setCurves({});
    QCOMPARE(table.model()->rowCount(), 0);
  }
};

VQSCOPE_TEST(CurveTableTest)
#include "curve_table_test.moc"
