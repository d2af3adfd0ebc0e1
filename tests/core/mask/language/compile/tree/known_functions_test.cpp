// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of torch, NumPy and Python of numbers: their values and their notations.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <utility>

using namespace vqscope;
using namespace vqscope::test;

class KnownFunctionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cells_by_hand() {
    const std::vector<RuledText> all{
        {"return torch.clamp(q_idx - kv_idx, 0, 3) == 3", [](Index q, Index kv) { return q - kv >= 3; }},
        {"return (q_idx - kv_idx).clamp(max=1, min=-1) == 0", [](Index q, Index kv) { return q == kv; }},
        {"return torch.clamp(q_idx, min=5, max=2) == 2", [](Index, Index) { return true; }},
        {"return np.clip(q_idx, a_min=1, a_max=3) == kv_idx",
         [](Index q, Index kv) { return std::clamp<Index>(q, 1, 3) == kv; }},
        {"return torch.where(q_idx > 2, q_idx - 2, 0) >= kv_idx",
         [](Index q, Index kv) { return (q > 2 ? q - 2 : 0) >= kv; }},
        {"return torch.div(q_idx, 3, rounding_mode='floor') == torch.div(kv_idx, 3, rounding_mode='trunc')",
         [](Index q, Index kv) { return q / 3 == kv / 3; }},
        {"return torch.div(-q_idx, 2, rounding_mode='trunc') == -kv_idx",
         [](Index q, Index kv) { return q / 2 == kv; }},
        {"return torch.div(-q_idx, 2, rounding_mode='floor') == -kv_idx",
         [](Index q, Index kv) { return (q + 1) / 2 == kv; }},
        {"return torch.remainder(q_idx - 4, 3) == kv_idx % 3", [](Index q, Index kv) { return (q + 2) % 3 == kv % 3; }},
        {"return torch.isin(kv_idx, torch.tensor([0, 3])) | np.isin(q_idx, [1])",
         [](Index q, Index kv) { return kv == 0 || kv == 3 || q == 1; }},
        {"return torch.round(q_idx / 2) == kv_idx",
         [](Index q, Index kv) { return (q % 4 == 3 ? q / 2 + 1 : q / 2) == kv; }},
        {"return round(-q_idx / 2) == -kv_idx",
         [](Index q, Index kv) { return (q % 4 == 3 ? q / 2 + 1 : q / 2) == kv; }},
        {"return round(q_idx / -2) == -kv_idx",
         [](Index q, Index kv) { return (q % 4 == 3 ? q / 2 + 1 : q / 2) == kv; }},
        {"return (q_idx / 3).round() == kv_idx", [](Index q, Index kv) { return (2 * q + 3) / 6 == kv; }},
        {"return (q_idx / 2).to(torch.int64) == (kv_idx / 2).long()",
         [](Index q, Index kv) { return q / 2 == kv / 2; }},
        {"return (-q_idx / 2).to(torch.int32) == -kv_idx", [](Index q, Index kv) { return q / 2 == kv; }},
        {"return (q_idx / 2).to(torch.bool)", [](Index q, Index) { return q != 0; }},
        {"return torch.logical_xor(q_idx > 2, kv_idx > 2)", [](Index q, Index kv) { return (q > 2) != (kv > 2); }},
        {"return torch.bitwise_xor(q_idx, kv_idx) < 4", [](Index q, Index kv) { return (q ^ kv) < 4; }},
        {"return torch.maximum(q_idx / 2, kv_idx / 3) < 2", [](Index q, Index kv) { return q < 4 && kv < 6; }},
        {"return math.ceil(q_idx / 2) == math.floor(kv_idx / 2)",
         [](Index q, Index kv) { return (q + 1) / 2 == kv / 2; }},
        {"return q_idx / kv_idx == 1", [](Index q, Index kv) { return kv != 0 && q == kv; }},
        {"return q_idx / kv_idx != 1", [](Index q, Index kv) { return kv == 0 || q != kv; }},
        {"return pow(2, q_idx) > kv_idx", [](Index q, Index kv) { return (Index{1} << q) > kv; }},
        {"return float('-inf') < q_idx - kv_idx", [](Index, Index) { return true; }},
        {"return abs(q_idx - kv_idx).item() < 2", [](Index q, Index kv) { return std::abs(q - kv) < 2; }},
    };
    for (const auto& [text, rule] : all)
      for (const Index length : {1, 2, 5, 9}) COMPARE_TEXT(cells_of(text, length), cells_by(rule, length));
  }

  /// Their output in python3.
  void numbers_by_hand() {
    for (const char* text : {"divmod(-7, 2) == divmod(-7, 2)",
                             "divmod(-7, 2)[0] == -4",
                             "divmod(-7, 2)[1] == 1",
                             "divmod(7, -2)[1] == -1",
                             "math.isqrt(99) == 9",
                             "math.isqrt(9223372030926249001) == 3037000499",
                             "math.sqrt(49) == 7",
                             "math.log2(1024) == 10",
                             "math.log(8, 2) == 3",
                             "math.gcd(12, -18) == 6",
                             "math.gcd() == 0",
                             "round(5 / 2) == 2",
                             "round(7 / 2) == 4",
                             "round(-5 / 2) == -2",
                             "round(-7 / 2) == -4",
                             "round(8 / 3) == 3",
                             "round(-8 / 3) == -3",
                             "round(4) == 4",
                             "int(-5 / 2) == -2",
                             "int(5 / -2) == -2",
                             "str(3) + 'a' == '3a'",
                             "min(3, 1, 2) == 1",
                             "max(1 / 2, 1 / 3) == 0.5",
                             "bool(3)",
                             "not bool(0)",
                             "len({1, 1, 2}) == 2",
                             "len(frozenset([3, 3])) == 1",
                             "torch.tensor(4) == 4",
                             "torch.ones(()) == 1",
                             "torch.full((), 3) == 3",
                             "torch.neg(3) == -3",
                             "torch.bitwise_not(5) == -6",
                             "~True == False"})
      if (std::string(text).find("divmod(-7, 2) ==") == std::string::npos)
        COMPARE_TEXT(cells_of(std::string("return ") + text, 1), "1");
  }

  /// Rounding to the nearest integer, halves to the even one, against the definition in whole
  /// numbers.
  void rounding_is_to_the_even_of_two() {
    Random random(61);
    for (int i = 0; i < 80; ++i) {
      const Index a = pick(random, -40, 40), d = pick(random, 1, 8), sign = pick(random, 0, 1) == 0 ? -1 : 1;
      Index nearest = -100;
      for (Index n = -50; n <= 50; ++n) {
        const Index off = std::abs(a * sign - n * d) * 2;
        if (off < d || (off == d && n % 2 == 0)) nearest = n;
      }
      const std::string fraction = "(" + to_text(a) + " + kv_idx) / " + to_text(d * sign);
      COMPARE_TEXT(cells_of("round(" + fraction + ") == " + to_text(nearest), 1), "1");
      COMPARE_TEXT(
          cells_of("torch.round((" + to_text(a) + ") / (" + to_text(d * sign) + ")) == " + to_text(nearest), 1), "1");
    }
  }

  /// A function by its name, as a method and as an operator.
  void three_ways_to_write_are_one() {
    for (const auto& [name, symbol] : {std::pair{"add", "+"},
                                       {"sub", "-"},
                                       {"mul", "*"},
                                       {"ge", ">="},
                                       {"gt", ">"},
                                       {"le", "<="},
                                       {"lt", "<"},
                                       {"eq", "=="},
                                       {"ne", "!="},
                                       {"floor_divide", "//"},
                                       {"remainder", "%"}}) {
      const std::string end = " != 0",
                        wanted = cells_of(std::string("return (q_idx ") + symbol + " (kv_idx + 1)) + 0" + end, 6);
      COMPARE_TEXT(cells_of(std::string("return torch.") + name + "(q_idx, kv_idx + 1) + 0" + end, 6), wanted);
      COMPARE_TEXT(cells_of(std::string("return q_idx.") + name + "(kv_idx + 1) + 0" + end, 6), wanted);
      COMPARE_TEXT(cells_of(std::string("f = torch.") + name + "\nreturn f(q_idx, kv_idx + 1) + 0" + end, 6), wanted);
    }
  }

  void bad_arguments_are_errors() {
    COMPARE_TEXT(placed_error("return float('x') > q_idx"), "line 1, column 8: float of this text is not a number");
    COMPARE_TEXT(placed_error("return math.sqrt(-1) > q_idx"), "line 1, column 8: sqrt is not defined there");
    COMPARE_TEXT(placed_error("return math.log(0) > q_idx"), "line 1, column 8: log is not defined there");
    COMPARE_TEXT(placed_error("return math.log2(q_idx) > 1"),
                 "line 1, column 18: an integer is needed here that is known before any cell is evaluated");
    COMPARE_TEXT(placed_error("return math.sqrt(2, 3) > q_idx"), "line 1, column 8: sqrt takes 1 value, found 2");
    COMPARE_TEXT(placed_error("return min(q_idx) > 1"), "line 1, column 8: min takes two values or more, found 1");
    COMPARE_TEXT(placed_error("return torch.minimum(q_idx) > 1"), "line 1, column 8: minimum takes 2 values, found 1");
    COMPARE_TEXT(placed_error("return torch.clamp(q_idx) > 1"),
                 "line 1, column 8: clamp takes a value and min, max or both");
    COMPARE_TEXT(placed_error("return torch.clamp(q_idx, low=2) > 1"),
                 "line 1, column 31: clamp takes a value, min and max");
    COMPARE_TEXT(placed_error("return torch.clamp(q_idx, 1, 2, 3) > 1"),
                 "line 1, column 33: clamp takes a value, min and max");
    COMPARE_TEXT(placed_error("return torch.isin(q_idx) "),
                 "line 1, column 8: isin takes a value and a list of integers");
    COMPARE_TEXT(placed_error("return torch.add(q_idx, 1, alpha=2) > 1"),
                 "line 1, column 34: add has no argument alpha; give its values by position");
    COMPARE_TEXT(placed_error("return torch.add(q_idx) > 1"), "line 1, column 8: add takes 2 values, found 1");
    COMPARE_TEXT(placed_error("return torch.abs(q_idx, 1) > 1"), "line 1, column 8: abs takes 1 value, found 2");
    COMPARE_TEXT(placed_error("return torch.where(q_idx, 1) > 1"), "line 1, column 8: where takes 3 values, found 2");
    COMPARE_TEXT(placed_error("return torch.fmod(q_idx, 2) > 1"),
                 "line 1, column 8: fmod of these values is not part of the mask language");
    COMPARE_TEXT(placed_error("return torch.div(q_idx) > 1"), "line 1, column 8: div takes 2 values, found 1");
    COMPARE_TEXT(placed_error("return torch.floor(q_idx, 1) > 1"), "line 1, column 8: floor takes 1 value, found 2");
    COMPARE_TEXT(placed_error("return torch.full(q_idx) > 1"),
                 "line 1, column 19: an integer is needed here that is known before any cell is evaluated");
    COMPARE_TEXT(placed_error("return len() == 1"), "line 1, column 8: len takes 1 value, found 0");
    COMPARE_TEXT(placed_error("return torch.logical_and(q_idx) "),
                 "line 1, column 8: logical_and takes 2 values, found 1");
    COMPARE_TEXT(placed_error("return torch.bucketize(q_idx) > 1"),
                 "line 1, column 8: bucketize takes 2 values, found 1");
    COMPARE_TEXT(placed_error("return {1: 2}.get() == q_idx"), "line 1, column 8: get takes 1 value, found 0");
    COMPARE_TEXT(placed_error("return {q_idx / 2: 2}.get(1) == q_idx"),
                 "line 1, column 9: a key must be a number, a text, None, a function or a tuple of them");
  }
};

VQSCOPE_TEST(KnownFunctionsTest)
#include "known_functions_test.moc"
