// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/view_header.h"

#include "tests/support/test_main.h"
#include "widgets/parts/freshness.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QToolButton>

using namespace vqscope;

class ViewHeaderTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Beside a narrow map a badge must not be cut within its words.
  void narrowHeaderShowsTheBadgeAsAMark() {
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

  /// A title is cut between words if a name is left, a subtitle that has no place for a word is left out.
  void aTitleIsCutBetweenWords() {
    ElidedLabel title;
    title.setText("Wavelength by pair");
    const int name = title.fontMetrics().horizontalAdvance("Wavelength") + 4;
    QCOMPARE(title.shownText(1000), QString("Wavelength by pair"));
    QVERIFY(title.shownText(name).endsWith(QChar(0x2026)));
    title.setTitle();
    QCOMPARE(title.shownText(name), QString("Wavelength"));
    QVERIFY(title.shownText(name / 2).endsWith(QChar(0x2026)));
    QCOMPARE(title.toolTip(), QString("Wavelength by pair"));
    title.setText("with keys · Row profile");
    QCOMPARE(title.shownText(title.fontMetrics().horizontalAdvance("Row profile") + 4), QString("Row profile"));
    title.setGreedy();
    QCOMPARE(title.shownText(12), QString());
  }

  /// Below the width of all buttons, those with text are in the menu, then the others; the title
  /// keeps its place.
  void buttonsThatDoNotFitAreInTheMenu() {
    ViewHeader header;
    header.setTitle("Score by distance, of all of them", "T 8 192");
    header.setBadge("exact", ViewHeader::Look::good, {});
    QAction logX("log x");
    header.addAction(&logX);
    auto* table = header.addButton("table", "Table of the numbers");
    auto* save = header.addButton("export", "Export");
    header.show();
    const auto at = [&](int width) {
      header.resize(width, 40);
      QCoreApplication::processEvents();
      QMenu menu;
      header.fillMenu(menu, false);
      QStringList titles;
      for (const auto* action : menu.actions()) titles << action->text();
      return titles;
    };
    QCOMPARE(at(600), QStringList());
    QCOMPARE(at(338), QStringList{"log x"});
    QVERIFY(!table->isHidden() && !save->isHidden() && !header.moreButton()->isHidden());
    QCOMPARE(at(header.minimumSizeHint().width()), (QStringList{"log x", "Table of the numbers", "Export"}));
    QVERIFY(header.moreButton()->geometry().right() < header.width());
  }
};

VQSCOPE_TEST(ViewHeaderTest)
#include "view_header_test.moc"
