// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/json_text.h"

#include "core/base/index.h"
#include "core/io/json/json_reader.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;

namespace {

template <class T>
std::string written(T value) {
  TextBuffer text;
  append_json(text, value);
  return text.take();
}

}  // namespace

class JsonTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void texts_stand_in_quotes() {
    COMPARE_TEXT(json_text(""), "\"\"");
    COMPARE_TEXT(json_text("q_idx"), "\"q_idx\"");
    COMPARE_TEXT(json_text("über ∧ 😀"), "\"über ∧ 😀\"");
  }

  /// RFC 8259, section 7: quotes, backslashes and what is below U+0020 must be escaped; / and
  /// U+007F need not be.
  void required_characters_are_escaped() {
    COMPARE_TEXT(json_text("a \"b\" \\ /"), "\"a \\\"b\\\" \\\\ /\"");
    COMPARE_TEXT(json_text("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"");
    COMPARE_TEXT(json_text(std::string_view("\0\x01\x1f\x7f", 4)), "\"\\u0000\\u0001\\u001f\x7f\"");
  }

  /// Python's surrogateescape: byte 0xNN is U+DCNN.
  void bytes_that_are_no_text_are_lone_surrogates() {
    COMPARE_TEXT(json_text("k\xff.npy"), "\"k\\udcff.npy\"");
    COMPARE_TEXT(json_text("\x80"), "\"\\udc80\"");
    COMPARE_TEXT(json_text("\xc3(\xc3\xbc"), "\"\\udcc3(ü\"");
    COMPARE_TEXT(json_text("\xed\xa0\x80"), "\"\\udced\\udca0\\udc80\"");
  }

  void any_bytes_read_back() {
    test::Random random(11);
    for (int i = 0; i < 2'000; ++i) {
      std::string bytes;
      for (Index n = test::pick(random, 0, 12); n > 0; --n) bytes += static_cast<char>(test::pick(random, 0, 255));
      const std::string text = json_text(bytes);
      const auto read = read_json(text);
      QVERIFY2(read && read->text() && *read->text() == bytes, text.c_str());
    }
  }

  void numbers() {
    COMPARE_TEXT(json_number(0.1), "0.1");
    COMPARE_TEXT(json_number(500000), "500000");
    COMPARE_TEXT(json_number(-0.0), "-0");
    COMPARE_TEXT(written(0.1F), "0.1");
    COMPARE_TEXT(written(Index{-7}), "-7");
    COMPARE_TEXT(written(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  }

  void nan_and_infinity_are_null() {
    COMPARE_TEXT(json_number(std::nan("")), "null");
    COMPARE_TEXT(json_number(std::numeric_limits<double>::infinity()), "null");
    COMPARE_TEXT(written(-std::numeric_limits<float>::infinity()), "null");
  }

  void texts_follow_each_other_in_a_buffer() {
    TextBuffer text;
    append_json(text, std::string_view("a"));
    text.append(':');
    append_json(text, 2);
    COMPARE_TEXT(text.view(), "\"a\":2");
  }
};

VQSCOPE_TEST(JsonTextTest)
#include "json_text_test.moc"
