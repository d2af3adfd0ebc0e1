// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>
#include <random>

using namespace vqscope;

class TextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void numbers_are_shortest() {
    COMPARE_TEXT(to_text(Index{-42}), "-42");
    COMPARE_TEXT(to_text(std::numeric_limits<Index>::min()), "-9223372036854775808");
    COMPARE_TEXT(to_text(0.1), "0.1");
    COMPARE_TEXT(to_text(0.1F), "0.1");
    COMPARE_TEXT(to_text(1e300), "1e+300");
    COMPARE_TEXT(to_text(-0.0), "-0");
    COMPARE_TEXT(to_text(std::numeric_limits<double>::quiet_NaN()), "nan");
    COMPARE_TEXT(to_text(-std::numeric_limits<float>::infinity()), "-inf");
    COMPARE_TEXT(to_text(3.14159265, 3), "3.14");
    COMPARE_TEXT(to_text(5e5), "5e+05");
    COMPARE_TEXT(plain_text(5e5), "500000");
    COMPARE_TEXT(plain_text(-0.25), "-0.25");
    COMPARE_TEXT(plain_text(1e300), "1e+300");
    COMPARE_TEXT(to_text(std::numeric_limits<double>::infinity(), 3), "inf");
  }

  void reals_round_trip() {
    std::mt19937_64 random(1);
    for (int i = 0; i < 10000; ++i) {
      const auto bits = random();
      double value = 0;
      memcpy(&value, &bits, sizeof value);
      if (std::isfinite(value)) QCOMPARE(parse_real(to_text(value)), std::optional(value));
    }
  }

  void numbers_and_durations_for_messages() {
    COMPARE_TEXT(grouped(0), "0");
    COMPARE_TEXT(grouped(999), "999");
    COMPARE_TEXT(grouped(2097152), "2\u202f097\u202f152");
    COMPARE_TEXT(grouped(-1000), "-1\u202f000");
    COMPARE_TEXT(grouped(-100), "-100");
    COMPARE_TEXT(byte_count(17), "17 bytes");
    COMPARE_TEXT(byte_count(1.5 * 1024 * 1024 * 1024), "1.5 GiB");
    COMPARE_TEXT(byte_count(1023), "1023 bytes");
    COMPARE_TEXT(byte_count(0x1p62), "4 EiB");
    COMPARE_TEXT(byte_count(0x1p74), "1.638e+04 EiB");
  }

  void long_input_is_shortened() {
    COMPARE_TEXT(shortened(""), "");
    COMPARE_TEXT(shortened(std::string(60, 'x')), std::string(60, 'x'));
    COMPARE_TEXT(shortened(std::string(61, 'x')), std::string(59, 'x') + "…");
    COMPARE_TEXT(shortened(std::string(26000, 'x')), std::string(59, 'x') + "…");
    COMPARE_TEXT(shortened("äöüß", 4), "äöüß");
    COMPARE_TEXT(shortened("äöüß€", 4), "äöü…");
    COMPARE_TEXT(shortened(" two\n\t words \x01"), "two words");
    COMPARE_TEXT(shortened("a\xff\xc3", 9), "a\ufffd\ufffd");
    COMPARE_TEXT(shortened("a\u202e\u200bb\ufeff c\u00adö", 9), "a b c ö");
    QVERIFY(!nearest_name(std::string(26000, 'x'), std::vector<std::string>{"x"}));
  }

  void parsing_takes_the_whole_text() {
    QCOMPARE(parse_index(" 12\n"), std::optional<Index>(12));
    QCOMPARE(parse_index("+3"), std::optional<Index>(3));
    QCOMPARE(parse_index("-3"), std::optional<Index>(-3));
    for (const char* bad : {"", " ", "1.5", "0x10", "1 2", "12a", "9223372036854775808", "+-3", "++3", "--3"})
      QVERIFY2(!parse_index(bad), bad);
    QCOMPARE(parse_real("1e-3"), std::optional(1e-3));
    QCOMPARE(parse_real("inf"), std::optional(std::numeric_limits<double>::infinity()));
    for (const char* bad : {"", "1,5", "e5", "1e", "1.0f", "+-1", "1e999"}) QVERIFY2(!parse_real(bad), bad);
  }

  void counts_accept_suffixes_and_powers() {
    QCOMPARE(parse_count("2M"), std::optional<Index>(2097152));
    QCOMPARE(parse_count("4k"), std::optional<Index>(4096));
    QCOMPARE(parse_count("1.5K"), std::optional<Index>(1536));
    QCOMPARE(parse_count("1G"), std::optional<Index>(1073741824));
    QCOMPARE(parse_count("2^20"), std::optional<Index>(1048576));
    QCOMPARE(parse_count("1e6"), std::optional<Index>(1000000));
    QCOMPARE(parse_count(" 2_097_152 "), std::optional<Index>(2097152));
    QCOMPARE(parse_count("-1"), std::optional<Index>(-1));
    QCOMPARE(parse_count("9223372036854775807"), std::optional(std::numeric_limits<Index>::max()));
    for (const char* bad : {"", "k", "M2", "2m", "2kk", "1.5", "2^", "^2", "2^0.5", "_2", "2_", "2__0", "1_k", "1,000",
                            "1e30", "inf", "nan", "2^64"})
      QVERIFY2(!parse_count(bad), bad);
    QCOMPARE(parse_amount("0.5M"), std::optional(524288.0));
    QCOMPARE(parse_amount("2^0.5"), std::optional(std::pow(2.0, 0.5)));
  }

  void pieces() {
    COMPARE_TEXT(trimmed(" \t a b\r\n"), "a b");
    COMPARE_TEXT(trimmed(" \t"), "");
    using Parts = std::vector<std::string_view>;
    QVERIFY((split("a,b,,c", ',') == Parts{"a", "b", "", "c"}));
    QVERIFY((split("", ',') == Parts{""}));
    QVERIFY((split(",", ',') == Parts{"", ""}));
    const std::vector<std::string> parts{"a", "b", "c"};
    COMPARE_TEXT(join(parts, ", "), "a, b, c");
    COMPARE_TEXT(join({}, ", "), "");
  }

  void near_names() {
    const std::vector<std::string> known{"default", "linear", "dynamic", "yarn", "llama3", "max_distance"};
    QVERIFY(nearest_name("linaer", known) == "linear");
    QVERIFY(nearest_name("distance", known) == "max_distance");
    QVERIFY(nearest_name("yran", known) == "yarn");
    QVERIFY(!nearest_name("completely_different", known));
    QVERIFY(nearest_name("lnear", known) == "linear");
    QVERIFY(nearest_name("dynmaci", known) == "dynamic");
    QVERIFY(!nearest_name("lunar", known));
    QVERIFY(!nearest_name("x", {}));
    COMPARE_TEXT(did_you_mean("lama3", known), "; did you mean llama3?");
    COMPARE_TEXT(did_you_mean("qqqqqqqq", known), "");
    const std::vector<std::string> options{"--cols", "--rows", "--colour-map"};
    COMPARE_TEXT(did_you_mean("--bogus", options), "");
    COMPARE_TEXT(did_you_mean("--rwos", options), "; did you mean --rows?");
    COMPARE_TEXT(did_you_mean("-cols", options), "; did you mean --cols?");
    COMPARE_TEXT(did_you_mean("--", options), "");
  }

  void words_of_a_shell() {
    COMPARE_TEXT(shell_word("1,2,3"), "1,2,3");
    COMPARE_TEXT(shell_word(""), "");
    COMPARE_TEXT(shell_word("a b"), "'a b'");
    COMPARE_TEXT(shell_word("it's"), "'it'\\''s'");
  }

  void items_are_listed() {
    COMPARE_TEXT(listed(std::vector<std::string>()), "");
    COMPARE_TEXT(listed(std::vector<std::string>{"a"}), "a");
    COMPARE_TEXT(listed(std::vector<std::string>{"a", "b"}), "a and b");
    COMPARE_TEXT(listed(std::vector<std::string>{"a", "b", "c"}), "a, b and c");
  }
};

VQSCOPE_TEST(TextTest)
#include "text_test.moc"
