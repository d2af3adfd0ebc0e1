// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/whole_file.h"

#include "core/base/text.h"
#include "core/io/bytes/file_source.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <sys/stat.h>
#include <unistd.h>
#include <filesystem>
#include <memory>

using namespace vqscope;

namespace fs = std::filesystem;

class WholeFileTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_file_appears_when_it_is_committed() {
    WholeFiles files;
    files.push_back(opened("a.csv"));
    QVERIFY(files[0]->write("1,2\n"));
    QVERIFY(files[0]->flush());
    QVERIFY(!fs::exists(m_folder / "a.csv"));
    QVERIFY(commit(files));
    COMPARE_TEXT(content("a.csv"), "1,2\n");
    QCOMPARE(names(), 1);
  }

  void uncommitted_file_leaves_the_old_one() {
    put("a.csv", "old");
    {
      const auto file = opened("a.csv");
      QVERIFY(file->write("new"));
    }
    COMPARE_TEXT(content("a.csv"), "old");
    QCOMPARE(names(), 1);
  }

  void a_replaced_file_keeps_its_mode() {
    put("a.csv", "old");
    fs::permissions(m_folder / "a.csv", fs::perms::owner_read | fs::perms::owner_write);
    QVERIFY(write_whole_file(path("a.csv"), "new"));
    COMPARE_TEXT(content("a.csv"), "new");
    QVERIFY(fs::status(m_folder / "a.csv").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    QCOMPARE(names(), 1);
  }

  /// The folder of the second file turns into a place where nothing can be named.
  void all_or_none_when_the_second_cannot_be_named() {
    put("a.csv", "old");
    fs::create_directory(m_folder / "sub");
    WholeFiles files;
    for (const char* name : {"a.csv", "b.csv", "sub/c.csv"}) {
      files.push_back(opened(name));
      QVERIFY(files.back()->write("new"));
    }
    fs::remove(m_folder / "sub");
    const auto committed = commit(files);
    COMPARE_ERROR(committed, "cannot write " + path("sub/c.csv") + ": No such file or directory");
    files.clear();
    COMPARE_TEXT(content("a.csv"), "old");
    QVERIFY(!fs::exists(m_folder / "b.csv"));
    QCOMPARE(names(), 1);
  }

  void leftover_of_a_killed_process_is_replaced() {
    put("a.csv", "old");
    put(".a.csv.vqscope-part", "half");
    QVERIFY(write_whole_file(path("a.csv"), "new"));
    COMPARE_TEXT(content("a.csv"), "new");
    QCOMPARE(names(), 1);
  }

  void hidden_user_files_are_kept() {
    put("a.csv", "old");
    for (const char* name : {".a.csv.part", ".a.csv.old"}) put(name, "mine");
    QVERIFY(write_whole_file(path("a.csv"), "new"));
    for (const char* name : {".a.csv.part", ".a.csv.old"}) COMPARE_TEXT(content(name), "mine");
    QCOMPARE(names(), 3);
  }

  /// A link in a folder that others may write leads anywhere.
  void writing_a_record_replaces_a_link() {
    put("precious", "old");
    fs::create_symlink("precious", m_folder / "point.json");
    QVERIFY(write_whole_file(path("point.json"), "new", FileUse::record));
    COMPARE_TEXT(content("precious"), "old");
    COMPARE_TEXT(content("point.json"), "new");
    QVERIFY(!fs::is_symlink(m_folder / "point.json"));
    QCOMPARE(names(), 2);
    fs::remove(m_folder / "point.json");
    QCOMPARE(::mkfifo(path("point.json").c_str(), 0600), 0);
    COMPARE_ERROR(write_whole_file(path("point.json"), "", FileUse::record),
                  "cannot write " + path("point.json") + ": it is not a regular file");
  }

  void state_is_for_its_owner_alone() {
    constexpr auto own = fs::perms::owner_read | fs::perms::owner_write;
    put("older.json", "readable by all");
    for (const char* name : {"older.json", "new.json"}) {
      QVERIFY(write_whole_file(path(name), "secret", FileUse::state));
      QVERIFY2(fs::status(m_folder / name).permissions() == own, name);
    }
  }

  void links_are_followed() {
    put("a.csv", "old");
    fs::create_symlink("a.csv", m_folder / "link.csv");
    QVERIFY(write_whole_file(path("link.csv"), "new"));
    COMPARE_TEXT(content("a.csv"), "new");
    QVERIFY(fs::is_symlink(m_folder / "link.csv"));
    WholeFiles both;
    both.push_back(opened("a.csv"));
    both.push_back(opened("link.csv"));
    COMPARE_ERROR(commit(both),
                  "cannot write " + path("a.csv") + " and " + path("link.csv") + ": they are the same file");
  }

  void any_name() {
    for (const std::string& name : {std::string("\xff\xfe.csv"), std::string(255, 'x'), std::string("a\nb.csv")}) {
      QVERIFY(write_whole_file(path(name), "bytes"));
      COMPARE_TEXT(content(name), "bytes");
    }
    QCOMPARE(names(), 3);
  }

  void write_errors_name_the_path() {
    COMPARE_ERROR(write_whole_file(m_folder.string(), ""), "cannot write " + m_folder.string() + ": it is a directory");
    COMPARE_ERROR(write_whole_file(path("no/a.csv"), ""),
                  "cannot write " + path("no/a.csv") + ": there is no directory " + path("no"));
    put("file", "");
    COMPARE_ERROR(write_whole_file(path("file/a.csv"), ""),
                  "cannot write " + path("file/a.csv") + ": " + path("file") + " is not a directory");
    COMPARE_ERROR(write_whole_file("/dev/full", "x"), "cannot write /dev/full: the disk is full");
    COMPARE_ERROR(write_whole_file(path(std::string(300, 'x')), ""),
                  "cannot write " + shortened(path(std::string(300, 'x')), 160) + ": File name too long");
  }

 private:
  void beforeEach() override {
    m_folder = fs::temp_directory_path() / ("vqscope-whole-" + std::to_string(::getpid()));
    fs::remove_all(m_folder);
    fs::create_directory(m_folder);
  }
  void afterEach() override { fs::remove_all(m_folder); }

  std::string path(const std::string& name) const { return (m_folder / name).string(); }
  std::unique_ptr<WholeFile> opened(const std::string& name) const { return std::move(*WholeFile::open(path(name))); }
  void put(const std::string& name, const std::string& text) const { QVERIFY(write_whole_file(path(name), text)); }
  std::string content(const std::string& name) const { return *read_text(path(name), 1000); }
  int names() const { return static_cast<int>(std::distance(fs::directory_iterator(m_folder), {})); }

  fs::path m_folder;
};

VQSCOPE_TEST(WholeFileTest)
#include "whole_file_test.moc"
