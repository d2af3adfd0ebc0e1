// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/view_tabs.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

struct ShownTabs {
  QWidget window;
  ViewTabs tabs{&window};

  explicit ShownTabs(const QStringList& titles) {
    for (const QString& title : titles) tabs.addTab(title);
    window.resize(2000, 60);
    window.show();
    setWidth(2000);
  }
  void setWidth(int width) {
    tabs.resize(width, 40);
    QCoreApplication::processEvents();
  }
  QList<int> widths() const {
    QList<int> all;
    for (int i = 0; i < tabs.count(); ++i) all << tabs.tabRect(i).width();
    return all;
  }
};

const QString longTitle(40, QLatin1Char('m'));

}  // namespace

class ViewTabsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void the_widest_give_way() {
    ShownTabs s({"cos", longTitle, "sin", longTitle});
    const QList<int> whole = s.widths();
    QVERIFY(whole[1] > 2 * 120);
    s.setWidth(whole[0] + whole[2] + 2 * 150);
    const QList<int> cut = s.widths();
    QCOMPARE(cut[0], whole[0]);
    QCOMPARE(cut[2], whole[2]);
    QCOMPARE(cut[1], 150);
    QCOMPARE(cut[3], 150);
  }

  /// Where the widest would become unreadable, the tabs before the border keep their width.
  void too_many_scroll() {
    ShownTabs s(QStringList(8, longTitle));
    s.setWidth(8000);  // all are whole
    const QList<int> whole = s.widths();
    s.setWidth(whole[0] + 200);
    const QList<int> cut = s.widths();
    QCOMPARE(cut[0], whole[0]);
    QVERIFY2(cut[1] < 200 && cut[1] >= 60, qPrintable(QString::number(cut[1])));
    QCOMPARE(cut[7], whole[7]);
    s.tabs.setCurrentIndex(1);  // the one in front is whole
    QCoreApplication::processEvents();
    QCOMPARE(s.widths()[1], whole[1]);
  }
};

VQSCOPE_TEST(ViewTabsTest)
#include "view_tabs_test.moc"
