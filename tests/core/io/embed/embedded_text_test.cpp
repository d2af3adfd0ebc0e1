// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/embed/embedded_text.h"

#include "core/io/embed/base64.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

constexpr std::uint64_t most = 1 << 20;

std::string found(std::string_view bytes) {
  const auto text = find_embedded_text(bytes, most);
  return !text ? text.error().message : text->value_or("none");
}

}  // namespace

class EmbeddedTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// RFC 4648, 10.
  void base64_of_the_standard() {
    const std::pair<std::string, std::string> all[]{
        {"", ""},        {"f", "Zg=="},

        {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : all) {
      COMPARE_TEXT(to_base64(bytes), text);
      QVERIFY(is_base64(text));
      COMPARE_TEXT(from_base64(text), bytes);
    }
    for (const char* wrong : {"Zg", "Zg=", "Z===", "Zm 8", "Zm8=Zm8=", "====", "<b>="})
      QVERIFY2(!is_base64(wrong), wrong);
  }

  void any_text_is_found_in_any_file() {
    test::Random random(7);
    for (const std::size_t size : {0U, 1U, 2U, 3U, 1000U, 200'000U}) {
      std::string text(size, '\0');
      for (char& c : text) c = static_cast<char>(random() & 255);
      const std::string marked = embedded_text(text);
      QVERIFY(marked.find_first_of("<>&\"'\\ \n") == std::string::npos);
      QVERIFY(found("<!DOCTYPE html><!-- " + marked + " -->") == text);
      QVERIFY(found(std::string("\x89PNG\0", 5) + marked) == text);
    }
  }

  void the_last_one_counts_and_prose_about_it_does_not() {
    COMPARE_TEXT(found(""), "none");
    COMPARE_TEXT(found("vqscope-session:"), "none");
    COMPARE_TEXT(found("vqscope-session:12:<script>;"), "none");
    COMPARE_TEXT(found(embedded_text("first") + embedded_text("second") + " vqscope-session:5 is how it begins"),
                 "second");
  }

  void what_is_damaged_or_too_large_is_refused() {
    const std::string text(10'000, 'a');
    std::string marked = embedded_text(text);
    QVERIFY(!find_embedded_text(marked, 9'999));
    COMPARE_TEXT(find_embedded_text(marked, 9'999).error().message,
                 "holds a session of 10000 bytes, the limit is 9999");
    COMPARE_TEXT(found("vqscope-session:999999:AAAA;"), "holds a session of 999999 bytes, the limit is 3096");
    marked.replace(marked.find("10000"), 5, "20000");
    COMPARE_TEXT(found(marked),
                 "holds a session that is cut short: its deflated bytes end before the 20000 that it should have");
  }
};

VQSCOPE_TEST(EmbeddedTextTest)
#include "embedded_text_test.moc"
