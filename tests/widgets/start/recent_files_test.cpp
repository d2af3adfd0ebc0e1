// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/recent_files.h"

#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;

namespace {

const QDateTime noon(QDate(2025, 6, 11), QTime(12, 0));  // a Wednesday

QString touched(const QTemporaryDir& folder, const QString& name) {
  const QString path = folder.filePath(name);
  QFile file(path);
  [[maybe_unused]] const bool opened = file.open(QIODevice::WriteOnly);
  Q_ASSERT(opened);
  return path;
}

QString entry(const QString& path, const QString& when = "2025-06-11T09:00:00") {
  return QStringLiteral("{\"path\": \"%1\", \"when\": \"%2\"}").arg(path, when);
}

std::vector<RecentFile> read(const QStringList& entries) {
  return recentFilesFromJson(("{\"recent\": [" + entries.join(", ") + "]}").toStdString(), noon);
}

}  // namespace

class RecentFilesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void newestFirstAndKept() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("state/recent.json");
    const QString a = touched(folder, "a.py"), b = touched(folder, "b.npy");
    RecentFiles files(store);
    QVERIFY(files.all().empty());
    QVERIFY(files.add(a, noon));
    QVERIFY(files.add(b, noon.addSecs(60)));
    QVERIFY(files.add(folder.path() + "/./a.py", noon.addSecs(120)));
    const std::vector<RecentFile> expected{{a, noon.addSecs(120)}, {b, noon.addSecs(60)}};
    QCOMPARE(files.all(), expected);
    QCOMPARE(RecentFiles(store).all(), expected);
    QVERIFY(files.clear());
    QVERIFY(RecentFiles(store).all().empty());
  }

  void missingFilesAreNotShown() {
    const QTemporaryDir folder;
    RecentFiles files(folder.filePath("recent.json"));
    const QString a = touched(folder, "a.py");
    QVERIFY(files.add(a));
    QVERIFY(files.add(folder.filePath("b.py")));
    QVERIFY(files.add(folder.path()));
    QVERIFY(files.add(":/configs/t5-base.json"));
    QCOMPARE(files.all().size(), std::size_t{3});
    QCOMPARE(files.existing().size(), std::size_t{1});
    QCOMPARE(files.existing().front().path, a);
  }

  void atMostTwenty() {
    const QTemporaryDir folder;
    RecentFiles files(folder.filePath("recent.json"));
    for (int i = 0; i < 30; ++i) QVERIFY(files.add(QStringLiteral("/x/%1.py").arg(i)));
    QCOMPARE(files.all().size(), RecentFiles::most);
    QCOMPARE(files.all().front().path, QString("/x/29.py"));
    QStringList many;
    for (int i = 0; i < 50; ++i) many << entry(QStringLiteral("/x/%1").arg(i));
    QCOMPARE(read(many).size(), RecentFiles::most);
  }

  void invalidEntriesAreOmitted() {
    QCOMPARE(read({entry("/a"), entry("b"), entry(":/c"), entry(""), "3", "null", "{}", entry("/a"),
                   entry("/d", "yesterday"), entry("/" + QString(5000, 'x')), "{\"path\": [\"/e\"], \"when\": 1}"})
                 .size(),
             std::size_t{1});
    for (const char* text : {"", "{", "[]", "{\"recent\": 3}", "\xff\xfe", "{\"recent\": {\"path\": \"/a\"}}"})
      QVERIFY(recentFilesFromJson(text, noon).empty());
    QCOMPARE(read({entry("/a", "2999-01-01T00:00:00")}).front().when, noon);
  }

  /// An unreadable store is an empty list, and is replaced at the next file.
  void aDamagedStore() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("recent.json");
    QFile file(store);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"recent\": [{");
    file.close();
    RecentFiles files(store);
    QVERIFY(files.all().empty());
    QVERIFY(files.add("/a"));
    QCOMPARE(RecentFiles(store).all().size(), std::size_t{1});
    QVERIFY(!RecentFiles("/proc/no/such/folder/recent.json").add("/a"));
  }

  void days() {
    const auto day = [](int back) { return dayText(noon.addDays(-back), noon); };
    QCOMPARE(day(0), QString("today"));
    QCOMPARE(day(-3), QString("today"));
    QCOMPARE(day(1), QString("yesterday"));
    QCOMPARE(day(2), QString("Mon"));
    QCOMPARE(day(6), QString("Thu"));
    QCOMPARE(day(7), QString("4 Jun"));
    QCOMPARE(day(400), QString("2024"));
  }
};

VQSCOPE_TEST(RecentFilesTest)
#include "recent_files_test.moc"
