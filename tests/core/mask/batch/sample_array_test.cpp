// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/sample_array.h"

#include "tests/core/io/npy/npy_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class SampleArrayTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_list_serves_every_sample() {
    const auto array = read_sample_array("labels", "-100, 3,4").value();
    QVERIFY(!array.is_table());
    QCOMPARE(array.samples(), Index{1});
    QCOMPARE(array.length(), Index{3});
    QCOMPARE(valuesOf(array, 7), (std::vector<Index>{-100, 3, 4}));
  }

  void nested_lists_are_a_table() {
    const auto array = read_sample_array("labels", "[[0, 1], [2, 3], [4, 5]]").value();
    QCOMPARE(array.samples(), Index{3});
    QCOMPARE(valuesOf(array, 2), (std::vector<Index>{4, 5}));
    QVERIFY(!read_sample_array("labels", "[1, 2]").value().is_table());
  }

  void files_have_any_dtype() {
    const std::vector<std::uint8_t> flags{1, 1, 0, 0, 1, 1};
    QCOMPARE(valuesOf(read("|b1", {2, 3}, bytes_of_values(flags)).value(), 1), (std::vector<Index>{0, 1, 1}));
    const std::vector<float> reals{1, 1, 0, 0};
    QCOMPARE(valuesOf(read("<f4", {2, 2}, bytes_of_values(reals)).value(), 1), (std::vector<Index>{0, 0}));
    const std::vector<std::int64_t> numbers{7, 8};
    QCOMPARE(valuesOf(read("<i8", {2}, bytes_of_values(numbers)).value(), 0), (std::vector<Index>{7, 8}));
  }

  void leading_indices_choose_a_row() {
    const std::vector<std::int64_t> numbers{1, 2, 3, 4};
    write("<i8", {2, 2}, bytes_of_values(numbers));
    const auto array = read_sample_array("labels", path() + "[1]").value();
    QVERIFY(!array.is_table());
    QCOMPARE(valuesOf(array, 0), (std::vector<Index>{3, 4}));
  }

  void refused() {
    COMPARE_ERROR(read_sample_array("labels", "[[0, 1], [2]]"), "labels: sample 1 has 1 entries, sample 0 has 2");
    COMPARE_ERROR(read_sample_array("labels", "[[0, 1], 2]"),
                  "labels is [[0, 1], 2] but must be a list of whole numbers or a list of such lists of equal length");
    COMPARE_ERROR(read_sample_array("labels", "1,x"),
                  "labels is 1,x but must be a file, or a list of whole numbers: 1,1,0 or [[1,1,0],[1,0,0]]");
    const std::vector<float> half{0.5F};
    const auto fraction = read("<f4", {1}, bytes_of_values(half));
    QVERIFY(!fraction && fraction.error().message.ends_with(" has the value 0.5 but must be whole numbers"));
    const std::vector<std::uint8_t> cube(8, 1);
    const auto deep = read("|u1", {2, 2, 2}, bytes_of_values(cube));
    QVERIFY(!deep && deep.error().message.ends_with("has shape (2, 2, 2) but must be [T], or [B, T] of a batch"));
  }

 private:
  static std::vector<Index> valuesOf(const SampleArray& array, Index sample) {
    const auto row = array.row(sample);
    return {row.begin(), row.end()};
  }
  std::string path() const { return m_folder.filePath(QStringLiteral("a.npy")).toStdString(); }
  void write(const char* descr, const std::vector<Index>& shape, const std::string& bytes) {
    const QByteArray file = QByteArray::fromStdString(npy_array(descr, shape, bytes));
    QCOMPARE(writtenFile(m_folder, QStringLiteral("a.npy"), file).toStdString(), path());
  }
  Result<SampleArray> read(const char* descr, const std::vector<Index>& shape, const std::string& bytes) {
    write(descr, shape, bytes);
    return read_sample_array("labels", path());
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(SampleArrayTest)
#include "sample_array_test.moc"
