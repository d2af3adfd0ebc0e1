// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/mask/language/compile/tree/text_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class AxisFunctionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void masks_by_axes() {
    const std::string pad = "pad = torch.tensor([[1, 1, 1, 0]])\n";
    const std::string both = cells_of("(q_idx < 3) & (kv_idx < 3)", 4);
    COMPARE_TEXT(
        cells_of(pad + "mask = (rearrange(pad, 'b j -> b 1 1 j') > 0) & (rearrange(pad, 'b i -> b () i ()') > 0)", 4),
        both);
    COMPARE_TEXT(cells_of(pad + "mask = torch.einsum('bi,bj->bij', pad, pad) > 0", 4), both);
    COMPARE_TEXT(
        cells_of("i = torch.arange(4)\nmask = einops.rearrange(i, 'j -> 1 j') <= einops.rearrange(i, 'i -> i 1')", 4),
        cells_of("kv_idx <= q_idx", 4));
    // Dimensions change places.
    COMPARE_TEXT(cells_of("m = torch.tril(torch.ones(4, 4))\nmask = rearrange(m, 'i j -> j i') > 0", 4),
                 cells_of("kv_idx >= q_idx", 4));
    COMPARE_TEXT(cells_of("m = torch.tril(torch.ones(4, 4))\nx = m[None]\nmask = rearrange(x, '1 i j -> j i') > 0", 4),
                 cells_of("kv_idx >= q_idx", 4));
  }

  void unsupported_axes_are_refused() {
    const std::string array = "x = torch.ones(2, 2)\n";
    COMPARE_TEXT(
        error_of(array + "return rearrange(x, 'i j -> (i j)')[0] == kv_idx"),
        "rearrange here orders dimensions and adds ones of size 1: i j -> (i j) is not part of the mask language");
    COMPARE_TEXT(error_of(array + "return torch.einsum('ij,jk->ik', x, x)[0, 0] == kv_idx"),
                 "einsum here orders dimensions and adds ones of size 1: ij,jk->ik is not part of the mask language");
    COMPARE_TEXT(error_of(array + "return rearrange(x, 'i -> i 1')[0, 0] == kv_idx"),
                 "the pattern does not fit an array of shape (2, 2)");
    COMPARE_TEXT(error_of(array + "return rearrange(x, 'i j')[0, 0] == kv_idx"), "the pattern of rearrange has no ->");
  }
};

VQSCOPE_TEST(AxisFunctionsTest)
#include "axis_functions_test.moc"
