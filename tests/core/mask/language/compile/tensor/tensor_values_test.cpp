// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays element by element: broadcasting, types, division of negatives, what leaves 64 bits.
#include "core/mask/language/compile/tensor/tensor_values.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

class TensorValuesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void arrays_by_hand_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* made, const char* wanted) { QTest::newRow(made) << made << wanted; };
    row("torch.tensor([7, -7]) // 2", "[3, -4]");
    row("torch.tensor([7, -7]) // -2", "[-4, 3]");
    row("torch.tensor([7, -7]) % 3", "[1, 2]");
    row("torch.tensor([7, -7]) % -3", "[-2, -1]");
    row("-7 // torch.tensor([2, -2])", "[-4, 3]");
    row("2 - torch.tensor([5, 1])", "[-3, 1]");
    row("torch.tensor([-5, 5]) >> 1", "[-3, 2]");
    row("1 << torch.tensor([0, 4])", "[1, 16]");
    row("torch.tensor([[1], [2]]) + torch.tensor([10, 20])", "[[11, 21], [12, 22]]");
    row("torch.tensor([[1, 2]]) * torch.tensor([[3], [4]])", "[[3, 6], [4, 8]]");
    row("torch.tensor([1, 2]) == torch.tensor([[1], [2]])", "[[True, False], [False, True]]");
    row("torch.tensor([True, False]) + 1", "[2, 1]");
    row("torch.tensor([True, False]) & True", "[True, False]");
    row("torch.tensor([True, False]) & 1", "[1, 0]");
    row("torch.tensor([True, True]) ^ torch.tensor([True, False])", "[False, True]");
    row("~torch.tensor([True, False])", "[False, True]");
    row("~torch.tensor([0, 5])", "[-1, -6]");
    row("-torch.tensor([3, -4])", "[-3, 4]");
    row("torch.tensor([True, 2])", "[1, 2]");
    row("torch.tensor([2, 3]) ** 2", "[4, 9]");
    row("torch.tensor([0, 3]) > 1", "[False, True]");
    row("torch.tensor([torch.arange(2).sum(), 3])", "[1, 3]");
  }

  /// Beside what NumPy gives of the same.
  void arrays_by_hand() {
    QFETCH(QString, made);
    QFETCH(QString, wanted);
    COMPARE_TEXT(array_is(made.toStdString(), wanted.toStdString()), "1");
  }

  /// An operator of two arrays against the same of two cells, broadcast over both sides.
  void broadcasting_is_every_pair() {
    Random random(101);
    for (const std::string symbol : {"+", "-", "*", "//", "%", "<", "<=", "==", "!=", "&", "|", "^"})
      for (int i = 0; i < 4; ++i) {
        const Index length = pick(random, 1, 6);
        auto a = random_list(random, length, -6, 6), d = random_list(random, length, -6, 6);
        for (Index& number : d) number += number == 0 ? 1 : 0;
        const std::string both = "a = torch.tensor(" + list_text(a) + ")\nd = torch.tensor(" + list_text(d) + ")\n";
        COMPARE_TEXT(cells_of(both + "m = a[:, None] " + symbol + " d[None, :]\nreturn m[q_idx, kv_idx] > 0", length),
                     cells_of(both + "return (a[q_idx] " + symbol + " d[kv_idx]) > 0", length));
      }
  }

  /// Values that differ by cell are computed element by element, with the same types.
  void elements_may_differ_by_cell() {
    const std::vector<RuledText> all{
        {"x = torch.arange(3) + kv_idx\nreturn (x == q_idx).any()",
         [](Index q, Index kv) { return q >= kv && q < kv + 3; }},
        {"x = torch.arange(3) <= kv_idx\nreturn x.sum() <= q_idx",
         [](Index q, Index kv) { return std::min<Index>(kv + 1, 3) <= q; }},
        {"x = ~(torch.arange(3) <= kv_idx)\nreturn x.any()", [](Index, Index kv) { return kv < 2; }},
        {"x = torch.stack([q_idx, kv_idx])\nreturn x.min() == x[1]", [](Index q, Index kv) { return kv <= q; }},
        {"x = torch.tensor([q_idx, 4])\nreturn (x // 2).max() > kv_idx",
         [](Index q, Index kv) { return std::max<Index>(q, 4) / 2 > kv; }},
    };
    for (const auto& [text, rule] : all)
      for (const Index length : {1, 3, 6}) COMPARE_TEXT(cells_of(text, length), cells_by(rule, length));
  }

  void the_ends_of_64_bits() {
    for (const char* text :
         {"torch.tensor([9223372036854775806]) + 1 == 9223372036854775807",
          "-torch.tensor([9223372036854775807]) - 1 < 0", "torch.tensor([-9223372036854775808]) // 1 < 0",
          "torch.tensor([1]) << 62 > 0", "torch.tensor([-1]) >> 63 == -1"})
      COMPARE_TEXT(cells_of(std::string("x = ") + text + "\nreturn x[0] & (kv_idx >= 0)", 1), "1");
  }

  void bad_operands_are_errors() {
    COMPARE_TEXT(placed_error("x = torch.arange(3) + torch.arange(2)\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: arrays of shapes (3,) and (2,) do not fit together");
    COMPARE_TEXT(placed_error("x = torch.tensor([9223372036854775807]) + 1\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: an element of this array has no value in 64 bits");
    COMPARE_TEXT(placed_error("x = torch.arange(3) // 0\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: an element of this array has no value in 64 bits");
    COMPARE_TEXT(placed_error("x = 1 << torch.tensor([64])\n"
                              "return x[kv_idx] == 1"),
                 "line 1, column 5: an element of this array has no value in 64 bits");
    COMPARE_TEXT(
        placed_error("x = torch.arange(5000) + kv_idx\n"
                     "return x[0] == 1"),
        "line 1, column 5: this is applied to 5000 elements that are not known integers but must be at most 4096");
    COMPARE_TEXT(placed_error("x = torch.tensor([[1, 2], [3]])\n"
                              "return x[0, 0] == q_idx"),
                 "line 1, column 18: the rows of this array do not have the same length");
    COMPARE_TEXT(placed_error("x = torch.tensor([[[[[[[[[[1]]]]]]]]]])\n"
                              "return x.any()"),
                 "line 1, column 18: an array has too many dimensions here");
    COMPARE_TEXT(placed_error("x = torch.ones(1, 1, 1, 1, 1, 1, 1, 1, 1)\n"
                              "return x.any()"),
                 "line 1, column 5: an array of shape (1, 1, 1, 1, 1, 1, 1, 1, 1) is too large here");
    COMPARE_TEXT(placed_error("x = 0 < torch.arange(3) < 2\n"
                              "return x[kv_idx]"),
                 "line 1, column 5: an array is compared twice here; join two comparisons with &");
    COMPARE_TEXT(
        placed_error("x = torch.arange(3)\n"
                     "return x and q_idx"),
        "line 2, column 8: this is an array of shape (3,), a number or a truth value is needed here; index it");
    COMPARE_TEXT(
        placed_error("x = torch.ones(2, 2) > 0\n"
                     "if x:\n"
                     "    y = 1\n"
                     "return y == q_idx"),
        "line 2, column 4: this is an array of shape (2, 2), a number or a truth value is needed here; index it");
    COMPARE_TEXT(placed_error("return torch.arange(3)"),
                 "line 1, column 8: a mask has the dimensions q and kv, and b and h before them; this is an array of "
                 "shape (3,)");
    COMPARE_TEXT(placed_error("x = torch.zeros(1 << 40, 1 << 40)\n"
                              "return x[q_idx, kv_idx]"),
                 "line 1, column 5: an array of shape (1099511627776, 1099511627776) is too large here");
    COMPARE_TEXT(placed_error("x = -torch.tensor([-9223372036854775808])\n"
                              "return x[0] == q_idx"),
                 "line 1, column 5: an element of this array has no value in 64 bits");
  }
};

VQSCOPE_TEST(TensorValuesTest)
#include "tensor_values_test.moc"
