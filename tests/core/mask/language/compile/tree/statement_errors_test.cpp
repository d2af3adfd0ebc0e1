// SPDX-License-Identifier: GPL-3.0-or-later
// Statements of mask texts that are refused, with the place and the reason.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class StatementErrorsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void more_rounds_than_a_cell_may_leave_are_refused() {
    const std::string text =
        "n = 0\nfor i in range(700):\n    if q_idx == i:\n        break\n    n += 1\nreturn n > kv_idx";
    COMPARE_TEXT(error_of(text), "this if leaves loops in more than 600 places");
    COMPARE_TEXT(error_of("def f(i):\n    i + 1\n    return i\nreturn f(q_idx) == 1"),
                 "the value of this line is not used; give it a name, or return it");
    COMPARE_TEXT(error_of("def f(n):\n    if n > 2:\n        raise ValueError\n    return n\nreturn f(3) == q_idx"),
                 "with these values the text reaches this raise");
  }

  void bad_statements_are_errors() {
    COMPARE_TEXT(placed_error("if q_idx > 1:\n"
                              "    x = 1\n"
                              "return x == 1"),
                 "line 1, column 1: x has a value only where this if holds");
    COMPARE_TEXT(placed_error("if q_idx > 1:\n"
                              "    pass\n"
                              "else:\n"
                              "    y = 1\n"
                              "return y == 1"),
                 "line 1, column 1: y has a value only where this if does not hold");
    COMPARE_TEXT(placed_error("def f(i):\n"
                              "    if i > 1:\n"
                              "        return i\n"
                              "return f(q_idx) == 2"),
                 "line 2, column 5: one path through this if returns nothing; end it with return");
    COMPARE_TEXT(placed_error("while q_idx > 1:\n"
                              "    x = 1\n"
                              "return x == 1"),
                 "line 1, column 7: how often this while is repeated must be known before any cell is evaluated; a "
                 "mask says for one (q_idx, kv_idx) what holds");
    // A return must not be left out with what cannot be read before it.
    QVERIFY(placed_error("def mask_mod(b, h, q_idx, kv_idx):\n"
                         "    try:\n"
                         "        x = yield q_idx\n"
                         "        return q_idx > kv_idx\n"
                         "    except ValueError:\n"
                         "        pass\n"
                         "    return q_idx == 1")
                .starts_with("line 2, column 5: try is not part of the mask language"));
    COMPARE_TEXT(placed_error("a, b = 3\n"
                              "return a == b"),
                 "line 1, column 8: only a tuple can be unpacked into several names");
    COMPARE_TEXT(placed_error("a, b = [1, 2, 3]\n"
                              "return a == b"),
                 "line 1, column 8: 3 values cannot be unpacked into 2 names");
    COMPARE_TEXT(placed_error("def f(i):\n"
                              "    x = i\n"
                              "return f(q_idx) == 1"),
                 "line 1, column 5: f returns nothing; end it with return");
    COMPARE_TEXT(placed_error("x = [1]\n"
                              "x[3] = 2\n"
                              "return x[0] == 1"),
                 "line 2, column 1: a list of 1 has no such item");
    COMPARE_TEXT(placed_error("n = 3\n"
                              "assert n < 2\n"
                              "return q_idx == n"),
                 "line 2, column 1: this assert does not hold: n < 2");
    COMPARE_TEXT(placed_error("d = {1: 2}\n"
                              "if q_idx > 1:\n"
                              "    d[1] = 3\n"
                              "return d[1] == 2"),
                 "line 3, column 5: a dictionary cannot be changed under an if that differs by cell");
    COMPARE_TEXT(placed_error("x = [1]\n"
                              "if q_idx > 1:\n"
                              "    x.append(2)\n"
                              "return x[0] == 1"),
                 "line 3, column 5: a list cannot be changed under an if that differs by cell");
    COMPARE_TEXT(placed_error("x = [1]\n"
                              "x.append(1, 2)\n"
                              "return x[0] == 1"),
                 "line 2, column 1: append takes 1 value, found 2");
    COMPARE_TEXT(placed_error("x = [1]\n"
                              "x.insert(1)\n"
                              "return x[0] == 1"),
                 "line 2, column 1: insert takes 2 values, found 1");
  }
};

VQSCOPE_TEST(StatementErrorsTest)
#include "statement_errors_test.moc"
