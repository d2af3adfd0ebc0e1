// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of a text: their arguments, closures, and those that are handed on.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/compile/tree/text_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <utility>
#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

bool causal_rule(Index q, Index kv) { return kv <= q; }

}  // namespace

class FunctionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arguments() {
    const std::string near = "def near(a, c, size=3, *, shift=0):\n  return a - c + shift < size\n";
    for (const TextCase& one : std::vector<TextCase>{
             {near + mask_of("return near(q_idx, kv_idx)"), [](Index q, Index kv) { return q - kv < 3; }},
             {near + mask_of("return near(q_idx, kv_idx, 5)"), [](Index q, Index kv) { return q - kv < 5; }},
             {near + mask_of("return near(c=kv_idx, a=q_idx, size=2)"), [](Index q, Index kv) { return q - kv < 2; }},
             {near + mask_of("return near(q_idx, kv_idx, shift=1)"), [](Index q, Index kv) { return q - kv < 2; }},
             {near + mask_of("given = (q_idx, kv_idx)\nreturn near(*given, size=4)"),
              [](Index q, Index kv) { return q - kv < 4; }},
             {near + mask_of("given = {'size': 1, 'shift': -1}\nreturn near(q_idx, kv_idx, **given)"),
              [](Index q, Index kv) { return q - kv < 2; }},
             {"def any_of(*tests):\n  found = False\n  for test in tests:\n    found = found | test\n  return found\n" +
                  mask_of("return any_of(kv_idx == 0, kv_idx == q_idx, q_idx == 4)"),
              [](Index q, Index kv) { return kv == 0 || kv == q || q == 4; }}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  void closures_and_factories() {
    for (const TextCase& one : std::vector<TextCase>{
             {"def window(size):\n  def near(b, h, q, kv):\n    return q - kv < size\n  return near\nmask = window(4)",
              [](Index q, Index kv) { return q - kv < 4; }},
             {"def window(size):\n  return lambda b, h, q, kv: abs(q - kv) <= size\nmask = window(size=2)",
              [](Index q, Index kv) { return std::abs(q - kv) <= 2; }},
             {"masks = [lambda b, h, q, kv, n=n: q - kv == n for n in (0, 2, 5)]\nmask = or_masks(*masks)",
              [](Index q, Index kv) { return q - kv == 0 || q - kv == 2 || q - kv == 5; }},
             {"def both(f, g):\n  def joined(b, h, q, kv):\n    return f(b, h, q, kv) & g(b, h, q, kv)\n  return "
              "joined\n"
              "mask = both(lambda b, h, q, kv: q >= kv, lambda b, h, q, kv: kv % 2 == 0)",
              [](Index q, Index kv) { return q >= kv && kv % 2 == 0; }},
             {"def outer(b, h, q_idx, kv_idx):\n  def inner(n):\n    return kv_idx + n\n  return inner(2) > q_idx",
              [](Index q, Index kv) { return kv + 2 > q; }},
             {"from functools import partial\ndef near(size, b, h, q, kv):\n  return q - kv < size\nmask = "
              "partial(near, "
              "3)",
              [](Index q, Index kv) { return q - kv < 3; }},
             {"mask = and_masks(lambda b, h, q, kv: q >= kv, or_masks(lambda b, h, q, kv: kv < 2, lambda b, h, q, kv: "
              "q - "
              "kv < 2))",
              [](Index q, Index kv) { return q >= kv && (kv < 2 || q - kv < 2); }}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  void functions_of_lists() {
    for (const TextCase& one : std::vector<TextCase>{
             {mask_of("return any(kv_idx == s for s in (0, 3))"), [](Index, Index kv) { return kv == 0 || kv == 3; }},
             {mask_of("return all(q_idx - kv_idx != s for s in range(1, 4))"),
              [](Index q, Index kv) { return q - kv < 1 || q - kv > 3; }},
             {mask_of("return sum([kv_idx, 1, q_idx]) < 9"), [](Index q, Index kv) { return kv + 1 + q < 9; }},
             {mask_of("return min(q_idx, kv_idx, 4) == max(0, kv_idx - 3)"),
              [](Index q, Index kv) {
                return std::min({q, kv, Index{4}}) == std::max<Index>(0, kv - 3);
              }},
             {"from functools import reduce\n" +
                  mask_of("return reduce(lambda a, c: a | c, [kv_idx == i * i for i in range(4)], q_idx < 2)"),
              [](Index q, Index kv) { return q < 2 || kv == 0 || kv == 1 || kv == 4 || kv == 9; }},
             {mask_of("ends = sorted([9, 2, 5])\nreturn kv_idx < ends[1]"), [](Index, Index kv) { return kv < 5; }},
             {mask_of(
                  "seen = False\nfor i, (low, high) in enumerate(zip([0, 4], [2, 7])):\n  seen |= (low <= kv_idx) & "
                  "(kv_idx < high) & (q_idx >= i)\nreturn seen"),
              [](Index q, Index kv) { return kv < 2 || (kv >= 4 && kv < 7 && q >= 1); }},
             {mask_of("return kv_idx in list(reversed(range(0, 12, 4)))[:2]"),
              [](Index, Index kv) { return kv == 8 || kv == 4; }},
             {mask_of("rows = [[i * j for j in range(3)] for i in range(3)]\nreturn kv_idx == rows[2][1]"),
              [](Index, Index kv) { return kv == 2; }},
             {mask_of("odd = [i for i in range(9) if i % 2 if i > 2]\nreturn kv_idx in odd"),
              [](Index, Index kv) { return kv == 3 || kv == 5 || kv == 7; }},
             {mask_of("pairs = [(i, j) for i in range(2) for j in range(2)]\nreturn len(pairs) > kv_idx"),
              [](Index, Index kv) { return kv < 4; }},
             {mask_of("a = [1, 2]\na.append(5)\na.extend([6])\na.insert(0, 0)\nreturn kv_idx in a[1:] + [0] * 2"),
              [](Index, Index kv) { return kv == 0 || kv == 1 || kv == 2 || kv == 5 || kv == 6; }},
             {mask_of("n, r = divmod(kv_idx, 4)\nreturn (n == 1) & (r < 2)"),
              [](Index, Index kv) { return kv == 4 || kv == 5; }}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  void bad_calls_are_refused() {
    const std::string near = "def near(a, c):\n  return a < c\n";
    using Refusals = std::vector<std::pair<std::string, std::string>>;
    for (const auto& [text, message] :
         Refusals{{near + mask_of("return near(q_idx)"), "near is missing its argument c"},
                  {near + mask_of("return near(q_idx, kv_idx, 3)"), "near takes 2 arguments, found 3"},
                  {near + mask_of("return near(q_idx, kv_idx, size=3)"), "near has no parameter size"},
                  {near + mask_of("return near(q_idx, a=kv_idx)"), "near is given a twice"},
                  {"def up(a):\n  a = a + 1\n" + mask_of("return up(q_idx) > kv_idx"),
                   "up returns nothing; end it with return"},
                  {mask_of("return unknown(q_idx)"),
                   "unknown is called but not defined in the text; known functions are abs, min, max, int, "
                   "bool, len, "
                   "range, all, any, sum, enumerate, zip, reversed, tuple, list, partial, reduce, float, and_masks, "
                   "or_masks"},
                  {mask_of("n = 3\nreturn n(q_idx)"), "n is not a function and cannot be called"},
                  {mask_of("return kv_idx in range(0, 3, 0)"), "the step of a range must not be 0"},
                  {mask_of("return kv_idx in range(q_idx)"),
                   "a range needs integers that are known before any cell is evaluated"},
                  {mask_of("return any(kv_idx == i for i in range(3) if q_idx > i)"),
                   "this if must be known before any cell is evaluated"},
                  {mask_of("a = [1, 2]\nreturn kv_idx == a[2]"),
                   "a list of 2 is indexed with a number from 0 to 1, found 2"},
                  {mask_of("a = [1]\nif q_idx > 1:\n  a.append(2)\nreturn kv_idx in a"),
                   "a list cannot be changed under an if that differs by cell"},
                  {mask_of("return [1, 2] < [1, 3]"), "lists can be compared only with == and !="}})
      COMPARE_TEXT(error_of(text), message);
  }

  /// Lists and tuples are equal item by item, as in Python.
  void lists_are_compared() {
    for (const TextCase& one : std::vector<TextCase>{
             {mask_of("return (q_idx, kv_idx) == (kv_idx, q_idx)"), [](Index q, Index kv) { return q == kv; }},
             {mask_of("return (q_idx, 1) != (kv_idx, 1)"), [](Index q, Index kv) { return q != kv; }},
             {mask_of("return (1, 2) == (1, 2, 3) or kv_idx == 0"), [](Index, Index kv) { return kv == 0; }},
             {mask_of("return (1, (2, 3)) == (1, (2, 3)) and kv_idx == 0"), [](Index, Index kv) { return kv == 0; }},
             {mask_of("assert torch.ones(2, 3).shape == (2, 3)\nreturn kv_idx <= q_idx"), causal_rule}})
      COMPARE_TEXT(wrong_cells(one), "");
  }
};

VQSCOPE_TEST(FunctionsTest)
#include "functions_test.moc"
