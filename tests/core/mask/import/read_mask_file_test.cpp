// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/mask_array.h"

#include "core/io/bytes/whole_file.h"
#include "core/io/npy/npy_writer.h"
#include "tests/core/io/png/png_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <filesystem>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Result<ReadMask> read_path(const std::string& path) {
  const auto input = open_mask(path);
  return input ? read_mask_file(*input) : input.error();
}

}  // namespace

class ReadMaskFileTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }

  void npy_csv_and_png_hold_the_same_mask() {
    const std::string cells("\1\0\0\1\1\0\1\1\1", 9);
    // One bit a pixel, white where visible.
    const std::string png =
        png_bytes({.width = 3, .height = 3, .depth = 1, .rows = std::string("\0\x80\0\xc0\0\xe0", 6)});
    const std::string npy = npy_header("|b1", std::array<Index, 2>{3, 3}) + cells;
    for (const std::string& path :
         {written("mask.png", png), written("mask.NPY", npy), written("mask.csv", "1,0,0\n1,1,0\n1,1,1\n")}) {
      const auto imported = read_path(path);
      QVERIFY2(imported, path.c_str());
      for (Index i = 0; i < 9; ++i)
        QCOMPARE(imported->mask->visible(i / 3, i % 3), cells[static_cast<std::size_t>(i)] != 0);
    }
  }

  void faults_name_the_file() {
    const std::string missing = path_of("none.npy");
    COMPARE_ERROR(read_path(missing), "cannot read " + missing + ": No such file or directory");
    COMPARE_ERROR(read_path(path_of("")), "cannot read " + path_of("") + ": it is a directory");
    const std::string text = written("mask.csv", "1,x\n");
    COMPARE_ERROR(read_path(text), text + ": line 1, column 2: \"x\", expected a number");
    const std::string other = written("mask.npy", "<!DOCTYPE html>\n<p>404");
    COMPARE_ERROR(
        read_path(other),
        other +
            " is an HTML page but must be a mask: a NumPy, safetensors or torch file, a CSV table, a PNG image or "
            "a text");
    const std::string broken = written("mask.png", std::string("\1no image", 9));
    COMPARE_ERROR(read_path(broken), broken + ": not a PNG image: the signature is missing");
  }

  void first_bytes_decide() {
    const std::string npy = npy_header("|b1", std::array<Index, 2>{2, 2}) + std::string("\1\0\1\1", 4);
    for (const std::string& path : {written("npy.csv", npy), written("csv.png", "1 0\n1 1\n"), written("none", npy)}) {
      const auto imported = read_path(path);
      QVERIFY2(imported, path.c_str());
      QVERIFY(!imported->mask->visible(0, 1));
    }
    const std::string table = written("t.npy", "1 0\n1 1\n");
    COMPARE_ERROR(open_mask(table + ":a"), table + " is a table of numbers, which has no names; leave out a");
    QVERIFY(open_mask(written("a:b.npy", npy) + "[0]")->name.file == path_of("a:b.npy"));
  }

  void a_text_under_a_name_of_tensors_may_be_a_mask() {
    const auto mask = open_mask(written("text.npy", "mask = q_idx >= kv_idx\n"));
    QVERIFY(mask && mask->known.kind == FileKind::text);
    const std::string prose = written("prose.npy", "Access denied");
    COMPARE_ERROR(open_mask(prose),
                  prose + " is a text but must be a NumPy, safetensors or torch file as its name says");
  }

  void names_that_are_not_utf8() {
    const std::string path = written("\xff.csv", "1,0\n1,1\n");
    const auto imported = read_path(path);
    QVERIFY(imported && !imported->mask->visible(0, 1));
    // A folder of Qt's cannot remove such a name.
    QVERIFY(std::filesystem::remove(path));
  }

 private:
  std::string path_of(const std::string& name) { return m_folder.path().toStdString() + "/" + name; }
  std::string written(const std::string& name, const std::string& bytes) {
    const auto done = write_whole_file(path_of(name), bytes);
    return done ? path_of(name) : "cannot write " + name;
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(ReadMaskFileTest)
#include "read_mask_file_test.moc"
