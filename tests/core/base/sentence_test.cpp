// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;

class SentenceTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void pieces_are_put_in() {
    const Error error = invalid("{} is {} but must be at most {}", std::string("n_code"), Index{-3}, std::size_t{8});
    COMPARE_TEXT(error.message, "n_code is -3 but must be at most 8");
    QVERIFY(error.code == Errc::invalid_argument);
    QVERIFY(error.detail.empty());
  }

  void whole_numbers_are_those_of_to_text() {
    for (const Index number : {std::numeric_limits<Index>::min(), Index{-1}, Index{0}, Index{1'000'000'000'000},
                               std::numeric_limits<Index>::max()})
      COMPARE_TEXT(fmt::format("{}", number), to_text(number));
  }

  void braces_in_user_text_are_kept() {
    COMPARE_TEXT(invalid("{} and {0}").message, "{} and {0}");
    COMPARE_TEXT(invalid("unknown parameter {}", std::string("{}")).message, "unknown parameter {}");
    COMPARE_TEXT(invalid("{{{}}} is empty", "a").message, "{a} is empty");
  }

  void too_large_has_its_own_error_code() {
    const Error error = too_large("the text has {}, at most {} are read", byte_count(2048), byte_count(1024));
    COMPARE_TEXT(error.message, "the text has 2 KiB, at most 1 KiB are read");
    QVERIFY(error.code == Errc::too_large);
  }
};

VQSCOPE_TEST(SentenceTest)
#include "sentence_test.moc"
