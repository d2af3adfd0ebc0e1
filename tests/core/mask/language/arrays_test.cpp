// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays as a whole in mask texts: what torch and NumPy make of them before the mask.
#include "core/mask/language/compile/tensor/tensor.h"
#include "tests/core/mask/language/cells.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <random>

using namespace vqscope;
using language::Tensor;
using test::error_of;

namespace {

struct GivenTable {
  std::vector<Index> values;
  std::vector<Index> shape;
  bool is_bool = false;
};

using Tables = std::map<std::string, GivenTable>;

/// The cells of a text over `length` tokens with tables among its arrays, or why there are none.
std::string cells_with(const std::string& text, Index length, const Tables& tables, MaskBindings bindings = {}) {
  language::Given given{.integers = bindings.integers, .b = bindings.b, .h = bindings.h};
  for (const auto& [name, table] : tables) {
    given.arrays[name] = {table.values, table.shape, table.is_bool};
    bindings.arrays[name] = table.values;
  }
  return test::cells_of(text, length, bindings, given);
}

std::string cells_with(const std::string& text, Index length) { return test::cells_of(text, length); }

}  // namespace

class ArraysTest : public test::TestCase {
  Q_OBJECT
 private slots:
  void functions_data() {
    QTest::addColumn<QString>("made");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* made, const char* wanted) { QTest::newRow(made) << made << wanted; };
    row("torch.arange(3)", "[0, 1, 2]");
    row("torch.arange(2, 9, 3)", "[2, 5, 8]");
    row("torch.arange(start=6, end=0, step=-2)", "[6, 4, 2]");
    row("torch.zeros(2, 2).flatten()", "[0, 0, 0, 0]");
    row("torch.full((3,), 7)", "[7, 7, 7]");
    row("torch.ones_like(torch.tensor([4, 5]))", "[1, 1]");
    row("torch.eye(2).view(-1)", "[1, 0, 0, 1]");
    row("torch.tensor([1, 2, 3]) * 2 - 1", "[1, 3, 5]");
    row("-torch.tensor([1, -2]) // 2", "[-1, 1]");
    row("torch.tensor([5, -5]) % 3", "[2, 1]");
    row("~torch.tensor([True, False])", "[False, True]");
    row("~torch.tensor([1, 0])", "[-2, -1]");
    row("torch.tensor([1, 5, 3]).clamp(2, 4)", "[2, 4, 3]");
    row("torch.where(torch.tensor([1, 5]) > 2, 10, torch.tensor([7, 8]))", "[7, 10]");
    row("torch.tensor([3, 1]).masked_fill(torch.tensor([True, False]), 9)", "[9, 1]");
    row("torch.cumsum(torch.tensor([1, 2, 3]), dim=0)", "[1, 3, 6]");
    row("torch.tensor([[1, 2], [3, 4]]).cumsum(1).flatten()", "[1, 3, 3, 7]");
    row("np.cumsum([[1, 2], [3, 4]])", "[1, 3, 6, 10]");
    row("torch.tensor([[1, 2], [3, 4]]).sum(0)", "[4, 6]");
    row("torch.tensor([[1, 2], [3, 4]]).sum(dim=-1, keepdim=True).flatten()", "[3, 7]");
    row("torch.tensor([[1, 9], [3, 4]]).max(dim=1).values", "[9, 4]");
    row("torch.tensor([[1, 9], [3, 4]]).max(dim=1)[1]", "[1, 1]");
    row("torch.tensor([[1, 9], [3, 4]]).argmin(dim=0)", "[0, 1]");
    row("(torch.tensor([[0, 0], [3, 4]]) > 0).any(1)", "[False, True]");
    row("torch.repeat_interleave(torch.arange(3), torch.tensor([2, 0, 1]))", "[0, 0, 2]");
    row("torch.repeat_interleave(torch.tensor([2, 0, 1]))", "[0, 0, 2]");
    row("torch.tensor([4, 5]).repeat_interleave(2)", "[4, 4, 5, 5]");
    row("np.repeat([4, 5], 2)", "[4, 4, 5, 5]");
    row("torch.tensor([4, 5]).repeat(2)", "[4, 5, 4, 5]");
    row("torch.cat([torch.tensor([1]), torch.tensor([2, 3])])", "[1, 2, 3]");
    row("torch.stack([torch.tensor([1, 2]), torch.tensor([3, 4])], dim=1).view(4)", "[1, 3, 2, 4]");
    row("torch.cat([torch.eye(2), torch.zeros(2, 1)], dim=1).flatten()", "[1, 0, 0, 0, 1, 0]");
    row("F.pad(torch.tensor([1, 2]), (1, 2), value=-1)", "[-1, 1, 2, -1, -1]");
    row("F.pad(torch.tensor([[1, 2]]), (0, 1, 1, 0)).flatten()", "[0, 0, 0, 1, 2, 0]");
    row("F.pad(torch.tensor([1, 2, 3]), (-1, 0))", "[2, 3]");
    row("torch.roll(torch.tensor([1, 2, 3]), 1)", "[3, 1, 2]");
    row("torch.tensor([1, 2, 3]).flip(0)", "[3, 2, 1]");
    row("torch.diff(torch.tensor([0, 4, 6]))", "[4, 2]");
    row("torch.tensor([[1, 2], [3, 4]]).T.flatten()", "[1, 3, 2, 4]");
    row("torch.tensor([[1, 2], [3, 4]]).transpose(0, 1).flatten()", "[1, 3, 2, 4]");
    row("torch.arange(6).view(1, 2, 3).permute(2, 0, 1).flatten()", "[0, 3, 1, 4, 2, 5]");
    row("torch.tensor([1, 2]).unsqueeze(1).expand(-1, 2).flatten()", "[1, 1, 2, 2]");
    row("torch.tril(torch.ones(2, 3)).flatten()", "[1, 0, 0, 1, 1, 0]");
    row("torch.triu(torch.ones(2, 3), diagonal=1).flatten()", "[0, 1, 1, 0, 0, 1]");
    row("torch.nonzero(torch.tensor([0, 3, 0, 1])).flatten()", "[1, 3]");
    row("torch.nonzero(torch.tensor([[0, 3], [1, 0]])).flatten()", "[0, 1, 1, 0]");
    row("torch.unique(torch.tensor([3, 1, 3]))", "[1, 3]");
    row("torch.sort(torch.tensor([3, 1, 2]), descending=True).values", "[3, 2, 1]");
    row("torch.argsort(torch.tensor([3, 1, 2]))", "[1, 2, 0]");
    row("torch.bincount(torch.tensor([0, 2, 2]), minlength=4)", "[1, 0, 2, 0]");
    row("torch.searchsorted(torch.tensor([2, 5]), torch.tensor([1, 2, 5, 6]), right=True)", "[0, 1, 2, 2]");
    row("torch.bucketize(torch.tensor([1, 2, 6]), torch.tensor([2, 5]))", "[0, 0, 2]");
    row("torch.tensor([[1, 2], [3, 4]]).gather(1, torch.tensor([[1], [0]])).flatten()", "[2, 3]");
    row("torch.isin(torch.tensor([1, 2, 3]), torch.tensor([2, 3]))", "[False, True, True]");
    row("torch.stack(torch.meshgrid(torch.arange(2), torch.arange(2), indexing='ij')).flatten()",
        "[0, 0, 1, 1, 0, 1, 0, 1]");
    row("torch.tensor([9, 8, 7])[1:]", "[8, 7]");
    row("torch.tensor([9, 8, 7])[::2]", "[9, 7]");
    row("torch.tensor([9, 8, 7])[-2:]", "[8, 7]");
    row("np.array([9, 8, 7])[::-1]", "[7, 8, 9]");
    row("torch.tensor([[1, 2], [3, 4]])[:, 1]", "[2, 4]");
    row("torch.tensor([[1, 2], [3, 4]])[..., 0]", "[1, 3]");
    row("torch.tensor([9, 8, 7])[torch.tensor([2, 0])]", "[7, 9]");
    row("torch.tensor([9, 8, 7])[[2, -1]]", "[7, 7]");
    row("torch.tensor([9, 8, 7])[torch.tensor([True, False, True])]", "[9, 7]");
    row("torch.tensor([[1, 2], [3, 4]])[torch.tensor([0, 1]), torch.tensor([1, 0])]", "[2, 3]");
    row("(torch.arange(2)[:, None] + torch.arange(2)[None, :]).flatten()", "[0, 1, 1, 2]");
    row("torch.tensor([i * i for i in range(3)])", "[0, 1, 4]");
    row("torch.tensor([x.item() for x in torch.tensor([4, 5]) if x > 4])", "[5]");
    row("torch.tensor(sorted_pairs)", "[0, 1]");
  }

  /// Each beside what torch gives.
  void functions() {
    QFETCH(QString, made);
    QFETCH(QString, wanted);
    const std::string text = "sorted_pairs = [0] + [1]\ngot = " + made.toStdString() + "\nwanted = torch.tensor(" +
                             wanted.toStdString() +
                             ")\nreturn (got.shape[0] == len(wanted)) & (got == wanted).all() & (kv_idx >= 0)";
    COMPARE_TEXT(cells_with(text, 1), "1");
  }

  /// Operations on numbers agree with the same operations of a program.
  void numbers_agree_with_cells() {
    std::mt19937 random(11);
    std::uniform_int_distribution<Index> number(-9, 9);
    for (const char* symbol : {"+", "-", "*", "//", "%", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="}) {
      for (int i = 0; i < 40; ++i) {
        const std::string a = std::to_string(number(random)), b = std::to_string(number(random));
        if (b == "0") continue;
        // The right one is evaluated for a cell: kv_idx is 0.
        const std::string text = "x = torch.tensor([" + a + "]) " + symbol + " (" + b + ")\nreturn x[0] == ((" + a +
                                 " + kv_idx) " + symbol + " (" + b + " + kv_idx))";
        COMPARE_TEXT(cells_with(text, 1), "1");
      }
    }
  }

  void texts_write_to_arrays() {
    COMPARE_TEXT(cells_with("ends = torch.zeros(4)\nfor start in torch.arange(0, 4, 2):\n"
                            "    ends[start:start + 2] = start + 2\nreturn kv_idx < ends[q_idx]",
                            4),
                 "1100110011111111");
    COMPARE_TEXT(cells_with("x = torch.zeros(2, 2, dtype=torch.bool)\nx[0, 1] = True\nx.fill_diagonal_(True)\n"
                            "return x[q_idx, kv_idx]",
                            2),
                 "1101");
    COMPARE_TEXT(cells_with("x = torch.zeros(3)\nx[torch.tensor([0, 2])] += 5\nreturn x[kv_idx] == 5", 3), "101101101");
    COMPARE_TEXT(cells_with("a = torch.zeros(2)\nb = a\nb[0] = 1\nreturn a[kv_idx] == 1", 2), "1010");
    COMPARE_TEXT(cells_with("a = torch.zeros(2)\nb = a.clone()\nb[0] = 1\nreturn a[kv_idx] == 1", 2), "0000");
    COMPARE_TEXT(cells_with("spans = []\nfor first in (0, 2):\n    spans.append((first, first + 1))\n"
                            "starts = torch.tensor([a for a, b in spans])\nreturn kv_idx == starts[q_idx]",
                            2),
                 "1000");
    QVERIFY(error_of("a = torch.zeros(2, 2)\nrow = a[0]\na[0, 0] = 1\nrow[kv_idx] == 1")
                .starts_with("this array shares its elements"));
    QVERIFY(error_of("a = torch.zeros(2)\nif q_idx > 1:\n    a[0] = 1\na[kv_idx] == 1").find("if") !=
            std::string::npos);
  }

  void tables_are_given() {
    const Tables ancestor{{"ancestor", {{1, 0, 1, 1}, {2, 2}, true}}};
    COMPARE_TEXT(cells_with("return ancestor[q_idx, kv_idx]", 2, ancestor), "1011");
    COMPARE_TEXT(cells_with("return ~ancestor[q_idx, kv_idx]", 2, ancestor), "0100");
    const Tables batch{{"doc", {{0, 0, 1, 0, 1, 1}, {2, 3}}}};
    COMPARE_TEXT(cells_with("return doc[b, q_idx] == doc[b, kv_idx]", 3, batch), "110110001");
    COMPARE_TEXT(cells_with("return doc[b, q_idx] == doc[b, kv_idx]", 3, batch, {.b = 1}), "100011011");
    COMPARE_TEXT(cells_with("row = doc[b]\nreturn row[q_idx] == row[kv_idx]", 3, batch, {.b = 1}), "100011011");
    COMPARE_TEXT(cells_with("mask = doc.bool()\nreturn mask[b, kv_idx]", 3, batch), "001001001");
    const Tables spans{{"spans", {{0, 1, 1, 3}, {2, 2}}}};
    COMPARE_TEXT(
        cells_with("for first, end in spans:\n    pass\nreturn (kv_idx >= spans[1, 0]) & (kv_idx < spans[1][1])", 3,
                   spans),
        "011011011");
    COMPARE_TEXT(error_of("doc = (idx == 3).cumsum(0)\nreturn doc[q_idx] == 1"),
                 "idx has no values yet; give them, as an array");
    QVERIFY(MaskProgram::parse("return x[q_idx, kv_idx]").error.lacks_value);
    COMPARE_TEXT(cells_with("return ancestor[q_idx, kv_idx]", 3, ancestor).substr(0, 72),
                 "line 1, column 8: the index 2 is out of range; this dimension has 2 elem");
  }

  void masks_may_be_arrays() {
    COMPARE_TEXT(cells_with("mask = torch.tril(torch.ones(3, 3))", 3), "100110111");
    COMPARE_TEXT(cells_with("q = torch.arange(3)[:, None]\nk = torch.arange(3)\nmask = (k <= q) & (q - k < 2)", 3),
                 "100110011");
    COMPARE_TEXT(cells_with("mask = torch.tril(torch.ones(2, 1, 2, 2), diagonal=-1)", 2), "0010");
    QVERIFY(error_of("x = torch.arange(3)\nx").starts_with("a mask has the dimensions q and kv"));
  }

  /// Elements that differ by cell: any of a row that is chosen by the query.
  void rows_by_cell() {
    COMPARE_TEXT(cells_with("chosen = torch.tensor([[0, 2], [1, 1], [2, 0]])\n"
                            "return (chosen[q_idx] == kv_idx.unsqueeze(-1)).any(dim=-1)",
                            3),
                 "101010101");
    COMPARE_TEXT(
        cells_with("edges = torch.tensor([1, 2])\nreturn (edges <= q_idx).sum() == (edges <= kv_idx).sum()", 3),
        "100010001");
  }

  void rows_of_different_length_are_an_error() {
    for (const char* text :
         {"torch.tensor([1, [2, 3]])", "torch.tensor([[1], [2, 3]])", "(torch.arange(3), 4) < torch.arange(2)[:, None]",
          "torch.arange(3) & (1, torch.ones(2, 2))"})
      COMPARE_TEXT(error_of(std::string("x = ") + text + "\nx[kv_idx] == 1"),
                   "the rows of this array do not have the same length");
  }

  void arrays_that_are_too_large_are_an_error() {
    for (const char* text :
         {"torch.zeros(1000000, 1000000)", "torch.arange(9223372036854775807)",
          "torch.arange(-9223372036854775807, 9223372036854775807)", "torch.arange(4).repeat(4611686018427387904)",
          "torch.ones(2).expand(99999999999, 2)", "torch.repeat_interleave(torch.tensor([9223372036854775807]))",
          "F.pad(torch.ones(2), (9223372036854775807, 9223372036854775807))",
          "torch.bincount(torch.tensor([9223372036854775807]))"}) {
      const std::string error = error_of(std::string("x = ") + text + "\nx[kv_idx] == 1");
      QVERIFY2(error != "no error" && error.size() < 400, text);
    }
    QVERIFY(error_of("x = torch.ones(4000, 4000)\nfor i in range(1000):\n    x = x + 1\nx[q_idx, kv_idx] > 0")
                .find("elements") != std::string::npos);
  }

  void shapes() {
    QCOMPARE(language::strides_of(std::vector<Index>{2, 3, 4}), (std::vector<Index>{12, 4, 1}));
    QCOMPARE(*language::broadcast(std::vector<Index>{3, 1}, std::vector<Index>{4}), (std::vector<Index>{3, 4}));
    QVERIFY(!language::broadcast(std::vector<Index>{3}, std::vector<Index>{4}));
    QCOMPARE(language::broadcast_places(std::vector<Index>{2, 1}, std::vector<Index>{2, 2}),
             (std::vector<Index>{0, 0, 1, 1}));
    QVERIFY(!language::element_count(std::vector<Index>{Index{1} << 40, Index{1} << 40}));
    QVERIFY(!language::element_count(std::vector<Index>{-1}));
    QCOMPARE(language::shape_text(std::vector<Index>{4}), std::string("(4,)"));
  }
};

VQSCOPE_TEST(ArraysTest)
#include "arrays_test.moc"
