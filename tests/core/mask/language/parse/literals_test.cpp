// SPDX-License-Identifier: GPL-3.0-or-later
// Integers, columns and constants of a mask text, as Python reads them.
#include "core/mask/language/parse/constant_expression.h"
#include "core/mask/language/parse/parse.h"
#include "core/mask/language/parse/source_error.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

/// Refusal of a text that is one expression.
std::optional<Index> constant(const std::string& text) {
  const Parsed parsed = parse(text);
  if (parsed.error || parsed.syntax.statements.size() != 1) return std::nullopt;
  return constant_of(parsed.syntax, parsed.syntax.statements.front().value);
}

std::string refusal_of(const std::string& digits, bool negative = false) {
  const auto read = integer_literal(digits, negative);
  return read ? "read as " + std::to_string(*read) : read.error().message;
}

}  // namespace

class LiteralsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void integers_by_hand() {
    const std::vector<std::pair<std::string, Index>> examples{
        {"0", 0},        {"512", 512},
        {"1_024", 1024}, {"0x1f", 31},
        {"0X1F", 31},    {"0o17", 15},
        {"0b101", 5},    {"0b_1", 1},
        {"00", 0},       {"0x7fffffffffffffff", std::numeric_limits<Index>::max()}};
    for (const auto& [digits, value] : examples) {
      const auto read = integer_literal(digits);
      QVERIFY2(read, digits.c_str());
      QCOMPARE(*read, value);
    }
    QCOMPARE(*integer_literal("9223372036854775808", true), std::numeric_limits<Index>::min());
  }

  void invalid_integers_are_errors() {
    const std::string none = " is not an integer; write digits such as 512, 1_024, 0x1f, 0o17 or 0b101";
    for (const std::string digits : {"1__0", "1_", "12x", "0x", "0b12", "0o8", "1e"})
      COMPARE_TEXT(refusal_of(digits), digits + none);
    COMPARE_TEXT(refusal_of("007"), "007 has leading zeros; write 0o for octal digits, or leave the zeros out");
    COMPARE_TEXT(refusal_of("9223372036854775808"),
                 "9223372036854775808 is too large; integers have 64 bits, up to 9223372036854775807");
    COMPARE_TEXT(refusal_of("0x8000000000000000"),
                 "0x8000000000000000 is too large; integers have 64 bits, up to 9223372036854775807");
    QVERIFY(refusal_of(std::string(1000, '7')).size() < 120);
  }

  void every_integer_is_read_back() {
    Random random(2);
    for (int i = 0; i < 300; ++i) {
      const Index value = pick(random, 0, std::numeric_limits<Index>::max()) >> pick(random, 0, 62);
      QCOMPARE(*integer_literal(std::to_string(value)), value);
      QCOMPARE(*integer_literal(std::to_string(value), true), -value);
    }
  }

  void columns_by_hand() {
    const std::string text = "a = 1\n\tb\n  \tc d\n";
    QCOMPARE(column_of(text, 0), 0);
    QCOMPARE(column_of(text, 4), 4);
    QCOMPARE(column_of(text, 7), 8);    // b, behind a tab
    QCOMPARE(column_of(text, 12), 8);   // c: two blanks and a tab reach to 8
    QCOMPARE(column_of(text, 14), 10);  // d
    QCOMPARE(indentation_of(text, 14), 8);
    QCOMPARE(indentation_of(text, 4), 0);
  }

  void constants_by_hand() {
    const std::vector<std::pair<std::string, std::optional<Index>>> examples{
        {"4 * 128", 512},
        {"-(2 + 3)", -5},
        {"2**10 - 1", 1023},
        {"1 << 4", 16},
        {"7 // 2", 3},
        {"~0", -1},
        {"+5", 5},
        {"x + 1", {}},
        {"f(3)", {}},
        {"1 << 64", {}},
        {"2**-1", {}},
        {"1 // 0", {}},
        {"2**63", {}},
        {"0.5", {}},
        {"-9223372036854775808", std::numeric_limits<Index>::min()},
        {"9223372036854775807 + 1", {}},
        {"-(-9223372036854775808)", {}}};
    for (const auto& [text, value] : examples) QVERIFY2(constant(text) == value, text.c_str());
  }
};

VQSCOPE_TEST(LiteralsTest)
#include "literals_test.moc"
