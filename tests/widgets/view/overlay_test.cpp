// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/overlay.h"

#include "tests/support/test_main.h"

#include <QTest>
#include <QWindow>

using namespace vqscope;

class OverlayTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// A result that comes soon is not greyed, a current one never.
  void greysAfterAWhile() {
    QWidget view;
    Overlay overlay(&view, Overlay::Banner::top);
    view.show();
    overlay.setFreshness(Freshness::computing());
    QVERIFY(overlay.isHidden());
    QTRY_VERIFY(overlay.isVisible());
    overlay.setFreshness(Freshness());
    QVERIFY(overlay.isHidden());
  }

  /// Dragging a slider at a length where each result takes longer does not flash.
  void aDragDoesNotFlash() {
    QWidget view;
    Overlay overlay(&view, Overlay::Banner::top);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTest::mousePress(view.windowHandle(), Qt::LeftButton);
    overlay.setFreshness(Freshness::computing());
    auto* timeout = overlay.findChild<QTimer*>();
    for (int i = 0; i < 3; ++i) {
      timeout->start(0);
      QCoreApplication::processEvents();
      QVERIFY(overlay.isHidden());
    }
    QTest::mouseRelease(view.windowHandle(), Qt::LeftButton);
    QTRY_VERIFY(overlay.isVisible());
  }
};

VQSCOPE_TEST(OverlayTest)
#include "overlay_test.moc"
