// SPDX-License-Identifier: GPL-3.0-or-later
// A second start of the program, as a process, while this process has a window.
#include "app/process/open_request.h"
#include "app/window/main_window.h"
#include "app/window/start/window_socket.h"
#include "core/io/bytes/whole_file.h"
#include "tests/app/program.h"
#include "tests/support/environment.h"
#include "tests/support/test_main.h"
#include "widgets/parts/text.h"

#include <QProcess>
#include <QTest>

#include <future>

using namespace vqscope;
using namespace vqscope::test;

class SecondStartTest : public TestCase {
  Q_OBJECT

 private slots:
  void theOpenWindowTakesTheFile() {
    MainWindow window;
    WindowSocket socket(windowSocketPath(), [] { return false; });
    QVERIFY(socket.claim());
    connect(&socket, &WindowSocket::filesReceived, &window, &MainWindow::takeFiles);
    window.workbench().showPage("buckets");
    QVERIFY(write_whole_file(bytesOf(m_folder->filePath("mine.py")), "def mask(b, h, q, k):\n  return k <= q\n"));
    const Outcome outcome = start({"mine.py"});
    QCOMPARE(outcome.err, QByteArray());
    QCOMPARE(outcome.status, 0);
    QTRY_COMPARE(window.workbench().session().current, std::string("masks"));
    QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000);
  }

  /// The refusal is that of a first start.
  void filesThatDoNotGoTogetherAreRefused() {
    QVERIFY(write_whole_file(bytesOf(m_folder->filePath("a.txt")), "a"));
    WindowSocket socket(windowSocketPath(), [] { return false; });
    QVERIFY(socket.claim());
    const Outcome outcome = start({"a.txt", "a.txt"});
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.contains("cannot be opened together"), outcome.err.constData());
  }

 private:
  void beforeEach() override {
    m_folder = std::make_unique<QTemporaryDir>();
    keepStateIn(*m_folder);
    qputenv("XDG_RUNTIME_DIR", m_folder->path().toLocal8Bit());
  }
  void afterEach() override { qunsetenv("XDG_RUNTIME_DIR"); }

  /// This process handles its events meanwhile.
  Outcome start(const QStringList& arguments) const {
    auto running = std::async(std::launch::async, [&] {
      return runProgram(*m_folder, arguments, [](QProcess& process) {
        auto environment = process.processEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("DISPLAY", qEnvironmentVariable("DISPLAY"));
        environment.insert("WAYLAND_DISPLAY", qEnvironmentVariable("WAYLAND_DISPLAY"));
        process.setProcessEnvironment(environment);
      });
    });
    while (running.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
      QCoreApplication::processEvents();
    return running.get();
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(SecondStartTest)
#include "second_start_test.moc"
