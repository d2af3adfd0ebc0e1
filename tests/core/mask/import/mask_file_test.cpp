// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/mask_file.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

/// The file of two equal rows.
MaskFile file_of(ImportedCells cells, std::vector<double> row, const ImportOptions& options = {}) {
  RunRows runs;
  append_runs(row, runs);
  const ImportedRows rows{cells, {2, static_cast<Index>(row.size())}, [&](const auto& visit) -> Result<void> {
                            for (Index q = 0; q < 2; ++q)
                              if (auto done = visit(q, runs.row(0)); !done) return done;
                            return {};
                          }};
  return mask_file(read_mask_rows(rows, options).value().reading, "mask.npy [2, 3]");
}

}  // namespace

class MaskFileTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void values_of_tensors() {
    QCOMPARE(file_of(ImportedCells::boolean, {1, 0, 0}).values, TensorValues::boolean);
    QCOMPARE(file_of(ImportedCells::whole, {1, 0, 0}).values, TensorValues::integers);
    QCOMPARE(file_of(ImportedCells::real, {1, 0, 0}).values, TensorValues::zero_one);
    QCOMPARE(file_of(ImportedCells::real, {0, -1e9, -1e9}).values, TensorValues::additive);
    QCOMPARE(file_of(ImportedCells::real, {0.5, -1, 0}).values, TensorValues::additive);
    QCOMPARE(file_of(ImportedCells::text, {1, 0, 0}).values, TensorValues::no_tensor);
    QCOMPARE(file_of(ImportedCells::grey, {255, 0, 0}).values, TensorValues::no_tensor);
  }

  void sentences() {
    COMPARE_TEXT(
        mask_file_sentence(file_of(ImportedCells::boolean, {1, 0, 0}, {.polarity = ImportedPolarity::masked_true})),
        "mask.npy [2, 3] is boolean; True is masked (stated)");
    COMPARE_TEXT(mask_file_sentence(file_of(ImportedCells::whole, {1, 0, 0})),
                 "mask.npy [2, 3] has integers 0 and 1; 1 is visible (guessed: no key after its query is 1)");
    COMPARE_TEXT(mask_file_sentence(file_of(ImportedCells::real, {0, -1e9, -1e9})), "mask.npy [2, 3] is additive");
    COMPARE_TEXT(mask_file_sentence({TensorValues::boolean}),
                 "the file is boolean; True is visible (assumed: the cells do not tell)");
  }

  void texts_round_trip() {
    const MaskFile file = file_of(ImportedCells::boolean, {1, 0, 0});
    COMPARE_TEXT(mask_file_text(file), "boolean visible_true guessed; no key after its query is true; mask.npy [2, 3]");
    QVERIFY(parse_mask_file(mask_file_text(file)) == file);
    for (const auto values :
         {TensorValues::integers, TensorValues::zero_one, TensorValues::additive, TensorValues::no_tensor})
      for (const auto decided : {PolaritySource::stated, PolaritySource::unknown}) {
        const MaskFile other{values, ImportedPolarity::masked_true, decided, "", ""};
        QVERIFY(parse_mask_file(mask_file_text(other)) == other);
      }
    const MaskFile batch{.evidence = "e", .source = "m.npy [3, 2, 2]", .masks = 3};
    COMPARE_TEXT(mask_file_text(batch), "boolean visible_true unknown of 3; e; m.npy [3, 2, 2]");
    QVERIFY(parse_mask_file(mask_file_text(batch)) == batch);
    QVERIFY(!parse_mask_file("boolean visible_true unknown of 0; e; m.npy"));
    // A name must not end its field.
    COMPARE_TEXT(parse_mask_file(mask_file_text({.source = "a;b.npy"}))->source, "a,b.npy");
    for (const char* text : {"", "boolean", "boolean visible_true guessed", "bool visible_true guessed;;",
                             "boolean true guessed; ; ", "boolean visible_true guessed more; ; "})
      QVERIFY2(!parse_mask_file(text), text);
  }
};

VQSCOPE_TEST(MaskFileTest)
#include "mask_file_test.moc"
