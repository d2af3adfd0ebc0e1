// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/page_report.h"

#include "app/window/main_window.h"
#include "core/catalogue/registry.h"
#include "core/session/session_json.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/panel/notes_list.h"
#include "widgets/parts/text.h"
#include "widgets/plot/note/cell_marks.h"
#include "widgets/view/matrix_view.h"

#include <QSignalSpy>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct ReportedWindow {
  QTemporaryDir folder;
  MainWindow window;
  QSignalSpy told{&window.report(), &PageReport::notified};

  ReportedWindow() {
    window.show();
    Workbench& bench = window.workbench();
    const auto set = [&](const char* page, const char* method, const ParameterValues& values) {
      return bench.choose("Show", page, *find_method(method), values);
    };
    ParameterValues values;
    values.set("mask", std::string("sliding_window"));
    values.set("sliding_window", Index{9});
    values.set("q_length", Index{32});
    [[maybe_unused]] const auto done = set("masks", "visibility", values);
  }

  QString written(const QString& name) {
    const QString path = folder.filePath(name);
    window.report().write(path);
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
};

}  // namespace

class PageReportTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_report_of_a_mask_opens_again() {
    ReportedWindow s;
    QTRY_VERIFY_WITH_TIMEOUT(!s.window.isBusy(), 120000);
    QVERIFY(s.window.currentPage()->goTo({20, 3}));
    const QString html = s.written("a.html");
    QVERIFY2(html.contains("<h2>Around query 20, key 3</h2>"), qPrintable(html.left(2000)));
    QVERIFY(html.contains("src=\"data:image/"));
    QCOMPARE(s.told.size(), 1);
    QVERIFY(s.told.front().front().toString().startsWith("Wrote " + s.folder.filePath("a.html")));
    const Session session = s.window.workbench().session();
    QVERIFY(s.written("a.md").startsWith("# Attention mask"));
    s.window.workbench().setSession(default_session());
    QVERIFY(s.window.workbench().session() != session);
    s.window.openFile(s.folder.filePath("a.html"));
    QTRY_VERIFY_WITH_TIMEOUT(!s.window.isBusy(), 120000);
    QCOMPARE(s.window.workbench().session(), session);
    QVERIFY(s.window.keeper().path().isEmpty());  // saving the session does not replace the report
  }

  /// The picked cell is that of another page.
  void each_page_has_its_own_cell() {
    ReportedWindow s;
    QTRY_VERIFY_WITH_TIMEOUT(!s.window.isBusy(), 120000);
    QVERIFY(s.window.currentPage()->goTo({20, 3}));
    s.window.workbench().showPage("buckets");
    QTRY_VERIFY_WITH_TIMEOUT(!s.window.isBusy(), 120000);
    const QString html = s.written("b.html");
    QVERIFY2(html.contains("<h2>Numbers</h2>"), qPrintable(html.left(2000)));
    QVERIFY(!html.contains("query 20, key 3"));
  }

  /// Each is an undo step, and shown on the map and in the inspector.
  void notes_on_cells() {
    ReportedWindow s;
    QTRY_VERIFY_WITH_TIMEOUT(!s.window.isBusy(), 120000);
    QVERIFY(s.window.currentPage()->setNote({20, 3}, "Ask Ana"));
    QVERIFY(s.window.currentPage()->freshness().isCurrent());  // nothing is computed anew
    const auto* map = s.window.currentPage()->findChild<MatrixView*>();
    QCOMPARE(map->marks().notes(), (std::vector<NotedCell>{{{20, 3}, "Ask Ana"}}));
    QCOMPARE(s.window.findChild<NotesList*>()->notes().size(), std::size_t{1});
    QVERIFY(s.written("n.html").contains("Ask Ana"));
    s.window.workbench().undo();
    QVERIFY(map->marks().notes().empty());
    QVERIFY(s.window.findChild<NotesList*>()->notes().empty());
    s.window.workbench().undoStack().redo();
    QVERIFY(s.window.currentPage()->setNote({20, 3}, " "));
    QVERIFY(map->marks().notes().empty());
  }

  void pages_without_pictures_say_so() {
    ReportedWindow s;
    s.window.workbench().showPage("start");
    QVERIFY(s.written("c.html").isEmpty());
    QCOMPARE(s.told.back().front().toString(),
             QString("Start has no picture or numbers to report; turn to a page that has, or name a METHOD"));
  }

  void other_html_is_refused() {
    ReportedWindow s;
    const Session session = s.window.workbench().session();
    s.window.openFile(writtenFile(s.folder, "page.html", "<!DOCTYPE html><html></html>"));
    QTRY_VERIFY_WITH_TIMEOUT(!s.window.isBusy(), 120000);
    QCOMPARE(s.window.workbench().session(), session);
  }
};

VQSCOPE_TEST(PageReportTest)
#include "page_report_test.moc"
