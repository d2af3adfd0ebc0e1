// SPDX-License-Identifier: GPL-3.0-or-later
// Statements of mask texts: if, for, while, try, assert and what they leave behind.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

class StatementsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cells_by_hand() {
    const std::vector<RuledText> all{
        {"x = kv_idx\n"
         "if q_idx > 2:\n"
         "    x = kv_idx + 1\n"
         "return x <= q_idx",
         [](Index q, Index kv) { return (q > 2 ? kv + 1 : kv) <= q; }},
        {"if q_idx < 2:\n"
         "    x = 0\n"
         "elif q_idx < 4:\n"
         "    x = 1\n"
         "else:\n"
         "    x = 2\n"
         "return kv_idx >= x",
         [](Index q, Index kv) {
           return kv >= (q < 2 ? 0 : q < 4 ? 1 : 2);
         }},
        {"def m(b, h, q_idx, kv_idx):\n"
         "    if q_idx % 2 == 0:\n"
         "        return kv_idx <= q_idx\n"
         "    return kv_idx == q_idx",
         [](Index q, Index kv) { return q % 2 == 0 ? kv <= q : kv == q; }},
        {"def m(b, h, q_idx, kv_idx):\n"
         "    for i in range(5):\n"
         "        if kv_idx == 2 * i:\n"
         "            return q_idx >= i\n"
         "    return False",
         [](Index q, Index kv) { return kv % 2 == 0 && kv < 10 && q >= kv / 2; }},
        {"n = 0\n"
         "for i in range(6):\n"
         "    if i == 4:\n"
         "        break\n"
         "    if i % 2 == 1:\n"
         "        continue\n"
         "    n += i + 1\n"
         "return kv_idx < n",
         [](Index, Index kv) { return kv < 4; }},
        {"if q_idx % 2 == 0:\n"
         "    return kv_idx <= q_idx\n"
         "return kv_idx == q_idx",
         [](Index q, Index kv) { return q % 2 == 0 ? kv <= q : kv == q; }},
        {"if q_idx % 2 == 0:\n"
         "    return kv_idx <= q_idx\n"
         "else:\n"
         "    return kv_idx == q_idx",
         [](Index q, Index kv) { return q % 2 == 0 ? kv <= q : kv == q; }},
        {"window = 3\n"
         "if window > 2:\n"
         "    return kv_idx <= q_idx\n"
         "return kv_idx == q_idx",
         [](Index q, Index kv) { return kv <= q; }},
        {"if 3 > 2:\n"
         "    return kv_idx <= q_idx\n"
         "return kv_idx == q_idx",
         [](Index q, Index kv) { return kv <= q; }},
        {"for i in range(3):\n"
         "    if kv_idx == i:\n"
         "        return q_idx > i\n"
         "return kv_idx == q_idx",
         [](Index q, Index kv) { return kv < 3 ? q > kv : kv == q; }},
        {"n = 1\n"
         "while n < 5:\n"
         "    n *= 2\n"
         "return q_idx - kv_idx < n",
         [](Index q, Index kv) { return q - kv < 8; }},
        {"def m(b, h, q_idx, kv_idx):\n"
         "    n = 0\n"
         "    for i in range(4):\n"
         "        if i > q_idx:\n"
         "            break\n"
         "        n += 1\n"
         "    return kv_idx < n",
         [](Index q, Index kv) { return kv < std::min<Index>(q + 1, 4); }},
        {"def m(b, h, q_idx, kv_idx):\n"
         "    n = 0\n"
         "    for i in range(4):\n"
         "        if (i + kv_idx) % 2 == 0:\n"
         "            continue\n"
         "        n += i\n"
         "    return q_idx >= n",
         [](Index q, Index kv) { return q >= (kv % 2 == 0 ? 4 : 2); }},
        {"a, b = q_idx, kv_idx\n"
         "a, b = b, a\n"
         "return a <= b",
         [](Index q, Index kv) { return kv <= q; }},
        {"x = y = kv_idx\n"
         "x += 1\n"
         "return (x == y + 1) & (y <= q_idx)",
         [](Index q, Index kv) { return kv <= q; }},
        {"d = {}\n"
         "def m(b, h, q_idx, kv_idx):\n"
         "    try:\n"
         "        n = d['window']\n"
         "    except KeyError:\n"
         "        n = 2\n"
         "    return q_idx - kv_idx < n",
         [](Index q, Index kv) { return q - kv < 2; }},
        {"def f(i, n):\n"
         "    for k in range(n):\n"
         "        if i == k:\n"
         "            return k * k\n"
         "    return i\n"
         "return kv_idx <= f(q_idx, 3)",
         [](Index q, Index kv) { return kv <= (q < 3 ? q * q : q); }},
        {"x = [0, 1]\n"
         "x.append(3)\n"
         "x.insert(0, 7)\n"
         "x.extend([4])\n"
         "x[-1] = 9\n"
         "return (x[0] == 7) & (len(x) == 5) & (x[4] == 9) & (kv_idx <= x[3])",
         [](Index, Index kv) { return kv <= 3; }},
        {"assert q_idx.shape == ()\n"
         "return kv_idx <= q_idx",
         [](Index q, Index kv) { return kv <= q; }},
        {"n = 3\n"
         "if n > 2:\n"
         "    w = n\n"
         "else:\n"
         "    raise ValueError\n"
         "return q_idx - kv_idx < w",
         [](Index q, Index kv) { return q - kv < 3; }},
        {"if q_idx > 1:\n"
         "    raise ValueError('not here')\n"
         "return kv_idx <= q_idx",
         [](Index q, Index kv) { return kv <= q; }},
        {"n = 0\n"
         "while True:\n"
         "    n += 1\n"
         "    if n == 3:\n"
         "        break\n"
         "return kv_idx < n",
         [](Index, Index kv) { return kv < 3; }},
    };
    for (const auto& [text, rule] : all)
      for (const Index length : {1, 2, 5, 9}) COMPARE_TEXT(cells_of(text, length), cells_by(rule, length));
  }

  void loop_equals_its_unrolled_text() {
    Random random(21);
    for (int i = 0; i < 12; ++i) {
      const Index rounds = pick(random, 0, 6), factor = pick(random, -3, 3), length = pick(random, 1, 9);
      const std::string step = "    n = n * " + to_text(factor) + " + i + kv_idx\n";
      const std::string looped = "n = q_idx\nfor i in range(" + to_text(rounds) + "):\n" + step + "return n > 3";
      std::string unrolled = "n = q_idx\n";
      for (Index k = 0; k < rounds; ++k) unrolled += "i = " + to_text(k) + "\n" + step.substr(4);
      COMPARE_TEXT(cells_of(looped, length), cells_of(unrolled + "return n > 3", length));
      COMPARE_TEXT(
          cells_of("n, i = q_idx, 0\nwhile i < " + to_text(rounds) + ":\n" + step + "    i += 1\nreturn n > 3", length),
          cells_of(looped, length));
    }
  }

  /// Where each cell decides, an if gives what torch.where and a conditional expression give.
  void an_if_is_a_choice_by_cell() {
    Random random(22);
    for (int i = 0; i < 12; ++i) {
      const std::string a = to_text(pick(random, -3, 9)), b = to_text(pick(random, -3, 9)),
                        c = to_text(pick(random, 0, 5));
      const std::string condition = "q_idx + kv_idx > " + c, end = "\nreturn kv_idx - q_idx < x";
      const Index length = pick(random, 1, 10);
      const std::string wanted = cells_of("x = torch.where(" + condition + ", " + a + ", " + b + ")" + end, length);
      COMPARE_TEXT(cells_of("x = " + b + "\nif " + condition + ":\n    x = " + a + end, length), wanted);
      COMPARE_TEXT(cells_of("x = " + a + " if " + condition + " else " + b + end, length), wanted);
      COMPARE_TEXT(
          cells_of("def f():\n    if " + condition + ":\n        return " + a + "\n    return " + b + "\nx = f()" + end,
                   length),
          wanted);
    }
  }

  void a_list_is_shared_by_its_names() {
    COMPARE_TEXT(cells_of("x = [1]\ny = x\ny.append(2)\nreturn len(x) == 2", 1), "1");
    COMPARE_TEXT(cells_of("x = [1]\ny = list(x)\ny.append(2)\nreturn len(x) == 1", 1), "1");
    COMPARE_TEXT(cells_of("x = [[0]] * 2\nx[0].append(5)\nreturn len(x[1]) == 2", 1), "1");
    COMPARE_TEXT(cells_of("x = [[0] for i in range(2)]\nx[0].append(5)\nreturn len(x[1]) == 1", 1), "1");
  }
};

VQSCOPE_TEST(StatementsTest)
#include "statements_test.moc"
