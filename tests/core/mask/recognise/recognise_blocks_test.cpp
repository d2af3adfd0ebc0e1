// SPDX-License-Identifier: GPL-3.0-or-later
// Grids and tables of blocks: exact cells, and the parameters that made them.
#include "core/mask/recognise/recognise.h"

#include "core/base/sentence.h"
#include "tests/core/mask/recognise/text_mask.h"
#include "tests/core/mask/row_mask.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string exact_sentence(const Mask& mask) {
  const auto found = recognise(mask).value();
  return (found.is_exact() ? "" : "not exactly ") + found.sentence;
}

/// Blocks of `size`, `near` of them to each side or before the own one, the first and, if not
/// causal, the last global.
std::string block_sparse_text(Index size, Index count, Index near, bool causal) {
  const std::string q = fmt::format("q_idx // {}", size);
  const std::string k = fmt::format("kv_idx // {}", size);
  if (causal) return fmt::format("(kv_idx <= q_idx) & (({} - {} <= {}) | ({} == 0))", q, k, near, k);
  return fmt::format("(abs({} - {}) <= {}) | ({} == 0) | ({} == 0) | ({} == {}) | ({} == {})", q, k, near, k, q, k,
                     count - 1, q, count - 1);
}

/// Shows a block of keys to all of a block of queries.
void show_block(RowMask& cells, Index size, Index q_block, Index k_block) {
  for (Index q = q_block * size; q < (q_block + 1) * size; ++q)
    for (Index k = k_block * size; k < (k_block + 1) * size; ++k) cells.flip(q, k);
}

}  // namespace

class RecogniseBlocksTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void sentences_of_blocks() {
    COMPARE_TEXT(
        exact_sentence(*mask_of_text("(q_idx // 8 == kv_idx // 8) | (q_idx % 8 == kv_idx % 8)", {.q_length = 64})),
        "axial: same row ∨ same column of a grid of 8 columns");
    COMPARE_TEXT(exact_sentence(*mask_of_text(block_sparse_text(8, 8, 1, false), {.q_length = 64})),
                 "blocks of 8: own block and 1 to each side ∨ global blocks [0, 7]");
    RowMask cells(*mask_of_text("(kv_idx <= q_idx) & (q_idx // 8 == kv_idx // 8)", {.q_length = 64}));
    show_block(cells, 8, 5, 2);
    show_block(cells, 8, 7, 2);
    COMPARE_TEXT(exact_sentence(cells), "causal ∧ (blocks of 8: own block ∨ 2 further blocks by a table)");
  }

  /// Sliding tiles (STA) are neighbourhoods of tiles whose tokens follow each other.
  void blocks_as_tokens() {
    COMPARE_TEXT(exact_sentence(*mask_of_text("(q_idx // 8 - kv_idx // 8) % 3 == 0", {.q_length = 72})),
                 "in blocks of 8: dilated by 3");
    COMPARE_TEXT(
        exact_sentence(*mask_of_text("(kv_idx <= q_idx) & ((q_idx // 4 - kv_idx // 4) % 3 == 0)", {.q_length = 48})),
        "causal ∧ (in blocks of 4: dilated by 3)");
    const char* tiles =
        "(abs(torch.clamp(q_idx // 4 % 5, 1, 3) - kv_idx // 4 % 5) <= 1) & "
        "(abs(torch.clamp(q_idx // 4 // 5, 1, 2) - kv_idx // 4 // 5) <= 1)";
    COMPARE_TEXT(exact_sentence(*mask_of_text(tiles, {.q_length = 80})),
                 "in blocks of 4: neighbourhood of 3 × 3 pixels in an image of 5 columns");
  }

  void grids_of_any_width() {
    Random random(51);
    for (int i = 0; i < 20; ++i) {
      const Index width = pick(random, 3, 12);
      const Index length = width * pick(random, 4, 9) + pick(random, 0, width - 1);
      const bool causal = pick(random, 0, 1) == 1;
      const std::string same =
          fmt::format("((q_idx // {} == kv_idx // {}) | (q_idx % {} == kv_idx % {}))", width, width, width, width);
      const auto mask = mask_of_text(causal ? "(kv_idx <= q_idx) & " + same : same, {.q_length = length});
      const std::string term = fmt::format("axial: same row ∨ same column of a grid of {} columns", width);
      COMPARE_TEXT(exact_sentence(*mask), causal ? "causal ∧ (" + term + ")" : term);
    }
  }

  /// The blocks of the table are at least two blocks beyond those near the own one, so that they
  /// are none of these. A causal mask without such blocks has sinks of one block.
  void block_tables_of_any_size() {
    Random random(52);
    for (int i = 0; i < 20; ++i) {
      const Index size = pick(random, 4, 9);
      const Index near = pick(random, 1, 2);
      const Index count = pick(random, 2 * near + 6, 14);
      const bool causal = pick(random, 0, 1) == 1;
      RowMask cells(*mask_of_text(block_sparse_text(size, count, near, causal), {.q_length = size * count}));
      std::set<std::pair<Index, Index>> others;
      for (Index wanted = pick(random, causal ? 1 : 0, 3); wanted > 0; --wanted) {
        const Index q = pick(random, near + 3, count - 2);
        others.emplace(q, pick(random, 1, q - near - 2));
      }
      for (const auto& [q, k] : others) show_block(cells, size, q, k);
      std::string term = fmt::format("blocks of {}: own block and {} {} ∨ global blocks [0", size, near,
                                     causal ? "before" : "to each side");
      term += causal ? "]" : fmt::format(", {}]", count - 1);
      if (!others.empty())
        term += fmt::format(" ∨ {} further {} by a table", others.size(), others.size() == 1 ? "block" : "blocks");
      COMPARE_TEXT(exact_sentence(cells), causal ? "causal ∧ (" + term + ")" : term);
    }
  }

  /// A wrong cell is an exception of a mask with few parts, and leaves no blocks to make a table
  /// of.
  void wrong_cells_make_no_table() {
    RowMask cells(*mask_of_text("(kv_idx <= q_idx) & (q_idx // 8 == kv_idx // 8)", {.q_length = 64}));
    cells.flip(40, 20);
    const auto found = recognise(cells).value();
    QVERIFY(found.pattern.kind != MaskKind::block_table);
    QCOMPARE(found.exception_count, std::uint64_t{1});
  }
};

VQSCOPE_TEST(RecogniseBlocksTest)
#include "recognise_blocks_test.moc"
