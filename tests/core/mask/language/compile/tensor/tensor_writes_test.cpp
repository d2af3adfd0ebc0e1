// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays that a text changes in place, and who sees the change.
#include "core/mask/language/compile/tensor/tensor_access.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class TensorWritesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cells_by_hand() {
    const std::vector<RuledText> all{
        {"x = torch.zeros(9)\n"
         "x[2:5] = 1\n"
         "return x[kv_idx] == 1",
         [](Index, Index kv) { return kv >= 2 && kv < 5; }},
        {"x = torch.zeros(9)\n"
         "x[::-3] = 1\n"
         "return x[kv_idx] == 1",
         [](Index, Index kv) { return kv % 3 == 2; }},
        {"x = torch.zeros(9, 9)\n"
         "x[:, 0] = 1\n"
         "x[torch.arange(9), torch.arange(9)] = 1\n"
         "return x[q_idx, kv_idx] == 1",
         [](Index q, Index kv) { return kv == 0 || kv == q; }},
        {"x = torch.zeros(9, 9, dtype=torch.bool)\n"
         "x.fill_diagonal_(True)\n"
         "x[1:, :2] |= True\n"
         "return x[q_idx, kv_idx]",
         [](Index q, Index kv) { return kv == q || (q > 0 && kv < 2); }},
        {"x = torch.ones(9)\n"
         "x.masked_fill_(torch.arange(9) > 3, 0)\n"
         "return x[kv_idx] == 1",
         [](Index, Index kv) { return kv <= 3; }},
        {"x = torch.arange(9)\n"
         "x[x > 4] = 0\n"
         "return x[kv_idx] >= q_idx",
         [](Index q, Index kv) { return (kv > 4 ? 0 : kv) >= q; }},
        {"x = torch.zeros(9)\n"
         "x.scatter_(0, torch.tensor([1, 3]), torch.tensor([5, 6]))\n"
         "return x[kv_idx] > 0",
         [](Index, Index kv) { return kv == 1 || kv == 3; }},
        {"x = torch.zeros(9)\n"
         "y = x.scatter(0, torch.tensor([1]), 5)\n"
         "return (x[kv_idx] == 0) & (y[kv_idx] == 5)",
         [](Index, Index kv) { return kv == 1; }},
        {"x = torch.zeros(9)\n"
         "x.fill_(2)\n"
         "x.zero_()\n"
         "x[0] += 1\n"
         "return x[kv_idx] == 1",
         [](Index, Index kv) { return kv == 0; }},
        {"x = torch.zeros(9, 9)\n"
         "x[2:4] = torch.arange(9)\n"
         "return x[q_idx, kv_idx] > 4",
         [](Index q, Index kv) { return (q == 2 || q == 3) && kv > 4; }},
        {"x = torch.zeros(3, 9)\n"
         "x[:] = torch.tensor([[1], [2], [3]])\n"
         "return x[q_idx % 3, kv_idx] == 2",
         [](Index q, Index) { return q % 3 == 1; }},
        {"x = torch.zeros(2)\n"
         "x[1] = kv_idx\n"
         "return x.sum() <= q_idx",
         [](Index q, Index kv) { return kv <= q; }},
        {"x = torch.zeros(2, dtype=torch.bool)\n"
         "x[0] = kv_idx\n"
         "return x[0] == 1",
         [](Index, Index kv) { return kv != 0; }},
        {"x = torch.zeros(2)\n"
         "x[0] = kv_idx > 1\n"
         "return (~x[0]) == -2",
         [](Index, Index kv) { return kv > 1; }},
        {"x = torch.zeros(2, dtype=torch.bool)\n"
         "x[0] = 7\n"
         "return (x.sum() == 1) & (kv_idx <= q_idx)",
         [](Index q, Index kv) { return kv <= q; }},
        {"x = torch.zeros(2)\n"
         "y = x.clone()\n"
         "x[0] = 1\n"
         "return (y[0] == 0) & (kv_idx <= q_idx)",
         [](Index q, Index kv) { return kv <= q; }},
        {"x = torch.zeros(2)\n"
         "y = x\n"
         "x[0] = 1\n"
         "return (y[0] == 1) & (kv_idx <= q_idx)",
         [](Index q, Index kv) { return kv <= q; }},
        {"x = torch.zeros(4)\n"
         "y = x[torch.tensor([0, 1])]\n"
         "x[0] = 1\n"
         "return (y[0] == 0) & (kv_idx <= q_idx)",
         [](Index q, Index kv) { return kv <= q; }},
        {"def f(x):\n"
         "    x[0] = 1\n"
         "    return x\n"
         "y = torch.zeros(2)\n"
         "z = f(y)\n"
         "return (y[0] == 1) & (kv_idx <= q_idx)",
         [](Index q, Index kv) { return kv <= q; }},
    };
    for (const auto& [text, rule] : all)
      for (const Index length : {1, 2, 5, 9}) COMPARE_TEXT(cells_of(text, length), cells_by(rule, length));
  }

  /// Blocks that are written one by one against the rule of a cell.
  void written_blocks_agree_with_the_rule_of_a_cell() {
    Random random(171);
    for (int i = 0; i < 12; ++i) {
      const Index length = pick(random, 1, 9), block = pick(random, 1, 4);
      const std::string size = to_text(length), width = to_text(block);
      const std::string made = "m = torch.zeros(" + size + ", " + size + ", dtype=torch.bool)\nfor s in range(0, " +
                               size + ", " + width + "):\n    m[s:s + " + width + ", s:s + " + width +
                               "] = True\nreturn m[q_idx, kv_idx]";
      COMPARE_TEXT(cells_of(made, length),
                   cells_by([&](Index q, Index kv) { return q / block == kv / block; }, length));
      COMPARE_TEXT(cells_of(made, length), cells_of("return q_idx // " + width + " == kv_idx // " + width, length));
    }
  }

  void bad_assignments_are_errors() {
    COMPARE_TEXT(placed_error("x = torch.zeros(3)\n"
                              "x[0:2] = torch.ones(3)\n"
                              "return x[kv_idx]"),
                 "line 2, column 1: a value of shape (3,) does not fit into (2,)");
    COMPARE_TEXT(placed_error("x = torch.zeros(3)\n"
                              "x[kv_idx] = 1\n"
                              "return x[0] == 1"),
                 "line 2, column 1: the place of this assignment depends on the cell; a mask can only read there");
    COMPARE_TEXT(
        placed_error("x = torch.zeros(5000)\n"
                     "x[0] = kv_idx\n"
                     "return x[0] == 1"),
        "line 2, column 1: values that differ by cell are written to an array of at most 4096 elements, this has 5000");
    COMPARE_TEXT(placed_error("x = torch.zeros(3)\n"
                              "if q_idx > 1:\n"
                              "    x[0] = 1\n"
                              "return x[kv_idx]"),
                 "line 3, column 5: an array cannot be changed under an if that differs by cell; write torch.where");
    COMPARE_TEXT(placed_error("x = torch.zeros(2, 2)\n"
                              "y = x[0]\n"
                              "x[0, 0] = 1\n"
                              "return y[kv_idx]"),
                 "line 3, column 1: this array shares its elements with another name; write "
                 ".clone() there");
    COMPARE_TEXT(placed_error("x = torch.zeros(3)\n"
                              "x.fill_()\n"
                              "return x[kv_idx]"),
                 "line 2, column 1: fill_ is given a value");
    COMPARE_TEXT(placed_error("x = torch.zeros(3)\n"
                              "x.fill_diagonal_(1)\n"
                              "return x[kv_idx]"),
                 "line 2, column 1: fill_diagonal_ takes an array of two dimensions and a value");
    COMPARE_TEXT(placed_error("x = torch.zeros(3)\n"
                              "x.masked_fill_(torch.ones(3) > 0)\n"
                              "return x[kv_idx]"),
                 "line 2, column 1: masked_fill_ takes a mask and a value");
    COMPARE_TEXT(placed_error("x = torch.zeros(3)\n"
                              "x.masked_fill_(torch.ones(2) > 0, 1)\n"
                              "return x[kv_idx]"),
                 "line 2, column 1: the mask does not fit the array's shape");
    COMPARE_TEXT(
        placed_error("x = torch.zeros(3)\n"
                     "x.scatter_(0, torch.ones(1, 1), 1)\n"
                     "return x[kv_idx]"),
        "line 2, column 1: scatter_ takes a dimension, known indices with as many dimensions as the array, and values");
    COMPARE_TEXT(placed_error("x = torch.zeros(3)\n"
                              "x.scatter_(1, torch.tensor([0]), 1)\n"
                              "return x[kv_idx]"),
                 "line 2, column 1: an array of 1 dimension has no dimension 1");
    COMPARE_TEXT(placed_error("x = torch.zeros(3)\n"
                              "x.scatter_(0, torch.tensor([3]), 1)\n"
                              "return x[kv_idx]"),
                 "line 2, column 1: the index 3 is out of range; this dimension has 3 elements");
    COMPARE_TEXT(placed_error("x = torch.zeros(3)\n"
                              "x[5] = 1\n"
                              "return x[kv_idx]"),
                 "line 2, column 1: the index 5 is out of range; this dimension has 3 elements");
  }
};

VQSCOPE_TEST(TensorWritesTest)
#include "tensor_writes_test.moc"
