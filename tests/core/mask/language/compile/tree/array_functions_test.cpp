// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of torch of whole arrays, element by element; properties of an array.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

class ArrayFunctionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arrays_by_hand_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* made, const char* wanted) { QTest::newRow(made) << made << wanted; };
    row("torch.minimum(torch.tensor([1, 5]), torch.tensor([3, 2]))", "[1, 2]");
    row("torch.max(torch.tensor([1, 5]), torch.tensor([3, 2]))", "[3, 5]");
    row("torch.tensor([[1], [5]]).min(torch.tensor([3, 2]))", "[[1, 1], [3, 2]]");
    row("torch.amax(torch.tensor([[1, 9], [3, 4]]), dim=1)", "[9, 4]");
    row("torch.tensor([[1, 9], [3, 4]]).amin(0)", "[1, 4]");
    row("torch.clamp(torch.tensor([1, 5, 3]), max=2, min=4)", "[2, 2, 2]");
    row("torch.clamp(torch.tensor([1, 5, 3]), torch.tensor([2, 2, 4]))", "[2, 5, 4]");
    row("torch.logical_xor(torch.tensor([True, False]), torch.tensor([[True], [False]]))",
        "[[False, True], [True, False]]");
    row("torch.logical_not(torch.tensor([0, 7]))", "[True, False]");
    row("torch.tensor([0, 7]).bool()", "[False, True]");
    row("torch.tensor([True, False]).long()", "[1, 0]");
    row("torch.tensor([2, 0], dtype=torch.bool)", "[True, False]");
    row("torch.div(torch.tensor([-7, 7]), 2, rounding_mode='trunc')", "[-3, 3]");
    row("torch.div(torch.tensor([-7, 7]), 2, rounding_mode='floor')", "[-4, 3]");
    row("(torch.tensor([1, 3, 5, -5]) / 2).round()", "[0, 2, 2, -2]");
    row("(torch.tensor([-3, 3]) / 2).to(torch.int64)", "[-1, 1]");
    row("torch.ceil(torch.tensor([-3, 3]) / 2)", "[-1, 2]");
    row("torch.where(torch.tensor([3, 0, 1]))[0]", "[0, 2]");
    row("torch.where(torch.tensor([True, False]), torch.tensor([[1], [2]]), 0)", "[[1, 0], [2, 0]]");
    row("torch.isin(torch.tensor([[1, 2], [3, 4]]), torch.tensor([4, 1]))", "[[True, False], [False, True]]");
    row("torch.bucketize(torch.tensor([[1, 2], [5, 9]]), torch.tensor([2, 5]), right=True)", "[[0, 1], [2, 2]]");
    row("torch.searchsorted(torch.tensor([2, 5]), torch.tensor([1, 2, 5, 9]))", "[0, 0, 1, 2]");
    row("torch.full((2, 2), True)", "[[True, True], [True, True]]");
    row("torch.full((2,), 3, dtype=torch.bool)", "[True, True]");
    row("torch.full_like(torch.ones(2, 1), 4)", "[[4], [4]]");
    row("torch.zeros_like(torch.tensor([True]))", "[False]");
    row("torch.tensor([True, False]).new_ones(2)", "[True, True]");
    row("torch.tensor([True]).new_zeros(1, dtype=torch.int64)", "[0]");
    row("torch.tensor([True]).new_tensor([4])", "[4]");
    row("torch.arange(6).view(1, 2, 3).mT", "[[[0, 3], [1, 4], [2, 5]]]");
    row("torch.arange(4).view(2, 2).T", "[[0, 2], [1, 3]]");
  }

  /// Beside what NumPy gives of the same.
  void arrays_by_hand() {
    QFETCH(QString, made);
    QFETCH(QString, wanted);
    COMPARE_TEXT(array_is(made.toStdString(), wanted.toStdString()), "1");
  }

  void properties_of_an_array() {
    for (const char* text :
         {"x.shape[0] == 2", "x.shape[-1] == 3", "x.size(1) == 3", "x.size(-2) == 2", "len(x) == 2", "x.numel() == 6",
          "x.dim() == 2", "x.ndim == 2", "x.dtype == torch.int64", "(x > 1).dtype == torch.bool", "len(x.shape) == 2",
          "x.sum().ndim == 0", "x[0].numel() == 3", "(x + True).dtype == torch.int64", "(x & x).dtype == torch.int64",
          "((x > 1) & (x > 2)).dtype == torch.bool", "((x > 1) & x).dtype == torch.int64",
          "torch.minimum(x, x).dtype == torch.int64"})
      COMPARE_TEXT(cells_of(std::string("x = torch.arange(6).view(2, 3)\nreturn (") + text + ") & (kv_idx >= 0)", 1),
                   "1");
  }

  /// Functions of a cell and of an array of all numbers agree: two ways through the compiler.
  void functions_of_cells_and_arrays_agree() {
    Random random(71);
    for (int i = 0; i < 10; ++i) {
      auto bounds = random_list(random, pick(random, 1, 5), -1, 9);
      std::ranges::sort(bounds);
      const std::string edges = "e = torch.tensor(" + list_text(bounds) + ")\nx = torch.arange(8)\n";
      const Index length = pick(random, 1, 8);
      for (const std::string made : {"torch.bucketize(#, e)", "torch.bucketize(#, e, right=True)", "torch.isin(#, e)",
                                     "torch.searchsorted(e, #, side='right')", "torch.clamp(#, 2, 5)", "(# - 3).abs()",
                                     "torch.where(# > 3, 9, #)", "torch.round(# / 2)", "torch.maximum(#, e[0])"}) {
        const auto of = [&](const std::string& what) {
          std::string text = made;
          for (auto at = text.find('#'); at != std::string::npos; at = text.find('#')) text.replace(at, 1, what);
          return text;
        };
        COMPARE_TEXT(cells_of(edges + "y = " + of("x") + "\nreturn (y[q_idx] + 0) >= y[kv_idx] + 1", length),
                     cells_of(edges + "return (" + of("q_idx") + " + 0) >= " + of("kv_idx") + " + 1", length));
      }
    }
  }

  void bad_arguments_are_errors() {
    COMPARE_TEXT(placed_error("x = torch.bucketize(torch.arange(3), torch.tensor([2, 1]))\n"
                              "return x[q_idx] == 1"),
                 "line 1, column 5: bucketize takes boundaries that do not decrease");
    COMPARE_TEXT(placed_error("x = torch.full((3,), q_idx)\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 22: an array must be filled with a known number");
    COMPARE_TEXT(placed_error("x = torch.ones(2, 3)\n"
                              "return x.size(2) == q_idx"),
                 "line 2, column 8: an array of shape (2, 3) has no such dimension");
    COMPARE_TEXT(placed_error("x = torch.fmod(torch.arange(3), 2)\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: fmod of an array is not part of the mask language");
    COMPARE_TEXT(placed_error("x = torch.cummax(torch.arange(3), 0).indices\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: there are none here");
    COMPARE_TEXT(placed_error("x = torch.arange(3).values\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: values of an array is not part of the mask language");
    COMPARE_TEXT(placed_error("x = torch.searchsorted(torch.arange(3))\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: searchsorted takes 2 values, found 1");
    COMPARE_TEXT(placed_error("x = torch.clamp(torch.arange(3))\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: clamp takes a value and min, max or both");
    COMPARE_TEXT(placed_error("x = torch.clamp(torch.arange(3), low=1)\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 38: clamp takes a value, min and max");
  }
};

VQSCOPE_TEST(ArrayFunctionsTest)
#include "array_functions_test.moc"
