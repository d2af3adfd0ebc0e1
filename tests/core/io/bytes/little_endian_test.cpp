// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/byte_source.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <limits>
#include <string>

using namespace vqscope;

class LittleEndianTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void the_lowest_byte_comes_first() {
    QCOMPARE(little_endian(""), std::uint64_t{0});
    QCOMPARE(little_endian("\x05"), std::uint64_t{5});
    QCOMPARE(little_endian(std::string_view("\x01\x02", 2)), std::uint64_t{0x0201});
    QCOMPARE(little_endian(std::string_view("\0\0\x01", 3)), std::uint64_t{65536});
    QCOMPARE(little_endian("\x01\x02\x03\x04\x05\x06\x07\x08"), std::uint64_t{0x0807060504030201});
  }

  /// A char of 0x80 or more is negative where chars are signed.
  void bytes_are_unsigned() {
    QCOMPARE(little_endian("\xff"), std::uint64_t{255});
    QCOMPARE(little_endian(std::string_view("\x80\x80", 2)), std::uint64_t{0x8080});
    QCOMPARE(little_endian(std::string(8, '\xff')), std::numeric_limits<std::uint64_t>::max());
  }

  void bytes_round_trip() {
    for (std::uint64_t number = 1; number != 0; number <<= 1) {
      std::string bytes;
      for (int i = 0; i < 8; ++i) bytes += static_cast<char>((number - 1) >> (8 * i) & 255);
      QCOMPARE(little_endian(bytes), number - 1);
    }
  }
};

VQSCOPE_TEST(LittleEndianTest)
#include "little_endian_test.moc"
