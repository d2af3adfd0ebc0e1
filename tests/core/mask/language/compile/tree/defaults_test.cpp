// SPDX-License-Identifier: GPL-3.0-or-later
// Default values of a function's parameters: as in Python, they are what they were where the function was written.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class DefaultsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_default_stays_when_its_name_moves_on() {
    const std::vector<RuledText> all{
        {"w = 4\n"
         "def f(x, n=w):\n"
         "    return x + n\n"
         "w = 8\n"
         "return kv_idx < f(q_idx) - 3",
         [](Index q, Index kv) { return kv < q + 1; }},
        {"w = 1\n"
         "def f(x, n=2 * w - 1):\n"
         "    return x + n\n"
         "w = 3\n"
         "return kv_idx < f(q_idx)",
         [](Index q, Index kv) { return kv < q + 1; }},
        {"w = 1\n"
         "f = lambda x, n=-w: x + n\n"
         "w = 3\n"
         "return kv_idx <= f(q_idx)",
         [](Index q, Index kv) { return kv <= q - 1; }},
        {"i = q_idx\n"
         "def f(x, n=i - 1):\n"
         "    return x == n\n"
         "i = i + 3\n"
         "return f(kv_idx)",
         [](Index q, Index kv) { return kv == q - 1; }},
        {"cfg = SimpleNamespace(window=2)\n"
         "def f(x, n=cfg.window + 1):\n"
         "    return x < n\n"
         "cfg = SimpleNamespace(window=5)\n"
         "return f(q_idx - kv_idx)",
         [](Index q, Index kv) { return q - kv < 3; }},
        {"w = 1\n"
         "def f(x, g=lambda y: y + 1, h=lambda y, n=w: y + n):\n"
         "    return h(g(x))\n"
         "w = 7\n"
         "return kv_idx < f(q_idx)",
         [](Index q, Index kv) { return kv < q + 2; }},
        {"fs = [lambda x, n=2 * i: x + n for i in range(3)]\n"
         "return kv_idx == fs[1](q_idx)",
         [](Index q, Index kv) { return kv == q + 2; }},
    };
    for (const auto& [text, rule] : all)
      for (const Index length : {1, 2, 5, 9}) COMPARE_TEXT(cells_of(text, length), cells_by(rule, length));
  }

  void the_mask_and_its_factory_keep_their_defaults() {
    const auto near = [](Index q, Index kv) { return q - kv < 3; };
    for (const char* text : {"w = 2\n"
                             "def mask(b, h, q_idx, kv_idx, n=w + 1):\n"
                             "    return q_idx - kv_idx < n\n"
                             "w = 8",
                             "w = 3\n"
                             "def mask(b, h, q_idx, kv_idx, n=w):\n"
                             "    return q_idx - kv_idx < n\n"
                             "w = 8",
                             "w = 2\n"
                             "def make(n=w + 1):\n"
                             "    def mask(b, h, q_idx, kv_idx):\n"
                             "        return q_idx - kv_idx < n\n"
                             "    return mask\n"
                             "w = 8"})
      COMPARE_TEXT(cells_of(text, 9), cells_by(near, 9));
  }

  void an_object_is_made_once() {
    COMPARE_TEXT(cells_of("def f(x, seen=[]):\n"
                          "    seen.append(x)\n"
                          "    return len(seen)\n"
                          "a = f(5)\n"
                          "n = f(6)\n"
                          "return kv_idx < n",
                          4),
                 cells_by([](Index, Index kv) { return kv < 2; }, 4));
    COMPARE_TEXT(cells_of("def f(key, known={}):\n"
                          "    known[key] = 1\n"
                          "    return len(known)\n"
                          "n = f('a') + f('b')\n"
                          "return kv_idx < n",
                          4),
                 cells_by([](Index, Index kv) { return kv < 3; }, 4));
    COMPARE_TEXT(cells_of("xs = [1, 2]\n"
                          "def f(n=len(xs)):\n"
                          "    return n\n"
                          "xs.append(3)\n"
                          "return kv_idx < f()",
                          4),
                 cells_by([](Index, Index kv) { return kv < 2; }, 4));
  }

  void failing_default_is_an_error_when_used() {
    const std::string text =
        "w = 2\n"
        "def f(x, n=w[0]):\n"
        "    return x + n\n";
    COMPARE_TEXT(cells_of(text + "return kv_idx < f(q_idx, 1)", 5),
                 cells_by([](Index q, Index kv) { return kv < q + 1; }, 5));
    COMPARE_TEXT(placed_error(text + "return kv_idx < f(q_idx)"),
                 "line 2, column 12: w is an integer elsewhere in the text, only an array can be indexed");
  }

  void unused_function_requires_no_free_name() {
    const std::string text =
        "def f(x, n=offset + 1):\n"
        "    return x + n\n";
    const auto unused = MaskProgram::parse(text + "return kv_idx <= q_idx");
    QVERIFY(unused && unused.program->integers().empty());
    const auto used = MaskProgram::parse(text + "return kv_idx <= f(q_idx)");
    QVERIFY(used && used.program->integers().size() == 1);
    QCOMPARE(used.program->integers()[0].name, std::string("offset"));
  }
};

VQSCOPE_TEST(DefaultsTest)
#include "defaults_test.moc"
