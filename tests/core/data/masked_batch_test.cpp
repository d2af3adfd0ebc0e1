// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/masked_batch.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;

namespace {

TokenBatch text_of(Index rows, Index length) {
  TokenBatch batch{rows, length, {}, {}};
  for (Index i = 0; i < rows * length; ++i) batch.tokens.push_back(static_cast<std::int32_t>(i % 7));
  batch.labels.assign(batch.tokens.size(), 3);
  return batch;
}

}  // namespace

class MaskedBatchTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void every_token_is_masked_or_kept() {
    const TokenBatch text = text_of(20, 50), masked = masked_batch(text, 9, 0.15, 4);
    std::size_t hidden = 0;
    for (std::size_t i = 0; i < text.tokens.size(); ++i) {
      const bool is_masked = masked.tokens[i] == 9;
      hidden += is_masked ? 1 : 0;
      QCOMPARE(masked.labels[i], is_masked ? text.tokens[i] : ignored_label);
      if (!is_masked) QCOMPARE(masked.tokens[i], text.tokens[i]);
    }
    QVERIFY(hidden > 100 && hidden < 200);  // 150 are expected, with a deviation of 11
  }

  void the_seed_decides() {
    const TokenBatch text = text_of(3, 20);
    QVERIFY(masked_batch(text, 9, 0.3, 1) == masked_batch(text, 9, 0.3, 1));
    QVERIFY(!(masked_batch(text, 9, 0.3, 1) == masked_batch(text, 9, 0.3, 2)));
  }

  void one_token_at_least_is_masked() {
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      QCOMPARE(std::ranges::count(masked_batch(text_of(1, 4), 9, 0, seed).tokens, 9), std::ptrdiff_t{1});
  }
};

VQSCOPE_TEST(MaskedBatchTest)
#include "masked_batch_test.moc"
