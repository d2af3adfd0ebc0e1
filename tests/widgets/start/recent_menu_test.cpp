// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/recent_menu.h"

#include "tests/support/test_main.h"

#include <QDir>
#include <QSignalSpy>
#include <QTest>

using namespace vqscope;

class RecentMenuTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void foldersDistinguishFiles() {
    std::vector<RecentFile> files{{QDir::homePath() + "/qwen/config.json", {}}, {"/opt/R&D/config.json", {}}};
    RecentMenu menu([&files] { return files; }, nullptr);
    QCOMPARE(menu.actions()[0]->text(), QString("&1  config.json   ~/qwen"));
    QCOMPARE(menu.actions()[1]->text(), QString("&2  config.json   /opt/R&&D"));
    QCOMPARE(menu.actions()[1]->toolTip(), QString("/opt/R&D/config.json"));
    QSignalSpy chosen(&menu, &RecentMenu::fileChosen), cleared(&menu, &RecentMenu::clearRequested);
    menu.actions()[1]->trigger();
    QCOMPARE(chosen.takeFirst().front().toString(), QString("/opt/R&D/config.json"));
    menu.actions().last()->trigger();
    QCOMPARE(cleared.count(), 1);
    files.clear();
    emit menu.aboutToShow();
    QCOMPARE(menu.actions().size(), 1);
    QVERIFY(!menu.actions().front()->isEnabled());
  }

  void folders() {
    QCOMPARE(folderText(QDir::homePath() + "/a.py"), QString("~"));
    QCOMPARE(folderText(QDir::homePath() + "/m/a.py"), QString("~/m"));
    QCOMPARE(folderText(QDir::homePath() + "x/a.py"), QDir::homePath() + "x");
    QCOMPARE(folderText("/a.py"), QString("/"));
  }
};

VQSCOPE_TEST(RecentMenuTest)
#include "recent_menu_test.moc"
