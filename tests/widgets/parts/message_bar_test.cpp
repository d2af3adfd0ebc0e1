// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/message_bar.h"

#include "tests/support/test_main.h"

#include <QTest>
#include <QVBoxLayout>

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

  /// Nothing below the mouse moves when a message comes or goes.
  void coversItsHost() {
    QWidget host;
    auto* column = new QVBoxLayout(&host);
    auto* page = new QWidget;
    column->addWidget(page);
    host.resize(600, 400);
    MessageBar* bar = new MessageBar;
    bar->floatOver(&host);
    host.show();
    QCoreApplication::processEvents();
    const QRect before = page->geometry();
    bar->showMessage(QString("A long error ").repeated(20), true);
    QCoreApplication::processEvents();
    QCOMPARE(page->geometry(), before);
    QVERIFY(bar->geometry().bottom() < 400 && bar->geometry().top() > 250 && bar->width() > 400);
    host.resize(300, 300);
    QCoreApplication::processEvents();
    QVERIFY(host.rect().contains(bar->geometry()));
    bar->showMessage("Short", false);
    QVERIFY(bar->width() < 200);
    bar->setFocus();
    QTest::keyClick(bar, Qt::Key_Escape);
    QVERIFY(bar->isHidden());
  }

  void longMessagesStayLonger() {
    QCOMPARE(MessageBar::readingMilliseconds(10), 4000);
    QCOMPARE(MessageBar::readingMilliseconds(200), 12000);
    QCOMPARE(MessageBar::readingMilliseconds(1'000'000), 20000);
  }
};

VQSCOPE_TEST(MessageBarTest)
#include "message_bar_test.moc"
