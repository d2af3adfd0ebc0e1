// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/imported_mask.h"

#include "tests/core/mask/mask_reading.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class ImportedMaskTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Row 0 sees keys 1 and 2, row 1 none, row 2 keys 0 and 3.
  void rows_by_hand() {
    const ImportedMask mask({3, 4}, ImportedRuns{{{1, 3}}, {}, {{0, 1}, {3, 4}}}, {-10000});
    QCOMPARE(mask.extent(), (Extent{3, 4}));
    QCOMPARE(mask.terms(), std::vector<std::string>{"file"});
    std::string cells;
    for (Index q = 0; q < 3; ++q)
      for (Index kv = 0; kv < 4; ++kv) cells += mask.visible(q, kv) ? '1' : '0';
    COMPARE_TEXT(cells, "011000001001");
    std::vector<Range> row{{7, 9}};
    mask.row(2, row);
    QCOMPARE(row, (std::vector<Range>{{0, 1}, {3, 4}}));
    mask.row(1, row);
    QVERIFY(row.empty());
    QCOMPARE(std::vector<double>(mask.numbers().begin(), mask.numbers().end()), std::vector<double>{-10000});
    QCOMPARE(first_empty_row(mask), Index{1});
  }

  void reasons_come_from_the_file() {
    const ImportedMask mask({1, 2}, ImportedRuns{{{0, 1}}});
    COMPARE_TEXT(mask.why(0, 0), "visible: the file shows this cell");
    COMPARE_TEXT(mask.why(0, 1), "masked by file: the file masks this cell");
    QCOMPARE(mask.failing_term(0, 1), std::optional<std::size_t>(0));
    std::vector<Verdict> verdicts;
    mask.verdicts(0, 0, verdicts);
    QVERIFY(verdicts == std::vector{Verdict::yes});
    mask.verdicts(0, 1, verdicts);
    QVERIFY(verdicts == std::vector{Verdict::no});
    QCOMPARE(mask.columns().size(), std::size_t{1});
    QVERIFY(mask.facts(0, 0).empty() && mask.numbers().empty());
  }

  void cells_rows_and_bands_of_any_intervals() {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
      const Extent extent{pick(random, 1, 12), pick(random, 1, 40)};
      ImportedRuns runs;
      std::vector<bool> cells;
      for (Index q = 0; q < extent.rows; ++q) {
        Index next = 0;
        std::vector<KeyInterval> intervals;
        for (Index begin = pick(random, 0, 9); begin < extent.cols; begin += pick(random, 1, 9)) {
          const Index end = pick(random, begin + 1, extent.cols);
          intervals.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
          for (; next < begin; ++next) cells.push_back(false);
          for (; next < end; ++next) cells.push_back(true);
          begin = end;
        }
        for (; next < extent.cols; ++next) cells.push_back(false);
        runs.append(intervals);
      }
      const ImportedMask mask(extent, runs);
      const auto inverted = mask.inverted();
      QVERIFY(*inverted->inverted() == mask);
      std::vector<Band> scratch, of_term;
      const auto bands = mask.bands({0, extent.rows}, scratch);
      const auto term = mask.term_bands(0, {0, extent.rows}, of_term);
      QVERIFY(std::ranges::equal(bands, term));
      std::uint64_t count = 0;
      for (Index q = 0; q < extent.rows; ++q)
        for (Index kv = 0; kv < extent.cols; ++kv) {
          const bool wanted = cells[static_cast<std::size_t>(q * extent.cols + kv)];
          count += wanted ? 1 : 0;
          QCOMPARE(mask.visible(q, kv), wanted);
          QCOMPARE(inverted->visible(q, kv), !wanted);
          const auto has = [&](const Band& band) { return band.rows.contains(q) && band.row(q).contains(kv); };
          QCOMPARE(std::ranges::count_if(bands, has), std::ptrdiff_t{wanted ? 1 : 0});
        }
      QCOMPARE(visible_count(mask, {0, extent.rows}), count);
    }
  }

  /// 2^24 rows that see keys 0 and 2 to 3, then as many that see key 1: bands of two runs, in any
  /// part of the rows.
  void equal_rows_are_bands() {
    constexpr Index half = Index{1} << 24;
    ImportedRuns runs;
    runs.append(std::vector<KeyInterval>{{0, 1}, {2, 4}}, half);
    runs.append(std::vector<KeyInterval>{{1, 2}}, half);
    const ImportedMask mask({2 * half, 4}, runs);
    QVERIFY(mask.has_bands() && mask.inverted()->has_bands());
    std::vector<Band> scratch;
    QCOMPARE(mask.bands({0, 2 * half}, scratch).size(), std::size_t{3});
    QCOMPARE(mask.bands({half, half + 1}, scratch).size(), std::size_t{1});
    CountBudget budget{.left = 1000};
    QCOMPARE(visible_count(mask, {half - 1, half + 2}, budget), std::optional<std::uint64_t>(5));
    QVERIFY(!mask.visible(half - 1, 1) && mask.visible(half, 1) && !mask.visible(half, 0));
    QVERIFY(!ImportedMask({1, 2}, ImportedRuns{{{0, 1}}}).has_bands());
  }
};

VQSCOPE_TEST(ImportedMaskTest)
#include "imported_mask_test.moc"
