// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/subject/token_texts.h"

#include "core/catalogue/registry.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string read(std::string_view text) {
  const auto texts = parse_token_texts(text);
  if (!texts) return texts.error().message;
  std::string shown;
  for (const auto& each : *texts) shown += "<" + each + ">";
  return shown;
}

TokenAxes axes_of(const char* id, Index past_len = 0) {
  const Method& method = *find_method(id);
  ParameterValues values = default_values(method.parameters);
  if (past_len > 0) values.set("past_len", past_len);
  return token_axes(method, values);
}

}  // namespace

class TokenTextsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void reads_words_lines_and_lists() {
    COMPARE_TEXT(read(" The  cat\tsat "), "<The><cat><sat>");
    COMPARE_TEXT(read("The\n cat\r\n\nsat\n"), "<The>< cat><sat>");
    COMPARE_TEXT(read("[\"The\", \" cat\", \"\\n\", \"say \\\"hi\\\"\"]"), "<The>< cat><\n><say \"hi\">");
    COMPARE_TEXT(read("['The', 'Ġcat', \"don't\", 'don\\'t', '\"']"), "<The><Ġcat><don't><don't><\">");
    COMPARE_TEXT(read("[]"), "");
    COMPARE_TEXT(read(""), "");
  }

  void values_that_are_no_texts_are_refused() {
    COMPARE_TEXT(read("['The', 5]"), "token text 1 is 5 but must be a text in quotes");
    COMPARE_TEXT(read("['The'"), "line 1, column 7: the text ends, a comma or ] must follow an item");
    std::string many;
    for (int i = 0; i < 16385; ++i) many += "a ";
    COMPARE_TEXT(read(many), "there are 16385 token texts but must be at most 16384");
    COMPARE_TEXT(read(std::string((1 << 20) + 1, 'a')),
                 "the token texts have 1048577 bytes but must have at most 1048576");
  }

  /// Whatever the texts are, what is shown for editing is read as the same.
  void written_texts_are_read_again() {
    Random random(7);
    const std::vector<std::string> parts{"a", " ", "\n", "'", "\"", "\\", "Ġ", "[", "]", ",", "\t", "é"};
    for (int run = 0; run < 500; ++run) {
      TokenTexts texts(static_cast<std::size_t>(pick(random, 0, 6)));
      for (auto& each : texts)
        for (Index part = pick(random, 0, 4); part > 0; --part)
          each += parts[static_cast<std::size_t>(pick(random, 0, std::ssize(parts) - 1))];
      const auto again = parse_token_texts(token_texts_text(texts));
      QVERIFY2(again, again ? "" : again.error().message.c_str());
      QCOMPARE(*again, texts);
    }
  }

  void labels_have_one_line() {
    const TokenTexts texts{"The", " cat", "\n\n", "abcdefghijklmnopqrstuvwxyz"};
    COMPARE_TEXT(shown_token(texts, 0), "The");
    COMPARE_TEXT(shown_token(texts, 1), "␣cat");
    COMPARE_TEXT(shown_token(texts, 2), "⏎⏎");
    COMPARE_TEXT(shown_token(texts, 3, 5), "abcd…");
    COMPARE_TEXT(shown_token(texts, 4), "");
    COMPARE_TEXT(shown_token(texts, -1), "");
  }

  void characters_without_a_sign_are_codes() {
    const auto shown = [](const std::string& token) { return shown_token({token}, 0, 100); };
    COMPARE_TEXT(shown("a\r\x1b[1m\x7f"), "a<0x0D><0x1B>[1m<0x7F>");
    COMPARE_TEXT(shown(std::string("\0", 1)), "<0x00>");
    COMPARE_TEXT(shown("\u200b\u202e\u00a0\ufeff"), "<U+200B><U+202E><U+00A0><U+FEFF>");
    COMPARE_TEXT(shown("\xe2\x82 \xc3\xa9\xff"), "<0xE2><0x82>␣é<0xFF>");
    COMPARE_TEXT(shown("\u4e16\U0001f600"), "\u4e16\U0001f600");
  }

  void axes_of_methods() {
    const TokenAxes mask = axes_of("visibility", 5);
    QVERIFY(mask.rows && mask.cols);
    QCOMPARE(mask.first_query, Index{5});
    const TokenAxes phases = axes_of("rope_phase");
    QVERIFY(phases.rows && !phases.cols);
    const TokenAxes reach = axes_of("layer_reach");
    QVERIFY(!reach.rows && reach.cols);
    const TokenAxes blocks = axes_of("mask_blocks");
    QVERIFY(!blocks.rows && !blocks.cols);
    QVERIFY(!axes_of("beta_ary_digit").rows);
  }
};

VQSCOPE_TEST(TokenTextsTest)
#include "token_texts_test.moc"
