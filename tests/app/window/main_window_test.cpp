// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "app/window/window_layout.h"

#include "app/window/bars/action_words.h"
#include "core/session/session_json.h"
#include "tests/app/program.h"
#include "tests/support/environment.h"
#include "tests/support/hands.h"
#include "tests/support/needs_lab.h"
#include "tests/support/session_values.h"
#include "tests/support/test_main.h"
#include "widgets/dialog/action_search.h"
#include "widgets/dialog/config_dialog.h"
#include "widgets/dialog/go_to_dialog.h"
#include "widgets/export/figure.h"
#include "widgets/figure/figure_editor.h"
#include "widgets/figure/file_choice.h"
#include "widgets/form/control/mask_text_edit.h"
#include "widgets/mask/checks/lint_panel.h"
#include "widgets/mask/checks/lint_parts.h"
#include "widgets/mask/row/row_debugger.h"
#include "widgets/page/field/field_page.h"
#include "widgets/page/model_page.h"
#include "widgets/page/plain_pages.h"
#include "widgets/page/survey_page.h"
#include "widgets/panel/inspector_panel.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/message_bar.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"
#include "widgets/view/overlay.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>
#include <QScreen>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStatusBar>
#include <QTableWidget>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The window on screen, active, with its first pictures.
struct Shown {
  MainWindow window;

  explicit Shown(bool restored = false) {
    window.workbench().showPage("buckets");
    if (restored) window.restoreSaved();
    window.show();
    window.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&window);
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000); }
  void open(const QString& path) {
    window.openFile(path);
    settle();
  }

  Workbench& bench() { return window.workbench(); }
  Index length() { return bench().page("buckets").values.integer("q_length"); }
  void setLength(Index length) {
    ShownPage next = bench().page("buckets");
    next.values.set("q_length", length);
    QVERIFY(bench().edit("Change q_length", next));
  }

  /// The first menu action whose text, without its mnemonic, begins with `text`.
  QAction* action(const QString& text) {
    for (const auto* menu : window.menuBar()->findChildren<QMenu*>())
      for (QAction* each : menu->actions())
        if (QString(each->text()).remove('&').startsWith(text)) return each;
    return nullptr;
  }
  void trigger(const QString& text) {
    QAction* found = action(text);
    QVERIFY2(found, qPrintable("no action " + text));
    found->trigger();
  }
  /// All texts of the status bar and the line above it.
  QString shownMessage() {
    QStringList parts{window.findChild<MessageBar*>()->sentence()};
    for (const auto* label : window.statusBar()->findChildren<QLabel*>())
      if (label->isVisibleTo(&window)) parts << label->text();
    return parts.join(" | ");
  }
};

void chooseFormats(FigureEditor& editor, const QStringList& formats) {
  editor.findChild<FileChoice*>()->setFormats(formats);
}

void answerFile(const QString& path) {
  whenModal<QFileDialog>([path](QFileDialog& dialog) {
    dialog.selectFile(path);
    static_cast<QDialog&>(dialog).accept();
  });
}

void answerQuestion(QMessageBox::StandardButton button) {
  whenModal<QMessageBox>([button](QMessageBox& box) { box.button(button)->click(); });
}

