// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/mask_array.h"

#include "core/mask/map/visibility_field.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Rows of # and dots.
std::string drawn(const Mask& mask) {
  std::string text;
  for (Index q = 0; q < mask.extent().rows; ++q) {
    if (q > 0) text += ' ';
    for (Index kv = 0; kv < mask.extent().cols; ++kv) text += mask.visible(q, kv) ? '#' : '.';
  }
  return text;
}

template <class T>
std::string array(const char* descr, const std::vector<Index>& shape, const std::vector<T>& values) {
  return npy_array(descr, shape, bytes_of_values(values));
}

/// A row a query, with the indices of the keys above and those of the queries on the left, as
/// matrices are exported.
std::string csv_of(const Field& field) {
  std::string text = "query\\key";
  for (Index col = 0; col < field.extent().cols; ++col) text += ',' + to_text(col);
  for (Index row = 0; row < field.extent().rows; ++row) {
    text += "\r\n" + to_text(row);
    for (Index col = 0; col < field.extent().cols; ++col) text += field.at(row, col) != 0 ? ",1" : ",0";
  }
  return text + "\r\n";
}

std::string npy_of(const Field& field) {
  const auto [rows, cols] = field.extent();
  std::vector<std::uint8_t> cells;
  for (Index row = 0; row < rows; ++row)
    for (Index col = 0; col < cols; ++col) cells.push_back(field.at(row, col) != 0);
  return array("|b1", {rows, cols}, cells);
}

Result<ReadMask> npy(const std::string& file, const ImportOptions& options = {}) {
  return read_npy_mask(MemorySource(file), options);
}

const std::vector<std::uint8_t> causal_cells{1, 0, 0, 1, 1, 0, 1, 1, 1};

}  // namespace

class MaskArrayTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void booleans_of_either_polarity() {
    const auto imported = npy(array("|b1", {3, 3}, causal_cells)).value();
    COMPARE_TEXT(drawn(*imported.mask), "#.. ##. ###");
    COMPARE_TEXT(imported.reading.why, "boolean: true is visible, because no key after its query is true");
    QVERIFY(imported.reading.warnings.empty() && imported.reading.kind == ImportedKind::boolean);
    const auto masked = npy(array<std::uint8_t>("|b1", {3, 3}, {0, 1, 1, 0, 0, 1, 0, 0, 0})).value();
    COMPARE_TEXT(drawn(*masked.mask), "#.. ##. ###");
    COMPARE_TEXT(masked.reading.why, "boolean: false is visible, because every key after its query is true");
    const auto forced = npy(array("|b1", {3, 3}, causal_cells), {.polarity = ImportedPolarity::masked_true}).value();
    COMPARE_TEXT(drawn(*forced.mask), ".## ..# ...");
    COMPARE_TEXT(forced.reading.why, "boolean: false is visible, as asked for");
    COMPARE_TEXT(forced.reading.warnings.at(0), "the imported mask looks inverted: no key after its query is true");
  }

  void evidence_of_own_keys_and_empty_rows() {
    const auto packed =
        npy(array<std::int32_t>("<i4", {4, 4}, {0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0})).value();
    COMPARE_TEXT(drawn(*packed.mask), "##.. ##.. ..## ..##");
    COMPARE_TEXT(packed.reading.why,
                 "whole numbers, 0 and 1: 0 is visible, because 4 of 4 queries find their own key 0");
    const auto empty = npy(array<std::uint8_t>("|u1", {3, 2}, {1, 1, 0, 1, 1, 0})).value();
    COMPARE_TEXT(empty.reading.why,
                 "whole numbers, 0 and 1: 1 is visible, because otherwise 1 of the queries would see no key");
    const auto none = npy(array<std::uint8_t>("|u1", {3, 2}, {0, 1, 0, 1, 1, 0})).value();
    COMPARE_TEXT(none.reading.why, "whole numbers, 0 and 1: 1 is visible, for want of evidence");
    COMPARE_TEXT(none.reading.warnings.at(0), "nothing in the imported mask tells which value is visible");
  }

  void zero_one_floats_are_warned_about() {
    const auto imported = npy(array<float>("<f4", {2, 2}, {1, 0, 1, 1})).value();
    COMPARE_TEXT(drawn(*imported.mask), "#. ##");
    QVERIFY(imported.reading.kind == ImportedKind::zero_one_float);
    COMPARE_TEXT(imported.reading.warnings.at(0),
                 "a float mask of 0 and 1 is added to the scores by scaled_dot_product_attention, which masks nothing: "
                 "make it bool");
  }

  void additive_and_biased() {
    const auto minus = npy(array<float>("<f4", {2, 2}, {0, -HUGE_VALF, 0, 0})).value();
    COMPARE_TEXT(drawn(*minus.mask), "#. ##");
    COMPARE_TEXT(minus.reading.why, "additive, 0 and numbers down to -inf: above -1000 is visible");
    QVERIFY(npy(array<double>("<f8", {2, 2}, {0, -10000, 0, 0})).value().reading.kind == ImportedKind::additive);
    const auto half = npy(array<std::uint16_t>("<f2", {2, 2}, {0, 0xfbff, 0xbc00, 0})).value();
    COMPARE_TEXT(drawn(*half.mask), "#. ##");
    COMPARE_TEXT(half.reading.why, "biases from -65504 to 0 with masked cells among them: above -65504 is visible");
    const auto alibi = npy(array<float>("<f4", {2, 2}, {0, -3e38F, -2000, 0})).value();
    COMPARE_TEXT(drawn(*alibi.mask), "#. .#");
    QVERIFY(alibi.reading.kind == ImportedKind::additive);
    const auto chosen = npy(array<float>("<f4", {2, 2}, {0, -3e38F, -2000, 0}), {.threshold = -1e6}).value();
    COMPARE_TEXT(drawn(*chosen.mask), "#. ##");
    COMPARE_TEXT(npy(array<float>("<f4", {1, 2}, {0, 0})).value().reading.warnings.at(0), "nothing is masked");
  }

  void batch_head_and_dimensions_of_one() {
    std::vector<std::uint8_t> data(2 * 3 * 4, 1);
    data[12 + 4 + 2] = 0;  // [1, 1, 2] of [2, 3, 4]
    COMPARE_TEXT(drawn(*npy(array("|b1", {2, 1, 3, 4}, data), {.batch = 1, .head = 7}).value().mask), "#### ##.# ####");
    COMPARE_TEXT(drawn(*npy(array("|b1", {2, 3, 4}, data), {.head = 1}).value().mask), "#### ##.# ####");
    COMPARE_TEXT(drawn(*npy(array("|b1", {2, 3, 4}, data)).value().mask), "#### #### ####");
    const auto padding = npy(array<std::uint8_t>("|b1", {1, 1, 1, 4}, {0, 1, 1, 1}),
                             {.q_length = 3, .polarity = ImportedPolarity::visible_true});
    COMPARE_TEXT(drawn(*padding.value().mask), ".### .### .###");
    const auto right = read_csv_mask("1,1,1,0\n", {.q_length = 2});
    COMPARE_TEXT(drawn(*right.value().mask), "###. ###.");
    COMPARE_TEXT(right->reading.why, "whole numbers, 0 and 1: 1 is visible, for want of evidence");
    COMPARE_ERROR(npy(array("|b1", {2, 1, 3, 4}, data), {.batch = 2}),
                  "batch is 2, the imported mask has 2: allowed are 0 to 1");
    COMPARE_ERROR(npy(array("|b1", {2, 3, 4}, data), {.batch = 1, .head = 1}),
                  "the array has shape (2, 3, 4), choose either batch or head");
    COMPARE_ERROR(npy(array("|b1", {24}, data)),
                  "the array has shape (24,), a mask is [q, kv], [batch or head, q, kv] or [batch, head, q, kv]");
    COMPARE_ERROR(npy(array("|b1", {0, 4}, data)), "the array has shape (0, 4) and holds no cells");
  }

  void csv_in_several_spellings() {
    for (const char* text :
         {"1,0\n1,1\n", "1;0\r\n1;1", "# saved\n1 0\n  1   1  \n", "1\t0\n\n1\t1\n", "True,False\nTrue,True\n",
          "query\\key,0,1\n0,1,0\n1,1,1\n", ",0,1\n0,1,0\n1,1,1\n", "k0,k1\n1,0\n1,1\n", "0,-inf\n0,0\n",
          "\xef\xbb\xbf"
          "0,-1e9\n0,0"})
      COMPARE_TEXT(drawn(*read_csv_mask(text).value().mask), "#. ##");
  }

  void csv_faults_name_line_and_column() {
    COMPARE_ERROR(read_csv_mask("1,0\n1,x\n"), "line 2, column 2: \"x\", expected a number");
    COMPARE_ERROR(read_csv_mask("1,0\n1,,1\n"), "line 2, column 2: the cell is empty, expected a number");
    COMPARE_ERROR(read_csv_mask("1,0,\n"), "line 1, column 3: the cell is empty, expected a number");
    COMPARE_ERROR(read_csv_mask("# a\n1,0\n\n1\n"), "line 4 has 1 cells, line 2 has 2");
    COMPARE_ERROR(read_csv_mask("1,nan\n"), "the cell of query 0, key 1 is nan, allowed are finite numbers and -inf");
    COMPARE_ERROR(read_csv_mask(""), "the imported mask has 0 queries and 0 keys, allowed are 1 to 2147483648 of each");
  }

  void images() {
    const std::vector<std::uint8_t> grey{255, 0, 0, 200, 255, 0, 255, 255, 255};
    const auto imported = read_image_mask(grey, {3, 3}).value();
    COMPARE_TEXT(drawn(*imported.mask), "#.. ##. ###");
    COMPARE_TEXT(imported.reading.why, "black and white: white is visible, because no key after its query is white");
    COMPARE_TEXT(imported.reading.warnings.at(0), "1 pixels are grey; 128 and up counts as white");
    const auto black = read_image_mask(grey, {3, 3}, {.polarity = ImportedPolarity::masked_true}).value();
    COMPARE_TEXT(drawn(*black.mask), ".## ..# ...");
  }

  void written_masks_are_read_back() {
    Random random(1);
    for (int i = 0; i < 300; ++i) {
      const MaskCase c = random_case(random);
      const auto mask = c.mask();
      for (const bool as_text : {false, true}) {
        const VisibilityField field(mask);
        const ImportOptions options{.polarity = ImportedPolarity::visible_true};
        const auto imported = as_text ? read_csv_mask(csv_of(field), options) : npy(npy_of(field), options);
        QVERIFY2(imported, c.name().c_str());
        std::vector<Range> got, wanted;
        for (Index q = 0; q < field.extent().rows; ++q) {
          imported->mask->row(q, got);
          mask->row(q, wanted);
          QVERIFY2(got == wanted, c.name().c_str());
        }
        COMPARE_TEXT(drawn(*imported->mask), drawn(*mask));
      }
    }
  }

  void too_many_segments_and_stop() {
    COMPARE_ERROR(read_csv_mask("1,0,1\n", {.most_intervals = 1}),
                  "the imported mask has more than 1 visible stretches, which is more than is kept in memory");
    QVERIFY(read_csv_mask("1,0\n", {.q_length = 1 << 30}));
    std::stop_source source;
    source.request_stop();
    QVERIFY(read_csv_mask("1,0\n", {.stop = source.get_token()}).error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(MaskArrayTest)
#include "mask_array_test.moc"
