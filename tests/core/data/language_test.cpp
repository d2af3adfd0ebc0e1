// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/language.h"

#include "core/data/token_batch.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace vqscope;

class LanguageTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void numbers_below() {
    SeededRandom random(0), same(0);
    for (const Index n : {Index{1}, Index{6}, Index{96}, Index{1} << 32}) {
      const std::uint64_t upper = same.bits() >> 32;
      QCOMPARE(below(random, n), static_cast<Index>(upper * static_cast<std::uint64_t>(n) >> 32));
    }
  }

  void tables_of_the_definition() {
    const auto& tables = language::tables();
    QCOMPARE(tables.next[0][0], (std::array<std::int32_t, 4>{12, 1, 31, 5}));
    QCOMPARE(tables.next[3][31], (std::array<std::int32_t, 4>{19, 13, 3, 24}));
    QCOMPARE(tables.topic[0], (std::array<std::int32_t, 8>{4, 28, 20, 12, 5, 4, 4, 7}));
    QCOMPARE(tables.topic[5], (std::array<std::int32_t, 8>{12, 0, 12, 11, 2, 30, 0, 20}));
  }

  void first_tokens_of_the_definition() {
    QCOMPARE(language::stream(0, 32),
             (std::vector<std::int32_t>{36, 34, 23, 23, 23, 16, 2,  14, 28, 8,  20, 35, 25, 17, 26, 25,
                                        33, 6,  39, 21, 9,  9,  29, 34, 27, 20, 34, 36, 34, 25, 33, 12}));
    QCOMPARE(language::stream(1, 32),
             (std::vector<std::int32_t>{15, 20, 16, 20, 24, 32, 21, 31, 31, 38, 16, 3,  7,  9,  29, 26,
                                        21, 25, 17, 24, 36, 17, 8,  38, 0,  20, 20, 20, 35, 21, 29, 32}));
    QCOMPARE(language::stream(2, 32),
             (std::vector<std::int32_t>{13, 31, 38, 16, 20, 24, 21, 2,  24, 8,  6,  20, 20, 24, 32, 19,
                                        8,  26, 9,  17, 16, 16, 9,  29, 26, 21, 19, 29, 15, 2,  32, 1}));
  }

  void frequencies_of_the_definition() {
    const auto tokens = language::stream(7, 60000);
    std::vector<double> counts(language::vocabulary);
    for (const auto token : tokens) ++counts[static_cast<std::size_t>(token)];
    double entropy = 0;
    for (const double count : counts) entropy -= count / 60000 * std::log(count / 60000);
    QCOMPARE(std::round(entropy * 100), 358.0);
  }

  /// A longer stream begins like a shorter one.
  void streams_grow_at_their_end() {
    const auto all = language::stream(5, 5000);
    const auto some = language::stream(5, 777);
    QVERIFY(std::equal(some.begin(), some.end(), all.begin()));
    QVERIFY(language::stream(5, 0).empty());
  }

  void training_rows_follow_one_another() {
    std::vector<std::int32_t> stream(20);
    for (std::size_t i = 0; i < stream.size(); ++i) stream[i] = static_cast<std::int32_t>(i);
    const auto batch = training_batch(stream, 1, 2, 3);
    QCOMPARE(batch->tokens, (std::vector<std::int32_t>{8, 9, 10, 12, 13, 14}));
    QCOMPARE(batch->labels, (std::vector<std::int32_t>{9, 10, 11, 13, 14, 15}));
    QCOMPARE(training_batch(stream, 2, 2, 3)->tokens, (std::vector<std::int32_t>{0, 1, 2, 4, 5, 6}));  // 16 mod 16
    COMPARE_ERROR(training_batch(stream, 0, 1, 19),
                  "the text has 20 tokens but must be more than 20 to train on sequences of 19");
  }

  /// Whatever the length, the same targets; and each is the token after the one that it labels.
  void paired_windows_score_the_same_targets() {
    const PairedWindows windows;
    const auto stream = language::stream(windows.seed, windows.stream_length);
    std::vector<std::int32_t> scored_at_64;
    for (const Index length : {64, 128, 512, 1024}) {
      const auto batch = windows.batch(stream, length);
      QCOMPARE(batch->rows, Index{96});
      std::vector<std::int32_t> scored;
      for (std::size_t i = 0; i < batch->labels.size(); ++i) {
        if (batch->labels[i] == ignored_label) continue;
        scored.push_back(batch->labels[i]);
        if ((i + 1) % static_cast<std::size_t>(length) != 0) QCOMPARE(batch->labels[i], batch->tokens[i + 1]);
      }
      QCOMPARE(scored.size(), std::size_t{3072});
      QCOMPARE(scored.back(), stream[1100 + 1200 * 95]);
      if (length == 64) scored_at_64 = scored;
      QCOMPARE(scored, scored_at_64);
    }
    QCOMPARE(windows.for_context(8192).windows, Index{96});
    QCOMPARE(windows.for_context(65536).windows, Index{16});
    QCOMPARE(windows.for_context(Index{1} << 24).windows, Index{8});
    COMPARE_ERROR(windows.batch(stream, 1101), "the context has 1101 tokens but must be from 32 to 1100");
    COMPARE_ERROR(windows.batch(std::span(stream).first(100), 64),
                  "the stream has 100 tokens but must be at least 115101");
  }

  /// Each token after the first is scored once, with as long a context as there is.
  void sliding_windows_score_each_token_once() {
    const std::vector<std::int32_t> text{10, 11, 12, 13, 14, 15, 16, 17};
    const TokenBatch batch = sliding_windows(text, 4, 2).value();
    QCOMPARE(batch.rows, Index{3});
    QCOMPARE(batch.tokens, (std::vector<std::int32_t>{10, 11, 12, 13, 12, 13, 14, 15, 13, 14, 15, 16}));
    const std::int32_t no = ignored_label;
    QCOMPARE(batch.labels, (std::vector<std::int32_t>{11, 12, 13, 14, no, no, 15, 16, no, no, no, 17}));
    QCOMPARE(sliding_windows(text, 100, 50)->labels, (std::vector<std::int32_t>{11, 12, 13, 14, 15, 16, 17}));
    COMPARE_ERROR(sliding_windows(std::vector<std::int32_t>{1}, 4, 2), "the text has 1 tokens but must be at least 2");
  }
};

VQSCOPE_TEST(LanguageTest)
#include "language_test.moc"
