// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/alphabet.h"

#include "core/data/language.h"
#include "core/data/task.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <numeric>

using namespace vqscope;

class AlphabetTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void texts() {
    using Tokens = std::vector<std::int32_t>;
    QCOMPARE(text_of_tokens(Alphabet::numbers, Tokens{36, 0, 7}), std::string("36 0 7"));
    QCOMPARE(text_of_tokens(Alphabet::bytes, Tokens{'a', 10, 0xc3, 0xa4}), std::string("a\n\xc3\xa4"));
    QCOMPARE(text_of_tokens(Alphabet::language, Tokens{0, 8, 33, 34, 39, 4, 3, 7}), std::string("(azAF)<>"));
    QCOMPARE(text_of_tokens(Alphabet::task, Tokens{1, 4, 29, 30, 55, 2, 68, 83, 3}), std::string("^azAZ|0%$"));
  }

  void tokens_without_a_character() {
    const std::vector<std::int32_t> beyond{-1, 40, 1 << 30};
    QCOMPARE(text_of_tokens(Alphabet::language, beyond), std::string("???"));
    QCOMPARE(text_of_tokens(Alphabet::task, std::vector<std::int32_t>{0, 60, 84}), std::string("???"));
  }

  /// For every token with a character.
  void texts_read_back() {
    std::vector<std::int32_t> all(language::vocabulary);
    std::iota(all.begin(), all.end(), 0);
    QCOMPARE(tokens_of_text(Alphabet::language, text_of_tokens(Alphabet::language, all)).value(), all);
    QCOMPARE(tokens_of_text(Alphabet::numbers, text_of_tokens(Alphabet::numbers, all)).value(), all);
    const TokenBatch batch = task_batch(Task::recall, 16, 1, 3, 0);
    QCOMPARE(tokens_of_text(Alphabet::task, text_of_tokens(Alphabet::task, batch.tokens)).value(), batch.tokens);
    QCOMPARE(tokens_of_text(Alphabet::bytes, "\xff").value(), (std::vector<std::int32_t>{255}));
  }

  void refusals() {
    COMPARE_ERROR(tokens_of_text(Alphabet::language, "abö"),
                  "'ö' is not a token but must be one of ([{<)]}>abcdefghijklmnopqrstuvwxyzABCDEF");
    COMPARE_ERROR(tokens_of_text(Alphabet::task, "a?"),
                  "'?' is not a token but must be one of "
                  "^|$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-*/=%");
    COMPARE_ERROR(tokens_of_text(Alphabet::numbers, "3 x"),
                  "x is not a token but must be a whole number from 0 to 16777215");
    COMPARE_ERROR(tokens_of_text(Alphabet::numbers, "-1"),
                  "-1 is not a token but must be a whole number from 0 to 16777215");
  }
};

VQSCOPE_TEST(AlphabetTest)
#include "alphabet_test.moc"
