// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that NumPy and torch have under one name and that do not give the same.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class NumpyFunctionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arrays_by_hand_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* made, const char* wanted) { QTest::newRow(made) << made << wanted; };
    row("np.repeat([4, 5], 2)", "[4, 4, 5, 5]");
    row("np.repeat(np.array([[1], [2]]), 2, axis=0)", "[[1], [1], [2], [2]]");
    row("np.max(np.array([[1, 9], [3, 4]]), axis=1)", "[9, 4]");
    row("np.min(np.array([[1, 9], [3, 4]]), axis=0, keepdims=True)", "[[1, 4]]");
    row("np.sort(np.array([3, 1, 2]))", "[1, 2, 3]");
    row("np.sort(np.array([[3, 1], [2, 9]]), axis=0)", "[[2, 1], [3, 9]]");
    row("np.nonzero(np.array([[0, 3], [1, 1]]))[0]", "[0, 1, 1]");
    row("np.nonzero(np.array([[0, 3], [1, 1]]))[1]", "[1, 0, 1]");
    row("np.where(np.array([0, 1, 2]))[0]", "[1, 2]");
    row("np.meshgrid(np.arange(2), np.arange(3))[0]", "[[0, 1], [0, 1], [0, 1]]");
    row("np.meshgrid(np.arange(2), np.arange(3), indexing='ij')[0]", "[[0, 0, 0], [1, 1, 1]]");
    row("np.split(np.arange(6), 3)[1]", "[2, 3]");
    row("np.split(np.arange(6), [1, 4])[1]", "[1, 2, 3]");
    row("np.split(np.arange(4).reshape(2, 2), 2, axis=1)[0]", "[[0], [2]]");
    row("np.pad(np.ones((1, 2), dtype=int), ((1, 0), (0, 2)))", "[[0, 0, 0, 0], [1, 1, 0, 0]]");
    row("np.pad(np.array([1, 2]), 1)", "[0, 1, 2, 0]");
    row("np.pad(np.array([1, 2]), (2, 1), constant_values=7)", "[7, 7, 1, 2, 7]");
    row("np.pad(np.array([[1]]), (0, 1))", "[[1, 0], [0, 0]]");
    row("np.pad(np.array([1]), 1, 'constant')", "[0, 1, 0]");
    row("np.transpose(np.arange(4).reshape(2, 2), (0, 1))", "[[0, 1], [2, 3]]");
    row("np.transpose(np.arange(4).reshape(2, 2))", "[[0, 2], [1, 3]]");
    row("np.eye(3, k=1)", "[[0, 1, 0], [0, 0, 1], [0, 0, 0]]");
    row("np.eye(2, 3, -1)", "[[0, 0, 0], [1, 0, 0]]");
    row("np.diff(np.array([1, 4, 9]), prepend=0)", "[1, 3, 5]");
    row("np.diff(np.array([1, 4, 9]), 2)", "[2]");
    row("np.diff(np.array([True, False, False]))", "[True, False]");
    row("np.clip(np.array([1, 5, 3]), a_min=2, a_max=4)", "[2, 4, 3]");
    row("np.searchsorted(np.array([2, 5]), np.array([2, 5]), 'right')", "[1, 2]");
    row("np.searchsorted(np.array([2, 5]), np.array([2, 5]), 'left')", "[0, 1]");
    row("np.cumsum(np.array([[1, 2], [3, 4]]))", "[1, 3, 6, 10]");
    row("np.cumsum(np.array([[1, 2], [3, 4]]), axis=0)", "[[1, 2], [4, 6]]");
    row("np.tile(np.array([1, 2]), 2)", "[1, 2, 1, 2]");
    row("np.expand_dims(np.arange(2), 1)", "[[0], [1]]");
    row("np.diagonal(np.arange(9).reshape(3, 3), 1)", "[1, 5]");
    row("np.diag(np.arange(9).reshape(3, 3), k=-1)", "[3, 7]");
    row("np.roll(np.arange(4).reshape(2, 2), 1)", "[[3, 0], [1, 2]]");
    row("np.flip(np.arange(4).reshape(2, 2))", "[[3, 2], [1, 0]]");
    row("np.concatenate([np.arange(2), np.arange(1)])", "[0, 1, 0]");
    row("np.stack([np.arange(2), np.arange(2)], axis=1)", "[[0, 0], [1, 1]]");
    row("np.tril(np.ones((2, 3), dtype=int), k=1)", "[[1, 1, 0], [1, 1, 1]]");
    row("np.triu(np.ones((3, 2), dtype=int), -1)", "[[1, 1], [1, 1], [0, 1]]");
    row("np.argsort(np.array([3, 1, 2]))", "[1, 2, 0]");
    row("np.unique(np.array([[3, 1], [3, 2]]))", "[1, 2, 3]");
    row("np.argwhere(np.array([[0, 3], [1, 0]]))", "[[0, 1], [1, 0]]");
    row("np.squeeze(np.ones((1, 2, 1), dtype=int))", "[1, 1]");
  }

  /// Python gives these with NumPy for the same text.
  void arrays_by_hand() {
    QFETCH(QString, made);
    QFETCH(QString, wanted);
    COMPARE_TEXT(array_is(made.toStdString(), wanted.toStdString()), "1");
  }

  /// torch's functions of these names stay torch's.
  void torch_functions_keep_their_meaning() {
    COMPARE_TEXT(array_is("torch.sort(torch.tensor([3, 1])).indices", "[1, 0]"), "1");
    COMPARE_TEXT(array_is("torch.max(torch.tensor([[1, 9]]), dim=1).values", "[9]"), "1");
    COMPARE_TEXT(array_is("torch.nonzero(torch.tensor([0, 1]))", "[[1]]"), "1");
    COMPARE_TEXT(array_is("torch.split(torch.arange(6), 4)[0]", "[0, 1, 2, 3]"), "1");
    COMPARE_TEXT(array_is("torch.meshgrid(torch.arange(2), torch.arange(1))[0]", "[[0], [1]]"), "1");
    COMPARE_TEXT(array_is("F.pad(torch.ones(1, 1), (1, 0, 0, 1))", "[[0, 1], [0, 0]]"), "1");
  }

  void bad_arguments_are_errors() {
    COMPARE_TEXT(placed_error("x = np.pad(np.ones((2, 2)), (1, 2, 3))\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: np.pad takes two integers for each dimension of the array");
    COMPARE_TEXT(placed_error("x = np.split(np.arange(5), 2)\n"
                              "return x[0][kv_idx] == 1"),
                 "line 1, column 5: np.split splits a dimension of the array into parts of equal size");
    COMPARE_TEXT(placed_error("x = np.split(np.arange(5), [3, 1])\n"
                              "return x[0][kv_idx] == 1"),
                 "line 1, column 5: the parts of split do not add up to the array");
    COMPARE_TEXT(placed_error("x = np.split(np.arange(4), 2, axis=1)\n"
                              "return x[0][kv_idx] == 1"),
                 "line 1, column 5: np.split splits a dimension of the array into parts of equal size");
    COMPARE_TEXT(placed_error("x = np.pad(np.arange(3), 1, mode='edge')\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 34: pad fills with a constant here, mode \"edge\" is not part of the mask language");
    COMPARE_TEXT(placed_error("x = np.pad(np.arange(3), 1, 'edge')\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 29: pad fills with a constant here, mode \"edge\" is not part of the mask language");
    COMPARE_TEXT(placed_error("x = np.unique(np.arange(3), return_index=True)\n"
                              "return x[0] == q_idx"),
                 "line 1, column 42: unique with return_index is not part of the mask language");
  }
};

VQSCOPE_TEST(NumpyFunctionsTest)
#include "numpy_functions_test.moc"
