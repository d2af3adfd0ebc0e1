// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/status_line.h"

#include "tests/support/test_main.h"
#include "widgets/parts/message_bar.h"

#include <QAction>
#include <QLabel>
#include <QTest>

using namespace vqscope;

namespace {

struct Line {
  StatusLine line{nullptr};

  /// All its texts, from the left.
  QStringList shownMessage() const {
    QStringList texts;
    for (const auto* label : line.findChildren<QLabel*>())
      if (!label->text().isEmpty() && !label->isHidden()) texts << label->text();
    return texts;
  }
  bool hints() const { return shownMessage().front().startsWith("Point at"); }
};

}  // namespace

class StatusLineTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void readoutsAreFacts() {
    Line s;
    s.line.awaitReadout();
    QCOMPARE(s.shownMessage(), QStringList{"reading the cell…"});
    s.line.showReadout(Readout{nullptr, {{{"q", "3"}, {"k", "<1>"}}, "why"}});
    QCOMPARE(s.shownMessage(), QStringList{"q 3   k <1>"});
    s.line.showReadout(std::nullopt);
    QVERIFY2(s.hints(), "how to read a value");
  }

  void frameQualityIsShown() {
    Line s;
    s.line.showFrame({.milliseconds = 1.25, .bytes = 2048});
    QCOMPARE(s.shownMessage().mid(1), QStringList{"exact"});
    s.line.showFrame({.exact = false, .milliseconds = 20, .bytes = 2048});
    QCOMPARE(s.shownMessage()[1], QString("sampled"));
    // No badge says exact unless it belongs to the values in the form.
    s.line.showFrame({.freshness = Freshness::computing(), .milliseconds = 20});
    QCOMPARE(s.shownMessage()[1], QString("computing"));
    s.line.clearFrame();
    QVERIFY(s.hints() && s.shownMessage().size() == 1);
  }

  void timeAndMemoryOnRequest() {
    Line s;
    s.line.frameAction()->trigger();
    s.line.showFrame({.milliseconds = 1.25, .bytes = 2048});
    QCOMPARE(s.shownMessage().mid(1), (QStringList{"exact", "frame 1.3 ms", "2 KiB"}));
    s.line.frameAction()->trigger();
    QCOMPARE(s.shownMessage().mid(1), QStringList{"exact"});
  }

  /// A message of one line changes no height; a long one takes the place of the readout.
  void messagesHaveAPlaceOfTheirOwn() {
    Line s;
    s.line.resize(1000, s.line.height());
    s.line.show();
    auto* readout = s.line.findChildren<QLabel*>().front();
    MessageBar* message = s.line.message();
    const int height = s.line.height(), width = s.line.minimumSizeHint().width();
    message->showMessage("Wrote a.png", false);
    QCoreApplication::processEvents();
    QVERIFY(readout->isVisible() && message->isVisible());
    QVERIFY(!readout->geometry().intersects(message->geometry()));
    QVERIFY(s.line.rect().contains(message->geometry()));
    QCOMPARE(s.line.height(), height);
    message->showMessage(QString("A long error ").repeated(30), true);
    QCoreApplication::processEvents();
    QVERIFY(!readout->isVisible());
    QVERIFY(s.line.height() > height);
    QVERIFY(s.line.rect().contains(message->geometry()));
    QVERIFY2(s.line.minimumSizeHint().width() <= width, "a message does not make the window wider");
    message->clear();
    QVERIFY(readout->isVisible());
    QCOMPARE(s.line.height(), height);
  }

  void outdatedReadoutIsGrey() {
    Line s;
    s.line.showReadout(Readout{nullptr, {{{"q", "3"}}, ""}});
    const auto* readout = s.line.findChildren<QLabel*>().front();
    s.line.setCurrent(false);
    QVERIFY(!readout->isEnabled());
    s.line.setCurrent(true);
    QVERIFY(readout->isEnabled());
  }
};

VQSCOPE_TEST(StatusLineTest)
#include "status_line_test.moc"
