// SPDX-License-Identifier: GPL-3.0-or-later
// Which statements of a text may be left out of its mask, and which may not.
#include "core/mask/language/compile/module_compiler.h"

#include "tests/core/mask/language/compile/mask_rule.h"
#include "tests/core/mask/language/compile/tree/text_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

bool sees_past(Index q, Index kv) { return kv <= q; }

const std::string past_text = "m = q_idx >= kv_idx\n";

}  // namespace

class ModuleCompilerTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Python would return the first mask, or none.
  void a_statement_that_returns_is_not_left_out() {
    const std::string is_no_part = " is not part of the mask language";
    QVERIFY(placed_error("async with lock() as x:\n    return q_idx <= kv_idx\nq_idx >= kv_idx")
                .starts_with("line 1, column 1: async" + is_no_part));
    QVERIFY(placed_error(past_text + "try:\n    return m\n    print 'y'\nexcept ImportError:\n    pass\nkv_idx < 2")
                .starts_with("line 2, column 1: try" + is_no_part));
    QVERIFY(placed_error("with open(x) as f: print 'y'; return q_idx < 1\nq_idx >= kv_idx")
                .starts_with("line 1, column 1: with" + is_no_part));
  }

  void a_mask_that_is_assigned_again_is_not_left_out() {
    QVERIFY(placed_error(past_text + "async with lock():\n    m = m & (kv_idx < 3)\n")
                .starts_with("line 2, column 1: async is not part of the mask language"));
    COMPARE_TEXT(wrong_cells({past_text + "async def main():\n    m = m & (kv_idx < 3)\n", sees_past}), "");
  }

  void a_raise_that_is_reached_is_not_left_out() {
    COMPARE_TEXT(placed_error("n = 4\nif 4 > 3:\n    raise ValueError('no')\nq_idx - kv_idx < n"),
                 "line 3, column 5: with these values the text reaches this raise");
    // SystemExit is the end of a script that ran; whether there is a GPU is not known here.
    for (const TextCase& one :
         std::vector<TextCase>{{past_text + "if __name__ == '__main__':\n    raise SystemExit(main())", sees_past},
                               {past_text + "if not torch.cuda.is_available():\n    raise RuntimeError\nm", sees_past},
                               {"try:\n    import a\nexcept ImportError:\n    raise\n" + past_text, sees_past}})
      COMPARE_TEXT(wrong_cells(one), "");
  }

  /// A function that cannot be read keeps its returns and its names to itself.
  void functions_that_cannot_be_read_are_left_out() {
    for (const TextCase& one : std::vector<TextCase>{
             {past_text + "async def main():\n    m = await load()\n    return m\nm", sees_past},
             {past_text + "async def main(m=3):\n    async with a() as b:\n        return b\n\nasyncio.run(main())\nm",
              sees_past},
             {past_text + "try:\n    def f(x): return x\n    print 'y'\nexcept ImportError:\n    def f(m):\n"
                          "        m = 2\n        return m\nm",
              sees_past},
             {past_text + "with session(m=3) as s:\n    print 'y'\nm", sees_past}})
      COMPARE_TEXT(wrong_cells(one), "");
    // Names that it shares with the text are not its own.
    QVERIFY(placed_error(past_text + "async def main():\n    global m\n    m = 1\nm")
                .starts_with("line 2, column 1: async is not part of the mask language"));
    QVERIFY(placed_error(past_text + "try:\n    print 'y'\n    torch.add(m, 1, out=m)\nexcept X:\n    pass\nm")
                .starts_with("line 2, column 1: try is not part of the mask language"));
  }

  void a_loop_that_changes_the_mask_is_not_left_out() {
    const std::string ones = "m = torch.ones(6, 6)\n";
    const std::string mask = "\nm[q_idx, kv_idx] > 0";
    COMPARE_TEXT(placed_error(ones + "for i in range(n):\n    m.masked_fill_(other(i), 0)" + mask),
                 "line 2, column 16: a range needs integers that are known before any cell is evaluated");
    QVERIFY(placed_error(ones + "if other():\n    m.fill_(0)" + mask)
                .starts_with("line 2, column 4: other is called but not defined in the text"));
  }

  /// By torch's convention a method that ends in _ changes its object, and out= is changed.
  void a_change_in_place_is_made_or_refused() {
    const auto refused = [](const std::string& place, const std::string& function) {
      return place + ": the mask language does not follow how " + function +
             " changes m in place; assign its result to m";
    };
    COMPARE_TEXT(placed_error(past_text + "m.logical_and_(kv_idx < 3)\nm"),
                 refused("line 2, column 1", "m.logical_and_"));
    COMPARE_TEXT(placed_error("m = torch.ones(6, 6)\nm.tril_()\nm[q_idx, kv_idx] > 0"),
                 refused("line 2, column 1", "m.tril_"));
    COMPARE_TEXT(placed_error("m = torch.ones(6, 6)\nnp.fill_diagonal(m, 0)\nm[q_idx, kv_idx] > 0"),
                 refused("line 2, column 1", "np.fill_diagonal"));
    COMPARE_TEXT(placed_error(mask_of("m = q_idx >= kv_idx\ntorch.logical_and(m, kv_idx < 3, out=m)\nreturn m")),
                 refused("line 3, column 3", "torch.logical_and"));
    COMPARE_TEXT(placed_error(mask_of("m = q_idx >= kv_idx\nif kv_idx > 2:\n  m.zero_grad_()\nreturn m")),
                 refused("line 4, column 5", "m.zero_grad_"));
    for (const TextCase& one : std::vector<TextCase>{
             {past_text + "x.requires_grad_()\ntorch.nn.init.normal_(weight)\nsave(m, out=path)\nm", sees_past},
             {past_text + "optimizer.zero_grad_()\nm.requires_grad_(False)\nm", sees_past}})
      COMPARE_TEXT(wrong_cells(one), "");
  }
};

VQSCOPE_TEST(ModuleCompilerTest)
#include "module_compiler_test.moc"
