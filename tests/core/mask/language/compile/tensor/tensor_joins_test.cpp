// SPDX-License-Identifier: GPL-3.0-or-later
// Several arrays as one: cat, stack, meshgrid; and parts of one: split, chunk, unbind.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class TensorJoinsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arrays_by_hand_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* made, const char* wanted) { QTest::newRow(made) << made << wanted; };
    row("torch.cat([torch.arange(2), torch.arange(0), torch.tensor([7])])", "[0, 1, 7]");
    row("torch.cat([torch.ones(1, 2), torch.zeros(1, 2)], dim=-1)", "[[1, 1, 0, 0]]");
    row("torch.cat([torch.tensor([True]), torch.tensor([False])])", "[True, False]");
    row("torch.cat([torch.tensor([True]), torch.tensor([3])])", "[1, 3]");
    row("torch.stack([torch.arange(2), torch.arange(2, 4)])", "[[0, 1], [2, 3]]");
    row("torch.stack([torch.arange(2), torch.arange(2, 4)], dim=-1)", "[[0, 2], [1, 3]]");
    row("torch.stack((torch.tensor(3), torch.tensor(4)))", "[3, 4]");
    row("torch.meshgrid(torch.arange(2), torch.arange(3), indexing='xy')[1]", "[[0, 0], [1, 1], [2, 2]]");
    row("torch.meshgrid([torch.arange(2), torch.arange(2)])[1]", "[[0, 1], [0, 1]]");
    row("torch.block_diag(torch.ones(1, 2), torch.tensor([[3], [4]]), torch.tensor(5))",
        "[[1, 1, 0, 0], [0, 0, 3, 0], [0, 0, 4, 0], [0, 0, 0, 5]]");
    row("torch.block_diag(*[torch.tril(torch.ones(n, n)) for n in (1, 2)]).bool()",
        "[[True, False, False], [False, True, False], [False, True, True]]");
    row("torch.arange(5).split(2)[2]", "[4]");
    row("torch.arange(5).split([1, 4])[1]", "[1, 2, 3, 4]");
    row("torch.split(torch.arange(4), split_size_or_sections=3)[1]", "[3]");
    row("torch.arange(5).chunk(2)[0]", "[0, 1, 2]");
    row("torch.arange(4).view(2, 2).chunk(2, dim=1)[1]", "[[1], [3]]");
    row("torch.arange(4).view(2, 2).unbind(1)[0]", "[0, 2]");
    row("torch.arange(4).view(2, 2).unbind()[1]", "[2, 3]");
  }

  void arrays_by_hand() {
    QFETCH(QString, made);
    QFETCH(QString, wanted);
    COMPARE_TEXT(array_is(made.toStdString(), wanted.toStdString()), "1");
  }

  void split_and_joined_arrays_are_equal() {
    Random random(131);
    for (int i = 0; i < 20; ++i) {
      const Index length = pick(random, 1, 9), part = pick(random, 1, 10);
      const std::string whole = "x = torch.tensor(" + list_text(random_list(random, length, -9, 9)) + ")\n";
      for (const std::string join :
           {"torch.cat(x.split(#))", "torch.cat(x.chunk(#))", "torch.stack(x.unbind())", "torch.cat([x[:#], x[#:]])"}) {
        std::string made;
        for (const char c : join) made += c == '#' ? to_text(part) : std::string(1, c);
        COMPARE_TEXT(
            cells_of(whole + "y = " + made + "\nreturn (len(y) == len(x)) & (y == x).all() & (kv_idx >= 0)", 1), "1");
      }
    }
  }

  void bad_joins_are_errors() {
    COMPARE_TEXT(placed_error("x = torch.cat()\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: cat takes a list of arrays");
    COMPARE_TEXT(placed_error("x = torch.cat([])\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: there is nothing to join here");
    COMPARE_TEXT(placed_error("x = torch.cat([1, 2])\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: cat joins arrays, these are numbers; write stack");
    COMPARE_TEXT(placed_error("x = torch.cat([torch.ones(2, 2), torch.ones(2)])\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: arrays of shapes (2, 2) and (2,) do not fit together");
    COMPARE_TEXT(placed_error("x = torch.stack([torch.ones(2), torch.ones(3)])\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: arrays of shapes (2,) and (3,) do not fit together");
    COMPARE_TEXT(placed_error("x = torch.cat([torch.ones(2, 2), torch.ones(2, 3)])\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: arrays of shapes (2, 2) and (2, 3) do not fit together");
    COMPARE_TEXT(placed_error("x = torch.cat([torch.ones(2)], dim=1)\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: an array of 1 dimension has no dimension 1");
    COMPARE_TEXT(placed_error("x = torch.stack(3)\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: there is nothing to join here");
  }
};

VQSCOPE_TEST(TensorJoinsTest)
#include "tensor_joins_test.moc"
