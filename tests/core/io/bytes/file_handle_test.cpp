// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/file_handle.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>

using namespace vqscope;

namespace {

bool is_open(int number) { return ::fcntl(number, F_GETFD) != -1; }

}  // namespace

class FileHandleTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_file_is_closed_with_its_handle() {
    int number = -1;
    {
      const FileHandle file = open_handle(path("a"), O_RDONLY);
      QVERIFY(file);
      number = file.number();
      QVERIFY(is_open(number));
      QVERIFY2((::fcntl(number, F_GETFD) & FD_CLOEXEC) != 0, "programs that we start do not inherit it");
    }
    QVERIFY(!is_open(number));
  }

  void moved_from_handle_does_not_close() {
    FileHandle first = open_handle(path("a"), O_RDONLY);
    const int number = first.number();
    {
      const FileHandle second(std::move(first));
      QCOMPARE(second.number(), number);
      QVERIFY(!first);
    }
    QVERIFY(!is_open(number));
  }

  void assignment_closes_the_former_file() {
    FileHandle kept = open_handle(path("a"), O_RDONLY);
    const int former = kept.number();
    int number = -1;
    {
      FileHandle other = open_handle(path("a"), O_RDONLY);
      number = other.number();
      kept = std::move(other);
    }
    QCOMPARE(kept.number(), number);
    QVERIFY(is_open(number) && !is_open(former));
  }

  void a_file_is_opened_within_its_folder() {
    const FileHandle folder = open_handle(m_folder.path().toStdString(), O_RDONLY | O_DIRECTORY);
    QVERIFY(open_handle_in(folder, "a", O_RDONLY));
    QVERIFY(open_handle_in(folder, "new", O_CREAT | O_WRONLY, 0600));
    struct stat status {};
    QCOMPARE(::stat(path("new").c_str(), &status), 0);
    QCOMPARE(status.st_mode & 0777, mode_t{0600});
  }

  void failed_open_sets_errno() {
    QVERIFY(!FileHandle());
    QVERIFY(!open_handle(path("none"), O_RDONLY));
    QCOMPARE(errno, ENOENT);
    QVERIFY(!open_handle(path("a"), O_RDONLY | O_DIRECTORY));
    QCOMPARE(errno, ENOTDIR);
  }

  void reasons_end_a_sentence() {
    COMPARE_TEXT(io_reason(ENOSPC), "the disk is full");
    COMPARE_TEXT(io_reason(EDQUOT), "the disk quota is used up");
    COMPARE_TEXT(io_reason(EROFS), "the file system is read-only");
    COMPARE_TEXT(io_reason(EACCES), "Permission denied");
  }

 private:
  void beforeEach() override { test::writtenFile(m_folder, "a", "0123456789"); }
  std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(FileHandleTest)
#include "file_handle_test.moc"
