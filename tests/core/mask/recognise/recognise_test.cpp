// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/recognise.h"

#include "core/mask/language/language_mask.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/row_mask.h"
#include "tests/core/mask/row_mask_of.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string sentence_of(const Mask& mask) { return recognise(mask).value().sentence; }

/// A conjunction such as people train with, of 20 to 60 queries.
MaskCase likely_case(Random& random) {
  SequenceInput input;
  input.q_length = pick(random, 20, 60);
  const bool padded = pick(random, 0, 3) == 0;
  if (pick(random, 0, 3) == 0) input.past_len = pick(random, 1, 16);
  if (padded) input.padding = pick(random, 1, 8);
  input.padding_side = pick(random, 0, 1) ? PaddingSide::left : PaddingSide::right;
  const bool packed = !padded && input.past_len == 0 && pick(random, 0, 1);
  Index left = input.q_length;
  while (packed && left > 16) {
    input.document_lengths.push_back(pick(random, 8, 14));
    left -= input.document_lengths.back();
  }
  if (packed) input.document_lengths.push_back(left);
  MaskCase made{*SequenceLayout::make(input), {}, pick(random, 2, 6), pick(random, 3, 9)};
  if (padded) made.terms.emplace_back("key_valid");
  if (packed) made.terms.emplace_back("same_document");
  const Index kind = pick(random, 0, 3);
  if (kind == 1 || kind == 2) made.terms.emplace_back("causal");
  if (kind == 2) made.terms.emplace_back("sliding_window");
  if (kind == 3) made.terms.emplace_back("prefix");
  return made;
}

/// Whether shape, definition and fast rows alike, is the mask but for the listed cells.
bool describes(const Recognition& found, const Mask& mask) {
  std::set<std::pair<Index, Index>> exceptions;
  for (const auto& cell : found.exceptions) exceptions.emplace(cell.q, cell.kv);
  std::vector<Range> row;
  for (Index q = 0; q < mask.extent().rows; ++q) {
    found.shape.row(q, row);
    for (Index kv = 0; kv < mask.extent().cols; ++kv) {
      const bool in_row = std::ranges::any_of(row, [&](const Range& each) { return each.contains(kv); });
      if (in_row != found.shape.visible(q, kv)) return false;
      if ((in_row != mask.visible(q, kv)) != exceptions.contains({q, kv})) return false;
    }
  }
  return exceptions.size() == found.exception_count;
}

}  // namespace

class RecogniseTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// A row that sees nothing is one exception, and does not hide the leak after it.
  void exceptionsByRuns() {
    auto cells = row_mask_of({.q_length = 60}, {"causal"});
    for (Index kv = 0; kv <= 40; ++kv) cells->flip(40, kv);
    cells->flip(50, 53);
    cells->flip(50, 54);
    const auto found = recognise(*cells).value();
    QVERIFY(found.has_all_runs);
    QCOMPARE(found.exception_runs.size(), std::size_t{2});
    QVERIFY(found.exception_runs[0].q == 40 && found.exception_runs[0].sees_nothing);
    QVERIFY(found.exception_runs[1].q == 50 && found.exception_runs[1].keys == (Range{53, 55}));
    QVERIFY(!recognise(*cells, {.listed_exceptions = 1})->has_all_runs);
  }

  void sentences_by_hand() {
    COMPARE_TEXT(sentence_of(*row_mask_of({.q_length = 16}, {"causal"})), "causal");
    COMPARE_TEXT(sentence_of(*row_mask_of({.q_length = 16}, {})), "every key visible to every query");
    COMPARE_TEXT(sentence_of(*row_mask_of({.q_length = 40}, {"causal", "sliding_window"}, 0, 8)), "causal ∧ window 8");
    COMPARE_TEXT(sentence_of(*row_mask_of({.q_length = 24}, {"prefix"}, 7)), "causal ∧ prefix 7");
    COMPARE_TEXT(
        sentence_of(*row_mask_of({.q_length = 10, .document_lengths = {4, 2, 4}}, {"same_document", "causal"})),
        "causal ∧ documents [4, 2, 4]");
    COMPARE_TEXT(sentence_of(*row_mask_of({.q_length = 10, .document_lengths = {4, 2, 4}}, {"same_document"})),
                 "documents [4, 2, 4]");
    COMPARE_TEXT(sentence_of(*row_mask_of({.q_length = 12, .padding_side = PaddingSide::left, .padding = 4},
                                          {"key_valid", "causal"})),
                 "causal ∧ key padding of 4 on the left");
    COMPARE_TEXT(sentence_of(*row_mask_of({.q_length = 3, .past_len = 17}, {"causal"})),
                 "causal behind 17 keys of cache");
  }

  void text_and_arrays() {
    const auto found = recognise(*row_mask_of({.q_length = 60, .document_lengths = {20, 22, 18}},
                                              {"same_document", "causal", "sliding_window"}, 0, 8))
                           .value();
    COMPARE_TEXT(found.sentence, "causal ∧ documents [20, 22, 18] ∧ window 8");
    COMPARE_TEXT(found.text,
                 "return (kv_idx <= q_idx) & (q_idx - kv_idx < 8) & (document_id[q_idx] == document_id[kv_idx])");
    QCOMPARE(found.arrays.size(), std::size_t{1});
    QCOMPARE(found.arrays[0].values.size(), std::size_t{60});
    QCOMPARE(found.arrays[0].values[19], Index{0});
    QCOMPARE(found.arrays[0].values[20], Index{1});
  }

  void documents_that_widen() {
    const auto layout = *SequenceLayout::make({.q_length = 16, .document_lengths = {9, 7}});
    const auto joined =
        *LanguageMask::make(MaskProgram::parse("(kv_idx <= q_idx) | (q_doc == kv_doc)").program, {}, layout);
    const auto found = recognise(*joined).value();
    COMPARE_TEXT(found.sentence, "block-causal in blocks of 9: causal ∨ documents [9, 7]");
    COMPARE_TEXT(found.text, "return (kv_idx // 9 <= q_idx // 9)");
    QVERIFY(found.is_exact() && found.arrays.empty());
  }

  void shapes_are_found_again() {
    for (MaskShape shape :
         {MaskShape{.right = -1}, MaskShape{.right = 5, .left = 5}, MaskShape{.right = 0, .left = 6, .sinks = 3},
          MaskShape{.right = 0, .left = 14, .dilation = 3}, MaskShape{.pad_right = 7},
          MaskShape{.right = 0, .blind_last = 4},
          MaskShape{.right = 0, .document_starts = {9, 20, 31}, .documents_widen = true},
          MaskShape{.right = 0, .left = 4, .document_starts = {13, 26}, .documents_widen = true},
          MaskShape{.right = 0, .pad_left = 3, .document_starts = {21}, .documents_widen = true},
          MaskShape{.right = 0, .pad_right = 5, .blind_last = 5, .document_starts = {9, 21}, .documents_widen = true},
          MaskShape{.right = 0, .pad_left = 3, .blind_first = 3, .document_starts = {21}, .documents_widen = true}}) {
      shape.extent = {40, 40};
      auto cells = row_mask_of({.q_length = 40}, {});
      for (Index q = 0; q < 40; ++q)
        for (Index kv = 0; kv < 40; ++kv)
          if (!shape.visible(q, kv)) cells->flip(q, kv);
      const auto found = recognise(*cells).value();
      QVERIFY2(found.is_exact(), found.sentence.c_str());
      // Documents that widen a mask may have a shorter name.
      if (!shape.documents_widen) COMPARE_TEXT(found.sentence, join(shape.terms(), " ∧ "));
    }
  }

  void likely_masks_with_flipped_cells() {
    Random random(1);
    for (int i = 0; i < 150; ++i) {
      const MaskCase c = likely_case(random);
      RowMask cells(*c.mask());
      std::set<std::pair<Index, Index>> flipped;
      for (Index k = pick(random, 0, 3); k > 0; --k)
        flipped.emplace(pick(random, 0, cells.extent().rows - 1), pick(random, 0, cells.extent().cols - 1));
      for (const auto& [q, kv] : flipped) cells.flip(q, kv);
      const auto found = recognise(cells, {.listed_exceptions = 4000}).value();
      QVERIFY2(describes(found, cells), (found.sentence + " of " + c.name()).c_str());
      QVERIFY2(
          found.fits && !found.inverted && found.exception_count <= flipped.size(),
          (found.sentence + ", flipped " + to_text(static_cast<Index>(flipped.size())) + " of " + c.name()).c_str());
    }
  }

  void inverted_masks_are_noticed() {
    for (auto cells :
         {row_mask_of({.q_length = 30}, {"causal"}), row_mask_of({.q_length = 30}, {"causal", "sliding_window"}, 0, 5),
          row_mask_of({.q_length = 30, .document_lengths = {10, 9, 11}}, {"same_document", "causal"})}) {
      const auto wanted = sentence_of(*cells);
      cells->invert();
      COMPARE_TEXT(sentence_of(*cells), "inverted: the masked cells are " + wanted);
    }
  }

  void noise_is_not_given_a_name() {
    Random random(3);
    auto cells = row_mask_of({.q_length = 30}, {});
    for (Index q = 0; q < 30; ++q)
      for (Index kv = 0; kv < 30; ++kv)
        if (pick(random, 0, 1)) cells->flip(q, kv);
    const auto found = recognise(*cells).value();
    QVERIFY(!found.fits && found.text.empty());
    QVERIFY2(found.sentence.starts_with("no short description fits; the nearest found is "), found.sentence.c_str());
  }

  void stops_on_request() {
    std::stop_source source;
    source.request_stop();
    const auto stopped = recognise(*row_mask_of({.q_length = 9}, {"causal"}), {.stop = source.get_token()});
    QVERIFY(!stopped && stopped.error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(RecogniseTest)
#include "recognise_test.moc"