void writeTo(const QString& path, const QByteArray& bytes) {
  QDir().mkpath(QFileInfo(path).absolutePath());
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

QByteArray readFrom(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Result<WindowLayout> readLayout(const QString& path) {
  QString remark;
  return vqscope::readLayout(path, remark);
}

}  // namespace

class MainWindowTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { QApplication::setQuitOnLastWindowClosed(false); }

  void cleanupTestCase() { applyTheme(*qApp, Theme::light); }

  void everyPageOpensByItsKey() {
    Shown s;
    s.bench().showPage("start");
    for (const int number : {2, 1, 3, 1, 4, 1, 5, 1, 6, 1}) {
      if (number > std::ssize(room_infos())) break;
      QTest::keyClick(&s.window, static_cast<Qt::Key>(Qt::Key_0 + number), Qt::ControlModifier);
      const auto& room = room_infos()[static_cast<std::size_t>(number - 1)];
      const auto& info = *find_page_info(number == 4 ? "buckets" : room.pages.front());
      QCOMPARE(s.bench().session().current, info.id);
      QCOMPARE(&s.window.currentPage()->info(), &info);
      QVERIFY(s.window.currentPage()->isVisible());
      QCOMPARE(s.window.currentPanel()->isVisible(), s.window.currentPage()->hasSides());
      QCOMPARE(s.window.currentPage()->hasSides(), number > 2 && number < 6);  // no form beside start, model, questions
      s.settle();
    }
    QVERIFY(!s.bench().undoStack().canUndo());
  }

  void everyPageFitsANarrowWindow() {
    Shown s;
    s.window.openFile(":/configs/deepseek-v3.json");
    for (const auto& info : page_infos()) {
      s.bench().showPage(info.id);
      s.settle();
      QApplication::processEvents();
      QVERIFY2(s.window.minimumSizeHint().width() <= 800, info.id.c_str());
      s.window.resize(1100, 700);
      QVERIFY2(s.window.width() <= 1100, info.id.c_str());
    }
  }

  void undoAndRedoOfTheMenu() {
    Shown s;
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
    Shown s;
    s.setLength(77);
    QTest::keyClick(&s.window, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(s.length(), Index{512});
    QTest::keyClick(&s.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(s.length(), Index{77});
    QTest::keyClick(&s.window, Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(&s.window, Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(s.length(), Index{77});
  }

  void sessionsAreRestored() {
    const QString path = m_folder->filePath("work.vqscope");
    Session saved;
    {
      Shown s;
      s.setLength(1234);
      s.bench().showPage("rotary");
      s.bench().setView("buckets", ViewRange{1, 20, 3, 40});
      answerFile(path);
      s.trigger("Save session as");
      QVERIFY2(!s.window.isWindowModified(), qPrintable(s.shownMessage()));
      QVERIFY(s.window.windowTitle().contains("work.vqscope"));
      saved = s.bench().session();
      // Once more, to the same file and without a question.
      s.setLength(4321);
      s.trigger("Save session");
      QVERIFY(!s.window.isWindowModified());
      QCOMPARE(read_session(bytesOf(path))->session.current, std::string("buckets"));
      s.bench().undoStack().undo();
      s.bench().showPage("rotary");
      QVERIFY(s.window.isWindowModified());
      s.trigger("Save session");
    }
    Shown s;
    answerFile(path);
    s.trigger("Open…");
    s.settle();
    QCOMPARE(s.bench().session(), saved);
    QVERIFY(!s.window.isWindowModified() && !s.bench().undoStack().canUndo());
    QVERIFY(s.window.windowTitle().contains("work.vqscope"));
    s.settle();
  }

  void masksAreOpenedAsFiles() {
    QFile file(m_folder->filePath("cells.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("1,0,0\n1,1,0\n1,1,1\n");
    file.close();
    Shown s;
    s.open(file.fileName());
    QCOMPARE(s.bench().session().current, std::string("masks"));
    QVERIFY(s.shownMessage().contains("cells.csv: whole numbers, 0 and 1: 1 is visible"));
    const auto* page = &s.bench().page("masks");
    QCOMPARE(page->values.choice("mask"), std::string("dump"));
    QCOMPARE(s.bench().undoStack().count(), 1);
    s.trigger("What is this mask?");
    s.settle();
    QVERIFY2(!s.window.findChild<QDockWidget*>("inspector")->visibleRegion().isEmpty(), "behind the checks");
    for (auto* button : s.window.findChildren<QPushButton*>())
      if (button->text() == "Use as text") button->click();
    QCOMPARE(page->values.choice("mask"), std::string("custom"));
    QCOMPARE(page->values.text("mask_text"), std::string("return (kv_idx <= q_idx)\n"));
    s.trigger("Go to the first difference");
    s.settle();
    QVERIFY(s.shownMessage().contains("No second mask to compare with"));
    s.bench().undoStack().undo();
    s.bench().undoStack().undo();
    QCOMPARE(page->values, shown_page(default_session(), "masks").values);
    s.settle();
  }

  /// In a box, and not entered yet.
  void pendingEntryIsSavedAndKept() {
    const QString path = m_folder->filePath("work.vqscope");
    const auto lengthIn = [](const QString& file) {
      return shown_page(read_session(bytesOf(file))->session, "buckets").values.integer("q_length");
    };
    Shown s;
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
    Shown s;
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
    Shown s;
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
    Shown s;
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

  void saveAddsTheSuffix() {
    Shown s;
    answerFile(m_folder->filePath("plain"));
    s.trigger("Save session as");
    QVERIFY(QFile::exists(m_folder->filePath("plain.vqscope")));
  }

  void failedSaveIsReported() {
    Shown s;
    s.setLength(5);
    answerFile(m_folder->filePath("work.vqscope"));
    s.trigger("Save session as");
    QVERIFY(!s.window.isWindowModified());
    s.setLength(6);
    // A folder in the file's place cannot be overwritten, not even by the superuser.
    QVERIFY(QFile::remove(m_folder->filePath("work.vqscope")) && QDir(m_folder->path()).mkdir("work.vqscope"));
    s.trigger("Save session");
    QVERIFY2(s.shownMessage().contains("work.vqscope"), qPrintable(s.shownMessage()));
    QVERIFY(s.window.isWindowModified());
  }

  void damagedSessions_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("binary") << QByteArray("\x00\xff\x80\x01{[", 6);
    QTest::newRow("cut") << QByteArray::fromStdString(session_text(default_session())).left(200);
    QTest::newRow("another JSON") << QByteArray("{\"a\": 1}");
    QTest::newRow("deep") << QByteArray(100'000, '[');
  }

  void damagedSessions() {
    QFETCH(QByteArray, content);
    const QString path = m_folder->filePath("damaged.vqscope");
    writeTo(path, content);
    Shown s;
    s.setLength(99);
    const Session before = s.bench().session();
    s.open(path);
    QCOMPARE(s.bench().session(), before);
    QVERIFY2(s.shownMessage().contains("damaged.vqscope"), qPrintable(s.shownMessage()));
    QVERIFY(s.bench().undoStack().canUndo());
    QVERIFY(!s.window.windowTitle().contains("damaged"));
    s.open(m_folder->filePath("nowhere.vqscope"));
    QVERIFY2(s.shownMessage().contains("nowhere.vqscope"), qPrintable(s.shownMessage()));
    s.open(m_folder->path());
    QCOMPARE(s.bench().session(), before);
  }

  void newSessionConfirmsDiscardingEdits() {
    Shown s;
    s.setLength(99);
    answerQuestion(QMessageBox::Cancel);
    s.trigger("New session");
    QCOMPARE(s.length(), Index{99});
    QVERIFY(s.window.isWindowModified());
    answerQuestion(QMessageBox::Discard);
    s.trigger("New session");
    QCOMPARE(s.bench().session(), default_session());
    QVERIFY(!s.window.isWindowModified());
    s.trigger("New session");  // nothing to lose, no question
  }

  /// Neither an error that stood in a form nor a picture.
  void newSessionClearsErrorsAndPictures() {
    NEEDS_LAB();
    Shown s;
    s.bench().showPage("vq");
    s.settle();
    auto* box = s.window.currentPanel()->findChild<QLineEdit*>(QStringLiteral("n_code"));
    QVERIFY(box);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, "0");
    QTest::keyClick(box, Qt::Key_Return);
    QVERIFY(s.window.currentPage()->freshness().isOutdated());
    s.bench().showPage("start");
    s.bench().setSession(default_session());
    s.bench().showPage("vq");
    QVERIFY(!s.window.currentPage()->freshness().isOutdated());
    QVERIFY(!s.window.currentPage()->extent());
    s.settle();
    QVERIFY(s.window.currentPage()->freshness().isCurrent());
  }

  void savingAnswersTheUnsavedChangesQuestion() {
    const QString path = m_folder->filePath("work.vqscope");
    QVERIFY(write_session(default_session(), bytesOf(path)));
    Shown s;
    s.open(path);
    s.setLength(99);
    answerQuestion(QMessageBox::Save);
    s.trigger("New session");
    QCOMPARE(s.bench().session(), default_session());
    QCOMPARE(s.window.windowTitle(), QString("VQScope[*]"));
    QCOMPARE(shown_page(read_session(bytesOf(path))->session, "buckets").values.integer("q_length"), Index{99});
    s.setLength(98);
    answerQuestion(QMessageBox::Save);
    answerFile(m_folder->filePath("no/such/folder.vqscope"));
    s.trigger("New session");  // could not be saved: nothing is discarded
    QCOMPARE(s.length(), Index{98});
  }

  void badSessionValueIsReported() {
    const QString path = m_folder->filePath("range.vqscope");
    Session session = default_session();
    set_value(*find_page(session, "buckets"), "q_length", Index{400});
    auto json = QByteArray::fromStdString(session_text(session));
    writeTo(path, json.replace("\"q_length\": 400", "\"q_length\": -3"));
    Shown s;
    s.open(path);
    QVERIFY2(s.shownMessage().contains(
                 "range.vqscope: Buckets: q_length is -3 but must be an integer from 1 to 2147483648; it is "
                 "512 now"),
             qPrintable(s.shownMessage()));
    QCOMPARE(s.length(), Index{512});
    QVERIFY(s.window.windowTitle().startsWith("range.vqscope"));
    // Its other values exist only in the file, so saving requests a path.
    const QString other = m_folder->filePath("other.vqscope");
    answerFile(other);
    s.trigger("Save session");
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains("\"q_length\": -3"));
    QVERIFY(QFile::exists(other));
    s.trigger("Save session");  // no question about a file that is complete
  }

  void layoutsAreRestored() {
    const WindowLayout layout{QRect(-5, 20, 800, 600), true, {{"parameters", {false, 321}}}, "checks", "dark",
                              {{"positions", 300}},    true};
    QVERIFY(writeLayout(layout, m_folder->filePath("deep/er/layout.json")));
    const auto read = readLayout(m_folder->filePath("deep/er/layout.json"));
    QVERIFY(read && *read == layout);
    const auto missing = readLayout(m_folder->filePath("none.json"));
    QVERIFY(!missing && missing.error().code == Errc::not_found);
  }

  void docksAreRestored() {
    WindowLayout layout;
    {
      Shown s;
      layout = s.window.layoutState();
      QVERIFY(layout.docks.at("parameters").visible && layout.docks.at("parameters").size > 200);
      layout.docks["parameters"].size += 40;
      layout.docks["inspector"].visible = false;
      QVERIFY(writeLayout(layout, savedLayoutPath()));
    }
    Shown s(true);
    const auto again = s.window.layoutState();
    QCOMPARE(again.docks.at("parameters").size, layout.docks.at("parameters").size);
    QVERIFY(!again.docks.at("inspector").visible);
  }

  /// The names of parameters are shown in the next window too.
  void namesOfParametersAreRestored() {
    {
      Shown s;
      QVERIFY(!s.window.layoutState().names);
      s.trigger("Parameter names");
      QVERIFY(s.window.layoutState().names);
    }
    Shown s(true);
    QVERIFY(s.window.layoutState().names);
    s.trigger("Parameter names");
    QVERIFY(!s.window.layoutState().names);
  }

  /// Whatever bytes a file has, the window stands within the screen.
  void damagedLayoutsKeepTheWindowOnScreen() {
    QByteArray whole;
    {
      Shown s;
      QVERIFY(writeLayout(s.window.layoutState(), savedLayoutPath()));
      whole = readFrom(savedLayoutPath());
    }
    const qsizetype step = whole.size() / 20;
    for (qsizetype at = 0; at < whole.size(); at += step) {
      if (!isTried(at / step)) continue;
      QByteArray changed = whole;
      changed[at] = changed[at] == '1' ? '9' : static_cast<char>(changed[at] ^ 0x01);
      writeTo(savedLayoutPath(), changed);
      Shown s(true);
      QVERIFY2(s.window.isVisible() && s.window.width() < 3000, changed.constData());
    }
  }

  void damagedLayouts_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("binary") << QByteArray("\x00\xff\x80\x01\x7f", 5);
    QTest::newRow("not JSON") << QByteArray("{\"geometry\": ");
    QTest::newRow("array") << QByteArray("[1, 2]");
    QTest::newRow("no numbers") << QByteArray("{\"layout\": 2, \"theme\": \"\"}");
    QTest::newRow("wrong types") << QByteArray(
        "{\"layout\": 2, \"theme\": \"\", \"window\": 5, \"docks\": [], \"raised\": 7}");
    QTest::newRow("huge dock") << QByteArray(
        "{\"layout\": 2, \"theme\": \"\", \"window\": {\"x\": 0, \"y\": 0, \"width\": 800, \"height\": 600, "
        "\"maximized\": false},"
        "\"docks\": {\"parameters\": {\"visible\": true, \"size\": 2000000000}}, \"raised\": \"\"}");
    QTest::newRow("too large") << QByteArray(2 << 20, ' ');
    QTest::newRow("deep") << QByteArray(100'000, '[');
  }

  void damagedLayouts() {
    QFETCH(QByteArray, content);
    writeTo(savedLayoutPath(), content);
    const auto read = readLayout(savedLayoutPath());
    QVERIFY(!read);
    QVERIFY2(read.error().message.find("is damaged and was ignored") != std::string::npos,
             read.error().message.c_str());
    Shown s(true);
    QVERIFY2(s.shownMessage().contains("is damaged and was ignored"), qPrintable(s.shownMessage()));
    QVERIFY(s.window.isVisible() && s.window.width() > 600 && s.window.height() > 400);
  }

  void aCutLayout() {
    {
      Shown s;
      QVERIFY(writeLayout(s.window.layoutState(), savedLayoutPath()));
    }
    const QByteArray whole = readFrom(savedLayoutPath());
    for (const qsizetype size : {whole.size() - 3, whole.size() / 2, qsizetype{1}}) {
      writeTo(savedLayoutPath(), whole.left(size));
      QVERIFY(!readLayout(savedLayoutPath()));
    }
  }

  /// It held what Qt makes of a window, which Qt takes back unchecked.
  void aLayoutOfAnOlderVersion() {
    writeTo(savedLayoutPath(),
            "{\"checksum\": \"00\", \"docks\": \"/////w==\", \"geometry\": \"\", \"theme\": \"dark\"}");
    Shown s(true);
    QVERIFY2(s.shownMessage().contains("layout is from an older version"), qPrintable(s.shownMessage()));
    QVERIFY(s.window.isVisible() && currentTheme() == Theme::dark);
  }

  void everythingDamaged() {
    writeTo(savedLayoutPath(), "junk");
    writeTo(savedSessionPath(), "{\"vqscope\": 1, ");
    Shown s(true);
    QVERIFY2(s.shownMessage().contains("is damaged and was ignored"), qPrintable(s.shownMessage()));
    QVERIFY2(s.shownMessage().contains("The last session could not be read: "), qPrintable(s.shownMessage()));
    QVERIFY(s.window.isVisible());
    Session untouched = default_session();
    untouched.current = "buckets";  // as before
    QCOMPARE(s.bench().session(), untouched);
    QCOMPARE(readFrom(savedSessionPath() + ".damaged"), QByteArray("{\"vqscope\": 1, "));
  }

  void closingKeepsTheSessionAndTheLayout() {
    Session last;
    {
      Shown s;
      s.setLength(345);
      s.bench().showPage("masks");
      s.settle();
      s.window.resize(1111, 777);
      s.trigger("Dark");
      last = s.bench().session();
      QVERIFY(s.window.close());
    }
    QVERIFY(QFile::exists(savedSessionPath()));
    QCOMPARE(read_session(bytesOf(savedSessionPath()))->session, last);
    applyTheme(*qApp, Theme::light);
    Shown s(true);
    QCOMPARE(s.bench().session(), last);
    // The title bar stays on the screen.
    QCOMPARE(s.window.size(), QSize(1111, 777).boundedTo(s.window.screen()->availableSize() - QSize(0, 40)));
    QVERIFY(currentTheme() == Theme::dark);
    QVERIFY2(!s.bench().undoStack().canUndo(), "what was done before the start can be undone");
  }

  void theRowDebuggerBelongsToMasks() {
    Shown s;
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
    Shown s;
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
    Shown s;
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
    Shown s;
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
    Shown s;
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

  void rowDebuggerVisibilityIsRestored() {
    for (const bool wanted : {false, true}) {
      {
        Shown s(true);
        if (s.action("Row debugger")->isChecked() != wanted) s.trigger("Row debugger");
        QVERIFY(s.window.close());
      }
      Shown s(true);
      QCOMPARE(s.action("Row debugger")->isChecked(), wanted);
      QVERIFY(!s.window.rowDebugger()->isVisible());
      s.bench().showPage("masks");
      QCOMPARE(s.window.rowDebugger()->isVisible(), wanted);
      s.settle();
    }
  }

  void everyActionHasItsText() {
    Shown s;
    QList<QKeySequence> keys;
    int actions = 0;
    QList<QMenu*> menus;
    for (const auto* bar : s.window.menuBar()->actions()) menus << bar->menu();
    for (qsizetype i = 0; i < menus.size(); ++i) {
      QVERIFY(!menus[i]->title().remove('&').trimmed().isEmpty());
      for (const auto* action : menus[i]->actions()) {
        if (action->isSeparator()) continue;
        if (action->menu()) menus << action->menu();
        ++actions;
        QVERIFY2(!action->text().remove('&').trimmed().isEmpty(), qPrintable(menus[i]->title()));
        for (const auto& key : action->shortcuts()) {
          if (key.isEmpty()) continue;
          QVERIFY2(!keys.contains(key), qPrintable(action->text() + ": " + key.toString() + " is another's"));
          keys << key;
        }
      }
    }
    QVERIFY2(actions >= 15, qPrintable(QString::number(actions)));
  }

  void methodsAreFoundByName() {
    Shown s;
    auto* search = s.window.findChild<ActionSearch*>();
    search->setFocus();
    QTest::keyClicks(search, "rope_cos");
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(s.bench().session().current, std::string("rotary"));
    QCOMPARE(s.bench().current().method, std::string("rope_cos"));
    QTRY_VERIFY(search->text().isEmpty());
    s.settle();
  }

  void parametersAreFoundByName() {
    Shown s;
    auto* search = s.window.findChild<ActionSearch*>();
    search->setFocus();
    QTest::keyClicks(search, "rope_theta");
    QTest::keyClick(search, Qt::Key_Return);
    QVERIFY(s.bench().session().current == "rotary" || s.bench().session().current == "curves");
    QTRY_VERIFY(search->text().isEmpty());
    QVERIFY(s.window.currentPanel()->findChild<QLineEdit*>("rope_theta"));
    s.settle();
    QTest::keyClicks(search, "nonsense");
    QTest::keyClick(search, Qt::Key_Escape);
    QVERIFY(search->text().isEmpty());
  }

  void valuesAreSetByTyping() {
    Shown s;
    auto* search = s.window.findChild<ActionSearch*>();
    const auto type = [&](const char* typed) {
      search->setFocus();
      QTest::keyClicks(search, typed);
      QTest::keyClick(search, Qt::Key_Return);
    };
    type("T 333");
    QCOMPARE(s.bench().current().values.integer("q_length"), Index{333});
    type("T 0");
    QCOMPARE(search->text(), QString("T 0"));  // the list says why
    QTest::keyClick(search, Qt::Key_Escape);
    QCOMPARE(s.bench().current().values.integer("q_length"), Index{333});
    type("rope 4k");
    QCOMPARE(s.bench().current().method, std::string("rope_phase"));
    QCOMPARE(s.bench().current().values.integer("q_length"), Index{4096});
    s.settle();
  }

  /// The search finds them by these words, so the titles must be those of actions.
  void describedActionsAreThere() {
    Shown s;
    QStringList titles;
    for (QAction* action : s.window.findChildren<QAction*>()) titles << action->text().remove('&');
    for (const auto& words : action_words())
      QVERIFY2(titles.contains(QString::fromUtf8(words.title.data(), static_cast<qsizetype>(words.title.size()))),
               words.title.data());
  }

  /// The line that is copied writes the figure that the window writes.
  void theCopiedLineGivesTheSameFile() {
    Shown s;
    s.setLength(33);
    s.trigger("Copy command line");
    const QString line = QApplication::clipboard()->text();
    QCOMPARE(line, QString("vqscope export t5_bucket --set q_length=33 --out t5_bucket.png"));
    const auto outcome = runProgram(*m_folder, line.split(' ').mid(1));
    QCOMPARE(outcome.err, QByteArray());
    const auto target = s.window.currentPage()->exportTargets().front();
    const ExportRequest request{
        .method = target.method, .values = target.values, .look = s.bench().current(), .figures = qtFigureMaker()};
    QVERIFY(export_file(request, m_folder->filePath("window.png").toStdString(), {}, {}));
    QVERIFY(contentOf(*m_folder, "t5_bucket.png") == contentOf(*m_folder, "window.png"));
  }

  void goingToACellByTyping_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("expected");
    QTest::newRow("cell") << "230, 317"
                          << "";
    QTest::newRow("blank between") << "230 317"
                                   << "";
    QTest::newRow("outside") << "600, 1"
                             << "cell (600, 1) is outside the matrix";
    QTest::newRow("one number") << "5"
                                << "enter a cell as two whole numbers";
    QTest::newRow("words") << "a, b"
                           << "a is not a whole number";
    QTest::newRow("numbers and a word") << "1, 2, b"
                                        << "b is not a whole number";
    QTest::newRow("long") << QString(20000, 's')
                          << QString(59, 's') + "… is not a whole number; enter a cell as row, column";
  }

  void goingToACellByTyping() {
    QFETCH(QString, typed);
    QFETCH(QString, expected);
    Shown s;
    QString refused;
    whenModal<GoToDialog>([typed, &refused](GoToDialog& dialog) {
      dialog.findChild<QLineEdit*>()->setText(typed);
      dialog.accept();
      if (!dialog.isVisible()) return;
      for (const auto* label : dialog.findChildren<QLabel*>())
        if (label->property("class") == "error") refused = label->text();
      dialog.reject();
    });
    s.trigger("Go to cell");
    s.settle();
    if (expected.isEmpty())
      QVERIFY2(s.shownMessage().contains("q 230   k 317"), qPrintable(s.shownMessage()));
    else
      QVERIFY2(refused.contains(expected), qPrintable(refused));
  }

  /// The meaning of a model's config is shown on the model's page, in a dialog, and on the Rotary
  /// page.
  void aModelsConfigIsOpened() {
    Shown s;
    s.window.openFile(":/configs/llama-3.1-8b.json");
    auto* page = qobject_cast<ModelPage*>(s.window.currentPage());
    QVERIFY(page && page->isVisible());
    QCOMPARE(s.bench().session().subject.model, std::string("llama-3.1-8b"));
    QCOMPARE(s.bench().undoStack().count(), 1);
    QVERIFY(!s.window.findChild<ConfigDialog*>());
    for (auto* button : page->findChildren<QPushButton*>())
      if (button->text().startsWith("Config details")) button->click();
    const auto* dialog = s.window.findChild<ConfigDialog*>();
    QVERIFY(dialog);
    QTRY_VERIFY(dialog->isVisible());
    QVERIFY2(dialog->windowTitle().startsWith("llama-3.1-8b"), qPrintable(dialog->windowTitle()));
    const auto tables = dialog->findChildren<QTableWidget*>();
    QVERIFY(std::ranges::any_of(tables, [](const auto* table) { return table->rowCount() == 64; }));
    QPushButton* show = nullptr;
    for (auto* button : dialog->findChildren<QPushButton*>())
      if (button->text().startsWith("Show ")) show = show ? show : button;
    QVERIFY(show);
    show->click();
    s.settle();
    QCOMPARE(s.bench().session().current, std::string("rotary"));
    const auto& values = s.bench().page("rotary").values;
    QCOMPARE(values.choice("rope_type"), std::string("llama3"));
    QCOMPARE(values.real("factor"), 8.0);
    QVERIFY(s.bench().undoStack().canUndo());
    writeTo(m_folder->filePath("none.json"), "{\"a\": }");
    s.open(m_folder->filePath("none.json"));
    QVERIFY2(s.shownMessage().contains("none.json: line 1"), qPrintable(s.shownMessage()));
    QApplication::clipboard()->setText("no config");
    s.trigger("Paste model config");
    QVERIFY2(s.shownMessage().contains("The clipboard does not contain a model config"), qPrintable(s.shownMessage()));
  }

  void theSurveyOpensMethods() {
    Shown s;
    s.trigger("Survey of position encodings");
    auto* survey = qobject_cast<SurveyPage*>(s.window.currentPage());
    QVERIFY(survey && survey->isVisible());
    auto* table = survey->findChild<QTableWidget*>();
    for (const char* name : {"T5 bias", "KERPLE log", "Sandwich", "xPos", "YaRN"})
      QCOMPARE(table->findItems(name, Qt::MatchExactly).size(), 1);
    QCoreApplication::processEvents();
    for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
    for (const auto* timer : survey->findChildren<QTimer*>()) QVERIFY2(!timer->isActive(), "it comes to rest");
    const QString csv = m_folder->filePath("survey.csv");
    QTimer::singleShot(0, this, [&csv] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      dialog->findChild<QLineEdit*>("fileNameEdit")->setText(csv);
      static_cast<QDialog*>(dialog)->accept();
    });
    s.trigger("Export");
    QVERIFY2(s.shownMessage().contains("survey.csv"), qPrintable(s.shownMessage()));
    QVERIFY(QFileInfo(csv).size() > 0);
    const auto found = table->findItems("ALiBi", Qt::MatchExactly);
    QCOMPARE(found.size(), 1);
    table->setCurrentItem(found.front());
    emit table->cellActivated(found.front()->row(), 0);
    s.settle();
    QCOMPARE(s.bench().session().current, std::string("biases"));
    QCOMPARE(s.bench().current().method, std::string("alibi"));
    s.trigger("Survey of position encodings");
    table->setCurrentItem(table->findItems("YaRN", Qt::MatchExactly).front());
    emit table->cellActivated(table->currentRow(), 0);
    s.settle();
    QCOMPARE(s.bench().current().values.choice("rope_type"), std::string("yarn"));
  }

  /// B5: while the text is no mask, all panels keep the last valid one, and mark it.
  void textErrorIsShownEverywhere() {
    Shown s;
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
    Shown s;
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
    Shown s;
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
    QTRY_VERIFY(!panel->isBusy() && panel->findChildren<FindingRow*>().size() == 1);
    emit panel->findChild<FindingRow*>()->picked({70, 3});
    const auto* page = qobject_cast<FieldPage*>(s.window.currentPage());
    QCOMPARE(page->maps().front()->picked(), std::optional(Cell{70, 3}));
    emit panel->copied("Copied: Python for JAX");
    QVERIFY(s.shownMessage().contains("Copied: Python for JAX"));
    s.bench().showPage("curves");
    QVERIFY(dock->isHidden());
  }

  void pagesOfCurvesHaveNoCells() {
    Shown s;
    s.bench().showPage("curves");
    s.settle();
    s.trigger("Go to cell");
    QVERIFY2(s.shownMessage().contains("no matrix"), qPrintable(s.shownMessage()));
    s.trigger("Zoom in");
    s.trigger("Fit");
  }

  void helpIsShown() {
    Shown s;
    for (const char* text : {"Keys and mouse", "Sessions and recovery", "About VQScope"}) {
      QString shown;
      whenModal<QMessageBox>([&shown](QMessageBox& box) {
        shown = box.text();
        box.accept();
      });
      s.trigger(text);
      QVERIFY2(shown.size() > 50, text);
      QVERIFY2(text != QByteArray("About VQScope") || shown.contains("VQScope 0."), "the version");
    }
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
    Shown s;
    // The page of masks is made in a pause.
    const auto made = [&] {
      const auto pages = s.window.findChildren<PageWidget*>();
      return std::ranges::count_if(pages, [](const PageWidget* each) { return each->info().id != "masks"; });
    };
    const auto before = made();
    s.bench().setSession(session);
    QTRY_COMPARE(s.window.currentPage()->info().id, session.current);
    applyTheme(*qApp, Theme::dark);
    QApplication::processEvents();
    applyTheme(*qApp, Theme::light);
    QApplication::processEvents();
    QCOMPARE(s.bench().session(), session);
    QVERIFY(!s.bench().undoStack().canUndo());
    QCOMPARE(made(), before + (page == "masks" ? 0 : 1));
  }

  void pendingEntryIsCommittedBeforeThePageChanges() {
    Shown s;
    auto* field = s.window.currentPanel()->findChild<QWidget*>("q_length");
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, "300");
    QTest::keyClick(&s.window, Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(s.length(), Index{300});
    QCOMPARE(s.bench().session().current, page_infos()[1].id);
    QVERIFY(s.window.currentPage()->isVisible());
  }

  /// As the window does when it becomes active again.
  void focusLeavesHiddenWidgets() {
    Shown s;
    QWidget* field = s.window.currentPanel()->findChild<QWidget*>("q_length");
    s.bench().showPage("curves");
    QVERIFY(!field->isVisible());
    field->setFocus();
    QVERIFY(QApplication::focusWidget() != field);
    QVERIFY(s.window.focusWidget() != field);
    // The list of a box that closes has nowhere to give it back to.
    s.bench().showPage("buckets");
    auto* box = s.window.currentPanel()->findChild<QComboBox*>();
    if (auto* focus = s.window.focusWidget()) focus->clearFocus();
    box->showPopup();
    box->view()->setFocus();
    box->hidePopup();
    QTRY_VERIFY(!QApplication::focusWidget() || QApplication::focusWidget()->isVisible());
  }

  /// The requester of the file is gone.
  void buttonOfAHiddenPageDoesNotExport() {
    Shown s;
    QToolButton* button = nullptr;
    for (auto* each : s.window.currentPage()->findChildren<QToolButton*>())
      if (each->isVisible() && each->toolTip() == "Export this map") button = each;
    QVERIFY(button);
    QTest::mousePress(button, Qt::LeftButton);
    s.bench().showPage("survey");
    QTest::mouseRelease(button, Qt::LeftButton);
    QVERIFY(!QApplication::activeModalWidget());
  }

  void closingTheWindowEndsItsExport() {
    Shown s;
    s.setLength(8192);
    s.settle();
    const QString path = m_folder->filePath("cells.csv");
    bool closed = false;
    whenModal<FigureEditor>([&](FigureEditor& dialog) {
      chooseFormats(dialog, {"csv"});
      answerFile(path);
      auto* timer = new QTimer(qApp);
      connect(timer, &QTimer::timeout, timer, [&, timer] {
        if (!s.window.findChild<QProgressDialog*>()) return;
        timer->deleteLater();
        closed = s.window.close();
      });
      timer->start(1);
      dialog.accept();
    });
    s.trigger("Export");
    QVERIFY(closed);
    QCOMPARE(QDir(m_folder->path()).entryList({"cells*"}), QStringList());
  }

  /// The entries are kept for another try.
  void failedExportIsReportedAndCanBeRetried() {
    Shown s;
    QString warned;
    QStringList formats;
    whenModal<FigureEditor>([&](FigureEditor& dialog) {
      chooseFormats(dialog, {"csv"});
      answerFile(m_folder->filePath("no/such/folder/cells.csv"));
      whenModal<QMessageBox>([&](QMessageBox& box) {
        warned = box.text();
        whenModal<FigureEditor>([&](FigureEditor& again) {
          formats = again.formats();
          again.reject();
        });
        box.accept();
      });
      dialog.accept();
    });
    s.trigger("Export");
    QVERIFY2(warned.contains("cells.csv") && warned.contains("there is no directory"), qPrintable(warned));
    QCOMPARE(formats, QStringList{"csv"});
    QVERIFY(!QDir(m_folder->filePath("no")).exists());
  }

  void themesReachHiddenPages() {
    Shown s;
    s.bench().showPage("survey");
    s.settle();
    s.bench().showPage("buckets");
    s.settle();
    s.trigger("Dark");
    s.bench().showPage("survey");
    s.settle();
    const auto* table = s.window.currentPage()->findChild<QTableWidget*>();
    const QImage shown = table->horizontalHeader()->grab().toImage();
    QCOMPARE(QColor(shown.pixel(1, 1)).name(), palette(Theme::dark).panel.name());
    s.trigger("Light");
  }

  void themeChangesTheScreen() {
    Shown s;
    s.trigger("Dark");
    QVERIFY(currentTheme() == Theme::dark);
    s.settle();
    const QImage dark = s.window.grab().toImage();
    s.trigger("Light");
    s.settle();
    QVERIFY(qGray(s.window.grab().toImage().pixel(5, 5)) > qGray(dark.pixel(5, 5)));
  }

 private:
  void beforeEach() override {
    m_folder = std::make_unique<QTemporaryDir>();
    keepStateIn(*m_folder);
    QVERIFY(savedSessionPath().startsWith(m_folder->path()));
    applyTheme(*qApp, Theme::light);
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(MainWindowTest)
#include "main_window_test.moc"
