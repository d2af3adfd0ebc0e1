// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/side_box.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QLineEdit>
#include <QTest>

using namespace vqscope;

class SideBoxTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// A click selects the text once; the next one puts the cursor there.
  void typingReplacesWhatIsClicked() {
    SideBox box("height", {"automatic"}, nullptr);
    box.resize(300, 30);
    box.show();
    box.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&box));
    box.clearFocus();
    box.setFocus(Qt::MouseFocusReason);
    QTest::mouseClick(box.lineEdit(), Qt::LeftButton, {}, {20, 10});
    QTRY_COMPARE(box.lineEdit()->selectedText(), QString("automatic"));
    QTest::keyClicks(box.lineEdit(), "84 mm");
    QCOMPARE(box.currentText(), QString("84 mm"));
    QVERIFY(box.side());
    QTest::mouseClick(box.lineEdit(), Qt::LeftButton, {}, {20, 10});
    QCoreApplication::processEvents();
    QVERIFY(box.lineEdit()->selectedText().isEmpty());
  }
};

VQSCOPE_TEST(SideBoxTest)
#include "side_box_test.moc"
