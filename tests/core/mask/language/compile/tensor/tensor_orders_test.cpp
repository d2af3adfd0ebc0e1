// SPDX-License-Identifier: GPL-3.0-or-later
// The same elements in another order, or with others around them: transpose, pad, flip, roll.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class TensorOrdersTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arrays_by_hand_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* made, const char* wanted) { QTest::newRow(made) << made << wanted; };
    row("torch.arange(6).view(2, 3).transpose(0, 1)", "[[0, 3], [1, 4], [2, 5]]");
    row("torch.arange(6).view(2, 3).transpose(-1, -2)", "[[0, 3], [1, 4], [2, 5]]");
    row("torch.arange(6).view(1, 2, 3).transpose(dim0=1, dim1=2)", "[[[0, 3], [1, 4], [2, 5]]]");
    row("torch.arange(6).view(1, 2, 3).permute(2, 0, 1)", "[[[0, 3]], [[1, 4]], [[2, 5]]]");
    row("torch.permute(torch.arange(4).view(2, 2), (0, 1))", "[[0, 1], [2, 3]]");
    row("torch.arange(4).view(2, 2).t()", "[[0, 2], [1, 3]]");
    row("torch.swapaxes(torch.arange(4).view(1, 2, 2), 1, 2)", "[[[0, 2], [1, 3]]]");
    row("F.pad(torch.ones(2, 1), (1, 0, 0, 1), value=5)", "[[5, 1], [5, 1], [5, 5]]");
    row("F.pad(torch.tensor([True]), (1, 1), value=True)", "[True, True, True]");
    row("F.pad(torch.tensor([1, 2, 3]), (-1, -1))", "[2]");
    row("F.pad(torch.tensor([1, 2]), (1, 0), 'constant', 9)", "[9, 1, 2]");
    row("torch.flip(torch.arange(4).view(2, 2), (0,))", "[[2, 3], [0, 1]]");
    row("torch.arange(4).view(2, 2).flip(-1)", "[[1, 0], [3, 2]]");
    row("torch.arange(4).view(2, 2).flip(0, 1)", "[[3, 2], [1, 0]]");
    row("torch.arange(4).roll(-1)", "[1, 2, 3, 0]");
    row("torch.roll(torch.arange(4).view(2, 2), 1, 1)", "[[1, 0], [3, 2]]");
    row("torch.roll(torch.arange(4).view(2, 2), 1)", "[[3, 0], [1, 2]]");
    row("torch.arange(3).roll(7)", "[2, 0, 1]");
  }

  /// Beside what NumPy gives of the same.
  void arrays_by_hand() {
    QFETCH(QString, made);
    QFETCH(QString, wanted);
    COMPARE_TEXT(array_is(made.toStdString(), wanted.toStdString()), "1");
  }

  /// A shifted comparison: rolling by n and back leaves all in place, and moves each place by n.
  void a_roll_moves_each_place() {
    Random random(121);
    for (int i = 0; i < 15; ++i) {
      const Index length = pick(random, 1, 9), shift = pick(random, -20, 20);
      const auto x = random_list(random, length, 0, 9);
      const std::string made = "x = torch.tensor(" + list_text(x) + ")\ny = x.roll(" + to_text(shift) + ")\n";
      const std::string size = to_text(length);
      COMPARE_TEXT(
          cells_of(made + "return (y[q_idx] == x[(q_idx - (" + to_text(shift) + ")) % " + size + "]) & (kv_idx >= 0)",
                   length),
          std::string(static_cast<std::size_t>(length * length), '1'));
      COMPARE_TEXT(cells_of(made + "return (y.roll(-(" + to_text(shift) + ")) == x).all() & (kv_idx >= 0)", length),
                   std::string(static_cast<std::size_t>(length * length), '1'));
      COMPARE_TEXT(cells_of(made + "return (x.flip(0)[q_idx] == x[" + size + " - 1 - q_idx]) & (kv_idx >= 0)", length),
                   std::string(static_cast<std::size_t>(length * length), '1'));
    }
  }

  void bad_dimensions_are_errors() {
    COMPARE_TEXT(placed_error("x = torch.ones(2, 3).transpose(0, 2)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: an array of shape (2, 3) has no dimension 2");
    COMPARE_TEXT(placed_error("x = torch.ones(2, 3).permute(0, 0)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: permute takes a permutation of the dimensions of the array");
    COMPARE_TEXT(placed_error("x = torch.ones(2, 3).permute(0)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: permute takes a permutation of the dimensions of the array");
    COMPARE_TEXT(placed_error("x = F.pad(torch.ones(2), (1,))\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: pad takes two integers for each of the last dimensions of the array");
    COMPARE_TEXT(placed_error("x = F.pad(torch.ones(2), (1, 1, 1, 1))\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: pad takes two integers for each of the last dimensions of the array");
    COMPARE_TEXT(placed_error("x = F.pad(torch.ones(2), (-3, 0))\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: an array of shape (-1,) has a negative dimension");
    COMPARE_TEXT(
        placed_error("x = F.pad(torch.ones(2), (1, 1), mode='reflect')\n"
                     "return x[kv_idx]"),
        "line 1, column 39: pad fills with a constant here, mode \"reflect\" is not part of the mask language");
    COMPARE_TEXT(placed_error("x = torch.ones(2, 2).flip(2)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: an array of shape (2, 2) has no dimension 2");
    COMPARE_TEXT(placed_error("x = torch.ones(2, 2).roll((1, 2), 0)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: roll takes one shift for each dimension");
    COMPARE_TEXT(placed_error("x = torch.roll(torch.ones(2, 2), 1, 3)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: an array of shape (2, 2) has no dimension 3");
    COMPARE_TEXT(placed_error("x = torch.roll(torch.ones(2))\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: roll takes one shift for each dimension");
  }
};

VQSCOPE_TEST(TensorOrdersTest)
#include "tensor_orders_test.moc"
