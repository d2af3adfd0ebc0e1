// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "app/cli/arguments/export_request.h"
#include "app/cli/command.h"
#include "core/catalogue/registry.h"
#include "core/mask/language/kept_program.h"
#include "core/output/exporter.h"
#include "tests/app/program.h"
#include "tests/app/window/watched_methods.h"
#include "tests/support/quick_settings.h"
#include "tests/support/sanitizers.h"
#include "tests/support/test_main.h"
#include "widgets/export/figure.h"
#include "widgets/form/control/mask_text_edit.h"
#include "widgets/form/control/thin_slider.h"
#include "widgets/page/page_widget.h"
#include "widgets/panel/parameter_panel.h"

#include <QFileInfo>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The window on screen, idle.
struct PageInWindow {
  MainWindow window;

  explicit PageInWindow(const std::string& page) {
    window.show();
    window.workbench().showPage(page);
    window.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&window);
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000); }
  Workbench& bench() { return window.workbench(); }
  void edit(const ShownPage& next) {
    const auto done = bench().edit("Change", next);
    QVERIFY2(done, done ? "" : done.error().message.c_str());
    settle();
  }
};

/// A mask of 20 lines: documents, a prefix and a window with a stride.
std::string twentyLines(const std::string& own) {
  return "window = 128\nsink = 4\nstride = 8\n\n"
         "def causal(b, h, q_idx, kv_idx):\n"
         "    return q_idx >= kv_idx\n\n"
         "def near(b, h, q_idx, kv_idx):\n"
         "    return q_idx - kv_idx < window\n\n"
         "def sinks(b, h, q_idx, kv_idx):\n"
         "    return kv_idx < sink\n\n"
         "def strided(b, h, q_idx, kv_idx):\n"
         "    return (q_idx - kv_idx) % stride == 0\n\n"
         "def mask_mod(b, h, q_idx, kv_idx):\n"
         "    seen = near(b, h, q_idx, kv_idx) | sinks(b, h, q_idx, kv_idx) | strided(b, h, q_idx, kv_idx)\n" +
         own + "    return causal(b, h, q_idx, kv_idx) & seen\n";
}

}  // namespace

