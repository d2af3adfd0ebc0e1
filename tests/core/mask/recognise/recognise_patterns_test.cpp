// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/recognise.h"

#include "core/mask/language/language_mask.h"
#include "tests/core/mask/recognise/text_mask.h"
#include "tests/core/mask/row_mask.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Recognition found_in(const std::string& text, const SequenceInput& input) {
  return recognise(*mask_of_text(text, input)).value();
}

std::string described(const std::string& text, const SequenceInput& input) { return found_in(text, input).sentence; }

/// The first cell in which the text of what was found is not the mask; empty where there is none.
std::string rebuilt_differs(const Mask& mask, const Recognition& found) {
  if (!found.fits) return "it is not recognised: " + found.sentence;
  MaskBindings bindings;
  for (const auto& array : found.arrays) bindings.arrays[array.name] = array.values;
  const Extent extent = mask.extent();
  const auto layout =
      SequenceLayout::make({.q_length = extent.rows, .kv_length = extent.cols, .query_source = QuerySource::own});
  const auto rebuilt = make_language_mask(MaskProgram::parse(found.text).program, bindings, *layout);
  if (!rebuilt) return found.text + ": " + rebuilt.error().message;
  for (Index q = 0; q < extent.rows; ++q)
    for (Index kv = 0; kv < extent.cols; ++kv)
      if ((*rebuilt)->visible(q, kv) != mask.visible(q, kv)) return cell_name(q, kv) + " differs in " + found.text;
  return {};
}

/// Swin: windows, shifted ones of the image, and ones of the rolled image with the regions of its
/// published mask.
const std::string plain_windows = "(q_idx // 12 // 4 == kv_idx // 12 // 4) & (q_idx % 12 // 3 == kv_idx % 12 // 3)";
const std::string shifted_windows =
    "((q_idx // 12 + 2) // 4 == (kv_idx // 12 + 2) // 4) & ((q_idx % 12 + 1) // 4 == (kv_idx % 12 + 1) // 4)";
const std::string rolled_windows =
    "(q_idx // 8 // 4 == kv_idx // 8 // 4) & (q_idx % 8 // 4 == kv_idx % 8 // 4) & "
    "((q_idx // 8 < 6) == (kv_idx // 8 < 6)) & ((q_idx % 8 < 6) == (kv_idx % 8 < 6))";

