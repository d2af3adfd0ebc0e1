// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "app/window/room/folder_watch.h"
#include "core/session/session_json.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/mask/row/row_debugger.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/page/page_widget.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/message_bar.h"
#include "widgets/session/file_watcher.h"
#include "widgets/view/matrix_view.h"
#include "widgets/view/view_header.h"

#include <QTest>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct WatchingWindow {
  MainWindow window;

  void open(const QString& path) {
    window.show();
    window.openFile(path);
    settle();
  }
  /// Writes a file and lets those who watch files look.
  void write(const QTemporaryDir& folder, const QString& name, const QByteArray& bytes) {
    writtenFile(folder, name, bytes);
    look();
  }
  void look() {
    for (auto* each : window.findChildren<FileWatcher*>()) each->lookNow();
  }
  /// Whoever writes a file then writes another content than the watched one.
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000);
    for (auto* each : window.findChildren<FileWatcher*>()) QTRY_VERIFY_WITH_TIMEOUT(!each->isBusy(), 60000);
  }
  MatrixView* map() {
    for (auto* view : window.currentPage()->findChildren<MatrixView*>())
      if (view->isVisible()) return view;
    return nullptr;
  }
  /// After the name of the method.
  QString title() { return map()->findChild<ViewHeader*>()->subtitle(); }
  Freshness freshness() { return window.currentPage()->freshness(); }
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

  /// A session knows the file of its text: its title, and its later contents.
  void theFileOfATextIsKeptInTheSession() {
    const QTemporaryDir folder;
    QString saved;
    {
      WatchingWindow s;
      s.open(writtenFile(folder, "m.py", "return q_idx >= kv_idx\n"));
      QVERIFY2(s.title().startsWith("m.py"), qPrintable(s.title()));
      saved = writtenFile(folder, "s.vqscope", QByteArray::fromStdString(session_text(s.bench().session())));
    }
    WatchingWindow s;
    s.open(saved);
    QVERIFY2(s.title().startsWith("m.py"), qPrintable(s.title()));
    s.write(folder, "m.py", "return q_idx - kv_idx < 4\n");
    QTRY_COMPARE_WITH_TIMEOUT(s.bench().page("masks").values.text("mask_text"),
                              std::string("return q_idx - kv_idx < 4\n"), 60000);
    s.settle();
    QVERIFY2(s.title().startsWith("m.py"), qPrintable(s.title()));
    ShownPage edited = s.bench().page("masks");
    edited.values.set("mask_text", std::string("return q_idx - kv_idx < 5\n"));
    QVERIFY(s.bench().edit("Edit", edited));
    s.settle();
    QVERIFY2(s.title().startsWith("text mask"), qPrintable(s.title()));
  }

  void aSecondTextWithoutANameIsNamedByItsFile() {
    const QTemporaryDir folder;
    WatchingWindow s;
    s.open(writtenFile(folder, "m.py", "return q_idx >= kv_idx\n"));
    const QString second = writtenFile(folder, "n.py", "return q_idx > kv_idx\n");
    s.window.currentPanel()->maskSource()->importFile(second, true);
    s.settle();
    QStringList titles;
    for (auto* view : s.window.currentPage()->findChildren<MatrixView*>())
      if (view->isVisible()) titles << view->findChild<ViewHeader*>()->title();
    titles.sort();
    QCOMPARE(titles, (QStringList{"A", "B: n.py"}));
  }

  /// Row, pan and zoom stay, and the change is told.
  void theRowIsKept() {
    const QTemporaryDir folder;
    WatchingWindow s;
    const auto rows = [](const std::vector<std::pair<int, int>>& changed) {
      QStringList lines;
      for (int q = 0; q < 40; ++q) {
        QStringList cells;
        for (int k = 0; k < 40; ++k)
          cells << ((k <= q) != (std::ranges::count(changed, std::pair(q, k)) > 0) ? "1" : "0");
        lines << cells.join(',');
      }
      return lines.join('\n').toUtf8() + '\n';
    };
    s.open(writtenFile(folder, "m.csv", rows({})));
    RowDebugger* debugger = s.window.rowDebugger();
    auto* page = s.window.currentPage();
    QVERIFY(page->goTo({13, 5}));
    page->zoom(0.5);
    s.settle();
    MatrixView* map = s.map();
    QVERIFY(map && map->range());
    const ViewRange range = *map->range();
    QCOMPARE(debugger->cell(), (Cell{13, 5}));
    s.write(folder, "m.csv", rows({{12, 3}, {13, 2}, {14, 20}}));
    QTRY_COMPARE_WITH_TIMEOUT(s.message(), QString("m.csv changed on disk: 3 cells changed in rows 12 to 14"), 60000);
    s.settle();
    QCOMPARE(debugger->cell(), (Cell{13, 5}));
    QCOMPARE(debugger->report().row, Index{13});
    QVERIFY(!debugger->report().sees(2));
    QCOMPARE(s.map()->range(), std::optional(range));
    QCOMPARE(s.map()->picked(), std::optional(Cell{13, 5}));
  }

  /// A picture of a former content says so, until the file can be read again.
  void aFileWithAnError() {
    const QTemporaryDir folder;
    WatchingWindow s;
    const QByteArray right = "return (\n    q_idx >= kv_idx)\n";
    s.open(writtenFile(folder, "m.py", right));
    QVERIFY(s.freshness().isCurrent());
    s.write(folder, "m.py", "return (\n    q_idx >= \n");
    QTRY_VERIFY_WITH_TIMEOUT(s.freshness().isOutdated(), 60000);
    QVERIFY2(s.freshness().cause.startsWith("m.py, line "), qPrintable(s.freshness().cause));
    QVERIFY2(s.message().startsWith("The mask is not up to date: m.py, line "), qPrintable(s.message()));
    QCOMPARE(s.map()->freshness(), s.freshness());
    s.write(folder, "m.py", right);
    QTRY_VERIFY_WITH_TIMEOUT(s.freshness().isCurrent(), 60000);
    QVERIFY(QFile::remove(folder.filePath("m.py")));
    s.look();
    QTRY_COMPARE_WITH_TIMEOUT(s.freshness().cause, QString("m.py was deleted or renamed"), 60000);
    QVERIFY(!s.freshness().isEmpty);
    s.write(folder, "m.py", right);
    QTRY_VERIFY_WITH_TIMEOUT(s.freshness().isCurrent(), 60000);
  }

  /// The picture is that of the last file that could be read.
  void aFileOfAWatchedFolder() {
    const QTemporaryDir folder;
    WatchingWindow s;
    s.window.show();
    s.bench().showPage("masks");
    auto* watch = s.window.findChild<FolderWatch*>();
    watch->start(folder.path());
    const auto arrive = [&](const QString& name, const QByteArray& bytes) {
      writtenFile(folder, name, bytes);
      watch->lookNow();
      QTRY_VERIFY_WITH_TIMEOUT(watch->files().contains(name), 60000);
      s.settle();
    };
    arrive("a.csv", "1,0\n1,1\n");
    QTRY_COMPARE_WITH_TIMEOUT(s.bench().page("masks").values.choice("mask"), std::string("dump"), 60000);
    QVERIFY(s.freshness().isCurrent());
    arrive("page.csv", "<!DOCTYPE html><html></html>");
    QTRY_VERIFY_WITH_TIMEOUT(s.freshness().cause.startsWith("page.csv is an HTML page"), 60000);
    arrive("b.csv", "1,0\n0,1\n");
    QTRY_VERIFY_WITH_TIMEOUT(s.freshness().isCurrent(), 60000);
  }

  void anotherMaskInPlaceOfAnUnreadFile() {
    const QTemporaryDir folder;
    WatchingWindow s;
    s.open(writtenFile(folder, "m.csv", "1,0\n1,1\n"));
    s.write(folder, "m.csv", "<!DOCTYPE html><html></html>");
    QTRY_VERIFY_WITH_TIMEOUT(s.freshness().isOutdated(), 60000);
    ShownPage next = s.bench().page("masks");
    next.values.set("mask", std::string("causal"));
    QVERIFY(s.bench().edit("Causal", next));
    s.settle();
    QVERIFY(s.freshness().isCurrent());
  }

  /// What cannot be read is told, and the mask stays until the file is written anew.
  void halfAFile() {
    const QTemporaryDir folder;
    WatchingWindow s;
    s.open(writtenFile(folder, "m.csv", "1,0,0\n1,1,0\n1,1,1\n"));
    s.write(folder, "m.csv", "1,0,0\n1,1,");
    QTRY_VERIFY_WITH_TIMEOUT(s.message().startsWith("The mask is not up to date: m.csv: "), 60000);
    s.write(folder, "m.csv", "1,0,0\n1,1,0\n0,1,1\n");
    QTRY_COMPARE_WITH_TIMEOUT(s.message(), QString("m.csv changed on disk: 1 cell changed in row 2"), 60000);
    QVERIFY(QFile::remove(folder.filePath("m.csv")));
    const QString other = writtenFile(folder, "other", "1,0,0\n0,1,0\n0,0,1\n");
    QVERIFY(QFile::rename(other, folder.filePath("m.csv")));
    s.look();
    QTRY_COMPARE_WITH_TIMEOUT(s.message(), QString("m.csv changed on disk: 2 cells changed in rows 1 to 2"), 60000);
  }

  void aModelIsReadAnew() {
    const QTemporaryDir folder;
    WatchingWindow s;
    const QByteArray config = R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4,
      "num_hidden_layers": 2, "max_position_embeddings": 128, "rope_theta": 10000.0})";
    s.open(writtenFile(folder, "config.json", config));
    s.bench().showPage("masks");
    s.write(folder, "config.json", QByteArray(config).replace("10000.0", "500000.0"));
    QTRY_COMPARE_WITH_TIMEOUT(
        s.message(),
        QString("config.json changed on disk: rope_theta is 500000, was 10000; the first of 2 differences"), 60000);
    QCOMPARE(s.bench().session().current, std::string("masks"));
    s.write(folder, "config.json", "{");
    QTRY_VERIFY_WITH_TIMEOUT(s.message().startsWith("The model is not up to date: config.json: "), 60000);
    s.bench().showPage("model");
    QVERIFY(s.freshness().isOutdated());
    s.write(folder, "config.json", config);
    QTRY_VERIFY_WITH_TIMEOUT(s.freshness().isCurrent(), 60000);
    QVERIFY(QFile::remove(folder.filePath("config.json")));
    s.look();
    QTRY_COMPARE_WITH_TIMEOUT(s.freshness().cause, QString("config.json was deleted or renamed"), 60000);
  }
};

VQSCOPE_TEST(WatchedFilesTest)
#include "watched_files_test.moc"
