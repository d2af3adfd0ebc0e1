// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/message_bar.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class MessageBarTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void saysASentence() {
    MessageBar bar;
    bar.show();
    bar.say("Wrote a.png", false);
    QCOMPARE(bar.sentence(), QString("Wrote a.png"));
    QVERIFY(!bar.isBad());
    bar.clear();
    QCOMPARE(bar.sentence(), QString());
  }

  /// Whoever says it may quote a file, which may be of any length.
  void longSentencesAreCut() {
    MessageBar bar;
    bar.say(QString("ö x\n").repeated(1000), true);
    QCOMPARE(bar.sentence().size(), qsizetype{400});
    QVERIFY(bar.sentence().startsWith("ö x ö x"));
    QVERIFY(bar.sentence().endsWith("…"));
    QVERIFY(bar.isBad());
  }
};

VQSCOPE_TEST(MessageBarTest)
#include "message_bar_test.moc"
