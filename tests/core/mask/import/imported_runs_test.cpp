// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/imported_mask.h"

#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class ImportedRunsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Rows 0 to 2 are equal, row 3 sees nothing, rows 4 and 5 are equal again: 3 runs with 2 + 0 + 2
  /// intervals.
  void equal_rows_are_kept_once() {
    const ImportedRuns runs{{{0, 1}, {3, 4}}, {{0, 1}, {3, 4}}, {{0, 1}, {3, 4}}, {},
                            {{0, 1}, {3, 4}}, {{0, 1}, {3, 4}}};
    QCOMPARE(runs.rows(), Index{6});
    QCOMPARE(runs.run_count(), std::size_t{3});
    QCOMPARE(runs.size(), std::uint64_t{7});
    QCOMPARE(runs.rows_of(0), (Range{0, 3}));
    QCOMPARE(runs.rows_of(1), (Range{3, 4}));
    QCOMPARE(runs.rows_of(2), (Range{4, 6}));
    QVERIFY(runs.intervals_of(1).empty());
    QVERIFY(std::ranges::equal(runs.intervals_of(2), std::vector<KeyInterval>{{0, 1}, {3, 4}}));
    QCOMPARE(ImportedRuns().rows(), Index{0});
  }

  /// 4,194,304 rows of 32 intervals take the memory of one row.
  void many_rows_take_the_memory_of_one() {
    std::vector<KeyInterval> striped;
    for (std::uint32_t key = 0; key < 64; key += 2) striped.push_back({key, key + 1});
    ImportedRuns runs;
    for (Index q = 0; q < 1024; ++q) runs.append(striped, 4096);
    QCOMPARE(runs.rows(), Index{1} << 22);
    QCOMPARE(runs.size(), std::uint64_t{33});
  }

  /// Whether rows come one by one or many at a time, the runs are the same, and each row is found.
  void any_rows_in_any_pieces() {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
      ImportedRuns one_by_one;
      ImportedRuns at_once;
      std::vector<std::vector<KeyInterval>> rows;
      for (Index k = pick(random, 1, 9); k > 0; --k) {
        std::vector<KeyInterval> row;
        if (pick(random, 0, 2) > 0) row.push_back({0, static_cast<std::uint32_t>(pick(random, 1, 3))});
        const Index copies = pick(random, 1, 4);
        at_once.append(row, copies);
        for (Index c = 0; c < copies; ++c) one_by_one.append(row);
        rows.insert(rows.end(), static_cast<std::size_t>(copies), row);
      }
      QVERIFY(at_once == one_by_one);
      QCOMPARE(at_once.rows(), static_cast<Index>(rows.size()));
      for (std::size_t q = 0; q < rows.size(); ++q) {
        const std::size_t run = at_once.run_of(static_cast<Index>(q));
        QVERIFY(at_once.rows_of(run).contains(static_cast<Index>(q)));
        QVERIFY(std::ranges::equal(at_once.intervals_of(run), rows[q]));
      }
    }
  }
};

VQSCOPE_TEST(ImportedRunsTest)
#include "imported_runs_test.moc"
