// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// `vqscope check` finds every fault of decode_trace as its remark states, and nothing in a correct
/// trace.
class DecodeTraceTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void checkFindsEveryFault_data() {
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QByteArray>("rule");
    QTest::newRow("restart") << "full" << QByteArray("error: cache_offset: ");
    QTest::newRow("shared") << "full" << QByteArray("error: left_padding_positions: ");
    QTest::newRow("ahead") << "window" << QByteArray("error: left_padding_positions: ");
    QTest::newRow("renumbered") << "sinks" << QByteArray("error: cache_positions: ");
    QTest::newRow("empty_visible") << "full" << QByteArray("error: padding_visible: ");
    QTest::newRow("stale_table") << "paged" << QByteArray("error: padding_visible: ");
  }
  void checkFindsEveryFault() {
    QFETCH(QString, policy);
    QFETCH(QByteArray, rule);
    const QTemporaryDir folder;
    const auto traced = runProgram(folder, {"export", "decode_trace", "--set", "step=5", "--set", "policy=" + policy,
                                            "--set", QString("fault=") + QTest::currentDataTag(), "--out", "t.csv"});
    QCOMPARE(traced.status, 0);
    const qsizetype at = traced.err.indexOf("found by vqscope ");
    QVERIFY2(at > 0, traced.err.constData());
    const auto command = QString::fromUtf8(traced.err.mid(at + 17)).trimmed().split(' ');
    const auto checked = runProgram(folder, command);
    QCOMPARE(checked.status, 1);
    QVERIFY2(checked.out.contains(rule), checked.out.constData());
  }

  void correctTraceHasNoFinding() {
    const QTemporaryDir folder;
    const auto traced = runProgram(folder, {"export", "decode_trace", "--set", "step=5", "--out", "t.csv", "t.npy"});
    QCOMPARE(traced.status, 0);
    QCOMPARE(traced.err, QByteArray());
    const auto checked =
        runProgram(folder, {"check", "--set", "mask=decode", "--set", "q_length=1", "--set", "past_len=18", "--set",
                            "padding_side=left", "--set", "padding=5", "--array", "position_ids=13"});
    QCOMPARE(checked.status, 0);
  }
};

VQSCOPE_TEST(DecodeTraceTest)
#include "decode_trace_test.moc"
