// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions of elements along sides: sums, extremes and their places, any and all.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class TensorReductionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arrays_by_hand_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* made, const char* wanted) { QTest::newRow(made) << made << wanted; };
    row("torch.tensor([[1, 2], [3, 4]]).sum(0)", "[4, 6]");
    row("torch.tensor([[1, 2], [3, 4]]).sum(dim=(0, 1), keepdim=True)", "[[10]]");
    row("torch.tensor([[True, True], [False, True]]).sum(-1)", "[2, 1]");
    row("torch.tensor([[2, 3], [0, 5]]).prod(1)", "[6, 0]");
    row("torch.tensor([[2, 9], [0, 5]]).max(dim=0).indices", "[0, 0]");
    row("torch.tensor([[2, 9], [0, 5]]).min(1).values", "[2, 0]");
    row("torch.tensor([[4, 4], [1, 9]]).argmax(1)", "[0, 1]");
    row("torch.tensor([[4, 4], [1, 9]]).argmin(0, keepdim=True)", "[[1, 0]]");
    row("torch.tensor([[0, 2], [0, 0]]).any(1)", "[True, False]");
    row("torch.tensor([[1, 2], [0, 3]]).all(0)", "[False, True]");
    row("torch.tensor([[0, 2], [5, 3]]).count_nonzero(dim=0)", "[1, 2]");
    row("torch.tensor([[True, False]]).amax(0)", "[True, False]");
    row("torch.zeros(0, 2).sum(0)", "[0, 0]");
    row("torch.zeros(2, 0).all(1)", "[True, True]");
    row("torch.zeros(2, 0).any(1)", "[False, False]");
  }

  /// Beside what NumPy gives of the same.
  void arrays_by_hand() {
    QFETCH(QString, made);
    QFETCH(QString, wanted);
    COMPARE_TEXT(array_is(made.toStdString(), wanted.toStdString()), "1");
  }

  /// For values that differ by cell, against a loop over the elements.
  void of_cells_they_are_loops() {
    Random random(151);
    for (int i = 0; i < 12; ++i) {
      const auto x = random_list(random, pick(random, 1, 5), -3, 6);
      const std::string made = "x = torch.tensor(" + list_text(x) + ") - kv_idx\n";
      const Index length = pick(random, 1, 8);
      const auto loop = [&](const std::string& start, const std::string& step) {
        return cells_of(made + "n = " + start + "\nfor v in x:\n    n = " + step + "\nreturn n <= q_idx - 2", length);
      };
      const auto whole = [&](const std::string& reduced) {
        return cells_of(made + "return " + reduced + " <= q_idx - 2", length);
      };
      COMPARE_TEXT(whole("x.sum()"), loop("0", "n + v"));
      COMPARE_TEXT(whole("x.max()"), loop("-99", "torch.maximum(n, v)"));
      COMPARE_TEXT(whole("x.amin(0)"), loop("99", "torch.minimum(n, v)"));
      COMPARE_TEXT(whole("torch.count_nonzero(x)"), loop("0", "n + (v != 0)"));
      COMPARE_TEXT(whole("(x > 0).all().int()"), loop("1", "n * (v > 0)"));
      COMPARE_TEXT(whole("(x > 0).any().int()"), loop("0", "torch.maximum(n, (v > 0) + 0)"));
    }
  }

  /// torch gives values and places; of values that differ by cell the places are not known, and are
  /// not the values.
  void places_of_cells_are_refused() {
    const std::string made = "x = torch.tensor([[kv_idx, 1], [2, q_idx]])\n";
    COMPARE_TEXT(cells_of(made + "return x.max(dim=1).values[0] == 1", 3), "110110110");
    COMPARE_TEXT(cells_of(made + "return x.max(dim=1)[0][1] == 2", 3), "111111111");
    COMPARE_TEXT(placed_error(made + "return x.max(dim=1).indices[0] == 1"), "line 2, column 8: there are none here");
  }

  void bad_reductions_are_errors() {
    COMPARE_TEXT(placed_error("x = torch.arange(0).max()\n"
                              "return x == q_idx"),
                 "line 1, column 5: max of an empty array has no value");
    COMPARE_TEXT(placed_error("x = torch.arange(3).sum(1)\n"
                              "return x == q_idx"),
                 "line 1, column 5: an array of shape (3,) has no dimension 1");
    COMPARE_TEXT(placed_error("x = torch.ones(2, 0).argmin(1)\n"
                              "return x[0] == q_idx"),
                 "line 1, column 5: argmin of an empty array has no value");
    COMPARE_TEXT(placed_error("x = torch.tensor([9223372036854775807, 1]).sum()\n"
                              "return x == q_idx"),
                 "line 1, column 5: this sum does not fit in 64 bits");
    COMPARE_TEXT(placed_error("x = torch.tensor([9223372036854775807, 2]).prod()\n"
                              "return x == q_idx"),
                 "line 1, column 5: this prod does not fit in 64 bits");
    COMPARE_TEXT(placed_error("x = (torch.arange(3) + kv_idx).argmax()\n"
                              "return x == q_idx"),
                 "line 1, column 5: argmax takes an array of known numbers");
    COMPARE_TEXT(placed_error("x = torch.arange(3).sum(dim=q_idx)\n"
                              "return x == q_idx"),
                 "line 1, column 29: an integer is needed here that is known before any cell is evaluated");
  }
};

VQSCOPE_TEST(TensorReductionsTest)
#include "tensor_reductions_test.moc"
