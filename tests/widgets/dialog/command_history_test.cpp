// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/command_history.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;

class CommandHistoryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void lastFirstAndKept() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("state/commands.json");
    CommandHistory history(store);
    for (const char* id : {"a", "b", "a"}) QVERIFY(history.add(id));
    const std::vector<CommandHistory::Used> expected{{"a", 2}, {"b", 1}};
    QCOMPARE(history.all(), expected);
    QCOMPARE(CommandHistory(store).all(), expected);
    QCOMPARE(CommandHistory(store).uses("a"), 2);
    QCOMPARE(history.uses("c"), 0);
  }

  void atMostSixty() {
    CommandHistory history;
    for (int i = 0; i < 100; ++i) QVERIFY(history.add(QString::number(i)));
    QCOMPARE(history.all().size(), std::size_t{60});
    QCOMPARE(history.all().front().id, QString("99"));
    QVERIFY(history.add(QString(301, 'x')));
    QVERIFY(history.add(QString()));
    QCOMPARE(history.all().front().id, QString("99"));
  }

  void damagedFiles() {
    QVERIFY(commandHistoryFromJson("{").empty());
    QVERIFY(commandHistoryFromJson("[]").empty());
    QVERIFY(commandHistoryFromJson(R"({"commands": 3})").empty());
    const std::vector<CommandHistory::Used> expected{{"a", 1}, {"b", 1000}};
    QCOMPARE(commandHistoryFromJson(R"({"commands": [{"id": "a", "uses": -4}, {"id": "", "uses": 1}, {"id": "b",
             "uses": 1e300}, {"id": "a", "uses": 9}, {"id": 7, "uses": 1}, {"uses": 1}, {"id": "c"}, 5]})"),
             expected);
  }
};

VQSCOPE_TEST(CommandHistoryTest)
#include "command_history_test.moc"
