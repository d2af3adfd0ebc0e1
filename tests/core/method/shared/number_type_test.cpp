// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shared/number_type.h"

#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double in(const char* type, double value) { return number_type(type).rounded(value); }

/// A double of any exponent that a float has, subnormals included, and some beyond.
double any_double(Random& random) {
  const double significand = 1 + static_cast<double>(pick(random, 0, (Index{1} << 52) - 1)) * 0x1p-52;
  return std::ldexp(pick(random, 0, 1) ? significand : -significand, static_cast<int>(pick(random, -152, 129)));
}

/// bfloat16 of a float by its bits: the definition that hardware has.
double bfloat16_of(float value) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  bits += 0x7fff + ((bits >> 16) & 1);
  return static_cast<double>(std::bit_cast<float>(bits & 0xffff0000U));
}

}  // namespace

class NumberTypeTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void whole_numbers_by_hand() {
    QCOMPARE(in("bfloat16", 256), 256.0);
    QCOMPARE(in("bfloat16", 257), 256.0);  // halfway to 258, and 256 is even
    QCOMPARE(in("bfloat16", 259), 260.0);
    QCOMPARE(in("float16", 2049), 2048.0);
    QCOMPARE(in("float16", -2051), -2052.0);
    QCOMPARE(in("float32", 16777217), 16777216.0);
    QCOMPARE(in("float64", 1e300), 1e300);
  }

  void the_ends_of_float16() {
    QCOMPARE(in("float16", 65519), 65504.0);
    QCOMPARE(in("float16", 65520), infinity);
    QCOMPARE(in("float16", -1e9), -infinity);
    QCOMPARE(in("float16", 0x1p-25), 0.0);  // halfway between 0 and the smallest
    QCOMPARE(in("float16", 0x1.8p-25), 0x1p-24);
    QCOMPARE(in("float16", 0), 0.0);
    QVERIFY(std::isnan(in("float16", std::numeric_limits<double>::quiet_NaN())));
  }

  void float32_agrees_with_the_processor() {
    Random random(3);
    for (int i = 0; i < 20000; ++i) {
      const double value = any_double(random);
      // Beyond the largest float the conversion is undefined in C++; there it is infinite.
      const double wanted = std::abs(value) < 0x1.ffffffp127 ? static_cast<double>(static_cast<float>(value))
                                                             : std::copysign(infinity, value);
      QCOMPARE(in("float32", value), wanted);
    }
  }

  void bfloat16_of_floats_by_their_bits() {
    Random random(4);
    for (int i = 0; i < 20000; ++i) {
      const double value = in("float32", any_double(random));
      if (!std::isfinite(value)) continue;
      QCOMPARE(in("bfloat16", value), bfloat16_of(static_cast<float>(value)));
    }
  }

  void units_and_collisions() {
    QCOMPARE(number_type("bfloat16").first_collision(), 257.0);
    QCOMPARE(number_type("float16").first_collision(), 2049.0);
    QCOMPARE(number_type("float32").first_collision(), 16777217.0);
    for (const auto& type : number_types()) QVERIFY(std::abs(type.rounded(1.3) - 1.3) <= type.unit() * 1.3);
  }
};

VQSCOPE_TEST(NumberTypeTest)
#include "number_type_test.moc"
