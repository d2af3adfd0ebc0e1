// SPDX-License-Identifier: GPL-3.0-or-later
// Masks with what stands beside them.
#include "tests/app/window/whole/whole_window.h"
#include "tests/support/needs_lab.h"
#include "tests/support/test_main.h"
#include "widgets/form/control/mask_text_edit.h"
#include "widgets/mask/checks/lint_panel.h"
#include "widgets/mask/checks/lint_parts.h"
#include "widgets/mask/row/row_debugger.h"
#include "widgets/page/field/field_page.h"
#include "widgets/panel/inspector_panel.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/text.h"
#include "widgets/view/overlay.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QPushButton>
#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

class WindowMasksTest : public WholeWindowCase {
  Q_OBJECT

 private slots:
  void theRowDebuggerBelongsToMasks() {
    WholeWindow s;
    RowDebugger* debugger = s.window.rowDebugger();
    QVERIFY(!debugger->isVisible());
    QVERIFY(!s.action("Next row that differs")->isEnabled());
    s.bench().showPage("masks");
    s.settle();
    QVERIFY(debugger->isVisible());
    QCOMPARE(debugger->report().keys, Index{512});
    QTest::keyClick(&s.window, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(debugger->cell().row, Index{1});
    s.trigger("Row debugger");
    QVERIFY(!debugger->isVisible());
    s.bench().showPage("rotary");
    s.bench().showPage("masks");
    QVERIFY(!debugger->isVisible());
    s.trigger("Row debugger");
    QVERIFY(debugger->isVisible());
    s.settle();
  }

  /// Map and debugger follow each other.
  void oneCellIsPicked() {
    WholeWindow s;
    s.bench().showPage("masks");
    s.settle();
    RowDebugger* debugger = s.window.rowDebugger();
    MatrixView* map = nullptr;
    for (auto* view : s.window.currentPage()->findChildren<MatrixView*>())
      if (view->isVisible()) map = view;
    QVERIFY(map && s.window.currentPage()->goTo({230, 317}));
    s.settle();
    QCOMPARE(debugger->cell(), (Cell{230, 317}));
    QTest::keyClick(debugger, Qt::Key_Up);
    QTest::keyClick(debugger, Qt::Key_Right);
    QCOMPARE(debugger->cell(), (Cell{229, 318}));
    QCOMPARE(map->picked(), std::optional(Cell{229, 318}));
    QTest::keyClick(map, Qt::Key_Down);
    QCOMPARE(debugger->cell(), (Cell{230, 318}));
    s.trigger("Next row without a visible key");
    s.settle();
    QVERIFY2(s.shownMessage().contains("Every row has a visible key"), qPrintable(s.shownMessage()));
  }

  /// While blocks are shown too: rows that break the lint rules as they are set, in the mask
  /// beneath the blocks.
  void rowsThatBreakTheLint() {
    WholeWindow s;
    s.bench().showPage("masks");
    s.settle();
    QVERIFY(s.action("Next row that breaks a rule")->isEnabled());
    ShownPage next = s.bench().current();
    next.values.set("q_length", Index{2097152});
    next.lint.set("window", Index{300000});
    QVERIFY(s.bench().edit("state", next));
    s.settle();
    s.trigger("Next row that breaks a rule");
    s.settle();
    QCOMPARE(s.window.rowDebugger()->cell().row, Index{300000});
    next.method = "mask_blocks";
    QVERIFY(s.bench().edit("blocks", next));
    s.settle();
    s.trigger("Next row that breaks a rule");
    s.settle();
    QCOMPARE(s.window.rowDebugger()->cell().row, Index{300001});
    s.bench().undoStack().undo();
    s.bench().undoStack().undo();
    s.settle();
    s.trigger("Next row that breaks a rule");
    s.settle();
    QVERIFY2(s.shownMessage().contains("breaks a rule"), qPrintable(s.shownMessage()));
  }

  /// The mask of the page, its text and its free names, on the page of experiments; one step of
  /// undo.
  void aMaskIsTestedWithASmallModel() {
    NEEDS_LAB();
    WholeWindow s;
    s.bench().showPage("masks");
    ShownPage next = s.bench().current();
    next.values.set("mask", std::string("custom"));
    next.values.set("mask_text", std::string("(kv_idx <= q_idx) & (q_idx - kv_idx < w)"));
    QVERIFY(s.bench().edit("text", next));
    s.settle();
    const ShownPage before = s.bench().page("experiments");
    const auto test = s.window.findChild<QPushButton*>(QStringLiteral("testMask"));
    test->click();
    s.settle();
    QCOMPARE(s.bench().current().id, std::string("experiments"));
    QCOMPARE(s.bench().current().method, std::string("mask_test"));
    QCOMPARE(s.bench().current().values.text("mask_text"), next.values.text("mask_text"));
    QCOMPARE(s.bench().current().values.integer("q_length"), Index{24});
    s.bench().undo();
    QCOMPARE(s.bench().page("experiments"), before);
    s.bench().showPage("masks");
    next = s.bench().current();
    next.values.set("mask", std::string("cross"));
    QVERIFY(s.bench().edit("cross", next));
    s.settle();
    test->click();
    QVERIFY2(s.shownMessage().contains("mask is cross"), qPrintable(s.shownMessage()));
    QCOMPARE(s.bench().current().id, std::string("masks"));
  }

  /// The difference of two masks: the debugger steps from one row that differs to the next.
  void theSecondMaskIsComparedTo() {
    WholeWindow s;
    s.bench().showPage("masks");
    ShownPage next = s.bench().current();
    next.compare = CompareMode::difference;
    next.other = next.values;
    next.other.set("sliding_window", Index{100});
    QVERIFY(s.bench().edit("compare", next));
    s.settle();
    s.trigger("Next cell that differs");
    s.settle();
    QCOMPARE(s.window.rowDebugger()->cell().row, Index{100});
  }

  /// B5: while the text is no mask, all panels keep the last valid one, and mark it.
  void textErrorIsShownEverywhere() {
    WholeWindow s;
    s.bench().showPage("masks");
    ShownPage next = s.bench().page("masks");
    next.values.set("mask", std::string("custom"));
    next.values.set("mask_text", std::string("return kv_idx <= q_idx\n"));
    QVERIFY(s.bench().edit("Change mask", next));
    s.settle();
    QVERIFY2(s.shownMessage().contains("exact"), qPrintable(s.shownMessage()));
    auto* text = s.window.currentPanel()->findChild<MaskTextEdit*>();
    text->setPlainText("return kv_idx <= (q_idx");
    QVERIFY(s.window.currentPage()->freshness().isOutdated());
    QVERIFY2(s.shownMessage().contains("not up to date") && !s.shownMessage().contains("exact"),
             qPrintable(s.shownMessage()));
    for (QWidget* answers :
         {static_cast<QWidget*>(s.window.currentPage()), static_cast<QWidget*>(s.window.rowDebugger()),
          static_cast<QWidget*>(s.window.findChild<LintPanel*>()),
          static_cast<QWidget*>(s.window.findChild<InspectorPanel*>())}) {
      const auto overlays = answers->findChildren<Overlay*>();
      QVERIFY(!overlays.isEmpty());
      QVERIFY2(std::ranges::any_of(overlays, [](const Overlay* overlay) { return overlay->freshness().isOutdated(); }),
               answers->metaObject()->className());
    }
    QApplication::clipboard()->setText("untouched");
    for (const char* action : {"Export", "Copy command line", "What is this mask?", "Next row without a visible key"}) {
      s.window.showMessage({}, false);
      s.trigger(action);
      QVERIFY2(s.shownMessage().contains("Fix the error first: mask_text, line 1, column"), action);
    }
    QCOMPARE(QApplication::clipboard()->text(), QString("untouched"));
    text->setPlainText("return kv_idx <= q_idx");
    s.settle();
    QVERIFY(s.window.currentPage()->freshness().isCurrent());
    QVERIFY2(s.shownMessage().contains("exact") && !s.shownMessage().contains("not up to date"),
             qPrintable(s.shownMessage()));
    s.trigger("Copy command line");
    QVERIFY(QApplication::clipboard()->text().startsWith("vqscope export visibility"));
  }

  /// The debugger, the checks and the inspector wait for the mask that the page waits for.
  void panelsWaitForTheMask() {
    WholeWindow s;
    s.bench().showPage("masks");
    s.settle();
    ShownPage next = s.bench().page("masks");
    next.values.set("q_length", Index{100});
    next.values.set("padding", Index{20});
    QVERIFY(s.bench().edit("Change", next));
    QVERIFY(s.shownMessage().contains("computing") && !s.shownMessage().contains("exact"));
    QVERIFY(!s.window.rowDebugger()->findChild<Overlay*>()->freshness().isCurrent());
    s.trigger("Next row without a visible key");
    s.settle();
    QCOMPARE(s.window.rowDebugger()->report().keys, Index{100});
    QCOMPARE(s.window.rowDebugger()->cell().row, Index{1});
    QVERIFY(s.window.rowDebugger()->findChild<Overlay*>()->freshness().isCurrent());
  }

  void checksAppearOnlyForMasks() {
    WholeWindow s;
    auto* dock = s.window.findChild<QDockWidget*>("checks");
    QVERIFY(dock->isHidden());
    s.bench().showPage("masks");
    QVERIFY(!dock->isHidden());
    ShownPage next = s.bench().page("masks");
    next.values.set("mask", std::string("padding"));
    QVERIFY(s.bench().edit("Change mask", next));
    s.settle();
    dock->raise();
    auto* panel = s.window.findChild<LintPanel*>();
    QTRY_VERIFY_WITH_TIMEOUT(!panel->isBusy() && panel->findChildren<FindingRow*>().size() == 1, 60000);
    emit panel->findChild<FindingRow*>()->picked({70, 3});
    const auto* page = qobject_cast<FieldPage*>(s.window.currentPage());
    QCOMPARE(page->maps().front()->picked(), std::optional(Cell{70, 3}));
    emit panel->copied("Copied: Python for JAX");
    QVERIFY(s.shownMessage().contains("Copied: Python for JAX"));
    s.bench().showPage("curves");
    QVERIFY(dock->isHidden());
  }
};

VQSCOPE_TEST(WindowMasksTest)
#include "window_masks_test.moc"
