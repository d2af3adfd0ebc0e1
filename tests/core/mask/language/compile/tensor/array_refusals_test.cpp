// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of functions of arrays and of their indices.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "tests/core/mask/language/compile/tensor/array_case.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <utility>
#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string refusal(const std::string& expression) {
  return verdict_of(
      "x = torch.tensor([[3, 1, 2], [6, 5, 4]])\nv = torch.tensor([2, 0, 1, 1])\nc = torch.stack([q_idx, "
      "kv_idx])\nfound = " +
      expression + "\nreturn found.sum() == 0");
}

using Refusals = std::vector<std::pair<std::string, std::string>>;

}  // namespace

class ArrayRefusalsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void of_arguments() {
    for (const auto& [expression, message] :
         Refusals{{"torch.arange()", "arange takes one to three integers"},
                  {"torch.arange(0, 4, 0)", "the step of arange must not be 0"},
                  {"torch.arange(0, 4, 1, 1)", "arange takes fewer arguments than these"},

                  {"torch.eye()", "eye takes the number of rows"},

                  {"v.sum(0, where=x)", "sum with where is not part of the mask language"},
                  {"torch.unique(x, dim=0)", "unique with dim is not part of the mask language"},
                  {"torch.diff(v, spacing=2)", "diff with spacing is not part of the mask language"},
                  {"torch.cat([v, v], 0, 1)", "cat takes fewer arguments than these"}})
      COMPARE_TEXT(expression + " -> " + refusal(expression), expression + " -> " + message);
  }

  void of_shapes() {
    for (const auto& [expression, message] :
         Refusals{{"x.view(4, 2)", "an array of shape (2, 3) cannot be seen as (4, 2)"},
                  {"x.view(4, -1)", "an array of shape (2, 3) cannot be seen as (4, 1)"},
                  {"x.expand(3, 3)", "an array of shape (2, 3) cannot be repeated to (3, 3)"},
                  {"v.expand(2)", "an array of shape (4,) cannot be repeated to (2,)"},
                  {"v.tril()", "tril takes an array of two dimensions"},
                  {"x.flatten(2)", "an array of 2 dimensions has no dimension 2"},
                  {"x.unsqueeze(4)", "an array of 3 dimensions has no dimension 4"},
                  {"x.sum(dim=2)", "an array of shape (2, 3) has no dimension 2"},
                  {"x.flip(2)", "an array of shape (2, 3) has no dimension 2"},
                  {"x.permute(0, 2)", "an array of shape (2, 3) has no dimension 2"},
                  {"x.permute(0)", "permute takes a permutation of the dimensions of the array"},
                  {"x + v", "arrays of shapes (2, 3) and (4,) do not fit together"},
                  {"torch.cat([x, v])", "arrays of shapes (2, 3) and (4,) do not fit together"},
                  {"torch.stack([x, v])", "arrays of shapes (2, 3) and (4,) do not fit together"},
                  {"torch.cat([])", "there is nothing to join here"},
                  {"torch.cat([torch.tensor(1), torch.tensor(2)])", "cat joins arrays, these are numbers; write stack"},
                  {"torch.ones(1 << 20, 1 << 20)", "an array of shape (1048576, 1048576) is too large here"},
                  {"torch.ones(-1)", "an array of shape (-1,) has a negative dimension"},
                  {"torch.tensor([[1, 2], [3]])", "the rows of this array do not have the same length"},
                  {"torch.diag(x.unsqueeze(0))", "diag takes an array of two dimensions"}})
      COMPARE_TEXT(expression + " -> " + refusal(expression), expression + " -> " + message);
  }

  void of_parts() {
    for (const auto& [expression, message] : Refusals{
             {"torch.split(v, 0)[0]", "the parts of split do not add up to the array"},
             {"torch.split(v, [1, 2])[0]", "the parts of split do not add up to the array"},
             {"torch.split(v, [3, 2])[0]", "the parts of split do not add up to the array"},
             {"torch.split(v, [5, -1])[0]", "the parts of split do not add up to the array"},
             {"torch.chunk(v, 0)[0]", "the parts of chunk do not add up to the array"},
             {"torch.split(v)[0]", "split takes the number or the sizes of the parts"},
             {"torch.index_select(x, 1)", "index_select takes a dimension and indices"},
             {"torch.masked_select(x)", "masked_select takes a mask"},
             {"torch.gather(x, 1, v)", "gather takes a dimension, and indices with as many dimensions as the array"},
             {"torch.repeat_interleave(v, torch.tensor([1, 2]))",
              "repeat_interleave takes one count, 0 or more, for each of 4 elements"},
             {"torch.repeat_interleave(v, -1)", "repeat_interleave takes one count, 0 or more, for each of 4 elements"},
             {"F.pad(v, (1, 2, 3))", "pad takes two integers for each of the last dimensions of the array"},
             {"F.pad(v, (1, 1), 'reflect')",
              "pad fills with a constant here, mode \"reflect\" is not part of the mask language"},
             {"torch.roll(x, (1, 2), 0)", "roll takes one shift for each dimension"},
             {"torch.bincount(torch.tensor([-1]))", "bincount counts integers of 0 or more, found -1"},
             {"torch.diff(v, n=-1)", "n of diff must be 0 or more, found -1"},
             {"torch.diag(v, 1 << 40)", "an array of shape (1099511627780, 1099511627780) is too large here"}})
      COMPARE_TEXT(expression + " -> " + refusal(expression), expression + " -> " + message);
  }

  void of_indices() {
    for (const auto& [expression, message] :
         Refusals{{"v[4]", "the index 4 is out of range; this dimension has 4 elements"},
                  {"v[-5]", "the index -5 is out of range; this dimension has 4 elements"},
                  {"x[:1, 0][1]", "the index 1 is out of range; this dimension has 1 element"},
                  {"x[0, 0, 0]", "an array of shape (2, 3) is indexed with 3 indices"},
                  {"x[[0, 1], [0, 1, 2]]", "indices of shapes (2,) and (3,) do not fit together"},
                  {"v[::0]", "the step of a slice must not be 0"},
                  {"v[c > 0]", "which elements this picks differs by cell; write torch.where"},
                  {"v[x > 2]", "this picks along more dimensions than the array has"},
                  {"c[q_idx]", "what differs by cell cannot be indexed by cell"},
                  {"torch.tensor([])[q_idx]", "the array is empty"}})
      COMPARE_TEXT(expression + " -> " + refusal(expression), expression + " -> " + message);
  }

  void of_values() {
    for (const auto& [expression, message] :
         Refusals{{"c.sort()[0]", "sort takes an array of known numbers"},
                  {"torch.cumsum(c, 0)", "cumsum takes an array of known numbers"},
                  {"torch.repeat_interleave(v, c)", "how often each element is repeated must be known"},
                  {"torch.tensor([]).max()", "max of an empty array has no value"},
                  {"torch.cumsum(torch.tensor([9223372036854775807, 1]), 0)", "this cumsum does not fit in 64 bits"},
                  {"torch.tensor([9223372036854775807, 1]).sum()", "this sum does not fit in 64 bits"},
                  {"torch.diff(torch.tensor([-9223372036854775807, 9223372036854775807]))",
                   "this diff does not fit in 64 bits"},
                  {"v // torch.tensor([1, 0, 1, 1])", "an element of this array has no value in 64 bits"},
                  {"torch.arange(q_idx)", "an integer is needed here that is known before any cell is evaluated"}})
      COMPARE_TEXT(expression + " -> " + refusal(expression), expression + " -> " + message);
  }

  void of_changes() {
    const auto after = [](const std::string& lines) {
      return verdict_of("m = torch.zeros(2, 3)\n" + lines + "\nreturn m.sum() == 0");
    };
    for (const auto& [lines, message] :
         Refusals{{"m[0] = torch.tensor([1, 2])", "a value of shape (2,) does not fit into (3,)"},
                  {"m[q_idx] = 1", "the place of this assignment depends on the cell; a mask can only read there"},
                  {"m.masked_fill_(torch.ones(4).bool(), 1)", "the mask does not fit the array's shape"},
                  {"m[0].fill_diagonal_(1)", "fill_diagonal_ takes an array of two dimensions and a value"},
                  {"m.fill_()", "fill_ is given a value"},
                  {"n = m[0]\nm[0] = 1\nm = m + n",
                   "this array shares its elements with another name; write .clone() there"},
                  {"if q_idx > kv_idx:\n  m[0] = 1",
                   "an array cannot be changed under an if that differs by cell; write torch.where"},
                  {"m.scatter_(0, 1, 2)",
                   "scatter_ takes a dimension, known indices with as many dimensions as the array, and values"}})
      COMPARE_TEXT(lines + " -> " + after(lines), lines + " -> " + message);
  }
};

VQSCOPE_TEST(ArrayRefusalsTest)
#include "array_refusals_test.moc"
