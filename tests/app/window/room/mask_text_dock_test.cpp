// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/mask_text_dock.h"

#include "app/window/main_window.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QAction>
#include <QDockWidget>
#include <QFontInfo>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct TextWindow {
  MainWindow window;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000);
    QCoreApplication::processEvents();
  }
  QAction* toggle() {
    for (auto* each : window.findChildren<QAction*>())
      if (each->text() == "Mask &text") return each;
    return nullptr;
  }
  QDockWidget* dock() { return window.findChild<QDockWidget*>("maskText"); }
  CodeView* code() { return window.findChild<CodeView*>(); }
};

}  // namespace

class MaskTextDockTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void the_text_of_the_page() {
    const QTemporaryDir folder;
    TextWindow s;
    s.window.resize(1500, 900);
    s.window.show();
    s.window.openFile(writtenFile(folder, QStringLiteral("m.py"), "return (q_idx >= kv_idx) & (kv_idx > 0)\n"));
    s.settle();
    QVERIFY(s.dock()->isHidden());
    s.toggle()->trigger();
    s.settle();
    QVERIFY(!s.dock()->isHidden());
    QCOMPARE(s.code()->toPlainText(), QString("return (q_idx >= kv_idx) & (kv_idx > 0)\n"));
    QTRY_COMPARE(s.code()->noteOf(0), QString("0 >= 0, 0 > 0"));
    QVERIFY(s.window.currentPage()->goToKey({3, 1}));
    QCOMPARE(s.code()->noteOf(0), QString("3 >= 1, 1 > 0"));
    // A cell that a shorter sequence does not have is the last one, as in the row debugger.
    QVERIFY(s.window.currentPage()->goToKey({300, 200}));
    ShownPage shorter = s.window.workbench().page("masks");
    shorter.values.set("q_length", Index{100});
    QVERIFY(s.window.workbench().edit("T", shorter));
    s.settle();
    QTRY_COMPARE(s.code()->noteOf(0), QString("99 >= 99, 99 > 0"));
    s.window.workbench().undo();
    s.settle();
    QVERIFY(s.window.currentPage()->goToKey({3, 1}));
    s.code()->moveCursor(QTextCursor::Start);
    QTest::keyClicks(s.code(), "# a");
    QTest::keyClick(s.code(), Qt::Key_Return);
    s.settle();
    QVERIFY(s.window.workbench().page("masks").values.text("mask_text").starts_with("# a\n"));
    QCOMPARE(s.code()->noteOf(1), QString("3 >= 1, 1 > 0"));
    s.window.workbench().showPage("curves");
    s.settle();
    QVERIFY(s.dock()->isHidden());
    s.window.workbench().showPage("masks");
    s.settle();
    QVERIFY(!s.dock()->isHidden());
  }

  /// What is typed is entered before the session goes, and no later.
  void the_window_closes_while_a_text_is_typed() {
    const QTemporaryDir folder;
    const QString path = writtenFile(folder, QStringLiteral("m.py"), "return q_idx >= kv_idx\n");
    auto s = std::make_unique<TextWindow>();
    s->window.show();
    s->window.openFile(path);
    s->settle();
    s->toggle()->trigger();
    s->code()->moveCursor(QTextCursor::End);
    QTest::keyClicks(s->code(), "# 1");
    s.reset();
  }

  /// After the panels of a narrow window went back to its sides, QMainWindow has bars without tabs.
  void no_bar_without_tabs_covers_the_panel() {
    TextWindow s;
    s.window.resize(900, 700);
    s.window.show();
    s.window.workbench().showPage("masks");
    s.settle();
    s.window.resize(1200, 700);
    s.settle();
    s.toggle()->trigger();
    s.settle();
    s.toggle()->trigger();
    s.settle();
    for (const auto* bar : s.window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
      if (bar->count() < 2 && bar->isVisible()) QTRY_VERIFY(bar->geometry().right() < 0);
  }

  /// The text widens the column of the parameters, which other pages have as it was.
  void other_pages_keep_their_width() {
    TextWindow s;
    s.window.resize(1500, 900);
    s.window.show();
    s.window.workbench().showPage("masks");
    s.settle();
    const auto* parameters = s.window.findChild<QDockWidget*>("parameters");
    const int before = parameters->width();
    s.toggle()->trigger();
    s.settle();
    QTRY_VERIFY(s.dock()->width() > before);
    s.window.workbench().showPage("rotary");
    s.settle();
    QTRY_COMPARE(parameters->width(), before);
  }

  void a_preset_becomes_a_text() {
    TextWindow s;
    s.window.resize(1500, 900);
    s.window.show();
    s.window.workbench().showPage("masks");
    s.toggle()->trigger();
    s.settle();
    QVERIFY(!s.code()->edit() && s.code()->isReadOnly());
    QVERIFY2(s.code()->toPlainText().contains("return kv_idx <= q_idx + past_len"), "to be read");
    QVERIFY(QFontInfo(s.code()->document()->defaultFont()).fixedPitch());
    emit s.window.findChild<MaskEditor*>()->textRequested();
    s.settle();
    QVERIFY(s.code()->edit());
    QVERIFY(s.code()->toPlainText().contains("kv_idx"));
  }
};

VQSCOPE_TEST(MaskTextDockTest)
#include "mask_text_dock_test.moc"
