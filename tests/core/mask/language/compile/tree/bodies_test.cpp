// SPDX-License-Identifier: GPL-3.0-or-later
// Statements of a mask's body, against definitions in C++.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/compile/tree/text_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <utility>
#include <vector>

using namespace vqscope;
using namespace vqscope::test;

class BodiesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void ifs_that_differ_by_cell() {
    for (const TextCase& one : std::vector<TextCase>{
             {mask_of("if q_idx < 3:\n  return kv_idx == 0\nreturn kv_idx <= q_idx"),
              [](Index q, Index kv) { return q < 3 ? kv == 0 : kv <= q; }},
             {mask_of("if q_idx < 2:\n  return True\nelif kv_idx > 4:\n  return False\nelse:\n  return q_idx % 2 == 1"),
              [](Index q, Index kv) { return q < 2 || (kv <= 4 && q % 2 == 1); }},
             {mask_of("far = q_idx - kv_idx\nif far < 0:\n  far = -far\nreturn far < 3"),
              [](Index q, Index kv) { return std::abs(q - kv) < 3; }},
             {mask_of("n = 1\nif kv_idx % 3 == 0:\n  n = 4\n  if q_idx > 5:\n    n += 2\nreturn q_idx - kv_idx < n"),
              [](Index q, Index kv) { return q - kv < (kv % 3 != 0 ? 1
                                                       : q > 5     ? 6
                                                                   : 4); }},
             {mask_of("if q_idx >= kv_idx:\n  pass\nelse:\n  return False\nreturn kv_idx != 2"),
              [](Index q, Index kv) { return q >= kv && kv != 2; }},
             {mask_of("if not (q_idx < 4 or kv_idx < 4):\n  return q_idx == kv_idx\nreturn q_idx >= kv_idx"),
              [](Index q, Index kv) { return q < 4 || kv < 4 ? q >= kv : q == kv; }},
             {mask_of("return (kv_idx == 0 if q_idx < 3 else kv_idx > 1) and q_idx != 6"),
              [](Index q, Index kv) { return (q < 3 ? kv == 0 : kv > 1) && q != 6; }}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  void matches_that_differ_by_cell() {
    for (const TextCase& one : std::vector<TextCase>{
             {mask_of("match q_idx % 4:\n  case 0:\n    return kv_idx == 0\n  case 1 | 2:\n    return kv_idx > 4\n  "
                      "case n if n > kv_idx:\n    return True\nreturn kv_idx == 5"),
              [](Index q, Index kv) { return q % 4 == 0  ? kv == 0
                                             : q % 4 < 3 ? kv > 4
                                                         : kv < 3 || kv == 5; }},
             {mask_of(
                  "match (q_idx // 4, kv_idx // 4):\n  case (0, 1):\n    return False\n  case _:\n    return kv_idx "
                  "<= q_idx + 2"),
              [](Index q, Index kv) { return !(q < 4 && kv >= 4 && kv < 8) && kv <= q + 2; }}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  void loops() {
    for (const TextCase& one : std::vector<TextCase>{
             {mask_of("seen = False\nfor i in range(1, 4):\n  seen = seen | (q_idx - kv_idx == i * i)\nreturn seen"),
              [](Index q, Index kv) { return q - kv == 1 || q - kv == 4 || q - kv == 9; }},
             {mask_of("for start in (0, 3, 7):\n  if kv_idx == start:\n    return True\nreturn q_idx == kv_idx"),
              [](Index q, Index kv) { return kv == 0 || kv == 3 || kv == 7 || q == kv; }},
             {mask_of("n = 0\nfor i in range(6):\n  if i == 3:\n    break\n  n += kv_idx\nreturn n <= q_idx"),
              [](Index q, Index kv) { return 3 * kv <= q; }},
             {mask_of("n = 0\nfor i in range(6):\n  if i % 2 == 0:\n    continue\n  n += i\nreturn kv_idx + n > q_idx"),
              [](Index q, Index kv) { return kv + 9 > q; }},
             {mask_of("last = 0\nfor i in range(4):\n  if kv_idx < i * 3:\n    break\n  last = i\nreturn last * 3 <= "
                      "q_idx"),
              [](Index q, Index kv) { return std::min<Index>(kv / 3, 3) * 3 <= q; }},
             {mask_of("n = 0\nfor i in range(5):\n  if (kv_idx + i) % 2 == 0:\n    continue\n  n += 1\nreturn n == 2"),
              [](Index, Index kv) { return kv % 2 == 1 ? false : true; }},
             {mask_of(
                  "for i in range(3):\n  for j in range(3):\n    if (q_idx == i) & (kv_idx == 2 * j):\n      return "
                  "True\nreturn False"),
              [](Index q, Index kv) { return q < 3 && kv % 2 == 0 && kv < 5; }},
             {mask_of("i, n = 0, 0\nwhile i < 4:\n  i += 1\n  n += i\nreturn q_idx + kv_idx < n"),
              [](Index q, Index kv) { return q + kv < 10; }}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  void names_and_assignments() {
    for (const TextCase& one : std::vector<TextCase>{
             {mask_of("a = b2 = q_idx // 2\nreturn kv_idx in (a, b2 + 1)"),
              [](Index q, Index kv) { return kv == q / 2 || kv == q / 2 + 1; }},
             {mask_of("a, b2 = q_idx, kv_idx\nn = 3\na, b2 = b2, a\nreturn a - b2 < n"),
              [](Index q, Index kv) { return kv - q < 3; }},

             {mask_of("n = 7\nn //= 2\nn *= 3\nn -= 1\nn %= 5\nn <<= 2\nn |= 1\nn ^= 4\nreturn kv_idx < n"),
              [](Index, Index kv) { return kv < ((((7 / 2) * 3 - 1) % 5 << 2 | 1) ^ 4); }},
             {mask_of("n = 2\nn **= 3\nn >>= 1\nn &= 6\nreturn kv_idx < n"), [](Index, Index kv) { return kv < 4; }},
             {mask_of("n: int = 4\nreturn (m := kv_idx + n) > q_idx and m != 9"),
              [](Index q, Index kv) { return kv + 4 > q && kv != 5; }},
             {"n = 2\n" + mask_of("n = 5\nreturn kv_idx < n"), [](Index, Index kv) { return kv < 5; }},
             {"n = 2\n" + mask_of("return kv_idx < n"), [](Index, Index kv) { return kv < 2; }},
             {"n = 2\n" + mask_of("return kv_idx < n") + "\nn = 3", [](Index, Index kv) { return kv < 3; }},
             {mask_of("row = [0, 0, 0]\nrow[1] = 4\nrow[-1] += 2\nreturn kv_idx == row[1] + row[2]"),
              [](Index, Index kv) { return kv == 6; }}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  void checks_and_blocks() {
    for (const TextCase& one : std::vector<TextCase>{
             {mask_of("assert 2 < 3, 'never'\nreturn kv_idx <= q_idx"), [](Index q, Index kv) { return kv <= q; }},
             {mask_of("'''What it is.'''\nreturn kv_idx <= q_idx"), [](Index q, Index kv) { return kv <= q; }},
             {mask_of("with torch.no_grad():\n  n = 3\nreturn kv_idx < n"), [](Index, Index kv) { return kv < 3; }},
             {mask_of("try:\n  n = {'a': 2}['b']\nexcept KeyError:\n  n = 5\nreturn kv_idx < n"),
              [](Index, Index kv) { return kv < 5; }},
             {mask_of("if True:\n  n = 2\nelse:\n  n = nothing_here\nreturn kv_idx < n"),
              [](Index, Index kv) { return kv < 2; }},
             {"import torch\nfrom math import floor\n" + mask_of("return kv_idx < floor(7 / 2)"),
              [](Index, Index kv) { return kv < 3; }},
             {mask_of("n = 3\ndel n\nn = 4\nreturn kv_idx < n"), [](Index, Index kv) { return kv < 4; }}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  void unsupported_bodies_are_refused() {
    using Refusals = std::vector<std::pair<std::string, std::string>>;
    for (const auto& [body, message] : Refusals{
             {"if q_idx < 3:\n  n = 1\nreturn kv_idx < n", "n has a value only where this if holds"},
             {"if q_idx < 3:\n  pass\nelse:\n  n = 1\nreturn kv_idx < n",
              "n has a value only where this if does not hold"},
             {"if q_idx < 3:\n  return kv_idx < 1", "one path through this if returns nothing; end it with return"},
             {"assert 3 < 2\nreturn kv_idx < 1", "this assert does not hold: 3 < 2"},
             {"raise ValueError('no')", "with these values the text reaches this raise"},
             {"a, b2 = 1, 2, 3\nreturn kv_idx < a", "3 values cannot be unpacked into 2 names"},
             {"a, b2 = 1\nreturn kv_idx < a", "only a tuple can be unpacked into several names"},
             {"row = [1]\nrow[2] = 3\nreturn kv_idx < row[0]", "a list of 1 has no such item"},
             {"kv_idx < q_idx\nreturn True", "the value of this line is not used; give it a name, or return it"}})
      COMPARE_TEXT(refused_body(body), message);
  }
};

VQSCOPE_TEST(BodiesTest)
#include "bodies_test.moc"
