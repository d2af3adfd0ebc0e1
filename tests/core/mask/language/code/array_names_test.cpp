// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/used_names.h"

#include "core/mask/language/parse/parse.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

std::string names_in(const std::string& text) {
  const auto parsed = parse(text);
  std::string all;
  for (const auto& name : array_names(parsed.syntax)) all += (all.empty() ? "" : " ") + name;
  return all;
}

}  // namespace

class ArrayNamesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void methods_that_numbers_do_not_have() {
    for (const char* text : {"x.cumsum(0)[kv_idx] > 1", "x.numel() > kv_idx", "x.tolist()[kv_idx]", "x.roll(1)[kv_idx]",
                             "x.diff()[kv_idx]", "x.unique()[kv_idx]", "x.flip(0)[kv_idx]", "x.ndim == 1",
                             "torch.cumsum(x, 0)[kv_idx]", "torch.diff(x)[kv_idx]", "torch.tril(x)[q_idx, kv_idx]",
                             "x.repeat_interleave(2)[kv_idx]", "torch.nn.functional.pad(x, (1, 0))[kv_idx]"})
      QVERIFY2(array_names(parse(text).syntax).contains("x"), text);
  }

  void names_an_array_is_made_of() {
    for (const char* text :
         {"(x == 3).cumsum(0)[kv_idx]", "x.long().cumsum(0)[kv_idx]", "x[0].cumsum(0)[kv_idx]",
          "(-x).cumsum(0)[kv_idx]", "(x + 1).cumsum(0)[kv_idx]", "(x == 3).long().cumsum(0)[kv_idx]"})
      QVERIFY2(names_in(text) == "x", (std::string(text) + ": " + names_in(text)).c_str());
  }

  void parameters_that_are_called_tensors() {
    COMPARE_TEXT(
        names_in("def make(x: torch.Tensor, n: int):\n    def m(b, h, q_idx, kv_idx):\n        return x[kv_idx] < "
                 "n\n    return m\n"),
        "x");
  }

  /// An index alone is no new evidence: the compiler sees it itself.
  void names_that_may_be_numbers() {
    COMPARE_TEXT(names_in("x[kv_idx] < y"), "");
    COMPARE_TEXT(names_in("x.abs() < y.clamp(0, 3)"), "");
    COMPARE_TEXT(names_in("torch.where(x, y, 3) < kv_idx"), "");
    COMPARE_TEXT(names_in("kv_idx <= q_idx"), "");
  }

  void several_in_order_of_their_names() {
    COMPARE_TEXT(names_in("(z.cumsum(0)[kv_idx] < a.numel()) & (m.roll(1)[q_idx] == 0)"), "a m z");
  }
};

VQSCOPE_TEST(ArrayNamesTest)
#include "array_names_test.moc"
