// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/number_text.h"

#include "core/base/text.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <bit>

using namespace vqscope;

namespace {

template <class T>
std::string text_of(T value) {
  TextBuffer text;
  text.append_number(value);
  return text.take();
}

class FullSink : public ByteSink {
 public:
  Result<void> write(std::string_view) override { return Error{Errc::io, "the disk is full"}; }
};

}  // namespace

class NumberTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void whole_numbers_of_every_type() {
    COMPARE_TEXT(text_of(0), "0");
    COMPARE_TEXT(text_of(std::int8_t{-128}), "-128");
    COMPARE_TEXT(text_of(std::uint8_t{255}), "255");
    COMPARE_TEXT(text_of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
    COMPARE_TEXT(text_of(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  }

  /// The shortest decimal of a float is not that of the double beside it: 0.1F is
  /// 0.100000001490116.
  void reals_are_as_short_as_their_type_allows() {
    COMPARE_TEXT(text_of(0.1F), "0.1");
    COMPARE_TEXT(text_of(0.1), "0.1");
    COMPARE_TEXT(text_of(static_cast<double>(0.1F)), "0.10000000149011612");
    COMPARE_TEXT(text_of(1.0F / 3), "0.33333334");
    COMPARE_TEXT(text_of(1e-7), "1e-07");
    COMPARE_TEXT(text_of(std::numeric_limits<double>::denorm_min()), "5e-324");
  }

  /// 2^24 and 2^53: from there on the type has no odd numbers, and the digits that stand there
  /// would be made up.
  void whole_reals_stand_without_an_exponent_as_far_as_they_count() {
    COMPARE_TEXT(text_of(100000.0), "100000");
    COMPARE_TEXT(text_of(-3000000.0F), "-3000000");
    COMPARE_TEXT(text_of(16777215.0F), "16777215");
    COMPARE_TEXT(text_of(0x1p53 - 1), "9007199254740991");
    COMPARE_TEXT(text_of(1e15), "1000000000000000");
    COMPARE_TEXT(text_of(1e22), "1e+22");
    COMPARE_TEXT(text_of(1e10F), "1e+10");
  }

  void zeros_keep_their_sign() {
    COMPARE_TEXT(text_of(0.0), "0");
    COMPARE_TEXT(text_of(-0.0), "-0");
    COMPARE_TEXT(text_of(-0.0F), "-0");
  }

  void nan_and_infinity() {
    COMPARE_TEXT(text_of(std::nan("")), "nan");
    COMPARE_TEXT(text_of(-std::nan("")), "nan");
    COMPARE_TEXT(text_of(std::numeric_limits<double>::infinity()), "inf");
    COMPARE_TEXT(text_of(-std::numeric_limits<float>::infinity()), "-inf");
  }

  void any_real_reads_back_and_fits() {
    test::Random random(3);
    for (int i = 0; i < 50'000; ++i) {
      const auto value = std::bit_cast<double>((std::uint64_t{random()} << 32) | random());
      if (!std::isfinite(value)) continue;
      const std::string text = text_of(value);
      QVERIFY2(parse_real(text) == value, text.c_str());
      QVERIFY2(text.size() <= max_number_chars, text.c_str());
    }
    QVERIFY(text_of(-std::numeric_limits<double>::min()).size() <= max_number_chars);
  }

  void a_buffer_is_full_at_64_kib() {
    TextBuffer text;
    text.append(std::string(65'535, 'x'));
    QVERIFY(!text.full());
    text.append('\n');
    QVERIFY(text.full());
    QCOMPARE(text.view().size(), std::size_t{65'536});
  }

  void flushing_empties_the_buffer() {
    TextBuffer text;
    StringSink sink;
    text.append("a,");
    QVERIFY(text.flush(sink));
    text.append_number(1.5);
    QVERIFY(text.flush(sink));
    QVERIFY(text.flush(sink));
    COMPARE_TEXT(sink.text(), "a,1.5");
    QVERIFY(text.view().empty());
  }

  void sink_failure_is_reported() {
    TextBuffer text;
    FullSink sink;
    text.append("a");
    COMPARE_ERROR(text.flush(sink), "the disk is full");
  }
};

VQSCOPE_TEST(NumberTextTest)
#include "number_text_test.moc"
