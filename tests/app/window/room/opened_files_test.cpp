// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/opened_files.h"

#include "app/window/main_window.h"
#include "app/window/room/folder_watch.h"
#include "app/window/room/start_actions.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/parts/message_bar.h"
#include "widgets/start/recent_files.h"

#include <QAbstractButton>
#include <QMessageBox>
#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct OpeningWindow {
  MainWindow window;

  OpeningWindow() { window.show(); }
  void open(const QString& path) {
    window.openFile(path);
    QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000);
  }
  QString message() { return window.findChild<MessageBar*>()->sentence(); }
  const Session& session() { return window.workbench().session(); }
  static QStringList recent() {
    QStringList names;
    for (const auto& each : RecentFiles(savedRecentPath()).existing()) names << QFileInfo(each.path).fileName();
    return names;
  }
};

}  // namespace

class OpenedFilesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Neither the page nor the session nor the list of recent files.
  void a_failed_open_changes_nothing() {
    OpeningWindow s;
    const Session before = s.session();
    const QStringList recent = OpeningWindow::recent();
    const std::pair<const char*, const char*> files[]{{"page.html", "<!DOCTYPE html><html></html>"},
                                                      {"short.npy", "\x93NUMPY\x01"},
                                                      {"wrong.py", "return (\n"},
                                                      {"m.csv", "1,0\n1,"},
                                                      {"config.json", "{\"a\": }"},
                                                      {"s.vqscope", "{}"},
                                                      {"x.pt", "PK"},
                                                      {"link.npz", "version https://git-lfs"}};
    for (const auto& [name, bytes] : files) {
      s.open(writtenFile(m_folder, name, bytes));
      QVERIFY2(s.session() == before, name);
      QVERIFY2(s.message().contains(name), qPrintable(s.message()));
      QVERIFY2(!s.window.workbench().undoStack().canUndo(), name);
    }
    QCOMPARE(OpeningWindow::recent(), recent);
  }

  void an_opened_file_is_shown_and_offered_again() {
    OpeningWindow s;
    QCOMPARE(s.session().current, std::string("start"));
    s.open(writtenFile(m_folder, "causal.csv", "1,0\n1,1\n"));
    QCOMPARE(s.session().current, std::string("masks"));
    QCOMPARE(OpeningWindow::recent().value(0), QString("causal.csv"));
    s.window.workbench().showPage("start");
    s.open(m_folder.filePath("causal.csv"));  // the same mask
    QCOMPARE(s.session().current, std::string("masks"));
  }

  void a_recent_file_that_is_gone_is_offered_no_more() {
    OpeningWindow s;
    s.open(writtenFile(m_folder, "gone.csv", "1,0\n1,1\n"));
    auto* start = s.window.findChild<StartActions*>();
    const auto isOffered = [start, path = m_folder.filePath("gone.csv")] {
      return std::ranges::any_of(start->recent(), [&](const RecentFile& file) { return file.path == path; });
    };
    QVERIFY(isOffered());
    QVERIFY(QFile::remove(m_folder.filePath("gone.csv")));
    QTRY_VERIFY(!isOffered());
  }

  /// A folder without a model can be watched.
  void an_empty_folder_offers_to_watch_it() {
    OpeningWindow s;
    const QTemporaryDir folder;
    QCOMPARE(recogniseFiles({folder.path()})->as, OpenedAs::folder);
    s.open(folder.path());
    auto* box = s.window.findChild<QMessageBox*>();
    QVERIFY(box && box->isVisible());
    QCOMPARE(s.session().current, std::string("start"));
    for (auto* button : box->buttons())
      if (button->text() == "Watch folder") button->click();
    QCOMPARE(s.session().current, std::string("masks"));
    QVERIFY(s.window.findChild<FolderWatch*>()->isWatching());
  }

  void files_are_refused_by_what_they_are() {
    const auto refusal = [&](const char* name, const char* bytes) {
      return recogniseFiles({writtenFile(m_folder, name, bytes)});
    };
    const std::string allowed = " but must be a session, a mask, a model's config, or q, k and v";
    COMPARE_ERROR(refusal("page.html", "<html>"), "page.html is an HTML page" + allowed);
    COMPARE_ERROR(refusal("q.npy", "<html>"), "q.npy is an HTML page" + allowed);
    COMPARE_ERROR(refusal("empty.py", ""), "empty.py is empty" + allowed);
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(OpenedFilesTest)
#include "opened_files_test.moc"
