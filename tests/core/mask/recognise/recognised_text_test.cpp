// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/recognise.h"

#include "core/mask/methods.h"
#include "core/mask/preset/presets.h"
#include "core/method/free_name.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/recognise/text_mask.h"
#include "tests/core/mask/row_mask.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The first cell in which the text of what was recognised differs, or nothing.
std::string text_differs(const Mask& mask) {
  const auto found = recognise(mask);
  if (!found || !found->fits) return "it is not recognised";
  const auto values = recognised_as_text(default_values(visibility_method().parameters), *found);
  const auto made = make_preset_mask(values);
  if (!made) return made.error().message;
  if ((*made)->extent() != mask.extent()) return "another extent";
  for (Index q = 0; q < mask.extent().rows; ++q)
    for (Index kv = 0; kv < mask.extent().cols; ++kv)
      if ((*made)->visible(q, kv) != mask.visible(q, kv))
        return cell_name(q, kv) + " differs in " + mask_text_of(*found);
  return {};
}

}  // namespace

class RecognisedTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void texts_by_hand() {
    const auto window = recognise(*mask_of_text("(kv_idx <= q_idx) & (q_idx - kv_idx < 4)", {.q_length = 20})).value();
    QVERIFY(window.fits && !window.inverted);
    COMPARE_TEXT(mask_text_of(window), window.text + "\n");
    QVERIFY(window.text.starts_with("return "));
    RowMask inverse(*mask_of_text("(kv_idx <= q_idx) & (q_idx - kv_idx < 4)", {.q_length = 20}));
    inverse.invert();
    const auto inverted = recognise(inverse).value();
    QVERIFY(inverted.fits && inverted.inverted);
    COMPARE_TEXT(mask_text_of(inverted), "return ~(" + window.text.substr(7) + ")\n");
  }

  /// A text of the values sees the same keys, over the same lengths.
  void text_of_the_values_sees_the_same_keys() {
    const std::vector<std::pair<std::string, SequenceInput>> cases{
        {"kv_idx <= q_idx", {.q_length = 16}},
        {"(kv_idx <= q_idx) & (q_idx - kv_idx < 5)", {.q_length = 24}},
        {"kv_idx <= q_idx + past_len", {.q_length = 9, .past_len = 12}},
        {"(kv_idx < 6) | (kv_idx <= q_idx)", {.q_length = 24}},
        {"(kv_idx <= q_idx) & ((kv_idx < 2) | (q_idx - kv_idx < 5))", {.q_length = 24}},
        {"(q_doc == kv_doc) & (kv_idx <= q_idx)", {.q_length = 24, .document_lengths = {9, 7, 8}}},
        {"(kv_idx <= q_idx) & (kv_idx < 13)", {.q_length = 18}},
        {"(kv_idx <= q_idx) & ((q_idx - kv_idx) % 3 == 0)", {.q_length = 24}},
        {"abs(q_idx - kv_idx) <= 3", {.q_length = 24}}};
    for (const auto& [text, input] : cases) {
      const auto mask = mask_of_text(text, input);
      QVERIFY2(text_differs(*mask).empty(), (text + ": " + text_differs(*mask)).c_str());
      RowMask inverse(*mask);
      inverse.invert();
      QVERIFY2(text_differs(inverse).empty(), (text + ", inverted: " + text_differs(inverse)).c_str());
    }
  }

  void arrays_come_along() {
    const auto mask =
        mask_of_text("(q_doc == kv_doc) & (kv_idx <= q_idx)", {.q_length = 12, .document_lengths = {5, 3, 4}});
    const auto found = recognise(*mask).value();
    QCOMPARE(found.arrays.size(), std::size_t{1});
    const auto values = recognised_as_text(default_values(visibility_method().parameters), found);
    COMPARE_TEXT(values.text("mask"), "custom");
    COMPARE_TEXT(values.text("mask_text"), found.text + "\n");
    QCOMPARE(values.integer("q_length"), Index{12});
    const auto* array = values.find(free_name_key(found.arrays[0].name));
    QVERIFY(array && *array == ParameterValue(std::vector<Index>{0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2}));
  }
};

VQSCOPE_TEST(RecognisedTextTest)
#include "recognised_text_test.moc"
