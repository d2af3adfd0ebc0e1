// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code/true_line.h"

#include "tests/core/mask/language/cells.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class TrueLineTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void lines_by_hand() {
    QVERIFY(language::is_true_masked("# True: masked"));
    QVERIFY(language::is_true_masked("kv_idx > q_idx\n  # True: masked  \n"));
    QVERIFY(!language::is_true_masked("kv_idx > q_idx  # True: masked"));
    QVERIFY(!language::is_true_masked("# True: masked out"));
    QVERIFY(!language::is_true_masked(""));
  }

  /// Cells where the text is True are masked, whatever kind of result it has.
  void true_is_masked() {
    const std::string causal = cells_of("kv_idx <= q_idx", 5);
    const std::string window = cells_of("(kv_idx <= q_idx) & (q_idx - kv_idx < 2)", 5);
    const std::string line = "\n# True: masked\n";
    COMPARE_TEXT(cells_of("kv_idx > q_idx" + line, 5), causal);
    COMPARE_TEXT(cells_of("(kv_idx > q_idx) | (q_idx - kv_idx >= 2)" + line, 5), window);
    COMPARE_TEXT(cells_of("mask = torch.triu(torch.ones(5, 5), diagonal=1)" + line, 5), causal);
    COMPARE_TEXT(cells_of("def a(b, h, q_idx, kv_idx):\n    return kv_idx > q_idx\n"
                          "def c(b, h, q_idx, kv_idx):\n    return q_idx - kv_idx >= 2\nor_masks(a, c)" +
                              line,
                          5),
                 window);
    // Not visible where both hold: everywhere but above the diagonal.
    COMPARE_TEXT(cells_of("def a(b, h, q_idx, kv_idx):\n    return kv_idx > q_idx\n"
                          "def c(b, h, q_idx, kv_idx):\n    return kv_idx >= 0\nand_masks(a, c)" +
                              line,
                          5),
                 causal);
  }
};

VQSCOPE_TEST(TrueLineTest)
#include "true_line_test.moc"
