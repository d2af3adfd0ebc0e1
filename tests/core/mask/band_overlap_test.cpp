// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/band_overlap.h"

#include "core/mask/layout_regions.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/mask_reading.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

namespace {

bool has(const Region& region, Index q, Index kv) {
  return std::ranges::any_of(region,
                             [&](const Band& band) { return band.rows.contains(q) && band.row(q).contains(kv); });
}

Ramp random_ramp(Random& random, Index low, Index high) {
  const Index a = pick(random, low, high);
  const Index b = pick(random, low, high);
  return {pick(random, -12, 12), std::min(a, b), std::max(a, b)};
}

/// One band a stretch of rows, with any ends that are in order.
Region random_region(Random& random, Extent extent) {
  Region region;
  for (Index row = 0; row < extent.rows;) {
    const Index end = pick(random, row + 1, extent.rows);
    const Index middle = pick(random, 0, extent.cols);
    const Band band{{row, end}, random_ramp(random, 0, middle), random_ramp(random, middle, extent.cols)};
    if (pick(random, 0, 4) > 0) region.push_back(band);
    row = end;
  }
  return region;
}

/// Cell by cell what a region is, by its definition.
using Holds = std::function<bool(Index q, Index kv)>;

std::string differs(const Region& region, Extent extent, const Holds& holds) {
  for (Index q = 0; q < extent.rows; ++q)
    for (Index kv = 0; kv < extent.cols; ++kv)
      if (has(region, q, kv) != holds(q, kv)) return cell_name(q, kv);
  return {};
}

}  // namespace

class BandOverlapTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aWorkedExample() {
    const Region causal{{{0, 4}, Ramp::constant(0), {1, 0, 4}}};
    const Region right{{{0, 4}, Ramp::constant(2), Ramp::constant(4)}};
    QCOMPARE(cell_count(causal, {0, 4}), std::uint64_t{10});
    QCOMPARE(common_cells(causal, right, {0, 4}), std::uint64_t{3});
    QCOMPARE(common_cells(causal, right, {0, 3}), std::uint64_t{1});
    QCOMPARE(empty_rows(right, {0, 4}), std::vector<Range>{});
    QCOMPARE(empty_rows({}, {2, 4}), (std::vector<Range>{{2, 4}}));
  }

  void countsAreThoseOfTheCells() {
    Random random(1);
    for (int round = 0; round < 3000; ++round) {
      const Extent extent{pick(random, 1, 20), pick(random, 1, 20)};
      const Region a = random_region(random, extent);
      const Region b = random_region(random, extent);
      const Index begin = pick(random, 0, extent.rows - 1);
      const Range rows{begin, pick(random, begin + 1, extent.rows)};
      std::uint64_t of_a = 0;
      std::uint64_t both = 0;
      std::vector<Index> empty;
      for (Index q = rows.begin; q < rows.end; ++q) {
        const std::uint64_t before = of_a;
        for (Index kv = 0; kv < extent.cols; ++kv) {
          of_a += has(a, q, kv) ? 1 : 0;
          both += has(a, q, kv) && has(b, q, kv) ? 1 : 0;
        }
        if (of_a == before) empty.push_back(q);
      }
      QCOMPARE(cell_count(a, rows), of_a);
      QCOMPARE(common_cells(a, b, rows), both);
      std::vector<Index> listed;
      Index last = -1;
      for (const Range& range : empty_rows(a, rows)) {
        QVERIFY(range.begin > last && range.size() > 0);
        for (Index q = range.begin; q < range.end; ++q) listed.push_back(q);
        last = range.end;
      }
      QCOMPARE(listed, empty);
    }
  }

  void rowsAreTheCells() {
    Random random(3);
    std::vector<Range> row;
    for (int round = 0; round < 2000; ++round) {
      const Extent extent{pick(random, 1, 20), pick(random, 1, 20)};
      const Region region = random_region(random, extent);
      std::vector<Range> wanted;
      for (Index q = pick(random, 0, 4); q < extent.rows; q += pick(random, 1, 6)) {
        wanted.push_back({q, pick(random, q, extent.rows)});
        q = wanted.back().end;
      }
      const auto is_wanted = [&](Index q) {
        return std::ranges::any_of(wanted, [&](const Range& rows) { return rows.contains(q); });
      };
      COMPARE_TEXT(differs(rows_of(region, wanted), extent,
                           [&](Index q, Index kv) { return is_wanted(q) && has(region, q, kv); }),
                   "");
      for (Index q = 0; q < extent.rows; ++q) {
        region_row(region, q, row);
        for (const Range& keys : row) QVERIFY(keys.size() > 0);
        for (Index kv = 0; kv < extent.cols; ++kv)
          QCOMPARE(std::ranges::any_of(row, [&](const Range& keys) { return keys.contains(kv); }), has(region, q, kv));
      }
    }
  }

  void largeCountsDoNotOverflow() {
    const Index length = Index{1} << 31;
    const Region all{{{0, length}, Ramp::constant(0), Ramp::constant(length)}};
    QCOMPARE(common_cells(all, all, {0, length}), std::uint64_t{1} << 62);
    const Region causal{{{0, length}, Ramp::constant(0), {1, 0, length}}};
    QCOMPARE(common_cells(all, causal, {0, length}), (std::uint64_t{1} << 61) + (std::uint64_t{1} << 30));
  }

  void regionsAreWhatTheySay() {
    Random random(2);
    for (int round = 0; round < 1500; ++round) {
      const auto layout = *SequenceLayout::make(random_input(random));
      const Extent extent{layout.q_length(), layout.kv_length()};
      const auto own = [&](Index q, Index kv) {
        return layout.q_valid(q) && layout.key_valid(kv) && layout.q_document(q) == layout.kv_document(kv);
      };
      const Index first = pick(random, -6, 6);
      COMPARE_TEXT(differs(padding_keys(layout), extent,
                           [&](Index q, Index kv) { return layout.q_valid(q) && !layout.key_valid(kv); }),
                   "");
      COMPARE_TEXT(differs(other_documents(layout), extent,
                           [&](Index q, Index kv) { return layout.q_valid(q) && layout.key_valid(kv) && !own(q, kv); }),
                   "");
      COMPARE_TEXT(differs(own_keys(layout), extent,
                           [&](Index q, Index kv) { return own(q, kv) && layout.q_pos(q) == layout.kv_pos(kv); }),
                   "");
      COMPARE_TEXT(differs(real_queries(layout), extent, [&](Index q, Index) { return layout.q_valid(q); }), "");
      COMPARE_TEXT(differs(columns_beyond(extent, first), extent, [&](Index q, Index kv) { return kv - q > first; }),
                   "");
    }
  }
};

VQSCOPE_TEST(BandOverlapTest)
#include "band_overlap_test.moc"
