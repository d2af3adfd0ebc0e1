// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace vqscope::test;

class WatchTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void theNewestFileIsLinted() {
    const QTemporaryDir dumps;
    writtenFile(dumps, "m.csv", "1,0,0\n1,1,0\n1,1,1\n");
    writtenFile(dumps, "m.csv.tmp", "1");
    const auto clean = watched(dumps, {"--objective", "causal"});
    QCOMPARE(clean.status, 0);
    QVERIFY2(clean.out.startsWith("m.csv: 0 errors"), clean.out + clean.err);
    QCOMPARE(clean.out.count('\n'), 1);
    const auto broken = watched(dumps, {"--objective", "bidirectional"});
    QCOMPARE(broken.status, 1);
    QVERIFY2(broken.out.startsWith("m.csv: error: "), broken.out + broken.err);
    const auto json = watched(dumps, {"--objective", "causal", "--json"});
    const QJsonObject line = QJsonDocument::fromJson(json.out).object();
    QVERIFY2(line["file"].toString().endsWith("/m.csv"), json.out);
    QCOMPARE(line["findings"].toArray().size(), 0);
    QCOMPARE(line["objective"].toString(), QString("causal"));
    QCOMPARE(json.out.count('\n'), 1);
  }

  /// It is no mask, so it breaks no expectation.
  void filesThatCannotBeRead() {
    const QTemporaryDir dumps;
    writtenFile(dumps, "page.npy", "<!DOCTYPE html><html></html>");
    const auto outcome = watched(dumps, {});
    QCOMPARE(outcome.status, 0);
    QVERIFY2(outcome.out.startsWith("page.npy: not read: ") && outcome.out.contains("HTML"), outcome.out);
  }

  void itEndsAtTheTime() {
    const QTemporaryDir dumps;
    const auto outcome = runProgram(m_folder, {"watch", dumps.path(), "--timeout", "0"});
    QCOMPARE(outcome.status, 0);
    QCOMPARE(outcome.out + outcome.err, QByteArray());
  }

  void interrupted() {
    const QTemporaryDir dumps;
    QProcess process;
    process.start(programPath(), {"watch", dumps.path()});
    QTRY_VERIFY_WITH_TIMEOUT(listensToInterrupts(process.processId()), 60000);
    process.terminate();
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 130);
  }

  void refused_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("sentence");
    QTest::newRow("no folder") << QStringList{} << QByteArray("watch needs a FOLDER");
    QTest::newRow("two") << QStringList{"a", "b"} << QByteArray("watch expects one FOLDER, a and b were given");
    QTest::newRow("none") << QStringList{"none"} << QByteArray("cannot watch none: No such file or directory");
    QTest::newRow("time") << QStringList{"a", "--timeout", "x"}
                          << QByteArray("--timeout is x but must be a number of seconds from 0 to 2592000");
    QTest::newRow("rule") << QStringList{"a", "--rule", "empty_rows"}
                          << QByteArray(
                                 "unknown rule empty_rows; did you mean empty_row? (see vqscope check "
                                 "--list-rules)");
  }
  void refused() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, sentence);
    const auto outcome = runProgram(m_folder, QStringList("watch") + arguments);
    QCOMPARE(outcome.err, "vqscope: " + sentence + "\n");
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.out, QByteArray());
  }

 private:
  Outcome watched(const QTemporaryDir& dumps, const QStringList& options) {
    return runProgram(m_folder, QStringList{"watch", dumps.path(), "--once"} + options);
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(WatchTest)
#include "watch_test.moc"
