// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip/inflated.h"

#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string part(const InflatedSource& source, std::uint64_t offset, std::size_t count) {
  std::string bytes(count, '?');
  return source.read(offset, bytes) ? bytes : "an error";
}

/// Bytes that deflate cannot make much shorter, and some that it can.
std::string mixed(std::size_t size) {
  Random random(5);
  std::string bytes(size, 'a');
  for (std::size_t i = 0; i < size; ++i)
    if (i / 4096 % 2 == 0) bytes[i] = static_cast<char>(random() & 255);
  return bytes;
}

}  // namespace

class InflatedTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// RFC 1951, 3.2.4: a last block that is stored: its length, the complement of that, and the
  /// bytes.
  void a_stored_block_by_hand() {
    const InflatedSource source(source_of(std::string("\x01\x03\x00\xfc\xff", 5) + "abc"), 3);
    QCOMPARE(source.size(), std::uint64_t{3});
    COMPARE_TEXT(part(source, 0, 3), "abc");
    COMPARE_TEXT(part(source, 1, 1), "b");
  }

  /// 600 kB are more than two windows of 256 KiB: what is behind them is inflated anew, once.
  void parts_in_any_order() {
    const std::string bytes = mixed(600'000);
    const InflatedSource source(source_of(deflated(bytes)), bytes.size());
    for (const std::size_t offset : {0U, 262'143U, 262'144U, 262'143U, 599'990U, 5U, 300'000U, 0U})
      QVERIFY2(part(source, offset, 10) == bytes.substr(offset, 10), std::to_string(offset).c_str());
    QVERIFY(part(source, 0, bytes.size()) == bytes);
    QVERIFY(part(source, bytes.size(), 0).empty());
  }

  void random_parts() {
    const std::string bytes = mixed(300'000);
    Random random(6);
    const InflatedSource source(source_of(deflated(bytes)), bytes.size());
    for (int i = 0; i < 300; ++i) {
      const auto begin = static_cast<std::size_t>(pick(random, 0, 300'000));
      const auto end = static_cast<std::size_t>(pick(random, static_cast<Index>(begin), 300'000));
      QVERIFY2(part(source, begin, end - begin) == bytes.substr(begin, end - begin), std::to_string(begin).c_str());
    }
  }

  /// One byte of deflated data may stand for a thousand: little goes in, much comes out.
  void a_thousand_bytes_of_one() {
    const std::string bytes(3'000'000, 'x');
    const std::string small = deflated(bytes);
    QVERIFY(small.size() < 4'000);
    const InflatedSource source(source_of(small), bytes.size());
    QVERIFY(part(source, 2'999'000, 1'000) == std::string(1'000, 'x'));
  }

  void missing_bytes_are_errors() {
    const InflatedSource source(source_of(deflated("abc")), 5);
    std::string out(5, '?');
    COMPARE_ERROR(source.read(0, out), "is cut short: its deflated bytes end before the 5 that it should have");
  }

  void deflated_bytes_that_end_early() {
    const std::string bytes = mixed(100'000);
    const std::string whole = deflated(bytes);
    for (const std::size_t kept : {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.size() - 100}) {
      const InflatedSource source(source_of(whole.substr(0, kept)), bytes.size());
      std::string out(bytes.size(), '?');
      COMPARE_ERROR(source.read(0, out), "is cut short: its deflated bytes end before the 100000 that it should have");
    }
  }

  /// Block type 3 is reserved; the complement of a stored length must be one.
  void bytes_that_are_no_deflate() {
    std::string out(3, '?');
    COMPARE_ERROR(InflatedSource(source_of("\x07zzzzz"), 3).read(0, out), "is damaged: invalid block type");
    COMPARE_ERROR(InflatedSource(source_of(std::string("\x01\x03\x00\xfc\xfe", 5) + "abc"), 3).read(0, out),
                  "is damaged: invalid stored block lengths");
  }

  void extra_bytes_are_ignored() {
    const InflatedSource source(source_of(deflated("abcdef")), 4);
    COMPARE_TEXT(part(source, 0, 4), "abcd");
  }
};

VQSCOPE_TEST(InflatedTest)
#include "inflated_test.moc"
