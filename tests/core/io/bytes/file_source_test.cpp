// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/file_source.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTest>

#include <array>

using namespace vqscope;
using namespace vqscope::test;

class FileSourceTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }

  void any_part_is_read() {
    const auto file = open_file(writtenFile(m_folder, "schlüssel.npy", "0123456789").toStdString());
    QVERIFY(file);
    QCOMPARE((*file)->size(), std::uint64_t{10});
    std::array<char, 3> part{};
    for (const std::uint64_t offset : {7U, 0U, 4U}) {
      QVERIFY((*file)->read(offset, part));
      COMPARE_TEXT(std::string(part.data(), part.size()), std::string("0123456789").substr(offset, 3));
    }
    QVERIFY((*file)->read(10, std::span<char>()));
  }

  void shrunk_file_is_an_error() {
    const QString path = writtenFile(m_folder, "shrinks", "0123456789");
    const auto file = open_file(path.toStdString());
    QVERIFY(file);
    QVERIFY(QFile::resize(path, 2));
    std::array<char, 4> part{};
    COMPARE_ERROR((*file)->read(4, part), "reading stopped at byte 4: the file has become shorter");
    QVERIFY2((*file)->read(0, std::span(part).first(2)), "what is there can be read all the same");
  }

  void folder_and_missing_file_are_errors() {
    const std::string folder = m_folder.path().toStdString();
    COMPARE_ERROR(open_file(folder), "cannot read " + folder + ": it is a directory");
    COMPARE_ERROR(open_file(folder + "/none"), "cannot read " + folder + "/none: No such file or directory");
    COMPARE_ERROR(open_file("/dev/null"), "cannot read /dev/null: it is not a file");
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(FileSourceTest)
#include "file_source_test.moc"