/// Masks of models that no conjunction describes.
const std::vector<std::pair<std::string, SequenceInput>> in_use{
    {"kv_idx // 4 <= q_idx // 4", {.q_length = 30}},
    {"kv_idx // 4 <= (q_idx + past_len) // 4", {.q_length = 11, .past_len = 18}},
    {"(q_idx // 4 - kv_idx // 4 <= 2) & (kv_idx // 4 <= q_idx // 4)", {.q_length = 41}},
    {"(kv_idx >= q_idx // 6 * 6 - 10) & (kv_idx < (q_idx // 6 + 1) * 6 + 2)", {.q_length = 60}},
    {"(kv_idx // 8 <= q_idx // 8) & ((q_idx // 8 - kv_idx // 8 <= 1) | (kv_idx < 3))", {.q_length = 64}},
    {"(kv_pos // 4 <= q_pos // 4) & (q_doc == kv_doc)", {.q_length = 40, .document_lengths = {13, 16, 11}}},
    {"(kv_idx <= q_idx) | ((q_idx // 9 == kv_idx // 9) & (q_idx % 9 >= 4) & (kv_idx % 9 >= 4))", {.q_length = 50}},
    {"((kv_idx <= q_idx) | ((q_idx // 9 == kv_idx // 9) & (q_idx % 9 >= 4) & (kv_idx % 9 >= 4))) & (q_idx - kv_idx < "
     "12)",
     {.q_length = 50}},
    {"((kv_idx <= q_idx) & (q_idx - kv_idx < 5)) | ((q_idx // 16 == kv_idx // 16) & (q_idx % 16 >= 4) & "
     "(kv_idx % 16 >= 4))",
     {.q_length = 64}},
    {"(abs(q_idx - kv_idx) <= 3) | (q_idx < 2) | (kv_idx < 2)", {.q_length = 40}},
    {"(abs(q_idx - kv_idx) <= 3) | (q_idx == 17) | (kv_idx == 17)", {.q_length = 40}},
    {"((abs(q_idx - kv_idx) <= 3) | (q_pos < 1) | (kv_pos < 1)) & (q_doc == kv_doc)",
     {.q_length = 40, .document_lengths = {17, 23}}},
    {"(kv_idx <= q_idx) & ((q_idx // 8 == kv_idx // 8) | (kv_idx % 8 >= 6))", {.q_length = 50}},
    {"(q_idx // 8 % 2 == kv_idx // 8 % 2) & (q_idx % 8 // 4 == kv_idx % 8 // 4)", {.q_length = 64}},
    {"(kv_idx <= q_idx) & ((q_idx * 7 % 11 < 4) == (kv_idx * 7 % 11 < 4))", {.q_length = 44}},
    {"(abs(torch.clamp(q_idx % 8, 1, 6) - kv_idx % 8) <= 1) & (abs(torch.clamp(q_idx // 8, 2, 5) - kv_idx // 8) <= 2)",
     {.q_length = 64}},
    {"abs(torch.clamp(q_idx, 3, 36) - kv_idx) <= 3", {.q_length = 40}},
    {"((q_idx < 24) & (kv_idx < 24) & (q_idx // 4 == kv_idx // 4)) | ((q_idx < 24) & (kv_idx >= 24) & "
     "((kv_idx - 24) // 4 < q_idx // 4)) | ((q_idx >= 24) & (kv_idx >= 24) & ((kv_idx - 24) // 4 <= (q_idx - 24) // "
     "4))",
     {.q_length = 48}},
    {plain_windows, {.q_length = 96}},
    {shifted_windows, {.q_length = 144}},
    {rolled_windows, {.q_length = 64}},
    // Neighbourhoods of documents, beside padding, and cut at the borders.
    {"(abs(torch.clamp(q_pos, 3, torch.where(q_doc == 0, 13, 19)) - kv_pos) <= 3) & (q_doc == kv_doc)",
     {.q_length = 40, .document_lengths = {17, 23}}},
    {"(abs(torch.clamp(q_idx, 3, 36) - kv_idx) <= 3) & key_valid",
     {.q_length = 40, .padding_side = PaddingSide::left, .padding = 9}},
    {"(abs(torch.clamp(q_pos % 6, 1, 4) - kv_pos % 6) <= 1) & (q_doc == kv_doc) & "
     "(abs(torch.clamp(q_pos // 6, 1, torch.where(q_doc == 0, 4, 5)) - kv_pos // 6) <= 1)",
     {.q_length = 78, .document_lengths = {36, 42}}},
    {"(abs(q_idx // 8 - kv_idx // 8) <= 2) & (abs(q_idx % 8 - kv_idx % 8) <= 2)", {.q_length = 80}},
    // Sparse Transformer: fixed after padding that a cache holds, first tokens, strided.
    {"(kv_idx <= q_idx + past_len) & key_valid & ((q_pos // 8 == kv_pos // 8) | (kv_pos % 8 >= 6))",
     {.q_length = 20, .past_len = 40, .padding_side = PaddingSide::left, .padding = 3}},
    {"(kv_idx <= q_idx) & ((q_idx // 8 == kv_idx // 8) | (kv_idx % 8 == 0))", {.q_length = 50}},
    {"(kv_idx <= q_idx) & ((q_idx // 8 == kv_idx // 8) | (kv_idx % 8 // 2 == 2))", {.q_length = 50}},
    {"(kv_idx <= q_idx) & ((q_idx - kv_idx < 8) | ((q_idx - kv_idx) % 8 == 0))", {.q_length = 60}},
    // Axial, of documents too, and causal; BigBird, and causal with a global block.
    {"(q_idx // 7 == kv_idx // 7) | (q_idx % 7 == kv_idx % 7)", {.q_length = 49}},
    {"((q_pos // 6 == kv_pos // 6) | (q_pos % 6 == kv_pos % 6)) & (q_doc == kv_doc)",
     {.q_length = 60, .document_lengths = {36, 24}}},
    {"(kv_idx <= q_idx) & ((q_idx // 7 == kv_idx // 7) | (q_idx % 7 == kv_idx % 7))", {.q_length = 49}},
    {"(abs(q_idx // 8 - kv_idx // 8) <= 1) | (kv_idx // 8 == 0) | (q_idx // 8 == 0) | (kv_idx // 8 == 7) | "
     "(q_idx // 8 == 7)",
     {.q_length = 64}},
    {"(kv_idx <= q_idx) & ((q_idx // 5 - kv_idx // 5 <= 1) | (kv_idx // 5 == 0))", {.q_length = 48}},
    // Branches that share a prompt, with and without queries in it, and registers.
    {"(kv_idx <= q_idx) & ((kv_idx < 11) | ((q_idx - 11) // 13 == (kv_idx - 11) // 13))", {.q_length = 50}},
    {"(kv_idx <= q_idx + past_len) & ((kv_idx < 20) | (q_idx // 4 == (kv_idx - 20) // 4))",
     {.q_length = 12, .past_len = 20}},
    {"(kv_idx < 4) | (q_idx < 4) | ((q_idx - 4) // 9 == (kv_idx - 4) // 9)", {.q_length = 40}},
    {"((kv_idx < 20) & (kv_idx < 3 + q_idx // 4 * 5)) | ((kv_idx >= 20) & ((kv_idx - 20) // 4 == q_idx // 4))",
     {.q_length = 12, .kv_length = 32}},
};

}  // namespace

class RecognisePatternsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void sentences_by_hand() {
    COMPARE_TEXT(described("kv_idx // 2 <= q_idx // 2", {.q_length = 6}),
                 "block-causal in blocks of 2: causal ∨ documents [2, 2, 2]");
    COMPARE_TEXT(described("(kv_idx // 2 <= q_idx // 2) & (q_idx // 2 - kv_idx // 2 <= 2)", {.q_length = 12}),
                 "own block of 2 and 2 blocks before");
    COMPARE_TEXT(described("(kv_idx >= q_idx // 6 * 6 - 10) & (kv_idx < (q_idx // 6 + 1) * 6 + 2)", {.q_length = 60}),
                 "own block of 6, 10 tokens before and 2 tokens after");
    COMPARE_TEXT(
        described("(kv_idx <= q_idx) | ((q_idx > 3) & (q_idx < 8) & (kv_idx > 3) & (kv_idx < 8))", {.q_length = 20}),
        "causal ∨ same span [4–7]");
    COMPARE_TEXT(described("(abs(q_idx - kv_idx) <= 3) | (q_idx < 2) | (kv_idx < 2)", {.q_length = 40}),
                 "bidirectional window 3 to each side ∨ global tokens 2");
    COMPARE_TEXT(described("(q_idx * 7 % 11 < 4) == (kv_idx * 7 % 11 < 4)", {.q_length = 44}),
                 "same group: 2 groups of 16 to 28 tokens");
    COMPARE_TEXT(described("(kv_idx <= q_idx + past_len) & ((kv_idx < 3) | (kv_idx >= past_len))",
                           {.q_length = 20, .past_len = 8}),
                 "causal behind 8 keys of cache ∧ keys 3 to 7 hidden");
  }

  void images_by_hand() {
    COMPARE_TEXT(described(plain_windows, {.q_length = 96}), "windows of 4 × 3 pixels in an image of 12 columns");
    COMPARE_TEXT(described(shifted_windows, {.q_length = 144}),
                 "windows of 4 × 4 pixels in an image of 12 columns, shifted by 2 × 1");
    COMPARE_TEXT(described(rolled_windows, {.q_length = 64}),
                 "windows of 4 × 4 pixels in an image of 8 columns, rolled by 2");
    COMPARE_TEXT(described("(abs(torch.clamp(q_idx, 3, 36) - kv_idx) <= 3) & key_valid",
                           {.q_length = 40, .padding_side = PaddingSide::left, .padding = 9}),
                 "neighbourhood of 7 tokens ∧ key padding of 9 on the left");
    COMPARE_TEXT(described("(abs(torch.clamp(q_idx, 3, 36) - kv_idx) <= 3) & key_valid",
                           {.q_length = 40, .padding_side = PaddingSide::right, .padding = 9}),
                 "neighbourhood of 7 tokens ∧ key padding of 9 on the right");
    COMPARE_TEXT(
        described("(abs(q_idx // 8 - kv_idx // 8) <= 2) & (abs(q_idx % 8 - kv_idx % 8) <= 2)", {.q_length = 80}),
        "neighbourhood of 5 × 5 pixels in an image of 8 columns, cut at its borders");
  }

  void sparse_patterns_by_hand() {
    COMPARE_TEXT(described("(kv_idx <= q_idx) & ((q_idx // 8 == kv_idx // 8) | (kv_idx % 8 == 0))", {.q_length = 50}),
                 "causal ∧ (own block of 8 ∨ the first 1 token of every block)");
    COMPARE_TEXT(
        described("(kv_idx <= q_idx) & ((q_idx - kv_idx < 8) | ((q_idx - kv_idx) % 8 == 0))", {.q_length = 60}),
        "causal ∧ (window 8 ∨ every 8th key back)");
    COMPARE_TEXT(described("(kv_idx <= q_idx) & ((kv_idx < 11) | ((q_idx - 11) // 13 == (kv_idx - 11) // 13))",
                           {.q_length = 50}),
                 "causal ∧ (11 shared keys ∨ documents [11, 13, 13, 13])");
    COMPARE_TEXT(described("(kv_idx < 4) | (q_idx < 4) | ((q_idx - 4) // 18 == (kv_idx - 4) // 18)", {.q_length = 40}),
                 "global tokens 4 ∨ documents [4, 18, 18]");
    COMPARE_TEXT(described("(abs(q_idx - kv_idx) <= 16) & ((q_idx - kv_idx) % 4 == 0)", {.q_length = 60}),
                 "bidirectional window 16 to each side ∧ dilated by 4");
  }

  /// As transformers opens the rows of left padding, so that no softmax is empty.
  void padding_with_open_queries() {
    COMPARE_TEXT(described("(q_idx < 3) | ((kv_idx >= 3) & (kv_idx <= q_idx))", {.q_length = 20}),
                 "causal ∧ key padding of 3 on the left, whose queries see every key");
    COMPARE_TEXT(
        described("(q_idx < 3) | ((kv_idx >= 3) & (kv_idx <= q_idx) & (q_idx - kv_idx < 5))", {.q_length = 20}),
        "causal ∧ window 5 ∧ key padding of 3 on the left, whose queries see every key");
  }

  /// Drafts see the context, their ancestors and themselves.
  void trees_of_drafts_by_hand() {
    const std::string parents = "up = torch.tensor([0, 0, 0, 1, 1, 2, 5])\n";
    const auto tree = [&](const std::string& past) {
      return parents + "n = kv_idx - " + past + "\na = q_idx\nreturn (n < 0) | (n == a) | (n == up[a]) | (n == 0) | " +
             "(n == up[up[a]])";
    };
    COMPARE_TEXT(described(tree("0"), {.q_length = 7}), "tree of 7 drafts, parents [-, 0, 0, 1, 1, 2, 5]");
    COMPARE_TEXT(described(tree("past_len"), {.q_length = 7, .past_len = 10}),
                 "tree of 7 drafts over a context of 10 tokens, parents [-, 0, 0, 1, 1, 2, 5]");
    // One more branch is described as such, not as exceptions.
    COMPARE_TEXT(described("(kv_idx < 9) | (kv_idx - 9 == q_idx) | (kv_idx == 9) | ((q_idx == 4) & (kv_idx == 10))",
                           {.q_length = 5, .past_len = 9}),
                 "tree of 5 drafts over a context of 9 tokens, parents [-, 0, 0, 0, 1]");
  }

  /// A window without an end ahead is no causal one.
  void windows_without_an_end() {
    COMPARE_TEXT(described("q_idx - kv_idx <= 6", {.q_length = 30}), "window from 6 back and all keys ahead");
    COMPARE_TEXT(described("q_idx <= kv_idx", {.q_length = 30}), "window from 0 back and all keys ahead");
  }

  /// The search for a conjunction leaves enough for patterns.
  void long_chunks_are_found() {
    const auto mask =
        mask_of_text("(kv_idx // 16 <= q_idx // 16) & (q_idx // 16 - kv_idx // 16 <= 2)", {.q_length = Index{1} << 17});
    COMPARE_TEXT(recognise(*mask, {.most_steps = Index{1} << 28})->sentence, "own block of 16 and 2 blocks before");
  }

  /// The pattern of a corner.
  void corners() {
    const auto mask = mask_of_text("(kv_idx // 16 <= q_idx // 16) | (kv_idx > 5000)", {.q_length = Index{1} << 20});
    COMPARE_TEXT(recognise(*mask, {.corner = Extent{48, 48}})->sentence,
                 "block-causal in blocks of 16: causal ∨ documents [16, 16, 16]");
  }

  /// Whatever is printed makes the mask again, cell for cell.
  void masks_in_use_are_rebuilt() {
    for (const auto& [text, input] : in_use) {
      const auto mask = mask_of_text(text, input);
      const auto found = recognise(*mask).value();
      QVERIFY2(found.is_exact(), (text + ": " + found.sentence).c_str());
      QVERIFY2(found.pattern.kind != MaskKind::conjunction, (text + ": " + found.sentence).c_str());
      const auto wrong = rebuilt_differs(*mask, found);
      QVERIFY2(wrong.empty(), (text + ": " + wrong).c_str());
    }
  }

  void blocks_for_rules_that_need_them() {
    const auto chunks =
        found_in("(kv_idx >= q_idx // 6 * 6 - 12) & (kv_idx < (q_idx // 6 + 1) * 6 + 2)", {.q_length = 20});
    QVERIFY(chunks.pattern.blocks.has_value());
    QCOMPARE(*chunks.pattern.blocks, (MaskBlocks{.starts = {6, 12, 18}, .size = 6, .left = 12, .right = 2}));
    const auto uneven =
        found_in("(kv_idx <= q_idx) | ((q_idx < 5) & (kv_idx < 5)) | ((q_idx >= 5) & (kv_idx >= 5))", {.q_length = 12});
    QVERIFY(uneven.pattern.blocks.has_value());
    QCOMPARE(uneven.pattern.blocks->starts, (std::vector<Index>{5}));
    QVERIFY(!found_in("kv_idx <= q_idx", {.q_length = 12}).pattern.blocks);
  }

  void spans_and_their_window() {
    const std::string image = "((q_idx // 16 == kv_idx // 16) & (q_idx % 16 >= 4) & (kv_idx % 16 >= 4))";
    const auto cut = found_in("((kv_idx <= q_idx) | " + image + ") & (q_idx - kv_idx < 6)", {.q_length = 64});
    QVERIFY(cut.pattern.spans && cut.pattern.spans->window_cuts_spans);
    QCOMPARE(cut.pattern.spans->window, std::optional<Index>(6));
    QCOMPARE(cut.pattern.spans->ids[3], Index{-1});
    QCOMPARE(cut.pattern.spans->ids[20], Index{1});
    const auto whole = found_in("((kv_idx <= q_idx) & (q_idx - kv_idx < 6)) | " + image, {.q_length = 64});
    QVERIFY(whole.pattern.spans && !whole.pattern.spans->window_cuts_spans);
  }

  void flipped_cells_are_exceptions() {
    RowMask cells(*mask_of_text("(abs(q_idx - kv_idx) <= 3) | (q_idx < 2) | (kv_idx < 2)", {.q_length = 60}));
    cells.flip(40, 20);
    const auto found = recognise(cells).value();
    COMPARE_TEXT(found.sentence, "bidirectional window 3 to each side ∨ global tokens 2, except 1 cell");
    QCOMPARE(found.exceptions.size(), std::size_t{1});
    QVERIFY(found.exceptions.front() == (MaskCell{40, 20}));
  }

  void inverted_patterns() {
    RowMask strict(*mask_of_text("kv_idx > q_idx", {.q_length = 30}));
    COMPARE_TEXT(recognise(strict)->sentence, "inverted: the masked cells are causal");
    RowMask blocks(*mask_of_text("kv_idx // 4 <= q_idx // 4", {.q_length = 24}));
    blocks.invert();
    QVERIFY(recognise(blocks)->inverted);
  }
};

VQSCOPE_TEST(RecognisePatternsTest)
#include "recognise_patterns_test.moc"
