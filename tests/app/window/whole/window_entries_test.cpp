// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed and not entered yet, and undo.
#include "core/session/session_json.h"
#include "tests/app/window/whole/whole_window.h"
#include "tests/support/test_main.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/text.h"

#include <QApplication>
#include <QLineEdit>
#include <QSpinBox>
#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

class WindowEntriesTest : public WholeWindowCase {
  Q_OBJECT

 private slots:
  void undoAndRedoOfTheMenu() {
    WholeWindow s;
    QAction* undo = s.action("Undo");
    QAction* redo = s.action("Redo");
    QVERIFY(undo && redo && !undo->isEnabled() && !redo->isEnabled());
    s.setLength(77);
    QVERIFY(s.window.isWindowModified());
    QVERIFY(undo->isEnabled());
    undo->trigger();
    QCOMPARE(s.length(), Index{512});
    QVERIFY(!s.window.isWindowModified());
    redo->trigger();
    QCOMPARE(s.length(), Index{77});
    s.settle();
    QCOMPARE(s.window.currentPage()->extent(), std::optional(Extent{77, 77}));
  }

  void keysOfUndoAndRedo() {
    WholeWindow s;
    s.setLength(77);
    QTest::keyClick(&s.window, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(s.length(), Index{512});
    QTest::keyClick(&s.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(s.length(), Index{77});
    QTest::keyClick(&s.window, Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(&s.window, Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(s.length(), Index{77});
  }

  /// In a box, and not entered yet.
  void pendingEntryIsSavedAndKept() {
    const QString path = m_folder->filePath("work.vqscope");
    const auto lengthIn = [](const QString& file) {
      return shown_page(read_session(bytesOf(file))->session, "buckets").values.integer("q_length");
    };
    WholeWindow s;
    auto* box = s.window.currentPanel()->findChild<QLineEdit*>("q_length");
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "345");
    answerFile(path);
    QTest::keyClick(box, Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(lengthIn(path), Index{345});
    QApplication::setActiveWindow(&s.window);  // as a window manager does after a dialog
    QVERIFY(box->hasFocus());
    box->selectAll();
    QTest::keyClicks(box, "346");
    QVERIFY(s.window.close());
    QCOMPARE(lengthIn(savedSessionPath()), Index{346});
  }

  void pendingEntryOfAPageIsSaved() {
    WholeWindow s;
    s.window.openFile(":/configs/llama-3.1-8b.json");
    auto* box = s.window.currentPage()->findChild<QSpinBox*>();
    QVERIFY(box && box->isVisible());
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "13");
    QVERIFY(s.window.close());
    const auto saved = read_session(bytesOf(savedSessionPath()));
    QCOMPARE(shown_page(saved->session, "model").values.integer("query"), Index{13});
    QCOMPARE(saved->session, s.bench().session());
  }

  /// The button of the bar takes no focus from the box.
  void undoRevertsPendingEntry() {
    WholeWindow s;
    const Index first = s.length();
    s.setLength(1000);
    auto* box = s.window.currentPanel()->findChild<QLineEdit*>("q_length");
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "345");
    s.trigger("Undo");
    QCOMPARE(s.length(), Index{1000});
    s.trigger("Undo");
    QCOMPARE(s.length(), first);
    s.trigger("Redo");
    s.trigger("Redo");
    QCOMPARE(s.length(), Index{345});
  }

  /// A step back on another page hides the box with what is typed in it.
  void pendingEntryKeepsRedoSteps() {
    WholeWindow s;
    s.setLength(1000);
    s.bench().showPage("rotary");
    s.settle();
    auto* box = s.window.currentPanel()->findChild<QLineEdit*>("q_length");
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "345");
    s.bench().undoStack().undo();
    QCOMPARE(s.bench().session().current, std::string("buckets"));
    QVERIFY(s.bench().undoStack().canRedo());
    s.bench().undoStack().redo();
    QCOMPARE(s.length(), Index{1000});
  }

  void pendingEntryIsCommittedBeforeThePageChanges() {
    WholeWindow s;
    auto* field = s.window.currentPanel()->findChild<QWidget*>("q_length");
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, "300");
    QTest::keyClick(&s.window, Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(s.length(), Index{300});
    QCOMPARE(s.bench().session().current, page_infos()[1].id);
    QVERIFY(s.window.currentPage()->isVisible());
  }

  /// To colour the text of a form that is being made is no edit, and an edit then makes no second
  /// page.
  void sessionsWithMaskTextsAreShownUnchanged_data() {
    QTest::addColumn<QString>("page");
    for (const char* page : {"masks", "vq", "experiments", "biases", "scores"})
      if (find_page_info(page)) QTest::newRow(page) << page;
  }

  void sessionsWithMaskTextsAreShownUnchanged() {
    QFETCH(const QString, page);
    Session session = default_session();
    session.current = page.toStdString();
    PageState& state = *find_page(session, session.current);
    int texts = 0;
    for (const auto& spec : specs_of_page(*find_page_info(state.id)))
      if (spec.kind == ParameterKind::text) state.own.set(spec.name, std::string("q_idx - kv_idx < 7")), ++texts;
    if (texts == 0) QSKIP("no text on this page");
    WholeWindow s;
    // The page of masks is made in a pause.
    const auto made = [&] {
      const auto pages = s.window.findChildren<PageWidget*>();
      return std::ranges::count_if(pages, [](const PageWidget* each) { return each->info().id != "masks"; });
    };
    const auto before = made();
    s.bench().setSession(session);
    QTRY_COMPARE_WITH_TIMEOUT(s.window.currentPage()->info().id, session.current, 60000);
    applyTheme(*qApp, Theme::dark);
    QApplication::processEvents();
    applyTheme(*qApp, Theme::light);
    QApplication::processEvents();
    QCOMPARE(s.bench().session(), session);
    QVERIFY(!s.bench().undoStack().canUndo());
    QCOMPARE(made(), before + (page == "masks" ? 0 : 1));
  }
};

VQSCOPE_TEST(WindowEntriesTest)
#include "window_entries_test.moc"
