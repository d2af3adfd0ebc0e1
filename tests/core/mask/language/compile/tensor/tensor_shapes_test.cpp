// SPDX-License-Identifier: GPL-3.0-or-later
// The same elements in another shape: view, flatten, squeeze, expand, repeat.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class TensorShapesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arrays_by_hand_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* made, const char* wanted) { QTest::newRow(made) << made << wanted; };
    row("torch.arange(6).view(-1, 2)", "[[0, 1], [2, 3], [4, 5]]");
    row("torch.arange(6).reshape((2, 3))", "[[0, 1, 2], [3, 4, 5]]");
    row("torch.arange(8).view(2, 2, 2).flatten(1)", "[[0, 1, 2, 3], [4, 5, 6, 7]]");
    row("torch.arange(8).view(2, 2, 2).flatten(0, 1)", "[[0, 1], [2, 3], [4, 5], [6, 7]]");
    row("torch.arange(8).view(2, 2, 2).flatten(start_dim=-2, end_dim=-1)", "[[0, 1, 2, 3], [4, 5, 6, 7]]");
    row("torch.flatten(torch.arange(4).view(2, 2))", "[0, 1, 2, 3]");
    row("torch.arange(2).unsqueeze(0)", "[[0, 1]]");
    row("torch.arange(2).unsqueeze(-1)", "[[0], [1]]");
    row("torch.ones(1, 2, 1).squeeze()", "[1, 1]");
    row("torch.ones(1, 2, 1).squeeze(0)", "[[1], [1]]");
    row("torch.ones(1, 2, 1).squeeze(1)", "[[[1], [1]]]");
    row("torch.arange(2).expand(2, 2)", "[[0, 1], [0, 1]]");
    row("torch.arange(2)[:, None].expand(-1, 3)", "[[0, 0, 0], [1, 1, 1]]");
    row("torch.arange(2).expand_as(torch.ones(2, 2))", "[[0, 1], [0, 1]]");
    row("torch.arange(4).view_as(torch.ones(2, 2))", "[[0, 1], [2, 3]]");
    row("torch.arange(2).repeat(2, 2)", "[[0, 1, 0, 1], [0, 1, 0, 1]]");
    row("torch.arange(2)[:, None].repeat(1, 2)", "[[0, 0], [1, 1]]");
    row("torch.tile(torch.arange(2), (3,))", "[0, 1, 0, 1, 0, 1]");
    row("torch.broadcast_to(torch.tensor([True]), (2,))", "[True, True]");
  }

  /// Beside what NumPy gives of the same.
  void arrays_by_hand() {
    QFETCH(QString, made);
    QFETCH(QString, wanted);
    COMPARE_TEXT(array_is(made.toStdString(), wanted.toStdString()), "1");
  }

  /// Element i of a view is element i of the whole, in any shape that has as many.
  void a_view_keeps_the_order() {
    Random random(111);
    for (int i = 0; i < 20; ++i) {
      const Index rows = pick(random, 1, 4), columns = pick(random, 1, 4), depth = pick(random, 1, 3);
      const std::string shape = to_text(rows) + ", " + to_text(columns) + ", " + to_text(depth);
      const std::string whole = "x = torch.arange(" + to_text(rows * columns * depth) + ")\n";
      for (const std::string& view :
           {"x.view(" + shape + ")", "x.view(-1, " + to_text(columns) + ", " + to_text(depth) + ")",
            "x.reshape(" + to_text(depth) + ", -1).view(" + shape + ")"})
        COMPARE_TEXT(cells_of(whole + "return (" + view + ".flatten() == x).all() & (" + view +
                                  ".flatten(1).shape[1] == " + to_text(columns * depth) + ") & (kv_idx >= 0)",
                              1),
                     "1");
    }
  }

  void bad_shapes_are_errors() {
    COMPARE_TEXT(placed_error("x = torch.arange(6).view(4, 2)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: an array of shape (6,) cannot be seen as (4, 2)");
    COMPARE_TEXT(placed_error("x = torch.arange(6).view(-1, 4)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: an array of shape (6,) cannot be seen as (1, 4)");
    COMPARE_TEXT(placed_error("x = torch.arange(6).view(-1, -1)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: an array of shape (6,) cannot be seen as (6, -1)");
    COMPARE_TEXT(placed_error("x = torch.arange(3).expand(2)\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: an array of shape (3,) cannot be repeated to (2,)");
    COMPARE_TEXT(placed_error("x = torch.arange(3).expand(-1, 3)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: an array of shape (-1, 3) has a negative dimension");
    COMPARE_TEXT(placed_error("x = torch.arange(3).expand_as()\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: expand_as takes two arrays");
    COMPARE_TEXT(placed_error("x = torch.arange(3).unsqueeze(3)\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: an array of 2 dimensions has no dimension 3");
    COMPARE_TEXT(placed_error("x = torch.arange(4).view(2, 2).flatten(2)\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: an array of 2 dimensions has no dimension 2");
    COMPARE_TEXT(placed_error("x = torch.ones(2, 2, 2).flatten(1, 0)\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: flatten starts after its end");
    COMPARE_TEXT(placed_error("x = torch.arange(3).repeat(-1)\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: an array of shape (-3,) has a negative dimension");
  }
};

VQSCOPE_TEST(TensorShapesTest)
#include "tensor_shapes_test.moc"
