// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays that a text makes of nothing: arange, eye, triangles; and which names of arguments are heeded.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class TensorFunctionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arrays_by_hand_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* made, const char* wanted) { QTest::newRow(made) << made << wanted; };
    row("torch.arange(5, step=2)", "[0, 2, 4]");
    row("torch.arange(end=5, step=2)", "[0, 2, 4]");
    row("torch.arange(1, 6, step=2)", "[1, 3, 5]");
    row("torch.arange(5, 0, -2)", "[5, 3, 1]");
    row("torch.arange(-3, 2)", "[-3, -2, -1, 0, 1]");
    row("torch.eye(2, 3)", "[[1, 0, 0], [0, 1, 0]]");
    row("torch.eye(2, dtype=torch.bool)", "[[True, False], [False, True]]");
    row("torch.tril(torch.ones(3, 2), -1)", "[[0, 0], [1, 0], [1, 1]]");
    row("torch.triu(torch.arange(1, 7).view(2, 3), diagonal=1)", "[[0, 2, 3], [0, 0, 6]]");
    row("torch.ones(2, 2, dtype=torch.bool).tril()", "[[True, False], [True, True]]");
    row("torch.tril(torch.ones(2, 2, 2))", "[[[1, 0], [1, 1]], [[1, 0], [1, 1]]]");
    row("torch.unique(torch.tensor([3, 1]), return_inverse=False)", "[1, 3]");
    row("torch.arange(4).view(2, 2).sum(0, keepdim=False)", "[2, 4]");
  }

  /// Beside what NumPy gives of the same.
  void arrays_by_hand() {
    QFETCH(QString, made);
    QFETCH(QString, wanted);
    COMPARE_TEXT(array_is(made.toStdString(), wanted.toStdString()), "1");
  }

  /// A triangle of ones against the comparison of q and kv that it stands for.
  void triangles_are_comparisons() {
    Random random(81);
    for (int i = 0; i < 20; ++i) {
      const Index length = pick(random, 1, 9), diagonal = pick(random, -10, 10);
      const std::string size = to_text(length), moved = to_text(diagonal);
      const std::string ones = "torch.ones(" + size + ", " + size + ", dtype=torch.bool)";
      COMPARE_TEXT(
          cells_of("mask = torch.tril(" + ones + ", diagonal=" + moved + ")\nreturn mask[q_idx, kv_idx]", length),
          cells_of("return kv_idx - q_idx <= " + moved, length));
      COMPARE_TEXT(cells_of("mask = torch.triu(" + ones + ", " + moved + ")\nreturn mask[q_idx, kv_idx]", length),
                   cells_of("return kv_idx - q_idx >= " + moved, length));
      COMPARE_TEXT(cells_of("mask = ~torch.triu(" + ones + ", " + moved + ")\nreturn mask[q_idx, kv_idx]", length),
                   cells_by([&](Index q, Index kv) { return kv - q < diagonal; }, length));
      COMPARE_TEXT(cells_of("mask = np.eye(" + size + ", k=" + moved + ")\nreturn mask[q_idx, kv_idx] == 1", length),
                   cells_by([&](Index q, Index kv) { return kv - q == diagonal; }, length));
    }
  }

  /// Masks that texts build of index vectors, against the mask function of one cell.
  void index_vectors_are_cells() {
    Random random(82);
    for (int i = 0; i < 12; ++i) {
      const Index length = pick(random, 1, 9);
      const std::string size = to_text(length), w = to_text(pick(random, 1, 5)), s = to_text(pick(random, 1, 4));
      const std::string vectors = "q = torch.arange(" + size + ")[:, None]\nk = torch.arange(" + size + ")[None, :]\n";
      for (const std::string rule :
           {"(k <= q) & (q - k < #)", "(q // @ == k // @) | (k < #)", "(q - k) % @ == 0",
            "torch.where(q > #, k <= q, k < @)", "~((q - k).abs() < #)", "(k <= q) ^ (k < @)"}) {
        std::string filled;
        for (const char c : rule) filled += c == '#' ? w : c == '@' ? s : std::string(1, c);
        COMPARE_TEXT(cells_of(vectors + "mask = " + filled + "\nreturn mask[q_idx, kv_idx]", length),
                     cells_of("q, k = q_idx, kv_idx\nreturn " + filled, length));
      }
    }
  }

  void of_no_elements() {
    for (const char* text :
         {"torch.arange(0).numel() == 0", "torch.arange(3, 3).numel() == 0", "torch.arange(3, 1).numel() == 0",
          "torch.arange(1, 3, -1).numel() == 0", "torch.eye(0).numel() == 0", "torch.zeros(0, 3).shape[1] == 3"})
      COMPARE_TEXT(cells_of(std::string("return ") + text, 1), "1");
  }

  void bad_arguments_are_errors() {
    COMPARE_TEXT(placed_error("x = torch.arange()\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: arange takes one to three integers");
    COMPARE_TEXT(placed_error("x = torch.arange(0, 5, 0)\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: the step of arange must not be 0");
    COMPARE_TEXT(placed_error("x = torch.arange(q_idx)\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 18: an integer is needed here that is known before any cell is evaluated");
    COMPARE_TEXT(placed_error("x = torch.eye()\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: eye takes the number of rows");
    COMPARE_TEXT(placed_error("x = torch.tril(torch.arange(3))\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: tril takes an array of two dimensions");
    COMPARE_TEXT(placed_error("x = torch.triu(torch.ones(2, 2), diagonal=q_idx)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 43: an integer is needed here that is known before any cell is evaluated");
    COMPARE_TEXT(placed_error("x = torch.eye(-1)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: an array of shape (-1, -1) has a negative dimension");
    COMPARE_TEXT(placed_error("x = torch.arange(3000000000)\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: an array of shape (3000000000,) is too large here");
    COMPARE_TEXT(placed_error("x = torch.unique(torch.arange(3), dim=0)\n"
                              "return x[0] == q_idx"),
                 "line 1, column 39: unique with dim is not part of the mask language");
    COMPARE_TEXT(placed_error("x = torch.arange(3).sum(where=torch.tensor([True, False, True]))\n"
                              "return x == q_idx"),
                 "line 1, column 31: sum with where is not part of the mask language");
  }
};

VQSCOPE_TEST(TensorFunctionsTest)
#include "tensor_functions_test.moc"
