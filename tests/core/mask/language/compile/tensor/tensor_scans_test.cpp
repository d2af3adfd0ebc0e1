// SPDX-License-Identifier: GPL-3.0-or-later
// Scans of elements along a side: running sums, steps, orders, counts.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class TensorScansTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arrays_by_hand_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* made, const char* wanted) { QTest::newRow(made) << made << wanted; };
    row("torch.cumsum(torch.tensor([[1, 2], [3, 4]]), 0)", "[[1, 2], [4, 6]]");
    row("torch.tensor([[1, 2], [3, 4]]).cumsum(dim=-1)", "[[1, 3], [3, 7]]");
    row("torch.tensor([True, True, False]).cumsum(0)", "[1, 2, 2]");
    row("torch.cumprod(torch.tensor([2, -3, 4]), 0)", "[2, -6, -24]");
    row("torch.cummax(torch.tensor([2, 1, 4]), 0).values", "[2, 2, 4]");
    row("torch.cummin(torch.tensor([2, 1, 4]), dim=0)[0]", "[2, 1, 1]");
    row("torch.diff(torch.tensor([[1, 4], [9, 3]]))", "[[3], [-6]]");
    row("torch.diff(torch.tensor([[1, 4], [9, 3]]), dim=0)", "[[8, -1]]");
    row("torch.diff(torch.tensor([1, 4, 9, 16]), n=2)", "[2, 2]");
    row("torch.diff(torch.tensor([1, 4]), n=0)", "[1, 4]");
    row("torch.diff(torch.tensor([4, 6]), prepend=torch.tensor([0]))", "[4, 2]");
    row("torch.diff(torch.tensor([4, 6]), append=torch.tensor([7, 9]))", "[2, 1, 2]");
    row("torch.diff(torch.tensor([[4], [6]]), prepend=torch.tensor([[1], [2]]))", "[[3], [4]]");
    row("torch.diff(torch.tensor([True, True, False]))", "[False, True]");
    row("torch.sort(torch.tensor([[3, 1], [2, 4]]), dim=0).values", "[[2, 1], [3, 4]]");
    row("torch.tensor([1, 3, 1]).sort(descending=True).indices", "[1, 0, 2]");
    row("torch.argsort(torch.tensor([2, 1, 2, 0]))", "[3, 1, 0, 2]");
    row("torch.sort(torch.tensor([True, False]))[0]", "[False, True]");
    row("torch.bincount(torch.tensor([0, 2, 2]))", "[1, 0, 2]");
    row("torch.bincount(torch.tensor([1]), minlength=3)", "[0, 1, 0]");
  }

  /// Beside what NumPy gives of the same.
  void arrays_by_hand() {
    QFETCH(QString, made);
    QFETCH(QString, wanted);
    COMPARE_TEXT(array_is(made.toStdString(), wanted.toStdString()), "1");
  }

  /// A running sum is a loop, its steps are what it was made of, and an order sorts.
  void they_undo_each_other() {
    Random random(161);
    for (int i = 0; i < 20; ++i) {
      const auto numbers = random_list(random, pick(random, 1, 7), -9, 9);
      const std::string x = "x = torch.tensor(" + list_text(numbers) + ")\n", end = " & (kv_idx >= 0)";
      std::vector<Index> sums = numbers;
      for (std::size_t k = 1; k < sums.size(); ++k) sums[k] += sums[k - 1];
      COMPARE_TEXT(array_is("torch.tensor(" + list_text(numbers) + ").cumsum(0)", list_text(sums)), "1");
      COMPARE_TEXT(cells_of(x + "return (torch.diff(x.cumsum(0), prepend=torch.tensor([0])) == x).all()" + end, 1),
                   "1");
      COMPARE_TEXT(cells_of(x + "return (x[x.argsort()] == x.sort().values).all()" + end, 1), "1");
      COMPARE_TEXT(cells_of(x + "return (x.sort(descending=True).values.flip(0) == x.sort()[0]).all()" + end, 1), "1");
      COMPARE_TEXT(cells_of(x + "return (torch.diff(x.sort()[0]) >= 0).all()" + end, 1), "1");
      COMPARE_TEXT(cells_of(x + "return (torch.bincount(x + 9, minlength=19).sum() == len(x))" + end, 1), "1");
    }
  }

  void bad_scans_are_errors() {
    COMPARE_TEXT(placed_error("x = torch.tensor([9223372036854775807, 1]).cumsum(0)\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: this cumsum does not fit in 64 bits");
    COMPARE_TEXT(placed_error("x = torch.tensor([9223372036854775807, 2]).cumprod(0)\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: this cumprod does not fit in 64 bits");
    COMPARE_TEXT(placed_error("x = torch.diff(torch.tensor([-9223372036854775807, 9223372036854775807]))\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: this diff does not fit in 64 bits");
    COMPARE_TEXT(placed_error("x = torch.bincount(torch.tensor([1, -2]))\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: bincount counts integers of 0 or more, found -2");
    COMPARE_TEXT(placed_error("x = torch.arange(3).cumsum(1)\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: an array of 1 dimension has no dimension 1");
    COMPARE_TEXT(placed_error("x = torch.ones(2, 2).sort(dim=2)\n"
                              "return x[0][0]"),
                 "line 1, column 5: an array of 2 dimensions has no dimension 2");
    COMPARE_TEXT(placed_error("x = torch.diff(torch.arange(3), n=-1)\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: n of diff must be 0 or more, found -1");
    COMPARE_TEXT(placed_error("x = torch.diff(torch.arange(3), prepend=torch.ones(1, 1))\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: arrays of shapes (1, 1) and (3,) do not fit together");
    COMPARE_TEXT(placed_error("x = torch.diff(torch.arange(3), prepend=torch.tensor([kv_idx]))\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: diff takes an array of known numbers");
    COMPARE_TEXT(placed_error("x = torch.argsort(torch.arange(3) * kv_idx)\n"
                              "return x[0] == 1"),
                 "line 1, column 5: argsort takes an array of known numbers");
  }
};

VQSCOPE_TEST(TensorScansTest)
#include "tensor_scans_test.moc"
