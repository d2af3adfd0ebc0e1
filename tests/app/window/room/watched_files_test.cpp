// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/parts/message_bar.h"
#include "widgets/session/file_watcher.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct WatchingWindow {
  MainWindow window;

  void open(const QString& path) {
    window.show();
    window.openFile(path);
    QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000);
  }
  /// Writes a file and lets those who watch files look.
  void write(const QTemporaryDir& folder, const QString& name, const QByteArray& bytes) {
    writtenFile(folder, name, bytes);
    for (auto* each : window.findChildren<FileWatcher*>()) each->lookNow();
  }
  QString message() { return window.findChild<MessageBar*>()->sentence(); }
  Workbench& bench() { return window.workbench(); }
};

}  // namespace

class WatchedFilesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aMaskIsReadAnew() {
    const QTemporaryDir folder;
    WatchingWindow s;
    const QString path = writtenFile(folder, "m.py", "return q_idx >= kv_idx\n");
    s.open(path);
    QCOMPARE(s.bench().session().current, std::string("masks"));
    s.write(folder, "m.py", "return q_idx - kv_idx < 4\n");
    QTRY_COMPARE_WITH_TIMEOUT(s.message(), QString("m.py changed on disk: line 1 is now: return q_idx - kv_idx < 4"),
                              60000);
    QCOMPARE(s.bench().page("masks").values.text("mask_text"), std::string("return q_idx - kv_idx < 4\n"));
    s.bench().undo();
    QCOMPARE(s.bench().page("masks").values.text("mask_text"), std::string("return q_idx >= kv_idx\n"));
    s.write(folder, "m.py", "return True\n");
    QCOMPARE(s.message(), QString("m.py changed on disk; the mask here was changed too and stays"));
  }

  void aModelIsReadAnew() {
    const QTemporaryDir folder;
    WatchingWindow s;
    const QByteArray config = R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4,
      "num_hidden_layers": 2, "max_position_embeddings": 128, "rope_theta": 10000.0})";
    s.open(writtenFile(folder, "config.json", config));
    s.bench().showPage("masks");
    s.write(folder, "config.json", QByteArray(config).replace("10000.0", "500000.0"));
    QCOMPARE(s.message(), QString("config.json changed on disk: rope_theta is 500000, was 10000; the first of 2 "
                                  "differences"));
    QCOMPARE(s.bench().session().current, std::string("masks"));
    s.write(folder, "config.json", "{");
    QVERIFY(s.message().startsWith("config.json changed on disk and is not read: "));
  }
};

VQSCOPE_TEST(WatchedFilesTest)
#include "watched_files_test.moc"
