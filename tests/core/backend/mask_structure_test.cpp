// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/mask_structure.h"

#include "core/mask/mask_difference.h"
#include "tests/core/backend/layout_of.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A row a line, # where a key is visible.
std::string picture(const Mask& mask) {
  std::string text;
  for (Index q = 0; q < mask.extent().rows; ++q) {
    for (Index kv = 0; kv < mask.extent().cols; ++kv) text += mask.visible(q, kv) ? '#' : '.';
    text += '\n';
  }
  return text;
}

}  // namespace

class MaskStructureTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void in_words() {
    COMPARE_TEXT(MaskStructure{}.text(), "bidirectional");
    const MaskStructure all{.causal = true, .window = 3, .documents = true, .padding = true};
    COMPARE_TEXT(all.text(), "causal, window 3, documents, padding");
    COMPARE_TEXT(MaskStructure{.prefix = 5}.text(), "prefix 5");
  }

  void masks_by_hand() {
    const auto square = layout_of({.q_length = 4});
    COMPARE_TEXT(picture(*structure_mask({}, square)), "####\n####\n####\n####\n");
    COMPARE_TEXT(picture(*structure_mask({.causal = true}, square)), "#...\n##..\n###.\n####\n");
    COMPARE_TEXT(picture(*structure_mask({.causal = true, .window = 2}, square)), "#...\n##..\n.##.\n..##\n");
    COMPARE_TEXT(picture(*structure_mask({.prefix = 2}, square)), "##..\n##..\n###.\n####\n");
    const auto packed = layout_of({.q_length = 5, .padding = 1, .document_lengths = {1, 3}});
    COMPARE_TEXT(picture(*structure_mask({.documents = true, .padding = true}, packed)),
                 "#....\n.###.\n.###.\n.###.\n.....\n");
    const auto decode = layout_of({.q_length = 1, .past_len = 3});
    COMPARE_TEXT(picture(*structure_mask({.causal = true, .window = 2}, decode)), "..##\n");
  }

  /// Nothing is known of another extent, or of a mask that was not read completely.
  void structure_is_exact_only_after_a_full_comparison() {
    const auto layout = layout_of({.q_length = 8});
    const MaskStructure causal{.causal = true};
    const auto mask = structure_mask(causal, layout);
    QVERIFY(verified(causal, *mask, layout).exact);
    QVERIFY(!verified(causal, *mask, layout_of({.q_length = 9})).exact);
    QVERIFY(!verified({.causal = true, .exact = true}, *structure_mask({}, layout), layout).exact);
    std::stop_source source;
    source.request_stop();
    QVERIFY(!verified(causal, *mask, layout, source.get_token()).exact);
  }

  /// Causal by index over packed documents differs from a snippet, whose positions restart.
  void positions_of_packed_documents() {
    const auto packed = layout_of({.q_length = 5, .document_lengths = {2, 3}});
    QVERIFY(!holds_of_positions({.causal = true}, packed));
    QVERIFY(!verified({.causal = true}, *structure_mask({.causal = true}, packed), packed).exact);
    QVERIFY(holds_of_positions({.causal = true, .documents = true}, packed));
    QVERIFY(holds_of_positions({}, packed));
    QVERIFY(holds_of_positions({.window = 2}, layout_of({.q_length = 5})));
  }

  /// Random terms over random layouts are the structure of the same names, and no other.
  void structures_are_verified_by_intervals() {
    Random random(3);
    int exact = 0;
    for (int round = 0; round < 1500; ++round) {
      const MaskCase drawn = random_case(random);
      const auto mask = drawn.mask();
      const auto has = [&](const char* term) { return std::ranges::count(drawn.terms, term) > 0; };
      MaskStructure structure{.causal = has("causal"), .documents = has("same_document"), .padding = has("key_valid")};
      if (has("prefix")) structure.prefix = drawn.prefix_length;
      if (has("sliding_window")) structure.window = drawn.window;
      QCOMPARE(verified(structure, *mask, drawn.layout).exact, holds_of_positions(structure, drawn.layout));
      structure.causal = !structure.causal;
      const auto other = structure_mask(structure, drawn.layout);
      std::uint64_t only_first = 0;
      std::uint64_t only_second = 0;
      for (Index q = 0; q < drawn.layout.q_length(); ++q)
        for (Index kv = 0; kv < drawn.layout.kv_length(); ++kv) {
          const bool a = mask->visible(q, kv);
          const bool b = other->visible(q, kv);
          only_first += a && !b ? 1 : 0;
          only_second += b && !a ? 1 : 0;
        }
      const auto difference = compare_masks(*mask, *other).value();
      QCOMPARE(difference.only_first, only_first);
      QCOMPARE(difference.only_second, only_second);
      QCOMPARE(verified(structure, *mask, drawn.layout).exact,
               only_first + only_second == 0 && holds_of_positions(structure, drawn.layout));
      exact += difference.equal() ? 1 : 0;
    }
    QVERIFY(exact < 1500);
  }
};

VQSCOPE_TEST(MaskStructureTest)
#include "mask_structure_test.moc"
