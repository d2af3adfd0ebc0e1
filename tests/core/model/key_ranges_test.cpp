// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/vq_keys.h"

#include "core/mask/language/plain_mask.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

TransformerConfig masked(const std::string& text) {
  TransformerConfig config;
  config.attn = AttentionKind::mask;
  config.mask = text;
  return config;
}

bool has(std::span<const Range> ranges, Index key) {
  return std::ranges::any_of(ranges, [&](const Range& some) { return some.contains(key); });
}

}  // namespace

class KeyRangesTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Cell by cell: causal, the mask's definition, one document, no padding.
  void masks_documents_and_padding() {
    Random random(9);
    const Index rows = 3, length = 17;
    std::vector<std::int32_t> documents, valid;
    for (Index i = 0; i < rows * length; ++i) {
      documents.push_back(static_cast<std::int32_t>(pick(random, 0, 2)));
      valid.push_back(pick(random, 0, 5) > 0);
    }
    const std::vector<std::int32_t> tokens(documents.size());
    for (const char* text : {"True", "False", "kv_idx < 2 or q_idx - kv_idx < 4", "(q_idx - kv_idx) % 3 == 0",
                             "kv_idx // 4 == q_idx // 4", "kv_idx > q_idx - 3"}) {
      const auto config = masked(text);
      const auto mask = model_mask(config, length).value();
      for (const bool parted : {false, true}) {
        Batch batch{rows, length, tokens};
        if (parted) batch.doc_ids = documents, batch.pad_mask = valid;
        const KeyRanges ranges(config, batch, mask.get());
        for (Index row = 0; row < rows; ++row)
          for (Index q = 0; q < length; ++q) {
            const auto of_query = ranges.of(row, q);
            for (std::size_t i = 1; i < of_query.size(); ++i) QVERIFY(of_query[i - 1].end <= of_query[i].begin);
            for (Index k = 0; k < length; ++k) {
              const auto at_q = static_cast<std::size_t>(row * length + q);
              const auto at_k = static_cast<std::size_t>(row * length + k);
              const bool together =
                  !parted || (documents[at_q] == documents[at_k] && valid[at_q] != 0 && valid[at_k] != 0);
              QCOMPARE(has(of_query, k), k <= q && mask->visible(q, k) && together);
            }
          }
      }
    }
  }

  void spans() {
    const std::vector<std::int32_t> tokens(8);
    const auto config = masked("kv_idx == 1 or kv_idx == q_idx - 2");
    const KeyRanges ranges(config, {1, 8, tokens}, model_mask(config, 8)->get());
    QCOMPARE(ranges.span_of(0, {5, 8}), (Range{1, 6}));
    QCOMPARE(ranges.span_of(0, {0, 1}), (Range{0, 0}));
  }

  void configs_without_a_mask_and_bad_ones() {
    QVERIFY(!model_mask(TransformerConfig(), 4).value());
    QVERIFY(masked("kv_idx > 2").check());
    COMPARE_ERROR(masked("kv_idx > w").check(), "mask leaves w free: write its value into the text");
    COMPARE_ERROR(masked("kv_idx >").check(),
                  "mask, line 1, column 9: expected a name, a number or (, found the end of the text");
    COMPARE_ERROR(masked("h == kv_idx").check(), "mask depends on the head h but must be one mask for all");
  }
};

VQSCOPE_TEST(KeyRangesTest)
#include "key_ranges_test.moc"
