// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements an index of an array means: slices, arrays of places, truth values, new sides.
#include "core/mask/language/compile/tensor/tensor_index.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class TensorIndexTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arrays_by_hand_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* made, const char* wanted) { QTest::newRow(made) << made << wanted; };
    row("torch.arange(6).view(2, 3)[-1]", "[3, 4, 5]");
    row("torch.arange(6).view(2, 3)[:, -2]", "[1, 4]");
    row("torch.arange(6).view(2, 3)[1:, ::2]", "[[3, 5]]");
    row("torch.arange(6).view(2, 3)[..., 1:]", "[[1, 2], [4, 5]]");
    row("torch.arange(2)[:, None]", "[[0], [1]]");
    row("torch.arange(2)[None, :, None]", "[[[0], [1]]]");
    row("torch.arange(5)[torch.tensor([-1, 0])]", "[4, 0]");
    row("torch.arange(5)[torch.tensor([[0, 1], [2, 3]])]", "[[0, 1], [2, 3]]");
    row("torch.arange(6).view(2, 3)[torch.tensor([[0], [1]]), torch.tensor([0, 2])]", "[[0, 2], [3, 5]]");
    row("torch.arange(6).view(2, 3)[:, torch.tensor([2, 0])]", "[[2, 0], [5, 3]]");
    row("torch.arange(8).view(2, 2, 2)[torch.tensor([0, 1]), :, torch.tensor([1, 0])]", "[[1, 3], [4, 6]]");
    row("torch.arange(8).view(2, 2, 2)[:, torch.tensor([0, 1]), torch.tensor([1, 0])]", "[[1, 2], [5, 6]]");
    row("torch.arange(4).view(2, 2)[torch.tensor([[True, False], [True, True]])]", "[0, 2, 3]");
    row("torch.arange(4).view(2, 2)[torch.tensor([False, True])]", "[[2, 3]]");
    row("torch.arange(3)[torch.arange(3) > 0]", "[1, 2]");
    row("(torch.arange(3) > 0)[1:]", "[True, True]");
    row("torch.arange(6)[1:5][::-2]", "[4, 2]");
  }

  /// Beside what NumPy gives of the same.
  void arrays_by_hand() {
    QFETCH(QString, made);
    QFETCH(QString, wanted);
    COMPARE_TEXT(array_is(made.toStdString(), wanted.toStdString()), "1");
  }

  void places_may_differ_by_cell() {
    const std::string table = "x = torch.tensor([[0, 1, 2], [3, 4, 5], [6, 7, 8]])\n";
    const auto at = [](Index row, Index column) { return row % 3 * 3 + column % 3; };
    const std::vector<RuledText> all{
        {table + "return x[q_idx % 3, kv_idx % 3] > 4", [&](Index q, Index kv) { return at(q, kv) > 4; }},
        {table + "return x[-1 - q_idx % 3, 0] == 3", [&](Index q, Index) { return q % 3 == 1; }},
        {table + "return (x[kv_idx % 3] > 3).all()", [&](Index, Index kv) { return kv % 3 == 2; }},
        {table + "return x[:2, kv_idx % 3].sum() > 4 + q_idx",
         [&](Index q, Index kv) { return at(0, kv) + at(1, kv) > 4 + q; }},
        {table + "return x[torch.tensor([0, 2]), kv_idx % 3].max() == 7", [&](Index, Index kv) { return kv % 3 == 1; }},
        {"x = torch.tensor([True, False])\nreturn ~x[kv_idx % 2]", [](Index, Index kv) { return kv % 2 == 1; }},
    };
    for (const auto& [text, rule] : all)
      for (const Index length : {1, 4, 7}) COMPARE_TEXT(cells_of(text, length), cells_by(rule, length));
  }

  /// Documents of tokens, indexed by cell and compared as whole vectors.
  void documents_by_cell_and_by_vector() {
    Random random(91);
    for (int i = 0; i < 15; ++i) {
      const Index length = pick(random, 1, 9);
      const auto of_token = random_list(random, length, 0, 3);
      const std::string doc = "doc = torch.tensor(" + list_text(of_token) + ")\n";
      const auto rule = [&](Index q, Index kv) {
        return kv <= q && of_token[static_cast<std::size_t>(q)] == of_token[static_cast<std::size_t>(kv)];
      };
      const std::string size = to_text(length);
      COMPARE_TEXT(cells_of(doc + "return (doc[q_idx] == doc[kv_idx]) & (kv_idx <= q_idx)", length),
                   cells_by(rule, length));
      COMPARE_TEXT(cells_of(doc + "m = (doc[:, None] == doc[None, :]) & torch.ones(" + size + ", " + size +
                                ", dtype=torch.bool).tril()\nreturn m[q_idx, kv_idx]",
                            length),
                   cells_by(rule, length));
      COMPARE_TEXT(cells_of(doc + "m = torch.zeros(" + size + ", " + size + ", dtype=torch.bool)\nfor i in range(" +
                                size + "):\n    m[i, :i + 1] = doc[:i + 1] == doc[i]\nreturn m[q_idx, kv_idx]",
                            length),
                   cells_by(rule, length));
    }
  }

  void bad_indices_are_errors() {
    COMPARE_TEXT(placed_error("x = torch.arange(3)\n"
                              "return x[3] == q_idx"),
                 "line 2, column 8: the index 3 is out of range; this dimension has 3 elements");
    COMPARE_TEXT(placed_error("x = torch.arange(3)\n"
                              "return x[-4] == q_idx"),
                 "line 2, column 8: the index -4 is out of range; this dimension has 3 elements");
    COMPARE_TEXT(placed_error("x = torch.arange(1)\n"
                              "return x[1] == q_idx"),
                 "line 2, column 8: the index 1 is out of range; this dimension has 1 element");
    COMPARE_TEXT(placed_error("x = torch.arange(3)\n"
                              "return x[0, 1] == q_idx"),
                 "line 2, column 8: an array of shape (3,) is indexed with 2 indices");
    COMPARE_TEXT(placed_error("x = torch.arange(3)[::0]\n"
                              "return x[0] == q_idx"),
                 "line 1, column 5: the step of a slice must not be 0");
    COMPARE_TEXT(placed_error("x = torch.arange(3)[kv_idx:]\n"
                              "return x[0] == q_idx"),
                 "line 1, column 21: an integer is needed here that is known before any cell is evaluated");
    COMPARE_TEXT(placed_error("x = torch.ones(2, 3)\n"
                              "return x[torch.tensor([0, 1]), torch.tensor([0, 1, 2])].any()"),
                 "line 2, column 8: indices of shapes (2,) and (3,) do not fit together");
    COMPARE_TEXT(placed_error("x = torch.arange(3)\n"
                              "return x[torch.arange(3) > kv_idx].any()"),
                 "line 2, column 8: which elements this picks differs by cell; write torch.where");
    COMPARE_TEXT(placed_error("x = torch.arange(3)\n"
                              "return x[torch.ones(3, 2, dtype=torch.bool)].any()"),
                 "line 2, column 8: this picks along more dimensions than the array has");
    COMPARE_TEXT(placed_error("x = torch.tensor([q_idx, 1])\n"
                              "return x[kv_idx] == 1"),
                 "line 2, column 8: what differs by cell cannot be indexed by cell");
    COMPARE_TEXT(placed_error("x = torch.arange(0)\n"
                              "return x[kv_idx] == 1"),
                 "line 2, column 8: the array is empty");
  }
};

VQSCOPE_TEST(TensorIndexTest)
#include "tensor_index_test.moc"
