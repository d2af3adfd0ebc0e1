// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/recognised_structure.h"

#include "core/base/sentence.h"
#include "core/mask/language/language_mask.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The structure's text, and ": " with the documents of its sequence.
std::string structure_text(const std::string& text, const SequenceInput& input) {
  const auto layout = *SequenceLayout::make(input);
  const auto mask = *make_language_mask(MaskProgram::parse(text).program, {}, layout);
  const auto found = recognised_structure(*recognise(*mask), *mask);
  if (!found || !found->structure.exact) return "nothing";
  std::string all = found->structure.text();
  for (const Index length : found->layout.input().document_lengths) all += " " + to_text(length);
  return all;
}

}  // namespace

class RecognisedStructureTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void parts_by_hand() {
    COMPARE_TEXT(structure_text("kv_idx <= q_idx", {.q_length = 20}), "causal");
    COMPARE_TEXT(structure_text("(kv_idx <= q_idx) & (q_doc == kv_doc)", {.q_length = 9, .document_lengths = {4, 5}}),
                 "causal, documents 4 5");
    COMPARE_TEXT(structure_text("(kv_idx <= q_idx + 2) & (q_idx - kv_idx <= 5)", {.q_length = 30}),
                 "window 5 back and 2 ahead");
    COMPARE_TEXT(structure_text("(kv_idx <= q_idx) & ((q_idx - kv_idx < 5) | (kv_idx < 2))", {.q_length = 30}),
                 "causal, window 5, sinks 2");
    COMPARE_TEXT(structure_text("(kv_idx <= q_idx) & ((q_idx - kv_idx) % 3 == 0)", {.q_length = 30}),
                 "causal, dilated by 3");
    COMPARE_TEXT(structure_text("q_idx - kv_idx <= 5", {.q_length = 30}), "window 5 back and 30 ahead");
    COMPARE_TEXT(structure_text("kv_idx < q_idx", {.q_length = 30}), "strictly causal (self excluded)");
    COMPARE_TEXT(structure_text("kv_idx // 4 <= q_idx // 4", {.q_length = 12}),
                 "block-causal in blocks of 4: causal ∨ documents [4, 4, 4]");
    COMPARE_TEXT(structure_text("(q_idx * 7 + kv_idx * 5) % 11 < 5", {.q_length = 30}), "nothing");
  }

  /// Queries of a block see one range of keys: its chunk and those around it, or a slot with a gap
  /// behind it.
  void blocks_of_queries() {
    const auto blocks_text = [](const std::string& text, const SequenceInput& input) {
      const auto mask = *make_language_mask(MaskProgram::parse(text).program, {}, *SequenceLayout::make(input));
      const auto found = recognised_structure(*recognise(*mask), *mask);
      if (!found) return std::string("nothing");
      std::string all = found->structure.blocks_are_causal ? "causal " : "";
      for (const QueryBlock& block : found->structure.query_blocks)
        all += fmt::format("{}: {}-{} ", block.queries, block.keys.begin, block.keys.end);
      return all;
    };
    COMPARE_TEXT(blocks_text("kv_idx // 2 <= q_idx // 2", {.q_length = 6}), "2: 0-2 2: 0-4 2: 0-6 ");
    COMPARE_TEXT(blocks_text("abs(q_idx // 4 - kv_idx // 4) <= 1", {.q_length = 16}),
                 "4: 0-8 4: 0-12 4: 4-16 4: 8-16 ");
    COMPARE_TEXT(blocks_text("(q_idx // 4 == kv_idx // 4) & (kv_idx % 4 < 3)", {.q_length = 12}),
                 "4: 0-3 4: 4-7 4: 8-11 ");
    COMPARE_TEXT(blocks_text("(kv_idx <= q_idx) & (q_idx // 4 - kv_idx // 4 <= 1)", {.q_length = 14}),
                 "causal 8: 0-8 4: 4-12 2: 8-14 ");
    COMPARE_TEXT(blocks_text("(kv_idx <= q_idx) & ((q_idx - kv_idx) % 3 == 0)", {.q_length = 30}), "");
    COMPARE_TEXT(blocks_text("abs(q_idx - kv_idx) <= 3", {.q_length = 30}), "");
  }

  /// Whatever has a body is the mask by it.
  void bodies_equal_the_mask() {
    const std::string text = "((kv_idx <= q_idx) & ((q_idx - kv_idx < 5) | (kv_idx < 2)))";
    const auto layout = *SequenceLayout::make({.q_length = 30});
    const auto mask = *make_language_mask(MaskProgram::parse(text).program, {}, layout);
    const auto found = recognised_structure(*recognise(*mask), *mask);
    QVERIFY(found && !found->structure.body.empty());
    const auto again = *make_language_mask(MaskProgram::parse(found->structure.body).program, {}, layout);
    for (Index q = 0; q < 30; ++q)
      for (Index kv = 0; kv < 30; ++kv) QCOMPARE(again->visible(q, kv), mask->visible(q, kv));
  }
};

VQSCOPE_TEST(RecognisedStructureTest)
#include "recognised_structure_test.moc"
