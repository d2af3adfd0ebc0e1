// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/watch/watched_file.h"

#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QDateTime>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class WatchedFileTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Editors write in place, rename another file over it, or delete it first.
  void edited_in_any_way() {
    const QTemporaryDir folder;
    const QString path = writtenFile(folder, "m.csv", "1,0\n1,1\n");
    WatchedFile file(path.toStdString());
    file.accept();
    auto settled = [&file, now = Index{0}]() mutable {
      file.look(now += 100);
      return file.look(now += 300) == WatchedFile::News::whole;
    };
    QVERIFY(!settled());
    writtenFile(folder, "m.csv", "1,0,0\n");
    QVERIFY(settled());
    QVERIFY(!settled());
    const QString other = writtenFile(folder, "other", "1\n");
    QVERIFY(QFile::remove(path) && QFile::rename(other, path));
    QVERIFY(settled());
  }

  /// It is reported once, and not while an editor puts another one in its place.
  void deleted_and_made_anew() {
    const QTemporaryDir folder;
    const QString path = writtenFile(folder, "m.csv", "1,0\n1,1\n");
    WatchedFile file(path.toStdString());
    file.accept();
    QVERIFY(QFile::remove(path));
    QCOMPARE(file.look(0), WatchedFile::News::none);
    QCOMPARE(file.look(200), WatchedFile::News::none);
    QVERIFY(!file.is_settled());
    QCOMPARE(file.look(300), WatchedFile::News::gone);
    QVERIFY(file.is_settled() && !file.stamp());
    QCOMPARE(file.look(900), WatchedFile::News::none);
    writtenFile(folder, "m.csv", "1,0\n1,1\n");
    file.look(1000);
    QCOMPARE(file.look(1300), WatchedFile::News::whole);
  }

  void a_file_that_was_never_there() {
    WatchedFile file("/nowhere/m.csv");
    file.accept();
    QCOMPARE(file.look(0), WatchedFile::News::none);
    QCOMPARE(file.look(9000), WatchedFile::News::none);
  }

  /// A program that sets the time back, or a file system that counts whole seconds.
  void another_content_of_the_same_size_and_time() {
    const QTemporaryDir folder;
    const auto write = [&folder](const char* bytes) {
      const QString path = writtenFile(folder, "m.csv", bytes);
      QFile file(path);
      const bool set = file.open(QIODevice::ReadWrite) &&
                       file.setFileTime(QDateTime::fromSecsSinceEpoch(1'700'000'000), QFile::FileModificationTime);
      return set ? path : QString();
    };
    WatchedFile file(write("1,0\n").toStdString());
    file.accept();
    const FileStamp before = *file.stamp();
    // The clock of the file system goes on in steps.
    while (stamp_of(file.path())->changed == before.changed) QVERIFY(!write("1,1\n").isEmpty());
    QCOMPARE(stamp_of(file.path())->modified, before.modified);
    file.look(0);
    QCOMPARE(file.look(300), WatchedFile::News::whole);
  }

  void a_link_leads_to_its_file() {
    const QTemporaryDir folder;
    writtenFile(folder, "a.csv", "1\n");
    const QString path = folder.filePath("link.csv");
    QVERIFY(QFile::link("a.csv", path));
    WatchedFile file(path.toStdString());
    file.accept();
    QCOMPARE(file.stamp()->size, std::uint64_t{2});
    writtenFile(folder, "b.csv", "1,1\n");
    QVERIFY(QFile::remove(path) && QFile::link("b.csv", path));
    file.look(0);
    QCOMPARE(file.look(300), WatchedFile::News::whole);
    QVERIFY(!stamp_of(folder.path().toStdString()));
  }
};

VQSCOPE_TEST(WatchedFileTest)
#include "watched_file_test.moc"
