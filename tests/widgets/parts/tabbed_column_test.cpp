// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/tabbed_column.h"

#include "tests/support/test_main.h"

#include <QTabBar>
#include <QTest>

using namespace vqscope;

class TabbedColumnTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void partsOfALowColumnAreTabs() {
    TabbedColumn column;
    auto* first = new QWidget;
    auto* second = new QWidget;
    column.addPart("Layers", first, 200);
    column.addPart("Findings", second, 100);
    column.resize(300, 400);
    column.show();
    auto* tabs = column.findChild<QTabBar*>();
    QVERIFY(!column.hasTabs() && tabs->isHidden() && first->isVisible() && second->isVisible());

    column.resize(300, 299);
    QVERIFY(column.hasTabs() && tabs->isVisible() && first->isVisible() && !second->isVisible());
    QCOMPARE(tabs->tabText(1), QString("Findings"));
    column.raisePart(second);
    QVERIFY(second->isVisible() && !first->isVisible());
    column.resize(300, 400);
    QVERIFY(first->isVisible() && second->isVisible());
  }

  /// One part alone needs no tab; a part that goes elsewhere is not hidden by this column.
  void aPartCanLeave() {
    TabbedColumn column;
    auto* first = new QWidget;
    auto second = std::make_unique<QWidget>();
    second->setMinimumSize(120, 80);
    column.addPart("Layers", first, 200);
    column.addPart("Findings", second.get(), 100);
    QCOMPARE(column.minimumSizeHint().width(), 120);
    column.resize(300, 100);
    column.show();
    column.removePart(second.get());
    QVERIFY(!second->parentWidget());
    QVERIFY(!column.hasTabs() && first->isVisible());
    QVERIFY(column.minimumSizeHint().height() < 80);
  }
};

VQSCOPE_TEST(TabbedColumnTest)
#include "tabbed_column_test.moc"
