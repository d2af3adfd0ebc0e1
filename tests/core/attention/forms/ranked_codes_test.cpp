// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/ranked_codes.h"

#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class RankedCodesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Seven keys in blocks of three, ranked two blocks and one block at a time.
  void ranks_follow_the_first_appearance() {
    const AttentionSample sample({.length = 7, .n_code = 6, .d_k = 2});
    const AttentionInput input = sample.input();
    const LinearPlan plan(input, {.block_len = 3});
    const std::vector<std::int32_t> codes{4, -1, 2, 4, 0, 2, 5};
    std::vector<std::int32_t> ranks = codes;
    RankedCodes ranked(input.codebook.matrix(0), plan);
    ranked.rank(ranks.data(), plan, {0, 2});
    QCOMPARE(ranks, (std::vector<std::int32_t>{0, -1, 1, 0, 2, 1, 5}));
    ranked.rank(ranks.data(), plan, {2, 3});
    QCOMPARE(ranks, (std::vector<std::int32_t>{0, -1, 1, 0, 2, 1, 3}));
    std::vector<Index> used;
    for (const Index block : {0, 1, 2, 3}) used.push_back(ranked.used_before(block));
    QCOMPARE(used, (std::vector<Index>{0, 2, 3, 4}));
    const StridedMatrix codewords = ranked.codewords_before(3);
    QCOMPARE(codewords.rows, Index{4});
    const std::vector<Index> by_rank{4, 2, 0, 5};
    for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
      for (std::size_t c = 0; c < 2; ++c)
        QCOMPARE(codewords.data[rank * 2 + c], input.codebook.row(0, by_rank[rank])[c]);
    ranked.restore(ranks.data());
    QCOMPARE(ranks, codes);
  }

  /// What was not ranked yet, because work stopped, stays as it is.
  void only_ranks_are_restored() {
    const AttentionSample sample({.length = 4, .n_code = 3});
    const AttentionInput input = sample.input();
    const LinearPlan plan(input, {.block_len = 2});
    std::vector<std::int32_t> codes{2, 2, 0, 0};
    RankedCodes ranked(input.codebook.matrix(0), plan);
    ranked.restore(codes.data());
    ranked.rank(codes.data(), plan, {0, 1});
    ranked.restore(codes.data());
    QCOMPARE(codes, (std::vector<std::int32_t>{2, 2, 0, 0}));
  }
};

VQSCOPE_TEST(RankedCodesTest)
#include "ranked_codes_test.moc"
