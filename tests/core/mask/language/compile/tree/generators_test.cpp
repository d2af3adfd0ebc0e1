// SPDX-License-Identifier: GPL-3.0-or-later
// Lists that are made item by item: comprehensions, ranges, sums, folds.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

class GeneratorsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cells_by_hand() {
    const std::vector<RuledText> all{
        {"return any(kv_idx == q_idx - i for i in range(3))", [](Index q, Index kv) { return kv <= q && q - kv < 3; }},
        {"return all([kv_idx != i for i in range(0, 9, 2)])", [](Index, Index kv) { return kv > 8 || kv % 2 == 1; }},
        {"return any([a <= kv_idx < e for a, e in [(0, 2), (4, 5)]])",
         [](Index, Index kv) { return kv < 2 || kv == 4; }},
        {"return sum(kv_idx > i for i in range(4)) <= q_idx",
         [](Index q, Index kv) { return std::min<Index>(kv, 4) <= q; }},
        {"x = [i * j for i in range(3) for j in range(i)]\n"
         "return (len(x) == 3) & (sum(x) == 2) & (kv_idx <= q_idx)",
         [](Index q, Index kv) { return kv <= q; }},
        {"x = [i for i in range(10) if i % 3 == 1 if i > 1]\n"
         "return (kv_idx == x[0]) | (kv_idx == x[-1])",
         [](Index, Index kv) { return kv == 4 || kv == 7; }},
        {"d = {i: i * i for i in range(4)}\n"
         "return kv_idx < d[2]",
         [](Index, Index kv) { return kv < 4; }},
        {"return kv_idx in {i % 3 for i in range(8)}", [](Index, Index kv) { return kv < 3; }},
        {"return kv_idx in [*range(2), q_idx, *(5, 6)]",
         [](Index q, Index kv) { return kv < 2 || kv == q || kv == 5 || kv == 6; }},
        {"x = list(range(5, -1, -2))\n"
         "return (x[0] == 5) & (x[2] == 1) & (len(x) == 3) & (kv_idx < x[1])",
         [](Index, Index kv) { return kv < 3; }},
        {"x = [a - b for a, b in zip([5, 6, 7], [1, 2])]\n"
         "return (len(x) == 2) & (kv_idx < x[1])",
         [](Index, Index kv) { return kv < 4; }},
        {"x = [i * v for i, v in enumerate([7, 8, 9])]\n"
         "return kv_idx < x[1]",
         [](Index, Index kv) { return kv < 8; }},
        {"x = [i * v for i, v in enumerate([7, 8, 9], 1)]\n"
         "return kv_idx < x[0]",
         [](Index, Index kv) { return kv < 7; }},
        {"x = [v for v in reversed([1, 2, 3])]\n"
         "return kv_idx < x[0]",
         [](Index, Index kv) { return kv < 3; }},
        {"x = sorted([3, 1, 2])\n"
         "y = sorted([3, 1, 2], reverse=True)\n"
         "return (kv_idx < x[0]) | (q_idx == y[0])",
         [](Index q, Index kv) { return kv < 1 || q == 3; }},
        {"return reduce(lambda a, c: a * 2 + c, [1, 0, 1], 1) > q_idx + kv_idx",
         [](Index q, Index kv) { return 13 > q + kv; }},
        {"return min([q_idx, kv_idx, 3]) == max([kv_idx, 1])",
         [](Index q, Index kv) {
           return std::min({q, kv, Index{3}}) == std::max<Index>(kv, 1);
         }},
        {"x = 3 * [1]\n"
         "return kv_idx < len(x + [2] * 2)",
         [](Index, Index kv) { return kv < 5; }},
    };
    for (const auto& [text, rule] : all)
      for (const Index length : {1, 2, 5, 9}) COMPARE_TEXT(cells_of(text, length), cells_by(rule, length));
  }

  void a_comprehension_is_a_loop() {
    Random random(41);
    for (int i = 0; i < 12; ++i) {
      const Index first = pick(random, -4, 4), end = pick(random, -4, 8), length = pick(random, 1, 8);
      const Index step = pick(random, 1, 3) * (pick(random, 0, 1) == 0 ? -1 : 1);
      const std::string range = "range(" + to_text(first) + ", " + to_text(end) + ", " + to_text(step) + ")";
      const std::string wanted = cells_of(
          "n = 0\nfor i in " + range + ":\n    if i % 2 == 0:\n        n += i * kv_idx\nreturn n <= q_idx", length);
      COMPARE_TEXT(cells_of("return sum([i * kv_idx for i in " + range + " if i % 2 == 0]) <= q_idx", length), wanted);
      // By the definition of range.
      const auto rule = [&](Index q, Index kv) {
        Index sum = 0;
        for (Index at = first; step > 0 ? at < end : at > end; at += step) sum += at % 2 == 0 ? at * kv : 0;
        return sum <= q;
      };
      COMPARE_TEXT(wanted, cells_by(rule, length));
    }
  }

  void of_no_items() {
    for (const char* text : {"all([])", "not any([])", "sum([]) == 0", "len(range(3, 3)) == 0", "len(range(3, 1)) == 0",
                             "len(list(zip())) == 0", "len([*()]) == 0", "reduce(lambda a, c: a, [], 4) == 4"})
      COMPARE_TEXT(cells_of(std::string("return ") + text, 1), "1");
  }

  /// A name of a comprehension does not reach the text around it.
  void comprehension_names_are_local() {
    COMPARE_TEXT(cells_of("i = 7\nx = [i for i in range(3)]\nreturn i == 7", 1), "1");
    COMPARE_TEXT(cells_of("for i in range(3):\n    pass\nreturn i == 2", 1), "1");
  }

  void lists_that_are_too_long_are_refused() {
    COMPARE_TEXT(error_of("x = range(30000)\nreturn len(x) > q_idx"),
                 "the mask has more than 20000 operations after its functions are expanded");
  }

  void bad_generators_are_errors() {
    COMPARE_TEXT(placed_error("return sum([i for i in q_idx]) == 1"),
                 "line 1, column 24: a list, a tuple, an array or a range is needed here, of known length");
    COMPARE_TEXT(placed_error("return len([i for i in range(3) if i < q_idx]) == 1"),
                 "line 1, column 36: this if must be known before any cell is evaluated");
    COMPARE_TEXT(placed_error("return len(range(q_idx)) == 1"),
                 "line 1, column 18: a range needs integers that are known before any cell is evaluated");
    COMPARE_TEXT(placed_error("return len(range()) == 1"), "line 1, column 12: range takes one to three integers");
    COMPARE_TEXT(placed_error("return len(range(1, 5, 0)) == 1"),
                 "line 1, column 12: the step of a range must not be 0");
    COMPARE_TEXT(placed_error("return len(range(1000000000)) == 1"),
                 "line 1, column 12: the mask has more than 20000 operations after its functions are expanded");
    COMPARE_TEXT(placed_error("return reduce(lambda a, b: a, 3) == 1"),
                 "line 1, column 8: reduce takes a function, a list and, if need be, a first value");
    COMPARE_TEXT(placed_error("return reduce(lambda a, b: a, []) == 1"),
                 "line 1, column 8: reduce of an empty list has no value");
    COMPARE_TEXT(placed_error("return sum(None) == 1"), "line 1, column 8: sum takes one list");
    COMPARE_TEXT(placed_error("return sorted([q_idx]) == 1"),
                 "line 1, column 8: an integer is needed here that is known before any cell is evaluated");
    COMPARE_TEXT(placed_error("return sorted() == 1"), "line 1, column 8: sorted takes 1 value, found 0");
    COMPARE_TEXT(placed_error("return {i: 1 for i in [1]}[2] == 1"),
                 "line 1, column 28: this dictionary has no key 2; it has 1");
    COMPARE_TEXT(placed_error("return dict([1, 2]) == 1"),
                 "line 1, column 13: a dictionary must be made of pairs (key, value)");
    COMPARE_TEXT(placed_error("return any(x == 1 for x in unknown)"),
                 "line 1, column 28: unknown has no values yet; give them, as an array");
  }
};

VQSCOPE_TEST(GeneratorsTest)
#include "generators_test.moc"