/// Between a change and what the window shows of it nothing is computed twice.
class ComputedOnceTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void aKeyStrokeReadsTheTextOnce_data() {
    QTest::addColumn<QString>("own");
    QTest::addRow("plain") << "    # as in the paper\n";
    QTest::addRow("free integer") << "    seen = seen & (kv_idx < last)\n";
    QTest::addRow("integer decides")
        << "    if window is not None and depth > 0:\n        seen = seen & (kv_idx > 1)\n";
    QTest::addRow("b and h") << "    seen = seen & (kv_idx > b + h)\n";
    QTest::addRow("array") << "    seen = seen & (document_id[q_idx] == document_id[kv_idx])\n";
  }
  void aKeyStrokeReadsTheTextOnce() {
    QFETCH(QString, own);
    PageInWindow s("masks");
    ShownPage next = s.bench().current();
    next.values.set("mask", std::string("custom"));
    next.values.set("mask_text", twentyLines(own.toStdString()));
    s.edit(next);
    auto* edit = s.window.currentPanel()->findChild<MaskTextEdit*>();
    edit->setFocus();
    edit->moveCursor(QTextCursor::End);
    for (int i = 0; i < 3; ++i) {
      const Index before = programs_compiled();
      QTest::keyClick(edit, Qt::Key_Space);
      s.settle();
      QCOMPARE(programs_compiled() - before, Index{1});
    }
    QTest::keyClick(edit, Qt::Key_Return, Qt::ControlModifier);  // enters it, which changes nothing
    const Index before = programs_compiled();
    s.settle();
    QCOMPARE(programs_compiled() - before, Index{0});
  }

  /// The parameters of a page follow from its values once; beneath the title the values are listed.
  void anEditLooksParametersUpOnce_data() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("slider");
    QTest::addRow("text") << "masks"
                          << "visibility"
                          << "q_length.slider";
    QTest::addRow("blocks") << "masks"
                            << "mask_blocks"
                            << "q_length.slider";
    QTest::addRow("encoding") << "scores"
                              << "randomized_positions"
                              << "q_length.slider";
  }
  void anEditLooksParametersUpOnce() {
    QFETCH(QString, page);
    QFETCH(QString, method);
    QFETCH(QString, slider);
    WatchedMethods watched;
    PageInWindow s(page.toStdString());
    ShownPage next = s.bench().current();
    next.method = method.toStdString();
    if (page == "masks") {
      next.values.set("mask", std::string("custom"));
      next.values.set("mask_text", twentyLines("    seen = seen & (kv_idx >= depth)\n"));
    }
    s.edit(next);
    auto* moved = s.window.currentPanel()->findChild<ThinSlider*>(slider);
    QVERIFY(moved);
    emit moved->stepped(1, Step::notch);
    s.settle();
    watched.forget();
    emit moved->stepped(1, Step::notch);
    for (const auto& [id, times] : watched.requested_here())
      QVERIFY2(times == 1, (id + " " + std::to_string(times)).c_str());
    QCOMPARE(watched.requested_here().count(method.toStdString()), std::size_t{1});
    s.settle();
    for (const auto& [id, times] : watched.requested_here())
      QVERIFY2(times <= (id == method.toStdString() ? 2 : 1), (id + " " + std::to_string(times)).c_str());
  }

  void guiThreadMakesNoMethod_data() {
    QTest::addColumn<QString>("page");
    for (const auto& info : page_infos()) QTest::addRow("%s", info.id.c_str()) << QString::fromStdString(info.id);
  }
  void guiThreadMakesNoMethod() {
    if (VQSCOPE_ADDRESS_SANITIZED) QSKIP("every method of every page: who makes what is counted without sanitizers");
    QFETCH(QString, page);
    WatchedMethods watched;
    PageInWindow s(page.toStdString());
    const auto choices = s.window.currentPage()->info().choices();
    for (const auto& method : choices) {
      ShownPage next = s.bench().current();
      next.method = method;
      make_quick(*find_method(method), next.values);
      s.edit(next);
      for (auto* slider : s.window.currentPanel()->findChildren<ThinSlider*>()) {
        if (!slider->isVisibleTo(&s.window) || !slider->isEnabled()) continue;
        emit slider->stepped(1, Step::notch);
        emit slider->released();
        break;
      }
      s.settle();
      if (auto* run = s.window.currentPage()->findChild<QPushButton*>("run")) run->click();
      s.settle();
    }
    QCOMPARE(watched.made_here(), std::vector<std::string>());
    if (!choices.empty()) QVERIFY(watched.made() > 0);
  }

  void anExportMakesItsMatrixOnce_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("made");  ///< one a side of the difference
    QTest::addRow("figures and numbers") << QStringList{} << 1;
    QTest::addRow("block") << QStringList{"--rows", "0:8"} << 1;
    QTest::addRow("difference") << QStringList{"--minus", "mask=causal"} << 2;
    QTest::addRow("block of a difference") << QStringList{"--minus", "mask=causal", "--cols", "0:8"} << 2;
  }
  void anExportMakesItsMatrixOnce() {
    QFETCH(QStringList, options);
    QFETCH(int, made);
    const QTemporaryDir folder;
    QStringList all{"visibility", "--set", "q_length=64", "--set", "mask=sliding_window"};
    for (const char* name : {"a.png", "b.svg", "c.npy", "d.json"}) all << "--out" << folder.filePath(name);
    WatchedMethods watched;
    const auto arguments = parseExportArguments("export", "METHOD", wordsOf(all + options));
    QVERIFY2(arguments, arguments ? "" : arguments.error().message.c_str());
    auto request = exportRequest(*arguments);
    QVERIFY2(request, request ? "" : request.error().message.c_str());
    QVERIFY(makeField(*request, {}));
    request->figures = qtFigureMaker();
    QVERIFY(export_files(*request, arguments->outputs, {}, {}));
    QCOMPARE(watched.made(), made);
    QVERIFY(QFileInfo(folder.filePath("d.json")).size() > 0);
  }

  /// The two requests for one side, by its values and as the other side, make one mask.
  void aDifferenceMakesItsMasksOnce_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("status");
    QTest::addRow("preset") << QStringList{"--minus", "mask=bidirectional"} << 1;
    QTest::addRow("same") << QStringList{"--minus", "mask=causal"} << 0;
    QTest::addRow("json") << QStringList{"--minus", "q_length=64", "--json"} << 0;
  }
  void aDifferenceMakesItsMasksOnce() {
    QFETCH(QStringList, options);
    QFETCH(int, status);
    WatchedMethods watched;
    QCOMPARE(diffCommand().run(wordsOf(QStringList{"--set", "q_length=64"} + options)), status);
    QCOMPARE(watched.made(), 2);
  }
};

VQSCOPE_TEST(ComputedOnceTest)

#include "computed_once_test.moc"
