// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/json_cells.h"

#include "core/io/npy/npy_header.h"
#include "core/mask/import/mask_array.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "bool (2, 2)", an error, or "none".
std::string read_as(std::string_view json, std::string_view name = {}) {
  const MemorySource file(json);
  const auto npy = npy_of_json(file, name);
  if (!npy) return npy.error().message;
  if (!*npy) return "none";
  const auto header = read_npy_header(**npy);
  return header ? header->dtype.name() + " " + header->shape_text() : header.error().message;
}

}  // namespace

class JsonCellsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void lists_become_an_array() {
    COMPARE_TEXT(read_as(R"({"mask": [[true, false], [true, true]]})"), "bool (2, 2)");
    COMPARE_TEXT(read_as(R"([[[1, 0], [1, 1]]])"), "int64 (1, 2, 2)");
    COMPARE_TEXT(read_as(R"({"attn_mask": [[0.0, -Infinity], [0, 0.0]]})"), "float64 (2, 2)");
    COMPARE_TEXT(read_as(R"({"a": 1, "m": [[1, true, 0]]})", "m"), "int64 (1, 3)");
    COMPARE_TEXT(read_as("[[9223372036854775807, 0]]"), "float64 (1, 2)");
    COMPARE_TEXT(read_as("[[true, -9223372036854775808]]"), "float64 (1, 2)");
    const std::string json = R"({"mask": [[true, false], [true, true]]})";
    const MemorySource file(json);
    const auto mask = read_npy_mask(**npy_of_json(file, {}));
    QVERIFY(mask && mask->mask->visible(1, 0) && !mask->mask->visible(0, 1));
  }

  void other_texts() {
    COMPARE_TEXT(read_as(R"({"input_ids": [1, 2]})"), "none");
    COMPARE_TEXT(read_as(R"({"views": {"mask": [[1]]}})"), "none");
    COMPARE_TEXT(read_as(R"({"mask": "causal"})"), "none");
    COMPARE_TEXT(read_as(R"({"mask": [1, 0]})"), "the mask is a list of 2 items but must be lists of rows");
    COMPARE_TEXT(read_as(R"({"mask": [[1, 0], [1]]})"),
                 "the mask: a list has 1 items after one of 2; all rows must be alike");
    COMPARE_TEXT(read_as(R"({"mask": [[1, 0], 1]})"), "the mask: the lists are not nested alike");
    QVERIFY(read_as(R"({"mask": [["x", true]]})").find("but must be a number or a truth value") != std::string::npos);
  }
};

VQSCOPE_TEST(JsonCellsTest)
#include "json_cells_test.moc"
