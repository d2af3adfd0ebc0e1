// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tensor/csv_table.h"

#include "core/io/tensor/tensor_file.h"
#include "core/io/tensor/tensor_list.h"
#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Result<StoredTensor> table(const std::string& text, TensorUse use = TensorUse::cells) {
  return find_tensor(source_of(text), {.file = "t.csv", .name = {}, .leading = {}}, use);
}

std::vector<Index> wholes(const std::string& text) {
  const auto tensor = table(text);
  return tensor ? *read_values<Index>(*tensor, 100) : std::vector<Index>();
}

}  // namespace

class CsvTableTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rows_and_columns() {
    QCOMPARE(wholes("1,2,3\n"), (std::vector<Index>{1, 2, 3}));
    QCOMPARE(table("1,2,3\n")->shape, (std::vector<Index>{3}));
    QCOMPARE(table("1\n2\n3\n")->shape, (std::vector<Index>{3}));
    QCOMPARE(table("1;2;3\r\n4;5;6\r\n")->shape, (std::vector<Index>{2, 3}));
    QCOMPARE(wholes("# ids\n1 2\n-3 4\n"), (std::vector<Index>{1, 2, -3, 4}));
    QCOMPARE(wholes("position\n7\n8\n"), (std::vector<Index>{7, 8}));
    QCOMPARE(wholes("true\nfalse\n"), (std::vector<Index>{1, 0}));
  }

  void whole_and_real_numbers() {
    COMPARE_TEXT(table("1,2\n3,4\n")->header.dtype.name(), "int64");
    COMPARE_TEXT(table("1,2.5\n3,4\n")->header.dtype.name(), "float64");
    COMPARE_TEXT(table("1,1e300\n3,4\n")->header.dtype.name(), "float64");
    QCOMPARE(*read_tensor(*table("1,2\n3,4\n", TensorUse::numbers)), (std::vector<float>{1, 2, 3, 4}));
    const auto listed = list_tensors(source_of("1,2\n3,4\n"), "t.csv", TensorUse::cells);
    QVERIFY(listed && listed->size() == 1);
    QCOMPARE((*listed)[0].shape, (std::vector<Index>{2, 2}));
  }

  void refusals() {
    COMPARE_ERROR(table("1,2\n3\n"), "t.csv: line 2 has 1 cells, line 1 has 2");
    COMPARE_ERROR(table("1,2\n3,x\n"), "t.csv: line 2, column 2: \"x\", expected a number");
    COMPARE_ERROR(table("a,b\n"), "t.csv: the table holds no numbers");
    COMPARE_ERROR(find_tensor(source_of("1,2\n"), {.file = "t.csv", .name = "q", .leading = {}}),
                  "t.csv: a table of numbers is one tensor without a name, leave out :q");
  }
};

VQSCOPE_TEST(CsvTableTest)
#include "csv_table_test.moc"
