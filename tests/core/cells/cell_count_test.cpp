// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/cell_count.h"

#include "tests/core/cells/cell_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Without an end of the budget.
std::uint64_t cell_count(const CellSet& set, Range rows) {
  CountBudget unlimited;
  return vqscope::cell_count(set, rows, unlimited);
}

std::uint64_t common_cells(const CellSet& a, const CellSet& b, Range rows) {
  CountBudget unlimited;
  return vqscope::common_cells(a, b, rows, unlimited);
}

std::vector<Range> empty_rows(const CellSet& set, Range rows) {
  CountBudget unlimited;
  return vqscope::empty_rows(set, rows, unlimited);
}

Range random_rows(Random& random) {
  const Index begin = pick(random, case_cells.rows.begin, case_cells.rows.end - 1);
  return {begin, pick(random, begin + 1, case_cells.rows.end)};
}

/// Cells of a matrix, row by row.
std::uint64_t count(const CellMatrix& cells, Range rows) {
  std::uint64_t sum = 0;
  for (Index q = rows.begin; q < rows.end; ++q)
    for (Index kv = case_cells.cols.begin; kv < case_cells.cols.end; ++kv) sum += cell_of(cells, q, kv) ? 1 : 0;
  return sum;
}

}  // namespace

class CellCountTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void a_worked_example() {
    const CellSet causal{{{0, 4}, Ramp::constant(0), {1, 0, 4}}};
    const CellSet right = CellSet::whole({0, 4}, {2, 4});
    QCOMPARE(cell_count(causal, {0, 4}), std::uint64_t{10});
    QCOMPARE(common_cells(causal, right, {0, 4}), std::uint64_t{3});
    QCOMPARE(common_cells(causal, right, {0, 3}), std::uint64_t{1});
    QCOMPARE(empty_rows(right, {0, 4}), std::vector<Range>{});
    QCOMPARE(empty_rows({}, {2, 4}), (std::vector<Range>{{2, 4}}));
  }

  void counts_agree_with_the_cells() {
    Random random(1);
    for (int round = 0; round < 3000; ++round) {
      const CellSet a = random_cells(random, pick(random, 0, 1) == 1);
      const CellSet b = random_cells(random, pick(random, 0, 1) == 1);
      const Range rows = random_rows(random);
      const CellMatrix of_a = matrix_of(a);
      const CellMatrix both = matrix_of([&](Index q, Index kv) { return a.contains(q, kv) && b.contains(q, kv); });
      QCOMPARE(cell_count(a, rows), count(of_a, rows));
      QCOMPARE(common_cells(a, b, rows), count(both, rows));
      std::vector<Range> wanted;
      for (Index q = rows.begin; q < rows.end; ++q)
        if (count(of_a, {q, q + 1}) == 0) {
          if (!wanted.empty() && wanted.back().end == q)
            ++wanted.back().end;
          else
            wanted.push_back({q, q + 1});
        }
      QCOMPARE(empty_rows(a, rows), wanted);
    }
  }

  void common_segments_are_the_cells_of_both_once_each() {
    Random random(2);
    for (int round = 0; round < 2000; ++round) {
      const CellSet a = random_cells(random, pick(random, 0, 1) == 1);
      const CellSet b = random_cells(random, pick(random, 0, 1) == 1);
      const Range rows = random_rows(random);
      CountBudget unlimited;
      std::vector<int> seen(matrix_of(a).size());
      bool no_band = false;
      const auto add = [&](Range some, Range first, Range last) {
        no_band = no_band || first.size() < 0 || last.size() < 0;
        for (Index q = some.begin; q < some.end; ++q) {
          const auto line = [&](Index from, Index to) { return from == to ? from : from + q - some.begin; };
          for (Index kv = line(first.begin, last.begin); kv < line(first.end, last.end); ++kv)
            ++seen[static_cast<std::size_t>((q - case_cells.rows.begin) * case_cells.cols.size() + kv -
                                            case_cells.cols.begin)];
        }
      };
      QVERIFY(for_each_common(a, b, rows, unlimited, add));
      QVERIFY(!no_band);
      const CellMatrix wanted =
          matrix_of([&](Index q, Index kv) { return rows.contains(q) && a.contains(q, kv) && b.contains(q, kv); });
      for (std::size_t i = 0; i < seen.size(); ++i) QCOMPARE(seen[i], wanted[i] ? 1 : 0);
    }
  }

  void large_counts_do_not_overflow() {
    const Index length = Index{1} << 31;
    const CellSet all = CellSet::whole({0, length}, {0, length});
    QCOMPARE(common_cells(all, all, {0, length}), std::uint64_t{1} << 62);
    const CellSet causal{{{0, length}, Ramp::constant(0), {1, 0, length}}};
    QCOMPARE(common_cells(all, causal, {0, length}), (std::uint64_t{1} << 61) + (std::uint64_t{1} << 30));
    QCOMPARE(cell_count(causal, {0, length}), (std::uint64_t{1} << 61) + (std::uint64_t{1} << 30));
  }

  void a_budget_that_is_spent_ends_the_count() {
    const CellSet all = CellSet::whole({0, 9}, {0, 9});
    CountBudget spent{.left = 1};
    QVERIFY(!for_each_common(all, all, {0, 9}, spent, [](Range, Range, Range) {}));
    QVERIFY(spent.is_over());
  }
};

VQSCOPE_TEST(CellCountTest)
#include "cell_count_test.moc"
