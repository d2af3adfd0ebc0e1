// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/block_view.h"

#include "tests/core/mask/map/random_view.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/row_mask.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

BlockKind slow_kind(const BlockView& view, Index row, Index col) {
  const Rect block = view.cells(row, col);
  bool any = false;
  bool all = true;
  for (Index q = block.rows.begin; q < block.rows.end; ++q)
    for (Index kv = block.cols.begin; kv < block.cols.end; ++kv) {
      any = any || view.mask().visible(q, kv);
      all = all && view.mask().visible(q, kv);
    }
  return !any ? BlockKind::empty : all ? BlockKind::full : BlockKind::partial;
}

}  // namespace

class BlockViewTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const BlockView view(causal_mask(10), {4, 4});
    QVERIFY((view.extent() == Extent{3, 3}));
    std::vector<BlockRun> runs;
    CountBudget unlimited;
    QVERIFY(view.row(1, unlimited, runs));
    using enum BlockKind;
    QVERIFY((runs == std::vector<BlockRun>{{{0, 1}, full}, {{1, 2}, partial}, {{2, 3}, empty}}));
    const auto counts = count_blocks(view).value();
    QCOMPARE(counts.full, std::uint64_t{3});
    QCOMPARE(counts.partial, std::uint64_t{3});
    QCOMPARE(counts.empty, std::uint64_t{3});
    COMPARE_TEXT(counts.sentence(), "3 full, 3 partial, 3 empty of 9 blocks: 33.3 % sparse");
    COMPARE_TEXT((BlockCounts{0, 32767, 268402689}.sparsity_text()), "99.99 %");
    COMPARE_TEXT((BlockCounts{0, 1, 4294967295}.sparsity_text()), "99.99999998 %");
    COMPARE_TEXT((BlockCounts{0, 0, 4}.sparsity_text()), "100 %");
    COMPARE_TEXT((BlockCounts{4, 0, 0}.sparsity_text()), "0 %");
  }

  void short_last_blocks_can_be_full() {
    const BlockView view(MaskCase{*SequenceLayout::make({.q_length = 5}), {}}.mask(), {4, 4});
    QCOMPARE(count_blocks(view).value().full, std::uint64_t{4});
    QVERIFY((view.cells(1, 1) == Rect{{4, 5}, {4, 5}}));
  }

  void rows_and_counts_agree_with_the_cells() {
    Random random(1);
    for (int i = 0; i < 1500; ++i) {
      const BlockView view = random_view(random, i);
      std::uint64_t wanted[3] = {0, 0, 0};
      std::vector<BlockRun> runs;
      CountBudget unlimited;
      for (Index row = 0; row < view.extent().rows; ++row) {
        QVERIFY(view.row(row, unlimited, runs));
        Index next = 0;
        for (std::size_t r = 0; r < runs.size(); ++r) {
          QCOMPARE(runs[r].blocks.begin, next);
          QVERIFY(runs[r].blocks.size() > 0 && (r == 0 || runs[r].kind != runs[r - 1].kind));
          next = runs[r].blocks.end;
          for (Index col = runs[r].blocks.begin; col < next; ++col) {
            const BlockKind kind = slow_kind(view, row, col);
            QVERIFY(runs[r].kind == kind);
            QVERIFY(view.kind(row, col, unlimited) == kind);
            ++wanted[static_cast<int>(kind)];
          }
        }
        QCOMPARE(next, view.extent().cols);
      }
      const auto counts = count_blocks(view, {.threads = 2}).value();
      QCOMPARE(counts.empty, wanted[0]);
      QCOMPARE(counts.partial, wanted[1]);
      QCOMPARE(counts.full, wanted[2]);
    }
  }

  void exact_at_two_million() {
    const auto counts = count_blocks(BlockView(causal_mask(Index{1} << 21), {})).value();
    const std::uint64_t n = 16384;
    QCOMPARE(counts.partial, n);
    QCOMPARE(counts.full, n * (n - 1) / 2);
    QCOMPARE(counts.empty, n * (n - 1) / 2);
  }

  void reuse_at_another_length() {
    QVERIFY(!block_mask_reuse({8, 8}, {8, 8}));
    COMPARE_TEXT(
        block_mask_reuse({4096, 4096}, {1, 4097}).value_or(""),
        "the block mask was created for 4096 × 4096 queries × keys and is used with 1 × 4097: its blocks do not "
        "describe these tokens, make it again for every new length");
  }

  void stops_on_request() {
    std::stop_source source;
    source.request_stop();
    const BlockView view(causal_mask(100), {4, 4});
    const auto stopped = count_blocks(view, {.stop = source.get_token()});
    QVERIFY(!stopped && stopped.error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(BlockViewTest)
#include "block_view_test.moc"
