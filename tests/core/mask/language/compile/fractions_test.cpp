// SPDX-License-Identifier: GPL-3.0-or-later
// Fractions in mask texts: what / and numbers such as 0.5 come to, exactly.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/cells.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// a / b compared with c / d, by the definition: both multiplied by what they are divided by.
bool compared(const std::string& symbol, Index a, Index b, Index c, Index d) {
  const bool turned = (b < 0) != (d < 0);
  const Index left = turned ? c * b : a * d, right = turned ? a * d : c * b;
  if (symbol == "<") return left < right;
  if (symbol == "<=") return left <= right;
  if (symbol == ">") return left > right;
  if (symbol == ">=") return left >= right;
  return symbol == "==" ? left == right : left != right;
}

}  // namespace

class FractionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    COMPARE_TEXT(cells_of("kv_idx <= q_idx / 2", 4), "1000100011001100");
    COMPARE_TEXT(cells_of("kv_idx < q_idx * 0.5", 4), "0000100010001100");
    COMPARE_TEXT(cells_of("q_idx / 2 == kv_idx", 4), "1000000001000000");
    COMPARE_TEXT(cells_of("kv_idx >= 1.5", 4), "0011001100110011");
    COMPARE_TEXT(cells_of("int(q_idx / 2) == kv_idx", 4), "1000100001000100");
  }

  void rounding_by_hand() {
    for (const char* text : {"math.floor(-7 / 2) == -4", "math.ceil(-7 / 2) == -3", "math.trunc(-7 / 2) == -3",
                             "int(-7 / 2) == -3", "math.floor(7 / -2) == -4", "int(7 / 2) == 3", "7 / 2 // 1 == 3",
                             "7.5 % 2 == 1.5", "-0.25 + 0.75 == 0.5", "0.1 + 0.2 == 0.3", "abs(-1) / 2 == 0.5"})
      COMPARE_TEXT(truth_of(text), "1");
  }

  /// Each of two fractions of small integers against the definition, also where they are divided by
  /// negative numbers.
  void comparisons_are_exact() {
    Random random(3);
    for (const std::string symbol : {"<", "<=", ">", ">=", "==", "!="})
      for (int i = 0; i < 60; ++i) {
        const Index a = pick(random, -12, 12), c = pick(random, -12, 12);
        const Index b = pick(random, 1, 6), d = pick(random, 1, 6);
        const auto text = [&](Index numerator, Index denominator) {
          return "((" + std::to_string(numerator) + ") / " + std::to_string(denominator) + ")";
        };
        COMPARE_TEXT(truth_of(text(a, b) + " " + symbol + " " + text(c, d)), compared(symbol, a, b, c, d) ? "1" : "0");
        // One side by cell: kv_idx is 0.
        COMPARE_TEXT(
            truth_of("(kv_idx + (" + std::to_string(a) + ")) / " + std::to_string(b) + " " + symbol + " " + text(c, d)),
            compared(symbol, a, b, c, d) ? "1" : "0");
      }
  }

  void sums_and_products_are_exact() {
    Random random(5);
    for (int i = 0; i < 60; ++i) {
      const Index a = pick(random, -9, 9), b = pick(random, 1, 9), c = pick(random, -9, 9), d = pick(random, 1, 9);
      const std::string x = "((" + std::to_string(a) + ") / " + std::to_string(b) + ")";
      const std::string y = "((" + std::to_string(c) + ") / " + std::to_string(d) + ")";
      const auto is = [&](const std::string& symbol, Index numerator) {
        COMPARE_TEXT(
            truth_of(x + " " + symbol + " " + y + " == (" + std::to_string(numerator) + ") / " + std::to_string(b * d)),
            "1");
      };
      is("+", a * d + c * b);
      is("-", a * d - c * b);
      is("*", a * c);
    }
  }

  void operations_that_refuse_fractions() {
    COMPARE_TEXT(error_of("q_idx / 2 & 1"), "& of a fraction is not part of the mask language");
    COMPARE_TEXT(error_of("kv_idx + q_idx / 2"),
                 "only a comparison or a rounding takes a fraction; write // to divide and round "
                 "down");
    COMPARE_TEXT(error_of("1 / q_idx <= 1 / kv_idx"),
                 "two fractions can be compared where both are divided by numbers; write it with //");
    COMPARE_TEXT(error_of("q_idx < 0.1234567890123456789"),
                 "0.1234567890123456789 has too many digits; 64 bits hold 18 of them");
  }
};

VQSCOPE_TEST(FractionsTest)
#include "fractions_test.moc"
