// SPDX-License-Identifier: GPL-3.0-or-later
// and, or, not, if, is, in: what decides a mask, and what decides it before any cell is looked at.
#include "core/mask/language/compile/tree/tree.h"

#include "tests/core/mask/language/cells.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string with_window(const std::string& condition) {
  return "def f(window=None):\n  def mask(b, h, q_idx, kv_idx):\n    if " + condition +
         ":\n      return kv_idx <= q_idx\n    return q_idx - kv_idx < window\n  return mask\n";
}

std::size_t nodes_of(const std::string& text, const language::Given& given = {}) {
  const auto parsed = MaskProgram::parse(text, given);
  return parsed ? parsed.program->code().nodes.size() : 0;
}

std::vector<std::string> warnings_of(const std::string& text) {
  std::vector<std::string> all;
  if (const auto parsed = MaskProgram::parse(text))
    for (const SourceError& warning : parsed.program->warnings()) all.push_back(warning.message);
  return all;
}

}  // namespace

class TruthTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    COMPARE_TEXT(cells_of("kv_idx <= q_idx and not kv_idx == 0", 3), "000010011");
    COMPARE_TEXT(cells_of("kv_idx == 0 or kv_idx == q_idx", 3), "100110101");
    COMPARE_TEXT(cells_of("kv_idx < 1 if q_idx < 2 else kv_idx > 1", 3), "100100001");
    COMPARE_TEXT(cells_of("0 < kv_idx <= q_idx", 3), "000010011");
    COMPARE_TEXT(cells_of("kv_idx in (0, 2)", 3), "101101101");
    COMPARE_TEXT(cells_of("kv_idx not in [q_idx, 0]", 3), "011001010");
    COMPARE_TEXT(cells_of("(kv_idx < q_idx) is True", 3), "000100110");
    COMPARE_TEXT(cells_of("(kv_idx < q_idx) is not True", 3), "111011001");
  }

  /// Python's `and` and `or` give one of two integers.
  void integers_are_joined_as_in_python() {
    for (const char* text : {"(0 or 3) == 3", "(2 or 3) == 2", "(0 and 3) == 0", "(2 and 3) == 3", "not 0", "not []",
                             "('a' if [0] else 'b') == 'a'", "(None or 5) == 5", "('' or 7) == 7"})
      COMPARE_TEXT(cells_of(text, 1), "1");
    COMPARE_TEXT(cells_of("(kv_idx or 2) == 2", 3), "101101101");
    COMPARE_TEXT(cells_of("(kv_idx and 2) == 2", 3), "011011011");
  }

  /// A condition known before any cell omits the other branch, with its errors.
  void decided_condition_omits_the_other_branch() {
    const std::string text = "WIDE = 1\nmask = kv_idx <= q_idx if WIDE == 1 else unknown(q_idx)\n";
    COMPARE_TEXT(cells_of(text, 2), "1011");
    const std::string none = with_window("window is None");
    COMPARE_TEXT(cells_of(none, 3), "100110111");
    COMPARE_TEXT(cells_of(none, 3, {.integers = {{"window", 1}}}), "111011001");
    QVERIFY(nodes_of("x = 2\nmask = kv_idx <= q_idx if x == 2 else kv_idx > 7\n") <= nodes_of("kv_idx <= q_idx"));
  }

  void conditions_that_torch_refuses_are_warnings() {
    const std::string raises =
        " of tensors: torch raises \"Boolean value of Tensor with more than one value is ambiguous\"; ";
    const std::vector<std::pair<std::string, std::string>> examples{
        {"q_idx > 1 and kv_idx > 1", "and" + raises + "write (a) & (b)"},
        {"q_idx > 1 or kv_idx > 1", "or" + raises + "write (a) | (b)"},
        {"kv_idx > 1 if q_idx > 1 else kv_idx < 1", "if" + raises + "write torch.where(condition, x, y)"},
        {"0 < kv_idx < 2", "a < b < c" + raises + "join two comparisons with &"},
        {"not q_idx", "not of an integer tests whether it is zero; write q_idx == 0"},
    };
    for (const auto& [text, warning] : examples) {
      const auto all = warnings_of(text);
      QCOMPARE(all.size(), std::size_t{1});
      COMPARE_TEXT(all[0], warning);
    }
    QVERIFY(warnings_of("(q_idx > 1) & (kv_idx > 1) | ~(kv_idx == 0)").empty());
  }

  void invalid_conditions_are_errors() {
    COMPARE_TEXT(error_of("None < kv_idx"), "None cannot be ordered; test for it with is None");
    COMPARE_TEXT(error_of("kv_idx is 3"), "is compares with None, True or False; compare numbers with ==");
    COMPARE_TEXT(error_of("kv_idx in 3"), "in must be followed by values in parentheses, such as (0, 1, 2)");
    COMPARE_TEXT(error_of("torch.arange(3) < kv_idx < 3"),
                 "an array is compared twice here; join two comparisons with &");
  }
};

VQSCOPE_TEST(TruthTest)
#include "truth_test.moc"
