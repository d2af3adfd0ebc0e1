// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/view_header.h"

#include "tests/support/test_main.h"
#include "widgets/parts/freshness.h"

#include <QLabel>
#include <QTest>

using namespace vqscope;

class ViewHeaderTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Beside a narrow map a badge must not be cut within its words.
  void aBadgeWithoutRoomIsAMark() {
    ViewHeader header;
    header.setTitle("Column profile", "column 256");
    header.addButton("table", "Show as a table");
    header.setBadge(Freshness::outdated("q_length is 0"));
    header.resize(400, 40);
    header.show();
    const auto* badge = header.findChild<QLabel*>();
    QCOMPARE(badge->text(), QString("not up to date"));
    header.resize(150, 40);
    QCoreApplication::processEvents();
    QCOMPARE(badge->text(), QString("!"));
    QVERIFY2(badge->toolTip().startsWith("not up to date: ") && badge->toolTip().endsWith("q_length is 0"),
             qPrintable(badge->toolTip()));
    header.setBadge("exact", ViewHeader::Look::good, "One point for every value of x");
    header.resize(400, 40);
    QCoreApplication::processEvents();
    QCOMPARE(badge->text(), QString("exact"));
    QCOMPARE(badge->toolTip(), QString("One point for every value of x"));
  }
};

VQSCOPE_TEST(ViewHeaderTest)
#include "view_header_test.moc"
