// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/cell_combiner.h"

#include "tests/core/cells/cell_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Combine every_way[] = {Combine::both, Combine::either, Combine::first_only, Combine::one_of};

bool wanted(Combine how, bool a, bool b) {
  if (how == Combine::both) return a && b;
  if (how == Combine::either) return a || b;
  return how == Combine::first_only ? a && !b : a != b;
}

}  // namespace

class CellCombinerTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Causal keys and those from the third on: rows are split where the diagonal reaches it.
  void by_hand() {
    const CellSet causal{{{0, 4}, Ramp::constant(0), Ramp::moving(1)}};
    CellCombiner combiner;
    const CellSet both = combiner.combine(causal, CellSet::whole({0, 4}, {2, 9}), Combine::both);
    QCOMPARE(both.size(), std::size_t{1});
    const Band& band = both.bands()[0];
    QVERIFY((band.rows == Range{1, 4} && band.row(1).size() == 0));
    QVERIFY((band.row(2) == Range{2, 3} && band.row(3) == Range{2, 4}));
    QVERIFY((both.columns() == Range{2, 4}));
    QVERIFY(combiner.combine(causal, causal, Combine::first_only).is_empty());
  }

  void combined_cells_agree_with_both_sides() {
    Random random(1);
    for (int round = 0; round < 3000; ++round) {
      const CellSet a = random_cells(random, pick(random, 0, 1) == 1);
      const CellSet b = random_cells(random, pick(random, 0, 1) == 1);
      for (const Combine how : every_way) {
        const CellSet made = CellCombiner().combine(a, b, how);
        COMPARE_TEXT(unsound(made), "");
        QVERIFY(made.is_straight());
        QVERIFY(matrix_of(made) ==
                matrix_of([&](Index q, Index kv) { return wanted(how, a.contains(q, kv), b.contains(q, kv)); }));
      }
    }
  }

  void sets_are_the_same_whatever_their_bands() {
    Random random(2);
    for (int round = 0; round < 2000; ++round) {
      const CellSet a = random_cells(random, false);
      const CellSet b = random_cells(random, false);
      QVERIFY(CellCombiner().combine(a, CellCombiner().combine(a, a, Combine::either), Combine::one_of).is_empty());
      QCOMPARE(CellCombiner().combine(a, b, Combine::one_of).is_empty(), matrix_of(a) == matrix_of(b));
    }
  }

  void spent_budget_is_reported() {
    Random random(3);
    const CellSet a{{{0, 9}, {-3, 0, 3}, {1, 2, 9}}};
    for (const Combine how : every_way) {
      CellCombiner combiner;
      combiner.left = 2;
      (void)combiner.combine(a, a, how);
      QVERIFY(combiner.left < 0);
    }
  }
};

VQSCOPE_TEST(CellCombinerTest)
#include "cell_combiner_test.moc"
