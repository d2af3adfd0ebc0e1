// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/imported_preset.h"

#include "core/field/field.h"
#include "core/mask/mask_difference.h"
#include "core/mask/methods.h"
#include "core/mask/preset/presets.h"
#include "core/mask/recognise/recognise.h"
#include "core/method/method_list.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/preset/visibility.h"
#include "tests/core/mask/row_mask.h"
#include "tests/core/mask/row_mask_of.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ParameterValues defaults() { return default_values(visibility().parameters); }

/// Values of mask_rows over [rows, cols].
ParameterValues listed(std::vector<Index> numbers, Index rows, Index cols) {
  ParameterValues values = defaults();
  values.set("mask", std::string("dump"));
  values.set("mask_rows", std::move(numbers));
  values.set("q_length", rows);
  values.set("kv_length", cols);
  return values;
}

Result<void> checked(std::vector<Index> numbers, Index rows, Index cols) {
  const auto made = make_field(visibility(), listed(std::move(numbers), rows, cols));
  return made ? Result<void>() : made.error();
}

std::string drawn_import(const Mask& mask) {
  std::string text;
  for (Index q = 0; q < mask.extent().rows; ++q) {
    for (Index kv = 0; kv < mask.extent().cols; ++kv) text += mask.visible(q, kv) ? 'x' : '.';
    text += ' ';
  }
  return text;
}

}  // namespace

class ImportedPresetTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rows_by_hand() {
    const auto mask = make_preset_mask(listed({2, 1, 0, 2, 1, 0, 1, 2, 0, 1, 2, 3}, 4, 3));
    QVERIFY(mask);
    COMPARE_TEXT(drawn_import(**mask), "xx. xx. ... x.x ");
    auto values = listed({2, 1, 0, 2, 1, 0, 1, 2, 0, 1, 2, 3}, 4, 3);
    values.set("mask_inverted", true);
    COMPARE_TEXT(drawn_import(**make_preset_mask(values)), "..x ..x xxx .x. ");
    QCOMPARE(mask_rows_of(**mask).value(), (std::vector<Index>{2, 1, 0, 2, 1, 0, 1, 2, 0, 1, 2, 3}));
  }

  void masks_round_trip() {
    Random random(1);
    for (int i = 0; i < 300; ++i) {
      const MaskCase c = random_case(random);
      const auto mask = c.mask();
      const auto values = with_imported_mask(defaults(), *mask);
      QVERIFY2(values.has_value(), c.name().c_str());
      QVERIFY2(check_method_values(visibility(), *values).has_value(), c.name().c_str());
      QVERIFY2(compare_masks(*mask, **make_preset_mask(*values))->equal(), c.name().c_str());
    }
  }

  void a_dump_brings_its_sequence() {
    auto values = defaults();
    values.set("padding", Index{7});
    values.set("document_lengths", std::vector<Index>{500, 5});
    const auto all = with_imported_mask(values, *row_mask_of({.q_length = 3, .past_len = 5}, {"causal"})).value();
    QCOMPARE(all.integer("q_length"), Index{3});
    QCOMPARE(all.integer("kv_length"), Index{8});
    QCOMPARE(all.integer("past_len"), Index{5});
    QCOMPARE(all.integer("padding"), automatic_length);
    QVERIFY(all.integers("document_lengths").empty());
  }

  /// The description of the file is kept with the values; an inverted mask has the other polarity.
  void file_description_is_kept_with_the_mask() {
    const MaskFile file{TensorValues::boolean, ImportedPolarity::masked_true, PolaritySource::guessed, "a reason",
                        "m.npy"};
    auto values = with_imported_mask(defaults(), *row_mask_of({.q_length = 3}, {"causal"}), file).value();
    QVERIFY(imported_file(values) == file);
    values.set("mask_inverted", true);
    QVERIFY(imported_file(values)->polarity == ImportedPolarity::visible_true);
    QVERIFY(imported_file(values)->decided == PolaritySource::stated);
    QVERIFY(!imported_file(with_imported_mask(values, *row_mask_of({.q_length = 3}, {"causal"})).value()));
    QVERIFY(!imported_file(defaults()));
  }

  void faults() {
    const std::string must =
        " but must be runs of equal rows: how many rows, how many intervals, and begin and end of each";
    COMPARE_ERROR(checked({}, 2, 3), "mask_rows is empty, import a mask from a file (.npy, .csv or .png)");
    COMPARE_ERROR(checked({1}, 2, 3), "mask_rows ends within a run" + must);
    COMPARE_ERROR(checked({1, 1, 0}, 2, 3), "mask_rows ends within a run" + must);
    COMPARE_ERROR(checked({0, 0}, 2, 3), "mask_rows has a run of 0 rows" + must);
    COMPARE_ERROR(checked({1, 1, 2, 2}, 2, 3), "mask_rows has the interval 2, 2 after 0" + must);
    COMPARE_ERROR(checked({1, 2, 0, 1, 1, 2}, 2, 3), "mask_rows has the interval 1, 2 after 1" + must);
    COMPARE_ERROR(checked({1, 1, 0, 4}, 1, 3), "kv_length is 3, the imported mask has a visible key 3");
    COMPARE_ERROR(checked({1, 0}, 2, 3), "q_length is 2, the imported mask has 1 rows");
    COMPARE_ERROR(checked({3, 0}, 2, 3), "q_length is 2, the imported mask has at least 3 rows");
    COMPARE_ERROR(checked({1, 0}, Index{1} << 30, Index{1} << 30),
                  "an imported mask has at most 16777216 queries and 2147483648 keys, q_length is 1073741824 and "
                  "kv_length 1073741824");
  }

  /// Slightly damaged lists make a mask or an error, which a method repeats.
  void slightly_damaged_lists_make_a_mask_or_an_error() {
    Random random(2);
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
      const MaskCase c = random_case(random);
      auto numbers = mask_rows_of(*c.mask()).value();
      const auto at = static_cast<std::size_t>(pick(random, 0, static_cast<Index>(numbers.size()) - 1));
      if (pick(random, 0, 3) == 0) numbers.resize(at);
      if (pick(random, 0, 1) == 0 && at < numbers.size()) numbers[at] += pick(random, -1, 1);
      const Extent extent = c.mask()->extent();
      auto values = listed(std::move(numbers), extent.rows, extent.cols);
      values.set("mask_inverted", pick(random, 0, 1) == 1);
      const auto made = make_imported_mask(values, extent);
      if (made || !check_method_values(visibility(), values)) continue;
      ++refused;
      COMPARE_ERROR(make_field(visibility(), values), made.error().message);
    }
    QVERIFY(refused > 200 && refused < 1800);
  }

  void too_many_intervals_are_refused() {
    auto cells = row_mask_of({.q_length = 2100}, {});
    for (Index q = 0; q < 2100; ++q)
      for (Index kv = q % 2; kv < 2100; kv += 2) cells->flip(q, kv);
    const auto rows = mask_rows_of(*cells);
    COMPARE_ERROR(rows, "the mask has too many intervals: a session keeps 4194304 numbers, and row 1995 goes beyond");
  }

  void recognised_text_makes_the_same_mask() {
    std::vector<std::shared_ptr<RowMask>> all{
        row_mask_of({.q_length = 30}, {"causal"}),
        row_mask_of({.q_length = 30}, {}),
        row_mask_of({.q_length = 30}, {"prefix"}, 7),
        row_mask_of({.q_length = 3, .past_len = 17}, {"causal"}),
        row_mask_of({.q_length = 40, .past_len = 9}, {"causal", "sliding_window"}, 0, 8),
        row_mask_of({.q_length = 30, .document_lengths = {10, 9, 11}}, {"same_document", "causal"}),
        row_mask_of({.q_length = 60, .document_lengths = {20, 22, 18}}, {"same_document", "prefix"}, 5),
        row_mask_of({.q_length = 24, .padding_side = PaddingSide::left, .padding = 4}, {"key_valid", "causal"}),
        row_mask_of({.q_length = 24, .padding = 4}, {"key_valid", "causal"})};
    for (std::size_t i = 0; i < 2; ++i) {
      all.push_back(row_mask_of({.q_length = 30}, {"causal", "sliding_window"}, 0, 5 + static_cast<Index>(i)));
      all.back()->invert();
    }
    for (const auto& cells : all) {
      const auto found = recognise(*cells).value();
      QVERIFY2(found.fits && found.exception_count == 0, found.sentence.c_str());
      const auto values = recognised_as_text(defaults(), found);
      const auto whole = completed_values(parameters_of(visibility(), values), values);
      const auto checked = check_method_values(visibility(), whole);
      QVERIFY2(checked, (found.sentence + ": " + (checked ? "" : checked.error().message)).c_str());
      const auto mask = make_preset_mask(whole);
      QVERIFY2(mask, (found.sentence + ": " + (mask ? "" : mask.error().message)).c_str());
      QVERIFY2(compare_masks(*cells, **mask)->equal(), (found.sentence + ": " + mask_text_of(found)).c_str());
    }
  }

  /// The texts of random masks, exceptions aside.
  void recognised_texts_agree_with_their_shapes() {
    Random random(2);
    int texts = 0;
    for (int i = 0; i < 150; ++i) {
      const MaskCase c = random_case(random);
      const auto found = recognise(*c.mask()).value();
      if (!found.fits) continue;
      ++texts;
      const auto values = recognised_as_text(defaults(), found);
      const auto mask = make_preset_mask(completed_values(parameters_of(visibility(), values), values));
      QVERIFY2(mask, (c.name() + ": " + mask_text_of(found) + (mask ? "" : mask.error().message)).c_str());
      const auto apart = compare_masks(*c.mask(), **mask).value();
      QVERIFY2(apart.only_first + apart.only_second == found.exception_count,
               (c.name() + ": " + mask_text_of(found)).c_str());
    }
    QVERIFY(texts > 50);
  }
};

VQSCOPE_TEST(ImportedPresetTest)
#include "imported_preset_test.moc"
