// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/code_use.h"

#include "tests/core/attention/codebook/rows_of.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class ScoreErrorTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Errors (1, 0) and (0, 2) of two keys, queries (3, 4) and (0, 1): (3² + 2²) / 2; σ² = (25 + 1)
  /// / 2 / 2 = 6.5, and the keys' own error is (1 + 4) / 2.
  void two_rows_by_hand() {
    const std::vector<float> queries{3, 4, 0, 1}, keys{1, 0, 5, 2}, quantised{0, 0, 5, 0};
    const ScoreError error = score_error(rows_of(queries, 2), rows_of(keys, 2), rows_of(quantised, 2));
    QCOMPARE(error.of_scores, 6.5);
    QCOMPARE(error.of_keys, 6.5 * 2.5);
    QCOMPARE(error.ratio, 0.4);
  }

  void keys_that_are_codewords_have_no_error() {
    const std::vector<float> queries{3, 4}, keys{1, 2};
    const ScoreError error = score_error(rows_of(queries, 2), rows_of(keys, 2), rows_of(keys, 2));
    QCOMPARE(error.of_scores, 0.0);
    QCOMPARE(error.of_keys, 0.0);
    QCOMPARE(error.ratio, 1.0);
  }

  /// In one dimension theorem 2.2 holds without isotropy for queries that are alike.
  void one_dimension() {
    const std::vector<float> queries{2, -2, 2}, keys{1, 4, 9}, quantised{0, 4, 7};
    const ScoreError error = score_error(rows_of(queries, 1), rows_of(keys, 1), rows_of(quantised, 1));
    QCOMPARE(error.ratio, 1.0);
    QCOMPARE(error.of_scores, 4 * (1.0 + 0 + 4) / 3);
  }

  /// Twice the queries are four times both sides; twice the errors likewise.
  void both_sides_scale_equally() {
    SeededRandom random(3);
    auto queries = normal_numbers(random, 300);
    const auto keys = normal_numbers(random, 300);
    auto quantised = normal_numbers(random, 300);
    const ScoreError once = score_error(rows_of(queries, 3), rows_of(keys, 3), rows_of(quantised, 3));
    for (float& x : queries) x *= 2;
    const ScoreError twice = score_error(rows_of(queries, 3), rows_of(keys, 3), rows_of(quantised, 3));
    QVERIFY(std::abs(twice.of_scores / once.of_scores - 4) < 1e-12);
    QVERIFY(std::abs(twice.of_keys / once.of_keys - 4) < 1e-12);
    QVERIFY(std::abs(twice.ratio / once.ratio - 1) < 1e-12);
  }

  /// Rows may lie farther apart than they are long.
  void rows_with_a_stride() {
    const std::vector<float> queries{3, 4, 0, 1}, keys{1, 0, 99, 5, 2, 99}, quantised{0, 0, 5, 0};
    const ScoreError error = score_error(rows_of(queries, 2), {keys.data(), 2, 2, 3}, rows_of(quantised, 2));
    QCOMPARE(error.of_scores, 6.5);
  }
};

VQSCOPE_TEST(ScoreErrorTest)
#include "score_error_test.moc"
