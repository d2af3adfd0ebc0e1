// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/blocks/block_lists.h"

#include "core/io/bytes/byte_source.h"
#include "core/io/npy/npy_reader.h"
#include "core/io/tensor/tensor_file.h"
#include "core/mask/blocks/block_tensors.h"
#include "tests/core/mask/language/random_program.h"
#include "tests/core/mask/map/random_view.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The definition: a block is full if all its block size is visible, partial if anything is.
BlockLists dense_lists(const Mask& mask, BlockSize size) {
  const Extent extent = mask.extent();
  const Extent blocks{(extent.rows + size.q - 1) / size.q, (extent.cols + size.kv - 1) / size.kv};
  std::vector<Index> visible(static_cast<std::size_t>(blocks.rows * blocks.cols));
  for (Index q = 0; q < extent.rows; ++q)
    for (Index kv = 0; kv < extent.cols; ++kv)
      visible[static_cast<std::size_t>(q / size.q * blocks.cols + kv / size.kv)] += mask.visible(q, kv) ? 1 : 0;
  BlockLists lists{size, extent, {}, {}, {}, {}};
  const auto fill = [&](Index rows, Index cols, bool transposed, bool full, ImportedRuns& out) {
    for (Index row = 0; row < rows; ++row) {
      std::vector<KeyInterval> found;
      for (Index col = 0; col < cols; ++col) {
        const Index count = visible[static_cast<std::size_t>(transposed ? col * blocks.cols + row : row * cols + col)];
        if (count == 0 || (count == size.q * size.kv) != full) continue;
        const auto at = static_cast<std::uint32_t>(col);
        if (found.empty() || found.back().end != at) found.push_back({at, at});
        found.back().end = at + 1;
      }
      out.append(found);
    }
  };
  fill(blocks.rows, blocks.cols, false, false, lists.kv);
  fill(blocks.rows, blocks.cols, false, true, lists.full_kv);
  fill(blocks.cols, blocks.rows, true, false, lists.q);
  fill(blocks.cols, blocks.rows, true, true, lists.full_q);
  return lists;
}

std::shared_ptr<const Mask> random_program_mask(Random& random, std::string& text) {
  text = ProgramWriter(random).text();
  MaskBindings bindings{.mask_failing_cells = true};
  bindings.integers["window"] = pick(random, 1, 9);
  for (Index i = 0; i < 80; ++i) bindings.arrays["values"].push_back(i / 3);
  auto mask =
      LanguageMask::make(MaskProgram::parse(text).program, bindings, *SequenceLayout::make(random_input(random)));
  return mask ? std::shared_ptr<const Mask>(*mask) : nullptr;
}

std::vector<Index> numbers_of(const std::shared_ptr<const ByteSource>& file, const std::string& format,
                              const char* name, std::uint64_t most = 1000) {
  const auto tensor = find_tensor(file, {"lists." + format, name, {}}, TensorUse::cells);
  return tensor ? read_values<Index>(*tensor, most).value() : std::vector<Index>{-1};
}

}  // namespace

class BlockListsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// 10 tokens in blocks of 4: the third of either side has two tokens, so it is partial.
  void by_hand() {
    const auto lists = make_block_lists(BlockView(causal_mask(10), {4, 4})).value();
    QVERIFY((lists.kv == ImportedRuns{{{0, 1}}, {{1, 2}}, {{0, 3}}}));
    QVERIFY((lists.full_kv == ImportedRuns{{}, {{0, 1}}, {}}));
    QVERIFY((lists.q == ImportedRuns{{{0, 1}, {2, 3}}, {{1, 3}}, {{2, 3}}}));
    QVERIFY((lists.full_q == ImportedRuns{{{1, 2}}, {}, {}}));
    QCOMPARE(largest_count(lists.kv), 3);
    QVERIFY(empty_block_lists({4, 2}, {10, 3}).q.rows() == 2);
  }

  void the_same_as_cell_by_cell() {
    Random random(1);
    for (int i = 0; i < 1500; ++i) {
      const BlockView view = random_view(random, i);
      QVERIFY(make_block_lists(view, {.threads = 2}).value() == dense_lists(view.mask(), view.size()));
    }
  }

  void the_same_of_any_text() {
    Random random(2);
    for (int i = 0; i < 500; ++i) {
      std::string text;
      const auto mask = random_program_mask(random, text);
      QVERIFY2(mask, text.c_str());
      const BlockView view(mask, {pick(random, 1, 9), pick(random, 1, 9)});
      QVERIFY2(make_block_lists(view).value() == dense_lists(*mask, view.size()), text.c_str());
    }
  }

  /// Many rows of blocks, which threads take 64 at a time.
  void the_same_of_a_long_mask() {
    MaskCase packed{*SequenceLayout::make({.q_length = 1000, .document_lengths = {300, 421, 279}}),
                    {"same_document", "causal", "sliding_window"},
                    0,
                    100};
    for (const BlockSize size : {BlockSize{3, 7}, {128, 64}, {1, 1000}})
      QVERIFY(make_block_lists(BlockView(packed.mask(), size), {.threads = 2}).value() ==
              dense_lists(*packed.mask(), size));
  }

  void both_files_hold_the_arrays() {
    const auto lists = std::make_shared<const BlockLists>(*make_block_lists(BlockView(causal_mask(10), {4, 4})));
    const auto none = std::make_shared<const BlockLists>(empty_block_lists({4, 4}, {10, 10}));
    const BlockMasks masks{2, 1, {lists, none}};
    for (const std::string format : {"npz", "safetensors"}) {
      StringSink sink;
      const auto tensors = block_tensors(masks, true);
      QVERIFY(format == "npz" ? write_npz(tensors, sink) : write_streamed_safetensors(tensors, sink));
      const auto file = std::make_shared<const MemorySource>(sink.text());
      QCOMPARE(numbers_of(file, format, "kv_num_blocks"), (std::vector<Index>{1, 1, 3, 0, 0, 0}));
      QCOMPARE(numbers_of(file, format, "kv_indices"),
               (std::vector<Index>{0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
      QCOMPARE(numbers_of(file, format, "full_kv_indices"), (std::vector<Index>{0, 0, 0, 0, 0, 0}));
      QCOMPARE(numbers_of(file, format, "q_num_blocks"), (std::vector<Index>{2, 2, 1, 0, 0, 0}));
      QCOMPARE(numbers_of(file, format, "full_q_num_blocks"), (std::vector<Index>{1, 0, 0, 0, 0, 0}));
      QCOMPARE(numbers_of(file, format, "block_size"), (std::vector<Index>{4, 4}));
      QCOMPARE(numbers_of(file, format, "lengths"), (std::vector<Index>{10, 10}));
    }
    QVERIFY((block_tensors(masks, true)[5].shape == std::vector<Index>{2, 1, 3, 2}));
    QVERIFY((block_tensors(masks, false)[5].shape == std::vector<Index>{2, 1, 3, 3}));
    QCOMPARE(block_tensors_bytes(masks, true), 4.0 * (4 + 6 * (4 + 3 + 1 + 2 + 1)));
  }

  /// Rows of an array are in two writes where 65,536 numbers end.
  void an_array_of_several_writes() {
    const Index blocks = 601;
    const BlockMasks masks{
        1, 1, {std::make_shared<const BlockLists>(*make_block_lists(BlockView(causal_mask(4 * blocks), {4, 4})))}};
    StringSink sink;
    QVERIFY(write_npz(block_tensors(masks, true), sink));
    std::vector<Index> expected;
    for (Index row = 0; row < blocks; ++row)
      for (Index at = 0; at < blocks - 1; ++at) expected.push_back(at < row ? at : 0);
    QVERIFY(numbers_of(std::make_shared<const MemorySource>(sink.text()), "npz", "full_kv_indices", 1 << 20) ==
            expected);
  }

  /// Arrays of no width have checksums too.
  void lists_without_a_block() {
    const BlockMasks masks{1, 1, {std::make_shared<const BlockLists>(empty_block_lists({4, 4}, {10, 10}))}};
    StringSink sink;
    QVERIFY(write_npz(block_tensors(masks, true), sink));
    const auto file = std::make_shared<const MemorySource>(sink.text());
    QCOMPARE(numbers_of(file, "npz", "kv_num_blocks"), (std::vector<Index>{0, 0, 0}));
    QCOMPARE(numbers_of(file, "npz", "kv_indices"), std::vector<Index>());
  }

  void two_million_tokens() {
    const auto lists = make_block_lists(BlockView(causal_mask(Index{1} << 21), {})).value();
    QVERIFY(lists.kv == lists.q);
    QCOMPARE(largest_count(lists.full_kv), 16383);
    QCOMPARE(lists.full_q.size(), std::uint64_t{16384 + 16383});
  }

  void refuses_what_is_too_large_and_stops() {
    const auto many = make_block_lists(BlockView(causal_mask(Index{1} << 25), {1, 128}));
    QVERIFY(!many);
    QCOMPARE(many.error().message, std::string("the mask has 33554432 blocks of queries, at most 8388608 are listed; "
                                               "use larger blocks"));
    std::stop_source source;
    source.request_stop();
    const auto stopped = make_block_lists(BlockView(causal_mask(100), {4, 4}), {.stop = source.get_token()});
    QVERIFY(!stopped && stopped.error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(BlockListsTest)
#include "block_lists_test.moc"
