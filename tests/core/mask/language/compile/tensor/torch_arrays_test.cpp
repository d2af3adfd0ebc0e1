// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays in a text that speaks of torch, where it differs from NumPy or has functions of its own.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "tests/core/mask/language/compile/tensor/array_case.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const std::string setup =
    "x = torch.tensor([[3, 1, 2], [6, 5, 4]])\nv = torch.tensor([2, 0, 1, 1])\nb = torch.tensor([True, False, True])\n"
    "z = torch.arange(24).view(2, 3, 4)";

std::string wrong_in_torch(const ArrayCase& one) { return wrong_array(setup, "torch.tensor", one); }

/// After some lines that change m.
std::string changed(const std::string& lines, const std::string& values) {
  return verdict_of("m = torch.zeros(2, 3, dtype=torch.long)\n" + lines + "\nreturn (m == torch.tensor(" + values +
                    ")).all()");
}

}  // namespace

class TorchArraysTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void shapes() {
    for (const ArrayCase& one :
         std::vector<ArrayCase>{{"x.t()", "[[3, 6], [1, 5], [2, 4]]", "(3, 2)"},
                                {"x.permute(1, 0)", "[[3, 6], [1, 5], [2, 4]]", "(3, 2)"},
                                {"z.permute(2, 0, 1)[3]", "[[3, 7, 11], [15, 19, 23]]", "(2, 3)"},
                                {"z.transpose(0, 1)[1]", "[[4, 5, 6, 7], [16, 17, 18, 19]]", "(2, 4)"},
                                {"z.transpose(-1, -2)[0, 3]", "[3, 7, 11]", "(3,)"},
                                {"z.flatten(1)[1]", "[12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]", "(12,)"},
                                {"z.flatten(0, 1)[3]", "[12, 13, 14, 15]", "(4,)"},
                                {"torch.flatten(z, start_dim=1, end_dim=-1)[0, :3]", "[0, 1, 2]", "(3,)"},
                                {"z.flatten()[20:]", "[20, 21, 22, 23]", "(4,)"},
                                {"x.view(-1)", "[3, 1, 2, 6, 5, 4]", "(6,)"},
                                {"x.view(3, -1)", "[[3, 1], [2, 6], [5, 4]]", "(3, 2)"},
                                {"x.unsqueeze(1)", "[[[3, 1, 2]], [[6, 5, 4]]]", "(2, 1, 3)"},
                                {"x.unsqueeze(-1)[0]", "[[3], [1], [2]]", "(3, 1)"},
                                {"x[None].squeeze(0)", "[[3, 1, 2], [6, 5, 4]]", "(2, 3)"},
                                {"x[None].squeeze(1)", "[[[3, 1, 2], [6, 5, 4]]]", "(1, 2, 3)"},
                                {"x[:, :1].expand(-1, 4)", "[[3, 3, 3, 3], [6, 6, 6, 6]]", "(2, 4)"},
                                {"b.expand(2, 3)", "[[True, False, True], [True, False, True]]", "(2, 3)"},
                                {"b.expand_as(x)", "[[True, False, True], [True, False, True]]", "(2, 3)"},
                                {"torch.arange(6).view_as(x)", "[[0, 1, 2], [3, 4, 5]]", "(2, 3)"},
                                {"v.repeat(2)", "[2, 0, 1, 1, 2, 0, 1, 1]", "(8,)"},
                                {"b.repeat(2, 1)", "[[True, False, True], [True, False, True]]", "(2, 3)"},
                                {"x.repeat(1, 2)", "[[3, 1, 2, 3, 1, 2], [6, 5, 4, 6, 5, 4]]", "(2, 6)"}})
      COMPARE_TEXT(wrong_in_torch(one), "");
  }

  void orders() {
    for (const ArrayCase& one : std::vector<ArrayCase>{
             {"torch.flip(x, [0])", "[[6, 5, 4], [3, 1, 2]]", "(2, 3)"},
             {"x.flip(0, 1)", "[[4, 5, 6], [2, 1, 3]]", "(2, 3)"},
             {"x.flip(-1)", "[[2, 1, 3], [4, 5, 6]]", "(2, 3)"},
             {"torch.roll(x, 1, 0)", "[[6, 5, 4], [3, 1, 2]]", "(2, 3)"},
             {"torch.roll(x, shifts=(1, -1), dims=(0, 1))", "[[5, 4, 6], [1, 2, 3]]", "(2, 3)"},
             {"torch.roll(v, -1)", "[0, 1, 1, 2]", "(4,)"},
             {"F.pad(v, (1, 2))", "[0, 2, 0, 1, 1, 0, 0]", "(7,)"},
             {"F.pad(x, (1, 0, 0, 1))", "[[0, 3, 1, 2], [0, 6, 5, 4], [0, 0, 0, 0]]", "(3, 4)"},
             {"F.pad(b, (1, 0), value=True)", "[True, True, False, True]", "(4,)"},
             {"F.pad(v, (-1, 0))", "[0, 1, 1]", "(3,)"},
             {"x.sort(dim=1).values", "[[1, 2, 3], [4, 5, 6]]", "(2, 3)"},
             {"x.sort(descending=True)[0]", "[[3, 2, 1], [6, 5, 4]]", "(2, 3)"},
             {"torch.sort(v)[1]", "[1, 2, 3, 0]", "(4,)"},
             {"torch.argsort(v, descending=True)", "[0, 2, 3, 1]", "(4,)"},
             {"torch.sort(x, 0).indices", "[[0, 0, 0], [1, 1, 1]]", "(2, 3)"},
             {"torch.tril(torch.ones(3, 3), diagonal=-1)", "[[0, 0, 0], [1, 0, 0], [1, 1, 0]]", "(3, 3)"},
             {"torch.triu(torch.ones(2, 3), 2)", "[[0, 0, 1], [0, 0, 0]]", "(2, 3)"},
             {"torch.tril(z)[1]", "[[12, 0, 0, 0], [16, 17, 0, 0], [20, 21, 22, 0]]", "(3, 4)"}})
      COMPARE_TEXT(wrong_in_torch(one), "");
  }

  void selection() {
    for (const ArrayCase& one : std::vector<ArrayCase>{
             {"v.repeat_interleave(2)", "[2, 2, 0, 0, 1, 1, 1, 1]", "(8,)"},
             {"torch.repeat_interleave(v)", "[0, 0, 2, 3]", "(4,)"},
             {"torch.repeat_interleave(x, 2, dim=1)", "[[3, 3, 1, 1, 2, 2], [6, 6, 5, 5, 4, 4]]", "(2, 6)"},
             {"torch.repeat_interleave(x, torch.tensor([0, 2]), dim=0)", "[[6, 5, 4], [6, 5, 4]]", "(2, 3)"},
             {"torch.unique(v, return_counts=True)[1]", "[1, 2, 1]", "(3,)"},
             {"torch.unique(x, return_inverse=True)[1]", "[[2, 0, 1], [5, 4, 3]]", "(2, 3)"},
             {"torch.unique_consecutive(torch.tensor([1, 1, 0, 2, 2, 2]))", "[1, 0, 2]", "(3,)"},
             {"torch.unique_consecutive(torch.tensor([1, 1, 0, 2, 2, 2]), return_counts=True)[1]", "[2, 1, 3]", "(3,)"},
             {"torch.unique_consecutive(torch.tensor([5, 5, 5, 0]), return_inverse=True)[1]", "[0, 0, 0, 1]", "(4,)"},
             {"torch.nonzero(v)", "[[0], [2], [3]]", "(3, 1)"},
             {"torch.nonzero(x > 2, as_tuple=True)[1]", "[0, 0, 1, 2]", "(4,)"},
             {"torch.split(torch.arange(5), 2)[2]", "[4]", "(1,)"},
             {"torch.split(torch.arange(5), [1, 4])[1]", "[1, 2, 3, 4]", "(4,)"},
             {"x.split(1, dim=1)[2]", "[[2], [4]]", "(2, 1)"},
             {"torch.chunk(torch.arange(5), 2)[0]", "[0, 1, 2]", "(3,)"},
             {"torch.chunk(torch.arange(5), 2)[1]", "[3, 4]", "(2,)"},
             {"x.unbind(1)[0]", "[3, 6]", "(2,)"},
             {"torch.gather(x, 1, torch.tensor([[0, 2], [1, 1]]))", "[[3, 2], [5, 5]]", "(2, 2)"},
             {"torch.take_along_dim(x, torch.argsort(x, dim=1), dim=1)", "[[1, 2, 3], [4, 5, 6]]", "(2, 3)"},
             {"torch.index_select(x, 1, torch.tensor([2, 0]))", "[[2, 3], [4, 6]]", "(2, 2)"},
             {"torch.masked_select(x, x > 2)", "[3, 6, 5, 4]", "(4,)"},
             {"torch.diag(torch.tensor([1, 2]))", "[[1, 0], [0, 2]]", "(2, 2)"},
             {"torch.diag(x, 1)", "[1, 4]", "(2,)"},
             {"torch.diagonal(x, offset=-1)", "[6]", "(1,)"},
             {"torch.eye(2, 3)", "[[1, 0, 0], [0, 1, 0]]", "(2, 3)"}})
      COMPARE_TEXT(wrong_in_torch(one), "");
  }

  void reductions_and_running_values() {
    for (const ArrayCase& one :
         std::vector<ArrayCase>{{"x.max(dim=1).values", "[3, 6]", "(2,)"},
                                {"x.max(dim=1).indices", "[0, 0]", "(2,)"},
                                {"x.min(dim=0)[1]", "[0, 0, 0]", "(3,)"},
                                {"x.amax(dim=1)", "[3, 6]", "(2,)"},
                                {"x.amin(1, keepdim=True)", "[[1], [4]]", "(2, 1)"},
                                {"x.argmax(dim=1)", "[0, 0]", "(2,)"},
                                {"x.sum(dim=(0,))", "[9, 6, 6]", "(3,)"},
                                {"b.any(dim=0, keepdim=True)", "[True]", "(1,)"},
                                {"torch.diff(v, prepend=torch.tensor([0]))", "[2, -2, 1, 0]", "(4,)"},
                                {"torch.diff(v, n=2)", "[3, -1]", "(2,)"},
                                {"torch.diff(x, dim=0)", "[[3, 4, 2]]", "(1, 3)"},
                                {"torch.diff(b)", "[True, True]", "(2,)"},
                                {"v.cumsum(0)", "[2, 2, 3, 4]", "(4,)"},
                                {"torch.cumsum(x, dim=1)", "[[3, 4, 6], [6, 11, 15]]", "(2, 3)"},
                                {"torch.cummax(v, 0)[0]", "[2, 2, 2, 2]", "(4,)"},
                                {"torch.cummin(x, dim=1).values", "[[3, 1, 1], [6, 5, 4]]", "(2, 3)"},
                                {"torch.bincount(v, minlength=5)", "[1, 2, 1, 0, 0]", "(5,)"}})
      COMPARE_TEXT(wrong_in_torch(one), "");
  }

  void joins_and_choices() {
    for (const ArrayCase& one : std::vector<ArrayCase>{
             {"torch.cat([x, x], dim=1)", "[[3, 1, 2, 3, 1, 2], [6, 5, 4, 6, 5, 4]]", "(2, 6)"},
             {"torch.cat((v, torch.tensor([9])))", "[2, 0, 1, 1, 9]", "(5,)"},
             {"torch.stack([b, ~b], dim=1)", "[[True, False], [False, True], [True, False]]", "(3, 2)"},
             {"torch.meshgrid(v, b)[0]", "[[2, 2, 2], [0, 0, 0], [1, 1, 1], [1, 1, 1]]", "(4, 3)"},
             {"torch.meshgrid(b, b, indexing='xy')[1]",
              "[[True, True, True], [False, False, False], [True, True, True]]", "(3, 3)"},
             {"x.masked_fill(x > 4, 0)", "[[3, 1, 2], [0, 0, 4]]", "(2, 3)"},
             {"torch.where(x > 2, x, 0)", "[[3, 0, 0], [6, 5, 4]]", "(2, 3)"},
             {"torch.zeros(2, 3).scatter(1, torch.tensor([[2], [0]]), 1)", "[[0, 0, 1], [1, 0, 0]]", "(2, 3)"},
             {"b + b", "[True, False, True]", "(3,)"},
             {"b + ~b", "[True, True, True]", "(3,)"},
             {"b.int() + b.int()", "[2, 0, 2]", "(3,)"},
             {"x[b[:2]]", "[[3, 1, 2]]", "(1, 3)"}})
      COMPARE_TEXT(wrong_in_torch(one), "");
  }

  void changes_in_place() {
    COMPARE_TEXT(changed("m[0] = 5", "[[5, 5, 5], [0, 0, 0]]"), "1");
    COMPARE_TEXT(changed("m[:, 1] += 2", "[[0, 2, 0], [0, 2, 0]]"), "1");
    COMPARE_TEXT(changed("m[1, -1] = 4", "[[0, 0, 0], [0, 0, 4]]"), "1");
    COMPARE_TEXT(changed("m[m == 0] = 1", "[[1, 1, 1], [1, 1, 1]]"), "1");
    COMPARE_TEXT(changed("m[[0, 1], [2, 0]] = 3", "[[0, 0, 3], [3, 0, 0]]"), "1");
    COMPARE_TEXT(changed("m[:] = torch.tensor([1, 2, 3])", "[[1, 2, 3], [1, 2, 3]]"), "1");
    COMPARE_TEXT(changed("m[:, ::2] = torch.tensor([[1], [2]])", "[[1, 0, 1], [2, 0, 2]]"), "1");
    COMPARE_TEXT(changed("m.fill_(3)", "[[3, 3, 3], [3, 3, 3]]"), "1");
    COMPARE_TEXT(changed("m.fill_diagonal_(7)", "[[7, 0, 0], [0, 7, 0]]"), "1");
    COMPARE_TEXT(changed("m.masked_fill_(torch.tensor([True, False, True]), 2)", "[[2, 0, 2], [2, 0, 2]]"), "1");
    COMPARE_TEXT(changed("m.scatter_(0, torch.tensor([[1, 0, 1]]), 6)", "[[0, 6, 0], [6, 0, 6]]"), "1");
    COMPARE_TEXT(changed("m.copy_(torch.tensor([4, 5, 6]))\nm.zero_()", "[[0, 0, 0], [0, 0, 0]]"), "1");
    COMPARE_TEXT(changed("n = m.clone()\nn[0] = 9", "[[0, 0, 0], [0, 0, 0]]"), "1");
    COMPARE_TEXT(changed("n = m\nn[0, 0] = 9", "[[9, 0, 0], [0, 0, 0]]"), "1");
    COMPARE_TEXT(changed("for i in range(2):\n  m[i, i] = i + 1", "[[1, 0, 0], [0, 2, 0]]"), "1");
  }
};

VQSCOPE_TEST(TorchArraysTest)
#include "torch_arrays_test.moc"
