// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/backend.h"

#include "core/base/text.h"
#include "tests/core/backend/layout_of.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string joined(const std::vector<std::string>& phrases) { return join(phrases, ", "); }

BackendCoverage coverage(const char* backend, MaskStructure structure, const SequenceInput& input = {.q_length = 8}) {
  structure.exact = true;
  return backend_coverage(*find_backend(backend), structure, layout_of(input));
}

}  // namespace

class BackendTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void every_backend_has_id_title_and_library() {
    std::set<std::string> ids;
    for (const auto& backend : backends()) {
      QVERIFY(ids.insert(backend.id).second);
      QVERIFY2(!backend.title.empty() && !backend.library.empty(), backend.id.c_str());
      QVERIFY(backend.window.empty() || find_window_meaning(backend.window));
      QCOMPARE(find_backend(backend.id), &backend);
      // Only additive masks have a masking number.
      QCOMPARE(backend.polarity == MaskPolarity::added, !backend.fill.empty() && !backend.masked.empty());
    }
    QCOMPARE(find_backend("none"), nullptr);
  }

  void polarities_in_words() {
    std::string text;
    for (const auto& backend : backends()) text += backend.id + ": " + polarity_text(backend) + "\n";
    COMPARE_TEXT(text,
                 "sdpa: True attends\nflex_attention: True attends\nmha: True is masked\n"
                 "additive_f32: 0 attends, -3.4028e38 is masked\nadditive_f16: 0 attends, -65504 is masked\n"
                 "additive_bf16: 0 attends, -3.3895e38 is masked\nadditive_inf: 0 attends, -inf is masked\n"
                 "padding_2d: 1 attends\nflash_attention: arguments, no tensor\nxformers: arguments, no tensor\n"
                 "jax: True attends\nsplash_attention: True attends\nflash_attention_3: arguments, no tensor\n"
                 "flash_attention_4: True attends\nflex_block_lists: True attends\n"
                 "flash_attention_4_blocks: True attends\nonnx_attention: True attends\nmlx: True attends\n"
                 "cudnn: 0 attends, -inf is masked\n");
  }

  void windows_in_words() {
    COMPARE_TEXT(window_text(*find_backend("flash_attention"), {.window = 128}), "window 128 is (127, 0)");
    COMPARE_TEXT(window_text(*find_backend("jax"), {.window = 1}), "window 1 is (0, 0)");
    COMPARE_TEXT(window_text(*find_backend("xformers"), {.window = 128}), "window 128 is 128");
    COMPARE_TEXT(window_text(*find_backend("splash_attention"), {.window = 4}), "window 4 is (3, 0)");
    COMPARE_TEXT(window_text(*find_backend("cudnn"), {.window = 4}), "window 4 is 4");
    COMPARE_TEXT(window_text(*find_backend("sdpa"), {.window = 128}), "");
    const MaskStructure both_sides{.window = 65, .ahead = 32};
    COMPARE_TEXT(window_text(*find_backend("flash_attention"), both_sides), "window 64 back and 32 ahead is (64, 32)");
    COMPARE_TEXT(window_text(*find_backend("onnx_attention"), both_sides), "window 64 back and 32 ahead is (64, 32)");
    COMPARE_TEXT(window_text(*find_backend("jax"), both_sides), "window 64 back and 32 ahead is (64, 32)");
    COMPARE_TEXT(window_text(*find_backend("jax"), {.causal = true}), "");
  }

  void inexpressible_parts_are_listed() {
    const MaskStructure packed{.causal = true, .window = 3, .documents = true, .padding = true};
    const auto cannot = [](const BackendCoverage& found) { return joined(found.cannot); };
    COMPARE_TEXT(cannot(coverage("sdpa", {.prefix = 2})), "");
    COMPARE_TEXT(cannot(coverage("flash_attention", {.prefix = 2})), "prefix 2");
    COMPARE_TEXT(cannot(coverage("flash_attention", packed)), "");
    COMPARE_TEXT(cannot(coverage("padding_2d", packed)), "causal, window 3, documents");
    COMPARE_TEXT(joined(coverage("padding_2d", packed).can), "padding");
    COMPARE_TEXT(cannot(coverage("xformers", {.causal = true, .window = 128})), "");
  }

  void parts_beside_the_usual_ones() {
    const auto cannot = [](const char* backend, const MaskStructure& structure) {
      return joined(coverage(backend, structure).cannot);
    };
    const MaskStructure both_sides{.window = 65, .ahead = 64};
    COMPARE_TEXT(cannot("flash_attention", both_sides), "");
    COMPARE_TEXT(cannot("xformers", both_sides), "");
    const MaskStructure sinks{.causal = true, .window = 64, .others = {"sinks 4"}};
    COMPARE_TEXT(sinks.text(), "causal, window 64, sinks 4");
    COMPARE_TEXT(cannot("flash_attention", sinks), "sinks 4");
    COMPARE_TEXT(joined(coverage("flash_attention", sinks).can), "causal, window 64");
    COMPARE_TEXT(cannot("splash_attention", sinks), "");
    const MaskStructure blocks{.others = {"block-causal"}, .query_blocks = {{2, {0, 2}}, {2, {0, 4}}, {4, {0, 8}}}};
    COMPARE_TEXT(cannot("xformers", blocks), "");
    COMPARE_TEXT(cannot("flash_attention", blocks), "block-causal");
    const MaskStructure gaps{
        .documents = true, .padding = true, .others = {"key 3 hidden"}, .query_blocks = {{3, {0, 3}}, {5, {4, 7}}}};
    COMPARE_TEXT(cannot("xformers", gaps), "");
    COMPARE_TEXT(cannot("flash_attention", gaps), "key 3 hidden");
  }

  /// The last query is the last key to a kernel's causal flag.
  void keys_after_the_last_query() {
    const SequenceInput more{.q_length = 4, .kv_length = 9};
    const MaskStructure causal{.causal = true};
    COMPARE_TEXT(joined(coverage("flash_attention", causal, more).cannot), "keys after the last query");
    COMPARE_TEXT(joined(coverage("sdpa", causal, more).cannot), "");
    const SequenceInput past{.q_length = 4, .kv_length = 9, .past_len = 5};
    COMPARE_TEXT(joined(coverage("flash_attention", causal, past).cannot), "");
    const SequenceInput cross{.q_length = 4, .kv_length = 9, .query_source = QuerySource::own};
    COMPARE_TEXT(joined(coverage("flash_attention", {}, cross).cannot), "");
  }

  /// Only a tensor of all cells expresses any mask.
  void arbitrary_masks_need_a_tensor() {
    for (const auto& backend : backends()) {
      const auto found = backend_coverage(backend, {.causal = true, .exact = false}, layout_of({.q_length = 8}));
      QCOMPARE(found.is_complete(), backend.dense);
      COMPARE_TEXT(joined(backend.dense ? found.can : found.cannot), "an arbitrary mask");
    }
  }

  /// Each property of a structure is either expressed or not, once.
  void every_part_is_either_expressible_or_not() {
    for (const auto& backend : backends())
      for (int bits = 0; bits < 32; ++bits) {
        MaskStructure structure{
            .causal = (bits & 1) != 0, .documents = (bits & 2) != 0, .padding = (bits & 4) != 0, .exact = true};
        if (bits & 8) structure.window = 3;
        if (bits & 16 && !structure.causal) structure.prefix = 2;
        const auto found = backend_coverage(backend, structure, layout_of({.q_length = 8}));
        std::vector<std::string> all = found.can;
        all.insert(all.end(), found.cannot.begin(), found.cannot.end());
        std::vector<std::string> named;
        const std::string text = structure.text();
        for (const auto part : split(text, ','))
          if (part != "bidirectional") named.emplace_back(trimmed(part));
        std::ranges::sort(all);
        std::ranges::sort(named);
        QCOMPARE(all, named);
        if (backend.dense) QVERIFY(found.is_complete());
      }
  }

  /// Both triangles cell by cell.
  void causal_alignments_differ_in_the_reported_cells() {
    for (const Extent extent : {Extent{1, 1}, {4, 4}, {2, 5}, {5, 2}, {1, 9}, {9, 1}, {7, 8}}) {
      std::uint64_t cells = 0;
      std::pair<Index, Index> first{-1, -1};
      Index empty = 0;
      for (Index q = 0; q < extent.rows; ++q) {
        empty += q + extent.cols - extent.rows < 0 ? 1 : 0;
        for (Index kv = 0; kv < extent.cols; ++kv) {
          if ((kv <= q) == (kv <= q + extent.cols - extent.rows)) continue;
          if (cells++ == 0) first = {q, kv};
        }
      }
      const auto got = alignment_difference(extent);
      QCOMPARE(got.cells, cells);
      QCOMPARE(got.empty_rows, empty);
      if (cells > 0) QVERIFY(got.row == first.first && got.key == first.second);
    }
  }

  void alignments_in_words() {
    COMPARE_TEXT(alignment_text(*find_backend("sdpa"), {2, 5}),
                 "top-left; bottom-right differs in 6 cells, the first at query 0, key 1 (2 queries, 5 keys)");
    COMPARE_TEXT(
        alignment_text(*find_backend("flash_attention"), {5, 2}),
        "bottom-right; top-left differs in 6 cells, the first at query 0, key 0 (5 queries, 2 keys); bottom-right "
        "leaves 3 queries without a key");
    COMPARE_TEXT(alignment_text(*find_backend("sdpa"), {1, 2}),
                 "top-left; bottom-right differs in 1 cell, the first at query 0, key 1 (1 queries, 2 keys)");
    COMPARE_TEXT(alignment_text(*find_backend("jax"), {4, 4}), "top-left; no difference, 4 queries, 4 keys");
    COMPARE_TEXT(alignment_text(*find_backend("mha"), {4, 5}), "no causal flag: part of the mask");
  }
};

VQSCOPE_TEST(BackendTest)
#include "backend_test.moc"
