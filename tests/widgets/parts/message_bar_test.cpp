// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/message_bar.h"

#include "tests/support/test_main.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace vqscope;

class MessageBarTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void showsAMessage() {
    MessageBar bar;
    bar.show();
    bar.showMessage("Wrote a.png", false);
    QCOMPARE(bar.sentence(), QString("Wrote a.png"));
    QVERIFY(!bar.isBad());
    bar.clear();
    QCOMPARE(bar.sentence(), QString());
  }

  /// A message may quote a file of any length.
  void longSentencesAreCut() {
    MessageBar bar;
    bar.showMessage(QString("ö x\n").repeated(1000), true);
    QCOMPARE(bar.sentence().size(), qsizetype{400});
    QVERIFY(bar.sentence().startsWith("ö x ö x"));
    QVERIFY(bar.sentence().endsWith("…"));
    QVERIFY(bar.isBad());
  }

  /// A long sentence takes several lines, and is cut after them; the tooltip has it whole.
  void fitsItsPlace() {
    MessageBar bar;
    bar.showMessage("Short", false);
    QVERIFY(bar.widthOfText() < 200);
    const int line = bar.fit(bar.widthOfText(), 2);
    const QString sentence = QString("A long error ").repeated(20).trimmed();
    bar.showMessage(sentence, true);
    QVERIFY(bar.widthOfText() > 600);
    const int lines = bar.fit(300, 100);
    QVERIFY(lines > 3 * line);
    const auto* label = bar.findChild<QLabel*>();
    QVERIFY(label->text() == bar.sentence() && label->toolTip().isEmpty());
    const int two = bar.fit(300, 2);
    QVERIFY(two > line && two < lines);
    QVERIFY(label->text().endsWith("…") && label->text().size() > 40);
    QCOMPARE(label->toolTip(), bar.sentence());
    QCOMPARE(bar.fit(300, 100), lines);
    bar.setFocus();
    QTest::keyClick(&bar, Qt::Key_Escape);
    QVERIFY(bar.isHidden());
  }

  /// Work stays below other messages until it ends; its button stops it.
  void showsWork() {
    MessageBar bar;
    const QSignalSpy stopped(&bar, &MessageBar::workStopped);
    auto* button = bar.findChild<QToolButton*>();
    bar.showWork("Reading a.gguf");
    QCOMPARE(button->toolTip(), QString("Stop"));
    bar.showMessage("Copied", false);
    button->click();
    QCOMPARE(bar.sentence(), QString("Reading a.gguf"));
    bar.clear();
    QCOMPARE(bar.sentence(), QString("Reading a.gguf"));
    QCOMPARE(stopped.size(), 0);
    button->click();
    QCOMPARE(bar.sentence(), QString());
    QCOMPARE(stopped.size(), 1);
    bar.showWork("Reading b.gguf");
    bar.showMessage("b.gguf is empty", true);
    bar.endWork();
    QCOMPARE(bar.sentence(), QString("b.gguf is empty"));
  }

  void longMessagesStayLonger() {
    QCOMPARE(MessageBar::readingMilliseconds(10), 4000);
    QCOMPARE(MessageBar::readingMilliseconds(200), 12000);
    QCOMPARE(MessageBar::readingMilliseconds(1'000'000), 20000);
  }
};

VQSCOPE_TEST(MessageBarTest)
#include "message_bar_test.moc"
