// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/folder_watch.h"

#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/mask/source/sample_strip.h"
#include "widgets/parts/eliding_label.h"
#include "widgets/session/workbench.h"

#include <QAbstractButton>
#include <QSignalSpy>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct WatchedDumps {
  QTemporaryDir folder;
  Workbench bench;
  QWidget window;
  FolderWatch watch{bench, &window};
  QSignalSpy shown{&watch, &FolderWatch::fileShown};
  QSignalSpy lost{&watch, &FolderWatch::fileLost};
  QSignalSpy told{&watch, &FolderWatch::notified};

  WatchedDumps() {
    ShownPage next = bench.page("masks");
    next.lint.set("objective", std::string("causal"));
    [[maybe_unused]] const auto stated = bench.edit("State", next);
    watch.start(folder.path());
  }
  /// Writes a file under another name first, as a program does that is watched.
  void write(const QString& name, const QByteArray& bytes) {
    const QString beside = writtenFile(folder, name + ".tmp", bytes);
    QVERIFY(QFile::rename(beside, folder.filePath(name)));
    watch.lookNow();
  }
};

}  // namespace

class FolderWatchTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// However many files there are: the strip is below.
  void the_sentence_has_the_width_of_the_bar() {
    WatchedDumps s;
    s.write("a.csv", "1,0\n1,1\n");
    QTRY_COMPARE_WITH_TIMEOUT(s.watch.files(), QStringList{"a.csv"}, 60000);
    s.watch.resize(430, s.watch.sizeHint().height());
    s.window.show();
    const auto* label = s.watch.findChild<ElidingLabel*>();
    const auto* strip = s.watch.findChild<SampleStrip*>();
    QVERIFY(label && strip && strip->isVisible());
    QVERIFY2(label->width() > 280, qPrintable(QString::number(label->width())));
    QVERIFY(strip->y() >= label->geometry().bottom());
  }

  void it_stops_at_the_first_error() {
    WatchedDumps s;
    QVERIFY(s.watch.isWatching());
    s.write("a.csv", "1,0\n1,1\n");
    QTRY_COMPARE_WITH_TIMEOUT(s.watch.files(), QStringList{"a.csv"}, 60000);
    QCOMPARE(s.shown.front().front().toString(), s.folder.filePath("a.csv"));
    s.write("page.csv", "<!DOCTYPE html><html></html>");
    QTRY_COMPARE_WITH_TIMEOUT(s.watch.files(), (QStringList{"a.csv", "page.csv"}), 60000);
    QVERIFY(s.watch.isWatching());
    QCOMPARE(s.shown.size(), 1);
    QVERIFY2(s.lost.back().front().toString().startsWith("page.csv is an HTML page"),
             qPrintable(s.lost.back().front().toString()));
    s.write("b.csv", "1,1\n1,1\n");
    QTRY_COMPARE_WITH_TIMEOUT(s.watch.files(), (QStringList{"a.csv", "page.csv", "b.csv"}), 60000);
    QVERIFY(!s.watch.isWatching());
    QVERIFY2(s.watch.sentence().startsWith("Stopped watching "), qPrintable(s.watch.sentence()));
    QVERIFY2(s.told.back().front().toString().startsWith("b.csv: "), qPrintable(s.told.back().front().toString()));
    QCOMPARE(s.shown.back().front().toString(), s.folder.filePath("b.csv"));
    auto* strip = s.watch.findChild<SampleStrip*>();
    QVERIFY2(strip->describe(1, 0).startsWith("page.csv, not read: "), qPrintable(strip->describe(1, 0)));
    emit strip->picked(0, 0);
    QCOMPARE(s.shown.back().front().toString(), s.folder.filePath("a.csv"));
  }

  void the_file_on_show_is_deleted() {
    WatchedDumps s;
    s.write("a.csv", "1,0\n1,1\n");
    QTRY_COMPARE_WITH_TIMEOUT(s.shown.size(), 1, 60000);
    QVERIFY(QFile::remove(s.folder.filePath("a.csv")));
    s.watch.lookNow();
    QTRY_COMPARE_WITH_TIMEOUT(s.lost.size(), 1, 60000);
    QCOMPARE(s.lost.front().front().toString(), QString("a.csv was deleted or renamed"));
  }

  void a_folder_that_goes_away() {
    WatchedDumps s;
    QVERIFY(QDir(s.folder.path()).removeRecursively());
    s.watch.lookNow();
    QTRY_COMPARE_WITH_TIMEOUT(s.told.size(), 1, 60000);
    QVERIFY(s.told.front().front().toString().startsWith("cannot watch "));
    QVERIFY(!s.watch.isWatching());
  }

  /// However fast they come: those that are left out are counted.
  void the_files_to_check_are_bounded() {
    WatchedDumps s;
    const auto count = static_cast<int>(FolderWatch::mostWaiting) + 20;
    s.write("first.csv", "1,0\n1,1\n");
    QTRY_COMPARE_WITH_TIMEOUT(s.watch.files(), QStringList{"first.csv"}, 60000);
    for (int i = 0; i < count; ++i) writtenFile(s.folder, QStringLiteral("m%1.csv").arg(i), "1,0\n1,1\n");
    s.watch.lookNow();
    QTRY_VERIFY_WITH_TIMEOUT(s.watch.sentence().contains("files came too fast and were left out."), 60000);
  }

  void the_last_files_are_kept() {
    WatchedDumps s;
    const auto count = static_cast<int>(FolderWatch::mostFiles) + 2;
    for (int i = 0; i < count; ++i) s.write(QStringLiteral("m%1.csv").arg(i, 3, 10, QLatin1Char('0')), "1,0\n1,1\n");
    QTRY_VERIFY_WITH_TIMEOUT(
        s.watch.files().contains(QStringLiteral("m%1.csv").arg(count - 1, 3, 10, QLatin1Char('0'))), 60000);
    QVERIFY(s.watch.files().size() <= static_cast<qsizetype>(FolderWatch::mostFiles));
  }
};

VQSCOPE_TEST(FolderWatchTest)
#include "folder_watch_test.moc"
