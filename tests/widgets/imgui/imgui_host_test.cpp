// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/imgui/imgui_host.h"

#include "tests/support/mouse.h"
#include "tests/support/test_main.h"
#include "widgets/theme/palette.h"

#include <imgui.h>

#include <QClipboard>

#include <array>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A button, a box for text, and a count of what was done with them.
class Panel : public ImGuiHost {
 public:
  explicit Panel(QWidget* parent = nullptr) : ImGuiHost(parent) { resize(300, 120); }

  int clicks = 0;
  int entered = 0;
  int drawn = 0;
  float glyphWidth = 0;
  std::array<char, 64> typed{};
  QRectF button;
  QRectF box;
  QRectF list;

 protected:
  void drawPanel() override {
    ++drawn;
    glyphWidth = ImGui::CalcTextSize("WWWWWWWWWW").x;
    if (ImGui::Button("Press")) ++clicks;
    button = lastItem();
    if (ImGui::InputText("##text", typed.data(), typed.size(), ImGuiInputTextFlags_EnterReturnsTrue)) ++entered;
    box = lastItem();
    if (ImGui::BeginCombo("##list", "list")) {
      ImGui::Selectable("one");
      ImGui::EndCombo();
    }
    list = lastItem();
  }

 private:
  static QRectF lastItem() {
    const ImVec2 from = ImGui::GetItemRectMin();
    const ImVec2 size = ImGui::GetItemRectSize();
    return {from.x, from.y, size.x, size.y};
  }
};

struct Shown {
  Panel panel;
  Shown() {
    panel.show();
    panel.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&panel);
    QTRY_VERIFY(panel.paintedFrames() > 0);
    rest();
  }
  /// Until no event has anything left to paint.
  void rest() {
    for (int before = -1; before != panel.paintedFrames();) {
      before = panel.paintedFrames();
      QCoreApplication::processEvents();
    }
  }
  void press(const QRectF& item) { QTest::mousePress(&panel, Qt::LeftButton, {}, item.center().toPoint()); }
  void release(const QRectF& item) { QTest::mouseRelease(&panel, Qt::LeftButton, {}, item.center().toPoint()); }
  void click(const QRectF& item) {
    press(item);
    release(item);
  }
  QImage grab() { return panel.grab().toImage(); }
};

}  // namespace

class ImGuiHostTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Press and release without a frame between them.
  void clickWithinOneFrameCounts() {
    Shown s;
    moveMouse(&s.panel, s.panel.button.center().toPoint());
    s.press(s.panel.button);
    s.release(s.panel.button);
    QCOMPARE(s.panel.clicks, 1);
    for (int i = 0; i < 5; ++i) s.click(s.panel.button);
    QCOMPARE(s.panel.clicks, 6);
    s.press(s.panel.button);
    moveMouse(&s.panel, {290, 110}, Qt::LeftButton);
    QTest::mouseRelease(&s.panel, Qt::LeftButton, {}, {290, 110});
    QCOMPARE(s.panel.clicks, 6);
  }

  void textIsEntered() {
    Shown s;
    QVERIFY(!s.panel.isEditing());
    s.click(s.panel.box);
    s.rest();
    QVERIFY(s.panel.isEditing());
    QTest::keyClicks(&s.panel, "12xß3");
    QTest::keyClick(&s.panel, Qt::Key_Backspace);
    QTest::keyClick(&s.panel, Qt::Key_Left);
    QTest::keyClick(&s.panel, Qt::Key_Backspace);
    QTest::keyClick(&s.panel, Qt::Key_Return);
    QCOMPARE(s.panel.entered, 1);
    QCOMPARE(QString::fromUtf8(s.panel.typed.data()), QString("12ß"));
  }

  void theClipboard() {
    Shown s;
    QApplication::clipboard()->setText("pasted λ");
    s.click(s.panel.box);
    QTest::keyClick(&s.panel, Qt::Key_V, Qt::ControlModifier);
    QTest::keyClick(&s.panel, Qt::Key_A, Qt::ControlModifier);
    QApplication::clipboard()->setText({});
    QTest::keyClick(&s.panel, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QString("pasted λ"));
    QTest::keyClick(&s.panel, Qt::Key_Return);
    QCOMPARE(QString::fromUtf8(s.panel.typed.data()), QString("pasted λ"));
  }

  void shortcutsAreTextWhileEditing() {
    Shown s;
    const auto taken = [&](int key, Qt::KeyboardModifiers modifiers, const QString& text) {
      QKeyEvent event(QEvent::ShortcutOverride, key, modifiers, text);
      event.ignore();
      QApplication::sendEvent(&s.panel, &event);
      return event.isAccepted();
    };
    QVERIFY(!taken(Qt::Key_G, Qt::NoModifier, "g"));
    s.click(s.panel.box);
    QVERIFY(taken(Qt::Key_G, Qt::NoModifier, "g"));
    QVERIFY(taken(Qt::Key_Z, Qt::ControlModifier, "\x1a"));
    QVERIFY(!taken(Qt::Key_S, Qt::ControlModifier, "\x13"));
    QVERIFY(!taken(Qt::Key_F7, Qt::NoModifier, {}));
  }

  void escapeClosesLists() {
    Shown s;
    s.click(s.panel.list);
    s.rest();
    QVERIFY(s.panel.hasPopup());
    QTest::keyClick(&s.panel, Qt::Key_Escape);
    s.rest();
    QVERIFY(!s.panel.hasPopup());
  }

  void losingTheFocusEndsEditing() {
    Shown s;
    s.click(s.panel.box);
    QVERIFY(s.panel.isEditing());
    s.panel.clearFocus();
    s.rest();
    QVERIFY(!s.panel.isEditing());
  }

  void sleepsWhenIdle() {
    Shown s;
    const auto timers = s.panel.findChildren<QTimer*>();
    QVERIFY(!timers.empty());
    for (const QTimer* timer : timers) QVERIFY(!timer->isActive());
    const int before = s.panel.drawn;
    QCoreApplication::processEvents();
    QCOMPARE(s.panel.drawn, before);
    moveMouse(&s.panel, {200, 100});
    s.rest();
    QVERIFY(s.panel.drawn > before);
    s.click(s.panel.box);
    s.rest();
    const int painted = s.panel.paintedFrames();
    QTRY_VERIFY(s.panel.paintedFrames() > painted + 2);  // the caret
  }

  void followsTheTheme() {
    Shown s;
    for (const Theme theme : {Theme::dark, Theme::light}) {
      applyTheme(*qApp, theme);
      s.rest();
      const QImage shown = s.grab();
      QCOMPARE(shown.pixelColor(shown.width() - 3, shown.height() - 3), palette(theme).panel);
      const QPointF button = s.panel.button.topLeft() + QPointF(4, 5);
      QCOMPARE(shown.pixelColor((button * shown.devicePixelRatio()).toPoint()), palette(theme).raised);
    }
  }

  void followsTheFont() {
    Shown s;
    const float before = s.panel.glyphWidth;
    QFont large = s.panel.font();
    large.setPointSizeF(2 * large.pointSizeF());
    s.panel.setFont(large);
    s.rest();
    QVERIFY2(std::abs(s.panel.glyphWidth / before - 2) < 0.15, qPrintable(QString::number(s.panel.glyphWidth)));
  }

  /// Two at once do not share what is typed or pressed.
  void severalPanels() {
    Shown a;
    Shown b;
    b.click(b.panel.button);
    a.click(a.panel.button);
    a.click(a.panel.button);
    QCOMPARE(a.panel.clicks, 2);
    QCOMPARE(b.panel.clicks, 1);
    { Shown c; }
    b.click(b.panel.button);
    QCOMPARE(b.panel.clicks, 2);
  }

  void cursorFollowsTheHoveredItem() {
    Shown s;
    for (const auto type : {QEvent::Leave, QEvent::WindowBlocked, QEvent::WindowDeactivate}) {
      moveMouse(&s.panel, s.panel.box.center().toPoint());
      s.rest();
      QCOMPARE(s.panel.cursor().shape(), Qt::IBeamCursor);
      QEvent leave(type);
      QApplication::sendEvent(&s.panel, &leave);
      s.rest();
      QCOMPARE(s.panel.cursor().shape(), Qt::ArrowCursor);
    }
  }

 private:
  void afterEach() override { applyTheme(*qApp, Theme::light); }
};

VQSCOPE_TEST(ImGuiHostTest)
#include "imgui_host_test.moc"
