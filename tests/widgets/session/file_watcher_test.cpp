// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/file_watcher.h"

#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QSignalSpy>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Watches the files, and waits until their contents are known.
void watch(FileWatcher& watcher, const QStringList& paths) {
  watcher.setPaths(paths);
  QTRY_VERIFY_WITH_TIMEOUT(!watcher.isBusy(), 60000);
}

}  // namespace

class FileWatcherTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Written in place, replaced by another file, deleted and made anew.
  void edited() {
    const QTemporaryDir folder;
    const QString path = writtenFile(folder, "m.py", "1\n");
    FileWatcher watcher;
    watch(watcher, {path});
    QSignalSpy changes(&watcher, &FileWatcher::changed);
    writtenFile(folder, "m.py", "one\n");
    watcher.lookNow();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.front().front().toString(), path);
    const QString other = writtenFile(folder, "other", "three\n");
    QVERIFY(QFile::remove(path) && QFile::rename(other, path));
    watcher.lookNow();
    QCOMPARE(changes.size(), 2);
    QVERIFY(watcher.isThere(path));
    QVERIFY(QFile::remove(path));
    watcher.lookNow();
    QCOMPARE(changes.size(), 3);
    QVERIFY(!watcher.isThere(path));
    writtenFile(folder, "m.py", "seventeen\n");
    watcher.lookNow();
    QCOMPARE(changes.size(), 4);
  }

  /// Half a file is waited for until nobody goes on writing it.
  void half_a_file() {
    const QTemporaryDir folder;
    const QByteArray whole =
        QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) +
        QByteArray("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }").leftJustified(117) +
        QByteArray("\n\1\0\1\1", 5);
    FileWatcher watcher;
    watch(watcher, {writtenFile(folder, "m.npy", whole)});
    QSignalSpy changes(&watcher, &FileWatcher::changed);
    writtenFile(folder, "m.npy", whole.left(120));
    watcher.lookNow();
    QCOMPARE(changes.size(), 0);
    writtenFile(folder, "m.npy", whole.left(129));
    watcher.lookNow(WatchTimes().given_up);
    QCOMPARE(changes.size(), 1);
    writtenFile(folder, "m.npy", whole);
    watcher.lookNow(0);
    QCOMPARE(changes.size(), 2);
  }

  void another_file_is_watched_instead() {
    const QTemporaryDir folder;
    const QString first = writtenFile(folder, "a.py", "1\n"), second = writtenFile(folder, "b.py", "1\n");
    FileWatcher watcher;
    watch(watcher, {first});
    watch(watcher, {second});
    QSignalSpy changes(&watcher, &FileWatcher::changed);
    writtenFile(folder, "a.py", "one\n");
    writtenFile(folder, "b.py", "two\n");
    watcher.lookNow();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.front().front().toString(), second);
    watcher.setPath({});
    QCOMPARE(watcher.path(), QString());
  }

  /// A file that stays among the watched ones is not taken as read.
  void several_files() {
    const QTemporaryDir folder;
    const QString q = writtenFile(folder, "q.csv", "1\n"), k = writtenFile(folder, "k.csv", "1\n");
    FileWatcher watcher;
    watch(watcher, {q});
    QSignalSpy changes(&watcher, &FileWatcher::changed);
    writtenFile(folder, "q.csv", "1,2\n");
    watcher.setPaths({k, q});
    watcher.lookNow();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.front().front().toString(), q);
  }

  /// Nothing is asked of the file system on this thread: a network that is gone does not answer. A
  /// look that is left for another one is made up for.
  void begins_on_another_thread() {
    const QTemporaryDir folder;
    const QString q = writtenFile(folder, "q.csv", "1\n"), k = writtenFile(folder, "k.csv", "1\n");
    FileWatcher watcher;
    QSignalSpy changes(&watcher, &FileWatcher::changed);
    watcher.setPath(q);
    QVERIFY(watcher.isBusy());
    watch(watcher, {q, k});
    watcher.lookNow();
    QCOMPARE(changes.size(), 0);
    writtenFile(folder, "q.csv", "1,2\n");
    writtenFile(folder, "k.csv", "1,2\n");
    watcher.lookNow();
    QCOMPARE(changes.size(), 2);
  }

  /// Without anybody who asks: the system tells, and a file is read on another thread.
  void news_come_by_themselves() {
    const QTemporaryDir folder;
    const QString path = writtenFile(folder, "m.py", "1\n");
    FileWatcher watcher;
    watch(watcher, {path});
    QSignalSpy changes(&watcher, &FileWatcher::changed);
    writtenFile(folder, "m.py", "one\n");
    QTRY_COMPARE_WITH_TIMEOUT(changes.size(), 1, 60000);
    QVERIFY(QFile::remove(path));
    QTRY_COMPARE_WITH_TIMEOUT(changes.size(), 2, 60000);
    writtenFile(folder, "m.py", "1\n");
    QTRY_COMPARE_WITH_TIMEOUT(changes.size(), 3, 60000);
  }
};

VQSCOPE_TEST(FileWatcherTest)
#include "file_watcher_test.moc"
