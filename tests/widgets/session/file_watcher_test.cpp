// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/file_watcher.h"

#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QSignalSpy>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class FileWatcherTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Written in place, replaced by another file, deleted and made anew.
  void edited() {
    const QTemporaryDir folder;
    const QString path = writtenFile(folder, "m.py", "1\n");
    FileWatcher watcher;
    watcher.setPath(path);
    QSignalSpy changes(&watcher, &FileWatcher::changed);
    writtenFile(folder, "m.py", "one\n");
    watcher.lookNow();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.front().front().toString(), path);
    const QString other = writtenFile(folder, "other", "three\n");
    QVERIFY(QFile::remove(path) && QFile::rename(other, path));
    watcher.lookNow();
    QCOMPARE(changes.size(), 2);
    QVERIFY(QFile::remove(path));
    watcher.lookNow();
    writtenFile(folder, "m.py", "seventeen\n");
    watcher.lookNow();
    QCOMPARE(changes.size(), 3);
  }

  void another_file_is_watched_instead() {
    const QTemporaryDir folder;
    const QString first = writtenFile(folder, "a.py", "1\n"), second = writtenFile(folder, "b.py", "1\n");
    FileWatcher watcher;
    watcher.setPath(first);
    watcher.setPath(second);
    QSignalSpy changes(&watcher, &FileWatcher::changed);
    writtenFile(folder, "a.py", "one\n");
    writtenFile(folder, "b.py", "two\n");
    watcher.lookNow();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.front().front().toString(), second);
    watcher.setPath({});
    QCOMPARE(watcher.path(), QString());
  }
};

VQSCOPE_TEST(FileWatcherTest)
#include "file_watcher_test.moc"
