// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/fix/suggestion.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string texts_of(const std::string& sentence, const LintCase& given = {}) {
  std::string all;
  for (const Suggestion& each : suggestions_of({.severity = Severity::question, .sentence = sentence}, given))
    all += each.text() + (each.is_complete() ? ";" : "?");
  return all;
}

}  // namespace

class SuggestionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void settings_in_a_sentence() {
    COMPARE_TEXT(
        texts_of("row 129 does not see key 0: the mask keeps a window of 129 keys: set window=129 if intended"),
        "window = 129;");
    COMPARE_TEXT(texts_of("a window of 4 keys and 2 sinks: set window=4 and sinks=2"), "window = 4, sinks = 2;");
    COMPARE_TEXT(texts_of("set padding=3, padding_side=left if intended"), "padding = 3, padding_side = left;");
    COMPARE_TEXT(texts_of("set dialect, the backend that receives the mask"), "dialect?");
    COMPARE_TEXT(texts_of("set its polarity"), "");
    COMPARE_TEXT(texts_of("the offset of all"), "");
    QVERIFY(suggestions_of({.severity = Severity::error, .sentence = "set window=2"}, {}).empty());
  }

  void the_window_that_the_text_names_comes_first() {
    LintCase given;
    given.named_window = NamedWindow{"W", 128};
    COMPARE_TEXT(
        texts_of("set window=129 if intended; the text names W = 128, which is a different number of keys", given),
        "window = 128;window = 129;");
  }
};

VQSCOPE_TEST(SuggestionTest)
#include "suggestion_test.moc"
