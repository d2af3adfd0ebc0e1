// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/token_counts.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class TokenCountsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void queries_follow_the_cache() {
    TokenCounts counts;
    QVERIFY(!counts.q_length(0).value());
    QVERIFY(counts.take_keys({8, "attention_mask has 8 tokens"}));
    QCOMPARE(counts.q_length(0).value(), std::optional<Index>(8));
    QCOMPARE(counts.q_length(5).value(), std::optional<Index>(3));
    COMPARE_ERROR(counts.q_length(8), "attention_mask has 8 tokens, but past_len is 8");
    QVERIFY(counts.take_queries({3, "labels has 3 tokens"}));
    QCOMPARE(counts.q_length(5).value(), std::optional<Index>(3));
  }

  void contradictions_name_both() {
    TokenCounts counts;
    QVERIFY(counts.take_queries({8, "the mask m.npy has 8 queries"}));
    QVERIFY(counts.take_queries({8, "input_ids has 8 tokens"}));
    COMPARE_ERROR(counts.take_queries({6, "labels has 6 tokens"}),
                  "labels has 6 tokens, but the mask m.npy has 8 queries");
    QVERIFY(counts.take_keys({9, "span_ids has 9 tokens"}));
    COMPARE_ERROR(counts.q_length(0), "the mask m.npy has 8 queries, but span_ids has 9 tokens");
    COMPARE_ERROR(counts.q_length(2), "the mask m.npy has 8 queries, but span_ids has 9 tokens, and past_len is 2");
    QVERIFY(counts.q_length(1));
  }
};

VQSCOPE_TEST(TokenCountsTest)
#include "token_counts_test.moc"
