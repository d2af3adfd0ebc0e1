// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/cell_set.h"

#include "core/cells/cell_combiner.h"
#include "tests/core/cells/cell_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class CellSetTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // Causal with a window of 2, whose lower end starts to move in row 1.
    const CellSet window{{{0, 4}, {-1, 0, 9}, {1, 0, 4}}};
    QVERIFY(window.contains(2, 1) && window.contains(2, 2) && !window.contains(2, 0) && !window.contains(2, 3));
    QVERIFY(!window.is_straight());
    QVERIFY((window.columns() == Range{0, 4}));
    QVERIFY((CellSet::whole({0, 2}, {1, 3}).bands()[0] == Band::whole({0, 2}, {1, 3})));
    QVERIFY(CellSet::whole({0, 2}, {3, 3}).is_empty());
  }

  void equal_straight_bands_have_equal_ends() {
    const CellSet causal{{{0, 4}, Ramp::constant(0), {1, 0, 4}}};
    QVERIFY(causal.is_straight());
    QCOMPARE(causal.bands()[0].hi, Ramp::moving(1));
    const CellSet one_row{{{3, 4}, Ramp::moving(-3), Ramp::moving(1)}};
    QCOMPARE(one_row.bands()[0], Band::whole({3, 4}, {0, 4}));
  }

  void rows_that_continue_make_no_band() {
    CellSet set;
    const Band causal{{0, 9}, Ramp::constant(0), Ramp::moving(1)};
    set.append({0, 4}, {&causal, 1});
    set.append({4, 9}, {&causal, 1});
    QCOMPARE(set.size(), std::size_t{1});
    QCOMPARE(set.bands()[0], causal);
  }

  void strips_are_the_bands_of_equal_rows() {
    for (std::size_t columns = 0; columns < 20; ++columns) {
      CellSet set;
      for (const Range rows : {Range{0, 2}, Range{3, 4}})
        for (std::size_t i = 0; i < columns; ++i)
          set.append(Band::whole(rows, {static_cast<Index>(2 * i), static_cast<Index>(2 * i + 1)}));
      std::size_t strips = 0;
      for (const Strip& strip : set.strips()) {
        QCOMPARE(strip.columns.size(), columns);
        ++strips;
      }
      QCOMPARE(strips, std::size_t{columns > 0 ? 2U : 0U});
    }
  }

  void queries_agree_with_the_cells() {
    Random random(1);
    std::vector<Range> row;
    for (int round = 0; round < 3000; ++round) {
      const CellSet set = random_cells(random, round % 2 == 0);
      COMPARE_TEXT(unsound(set), "");
      const CellMatrix cells = matrix_of(set);
      QCOMPARE(set.is_empty(), std::ranges::count(cells, true) == 0);
      const Range columns = set.columns();
      std::optional<std::pair<Index, Index>> first;
      for (Index q = case_cells.rows.begin; q < case_cells.rows.end; ++q) {
        row_of(set, q, row);
        Index end = case_cells.cols.begin - 1;
        for (const Range& range : row) {
          QVERIFY(range.begin > end && range.size() > 0);
          end = range.end;
        }
        for (Index kv = case_cells.cols.begin; kv < case_cells.cols.end; ++kv) {
          const bool holds = cell_of(cells, q, kv);
          if (holds && !first) first = {q, kv};
          QVERIFY(!holds || columns.contains(kv));
          QCOMPARE(std::ranges::any_of(row, [&](const Range& range) { return range.contains(kv); }), holds);
        }
      }
      QVERIFY(set.first_cell() == first);
    }
  }

  void clipped_set_has_the_cells_within() {
    Random random(2);
    for (int round = 0; round < 2000; ++round) {
      const CellSet set = random_cells(random, round % 2 == 0);
      const auto some = [&](Range all) {
        const Index begin = pick(random, all.begin, all.end);
        return Range{begin, pick(random, begin, all.end)};
      };
      const Rect to{some(case_cells.rows), some(case_cells.cols)};
      const CellSet clipped = set.clipped(to);
      COMPARE_TEXT(unsound(clipped), "");
      QVERIFY(matrix_of(clipped) == matrix_of([&](Index q, Index kv) {
                return to.rows.contains(q) && to.cols.contains(kv) && set.contains(q, kv);
              }));
    }
  }

  void covering_bands_are_the_cells_and_leave_out_no_row() {
    Random random(3);
    for (int round = 0; round < 2000; ++round) {
      const CellSet set = random_cells(random, round % 2 == 0);
      const auto bands = set.covering(case_cells.rows);
      QVERIFY(matrix_of(set) == matrix_of([&](Index q, Index kv) {
                return std::ranges::any_of(
                    bands, [&](const Band& band) { return band.rows.contains(q) && band.row(q).contains(kv); });
              }));
      Index next = case_cells.rows.begin;
      for (const Strip& strip : Strips(bands)) {
        QCOMPARE(strip.rows.begin, next);
        next = strip.rows.end;
      }
      QCOMPARE(next, case_cells.rows.end);
    }
  }
};

VQSCOPE_TEST(CellSetTest)
#include "cell_set_test.moc"
