// SPDX-License-Identifier: GPL-3.0-or-later
// Some of the elements, once or several times: gather, diagonals, unique, nonzero, repeat_interleave.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class TensorSelectionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arrays_by_hand_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* made, const char* wanted) { QTest::newRow(made) << made << wanted; };
    row("torch.repeat_interleave(torch.tensor([[1, 2], [3, 4]]), 2)", "[1, 1, 2, 2, 3, 3, 4, 4]");
    row("torch.repeat_interleave(torch.tensor([[1, 2], [3, 4]]), torch.tensor([0, 2]), dim=1)", "[[2, 2], [4, 4]]");
    row("torch.index_select(torch.arange(6).view(2, 3), 1, torch.tensor([2, 0]))", "[[2, 0], [5, 3]]");
    row("torch.masked_select(torch.arange(4).view(2, 2), torch.tensor([[True, False], [False, True]]))", "[0, 3]");
    row("torch.gather(torch.arange(6).view(2, 3), 1, torch.tensor([[2], [0]]))", "[[2], [3]]");
    row("torch.gather(torch.arange(4).view(2, 2), dim=0, index=torch.tensor([[1, 0]]))", "[[2, 1]]");
    row("torch.diagonal(torch.arange(9).view(3, 3), 1)", "[1, 5]");
    row("torch.arange(6).view(2, 3).diagonal(offset=1)", "[1, 5]");
    row("torch.diag(torch.arange(9).view(3, 3), diagonal=-2)", "[6]");
    row("torch.arange(6).view(3, 2).diagonal()", "[0, 3]");
    row("torch.unique(torch.tensor([[3, 1], [3, 2]]))", "[1, 2, 3]");
    row("torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))", "[1, 2, 1]");
    row("torch.nonzero(torch.tensor([[0, 3], [1, 0]]), as_tuple=True)[1]", "[1, 0]");
    row("torch.tensor([0, 4]).nonzero()", "[[1]]");
    row("torch.tensor(torch.arange(4).view(2, 2).tolist())", "[[0, 1], [2, 3]]");
  }

  void arrays_by_hand() {
    QFETCH(QString, made);
    QFETCH(QString, wanted);
    COMPARE_TEXT(array_is(made.toStdString(), wanted.toStdString()), "1");
  }

  /// Lengths of documents become the document of each token, as they are counted by hand.
  void lengths_become_documents() {
    Random random(141);
    for (int i = 0; i < 20; ++i) {
      const auto lengths = random_list(random, pick(random, 1, 4), 0, 3);
      std::vector<Index> documents;
      for (std::size_t d = 0; d < lengths.size(); ++d)
        documents.insert(documents.end(), static_cast<std::size_t>(lengths[d]), static_cast<Index>(d));
      const auto length = static_cast<Index>(documents.size());
      if (length == 0) continue;
      const auto rule = [&](Index q, Index kv) {
        return documents[static_cast<std::size_t>(q)] == documents[static_cast<std::size_t>(kv)];
      };
      const std::string given = "n = torch.tensor(" + list_text(lengths) + ")\n",
                        end = "\nreturn doc[q_idx] == doc[kv_idx]";
      for (const std::string made :
           {"doc = torch.repeat_interleave(torch.arange(len(n)), n)", "doc = torch.repeat_interleave(n)",
            "doc = torch.searchsorted(n.cumsum(0), torch.arange(n.sum()), right=True)",
            "doc = torch.bucketize(torch.arange(n.sum()), torch.cumsum(n, 0), right=True)",
            "doc = torch.cat([torch.full((c,), i) for i, c in enumerate(n.tolist())])",
            "doc = np.repeat(np.arange(len(n)), n)"})
        COMPARE_TEXT(cells_of(given + made + end, length), cells_by(rule, length));
    }
  }

  void bad_selections_are_errors() {
    COMPARE_TEXT(placed_error("x = torch.repeat_interleave(torch.arange(2), torch.tensor([1, -1]))\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: repeat_interleave takes one count, 0 or more, for each of 2 elements");
    COMPARE_TEXT(placed_error("x = torch.repeat_interleave(torch.arange(3), torch.tensor([1, 2]))\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: repeat_interleave takes one count, 0 or more, for each of 3 elements");
    COMPARE_TEXT(placed_error("x = torch.arange(2).repeat_interleave(torch.tensor([kv_idx, 1]))\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: how often each element is repeated must be known");
    COMPARE_TEXT(placed_error("x = torch.index_select(torch.arange(2), 0)\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: index_select takes a dimension and indices");
    COMPARE_TEXT(placed_error("x = torch.masked_select(torch.arange(2))\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: masked_select takes a mask");
    COMPARE_TEXT(placed_error("x = torch.arange(4).split()\n"
                              "return x[0][kv_idx]"),
                 "line 1, column 5: split takes the number or the sizes of the parts");
    COMPARE_TEXT(placed_error("x = torch.arange(4).split([1, 2])\n"
                              "return x[0][kv_idx]"),
                 "line 1, column 5: the parts of split do not add up to the array");
    COMPARE_TEXT(placed_error("x = torch.arange(4).split(0)\n"
                              "return x[0][kv_idx]"),
                 "line 1, column 5: the parts of split do not add up to the array");
    COMPARE_TEXT(placed_error("x = torch.arange(4).chunk(0)\n"
                              "return x[0][kv_idx]"),
                 "line 1, column 5: the parts of chunk do not add up to the array");
    COMPARE_TEXT(placed_error("x = torch.ones(2, 2).gather(1, torch.arange(2))\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: gather takes a dimension, and indices with as many dimensions as the array");
    COMPARE_TEXT(placed_error("x = torch.arange(3).diagonal()\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: diagonal takes an array of two dimensions");
    COMPARE_TEXT(placed_error("x = torch.unique(torch.arange(3) + kv_idx)\n"
                              "return x[0] == 1"),
                 "line 1, column 5: unique takes an array of known numbers");
    COMPARE_TEXT(placed_error("x = torch.arange(3).unbind(1)\n"
                              "return x[0] == q_idx"),
                 "line 1, column 5: an array of 1 dimension has no dimension 1");
    COMPARE_TEXT(placed_error("x = torch.arange(3).split(2, 1)\n"
                              "return x[0][kv_idx]"),
                 "line 1, column 5: an array of 1 dimension has no dimension 1");
  }
};

VQSCOPE_TEST(TensorSelectionTest)
#include "tensor_selection_test.moc"
