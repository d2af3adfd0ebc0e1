// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/language_mask.h"
#include "core/mask/language/parse/source_tokens.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

std::string error_of_mask(const std::string& text) {
  const auto parsed = MaskProgram::parse(text);
  return parsed ? "no error" : render(parsed.error, text);
}

std::string warning_of(const std::string& text) {
  const auto parsed = MaskProgram::parse(text);
  if (!parsed) return render(parsed.error, text);
  const auto& warnings = parsed.program->warnings();
  return warnings.size() == 1 ? warnings[0].message : std::to_string(warnings.size()) + " warnings";
}

std::string made(const std::string& text, const MaskBindings& bindings = {}, Index length = 8) {
  const auto parsed = MaskProgram::parse(text);
  if (!parsed) return render(parsed.error, text);
  const auto mask = LanguageMask::make(parsed.program, bindings, *SequenceLayout::make({.q_length = length}));
  return mask ? "no error" : mask.error().message;
}

std::string repeated(const std::string& part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

}  // namespace

class MaskErrorsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void texts_that_are_wrong_show_where() {
    COMPARE_TEXT(error_of_mask("x = 1\nreturn (q_idx >= kv_idx"),
                 "line 2, column 8: nothing closes this (\nreturn (q_idx >= kv_idx\n       ^");
    COMPARE_TEXT(error_of_mask("return kv_idx + q_idx / 2"),
                 "line 1, column 8: only a comparison or a rounding takes a fraction; write // to "
                 "divide and round down\nreturn kv_idx + q_idx / 2\n       ^^^^^^^^^^^^^^^^^^");
    COMPARE_TEXT(error_of_mask("def f(b, h, q_idx, kv_idx):\n  for i in x:\n    y = i\n  return y == q_idx"),
                 "line 2, column 12: x has no values yet; give them, as an array\n  for i in x:\n"
                 "           ^");
    COMPARE_TEXT(error_of_mask("return q_idx >= 99999999999999999999"),
                 "line 1, column 17: 99999999999999999999 is too large; integers have 64 bits, up to "
                 "9223372036854775807\nreturn q_idx >= 99999999999999999999\n                ^^^^^^^^^^^^^^^^^^^^");
    COMPARE_TEXT(error_of_mask("q_idx >= -9223372036854775809"),
                 "line 1, column 11: 9223372036854775809 is too large; integers have 64 bits, up to "
                 "9223372036854775807\nq_idx >= -9223372036854775809\n          ^^^^^^^^^^^^^^^^^^^");
    COMPARE_TEXT(error_of_mask("-9223372036854775808**1 == q_idx"),
                 "line 1, column 2: 9223372036854775808 is too large; integers have 64 bits, up to "
                 "9223372036854775807\n-9223372036854775808**1 == q_idx\n ^^^^^^^^^^^^^^^^^^^");
    COMPARE_TEXT(error_of_mask("return torch.were(q_idx, 1, 2)"),
                 "line 1, column 8: torch.were is not part of the mask language; did you mean where?\n"
                 "return torch.were(q_idx, 1, 2)\n       ^^^^^^^^^^");
    COMPARE_TEXT(error_of_mask("def f(i):\n  return g(i)\ndef g(i):\n  return f(i)\nreturn f(q_idx) == 1"),
                 "line 4, column 10: f calls itself; recursion is not part of the mask language\n  return f(i)\n"
                 "         ^^^^");
    COMPARE_TEXT(error_of_mask("Größe = 1\nreturn q_idx == 1"),
                 "line 1, column 3: expected an operator or the end of the line, found ö\nGröße = 1\n  ^");
    COMPARE_TEXT(error_of_mask(""),
                 "line 1, column 1: there is no mask in the text; write an expression such as kv_idx <= q_idx\n\n^");
  }

  void deep_and_long_texts_give_an_error() {
    const auto starts = [](const std::string& text, const char* with) {
      const auto error = error_of_mask(text);
      return error.find(with) != std::string::npos;
    };
    QVERIFY(starts("return " + repeated("(", 100000) + "1", "nested more than 200 deep"));
    QVERIFY(starts("return " + repeated("not ", 60000) + "1", "nested more than 200 deep"));
    QVERIFY(starts("return 1" + repeated(" + 1", 60000), "more than 1000 operators are nested"));
    QVERIFY(starts("x = q_idx\n" + repeated("x = x + x\n", 5000) + "return x == 0", "depend on one another"));
    QVERIFY(starts(repeated("x", 300000), "must have at most 262144"));
    std::string doubling = "def f0(i): return i + kv_idx\n";
    for (int i = 1; i < 40; ++i) {
      const std::string below = "f" + std::to_string(i - 1);
      doubling += "def f" + std::to_string(i) + "(i): return " + below + "(i) + " + below + "(i + 1)\n";
    }
    QVERIFY(starts(doubling + "return f39(q_idx) == 0", "unfold into more than"));
    COMPARE_TEXT(made("return 2**10**10**10 > q_idx"),
                 "line 1, column 11: 10 ** 10000000000 does not fit in 64 bits (at q_idx 0, kv_idx 0)");
  }

  void cells_without_a_value() {
    COMPARE_TEXT(made("x = 10\nreturn x // (q_idx - 3) > kv_idx"),
                 "line 2, column 8: 10 // 0: division by zero (at q_idx 3, kv_idx 0)");
    COMPARE_TEXT(made("doc[q_idx] == doc[kv_idx - 9]", {.arrays = {{"doc", {0, 0, 1, 1, 2, 2, 2, 2}}}}),
                 "line 1, column 15: doc[-9] is out of range; indices go from -8 to 7 (at q_idx 0, kv_idx 0)");
    COMPARE_TEXT(made("doc[q_idx] == doc[kv_idx]", {.arrays = {{"doc", {0, 0, 1, 1, 2}}}}),
                 "line 1, column 15: doc has 5 entries, but kv_length is 8 (at q_idx 0, kv_idx 5)");
    COMPARE_TEXT(made("1 << (kv_idx - 2) > 0"),
                 "line 1, column 1: 1 << -2: the count must be from 0 to 63 (at q_idx 0, kv_idx 0)");
    COMPARE_TEXT(made("9223372036854775807 + q_idx > 0"),
                 "line 1, column 1: 9223372036854775807 + 1 does not fit in 64 bits (at q_idx 1, kv_idx 0)");
    COMPARE_TEXT(made("--9223372036854775808 > q_idx"),
                 "line 1, column 1: -(-9223372036854775808) does not fit in 64 bits (at q_idx 0, kv_idx 0)");
    COMPARE_TEXT(
        made("x[abs(q_idx - kv_idx) - 1] == 0 if q_idx != kv_idx else True", {.arrays = {{"x", {0, 1}}}}, 2000000),
        "line 1, column 1: x[2] is out of range; indices go from -2 to 1 (at q_idx 0, kv_idx 3)");
  }

  void missing_names_are_errors() {
    COMPARE_TEXT(made("kv_idx <= q_ix"),
                 "the mask's parameter q_ix (line 1) is not given; did you mean q_idx?; give q_ix = an integer");
    COMPARE_TEXT(made("doc[q_idx] == 1"), "the mask's array doc (line 1) is not given; give its values");
  }

  void warnings_spell_the_fix_out() {
    COMPARE_TEXT(warning_of("q_idx >= kv_idx & q_doc == kv_doc"),
                 "& binds tighter than >=, as in Python: this is q_idx >= (kv_idx & q_doc) == kv_doc; write it so, or "
                 "write (q_idx >= kv_idx) & (q_doc == kv_doc)");
    COMPARE_TEXT(warning_of("(q_idx // 8 == kv_idx\n// 2^31)"),
                 "^ binds tighter than ==, as in Python: this is q_idx // 8 == (kv_idx // 2^31); write it so, or write "
                 "(q_idx // 8 == kv_idx // 2) ^ (31)");
    std::string longer = "q_idx";
    for (int i = 0; i < 40; ++i) longer += " + kv_idx";
    std::string longest = longer;
    for (int i = 0; i < 20; ++i) longest += " < " + longer + " & " + longer;
    QVERIFY(warning_of(longest).size() <= 400);
    COMPARE_TEXT(warning_of("not kv_idx"), "not of an integer tests whether it is zero; write kv_idx == 0");
    COMPARE_TEXT(
        warning_of("((q_idx > 3) & kv_idx) != 0"),
        "& of an integer and a truth value works bit by bit; write (kv_idx != 0) to test whether the integer is "
        "not zero");
    COMPARE_TEXT(warning_of("kv_idx - q_idx"),
                 "the mask is an integer, any value but 0 is visible; write kv_idx - q_idx != 0 to make this explicit");
    COMPARE_TEXT(warning_of("kv_ix <= q_idx"), "kv_ix is taken as a parameter; did you mean kv_idx?");
  }

  void tokens_of_unfinished_texts() {
    const std::string text = "x = 'abc\nreturn torch.where(q_idx $ 0x1";
    std::string kinds;
    for (const auto& token : tokens(text)) kinds += std::string(1, "nvfkNSs#\n?"[static_cast<std::size_t>(token.kind)]);
    COMPARE_TEXT(kinds, "nsS\nkfsfsv?N");
  }
};

VQSCOPE_TEST(MaskErrorsTest)
#include "mask_errors_test.moc"
