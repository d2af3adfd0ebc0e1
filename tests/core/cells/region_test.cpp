// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/region.h"

#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

constexpr Range all_rows{0, 14};
constexpr Range all_cols{-6, 30};

bool has(const Region& region, Index q, Index kv) {
  for (const Strip& strip : region.strips())
    for (const Interval& interval : region.intervals(strip))
      if (strip.rows.contains(q) && interval.lo.at(q) <= kv && kv < interval.hi.at(q)) return true;
  return false;
}

bool has(std::span<const Band> bands, Index q, Index kv) {
  return std::ranges::any_of(bands,
                             [&](const Band& band) { return band.rows.contains(q) && band.row(q).contains(kv); });
}

/// Not right of `b` in the first and the last of some rows, and so in none.
bool in_order(const End& a, const End& b, Range rows) {
  return a.at(rows.begin) <= b.at(rows.begin) && a.at(rows.end - 1) <= b.at(rows.end - 1);
}

/// Ends that stand or move, in order in all of the rows.
std::vector<Interval> random_intervals(Random& random, Range rows) {
  std::vector<End> ends;
  for (int tries = 0; tries < 12 && ends.size() < 6; ++tries) {
    const bool moves = pick(random, 0, 1) == 1;
    const End end{moves, pick(random, moves ? -6 : 0, moves ? 12 : 24)};
    if (ends.empty() || in_order(ends.back(), end, rows)) ends.push_back(end);
  }
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) intervals.push_back({ends[i], ends[i + 1]});
  return intervals;
}

Region random_region(Random& random) {
  Region region;
  for (Index row = 0; row < all_rows.end;) {
    const Range rows{row, pick(random, row + 1, all_rows.end)};
    if (pick(random, 0, 4) > 0) region.append(rows, random_intervals(random, rows));
    row = rows.end;
  }
  return region;
}

bool holds(Combine how, bool a, bool b) {
  if (how == Combine::both) return a && b;
  if (how == Combine::either) return a || b;
  return how == Combine::first_only ? a && !b : a != b;
}

/// Strips in order and disjoint; ends in order in all of their rows.
bool is_sound(const Region& region) {
  Index row = all_rows.begin;
  for (const Strip& strip : region.strips()) {
    if (strip.rows.begin < row || strip.rows.size() <= 0 || strip.first == strip.last) return false;
    row = strip.rows.end;
    const auto intervals = region.intervals(strip);
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      if (!in_order(intervals[i].lo, intervals[i].hi, strip.rows)) return false;
      if (i > 0 && !in_order(intervals[i - 1].hi, intervals[i].lo, strip.rows)) return false;
    }
  }
  return true;
}

}  // namespace

class RegionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Causal keys and those from the third on: rows are split where the diagonal reaches it.
  void by_hand() {
    Region causal;
    const Interval below{{false, 0}, {true, 1}};
    causal.append({0, 4}, {&below, 1});
    Combiner combiner;
    const Region both = combiner.combine(causal, Region::whole({0, 4}, {2, 9}), Combine::both);
    const auto bands = both.bands({0, 4});
    QCOMPARE(bands.size(), std::size_t{2});
    QVERIFY((bands[0] == Band{{0, 1}, Ramp::constant(0), Ramp::constant(0)}));
    QVERIFY(bands[1].row(1).size() == 0 && bands[1].row(2) == (Range{2, 3}) && bands[1].row(3) == (Range{2, 4}));
    QVERIFY((both.columns() == Range{2, 4}));
    QVERIFY(combiner.combine(causal, causal, Combine::first_only).empty());
  }

  void combined_cells_are_those_of_both_sides() {
    Random random(1);
    for (int round = 0; round < 3000; ++round) {
      const Region a = random_region(random);
      const Region b = random_region(random);
      for (const Combine how : {Combine::both, Combine::either, Combine::first_only, Combine::one_of}) {
        const Region made = Combiner().combine(a, b, how);
        QVERIFY(is_sound(made));
        for (Index q = all_rows.begin; q < all_rows.end; ++q)
          for (Index kv = all_cols.begin; kv < all_cols.end; ++kv)
            QVERIFY2(has(made, q, kv) == holds(how, has(a, q, kv), has(b, q, kv)),
                     qPrintable(QString("q %1, kv %2").arg(q).arg(kv)));
      }
    }
  }

  void bands_are_the_cells_and_cover_the_rows() {
    Random random(2);
    for (int round = 0; round < 2000; ++round) {
      const Region region = random_region(random);
      const auto bands = region.bands(all_rows);
      const Range columns = region.columns();
      for (Index q = all_rows.begin; q < all_rows.end; ++q) {
        QVERIFY(std::ranges::any_of(bands, [&](const Band& band) { return band.rows.contains(q); }));
        for (Index kv = all_cols.begin; kv < all_cols.end; ++kv) {
          QCOMPARE(has(bands, q, kv), has(region, q, kv));
          QVERIFY(!has(region, q, kv) || columns.contains(kv));
        }
      }
    }
  }

  void a_budget_that_is_spent_is_noticed() {
    Combiner combiner;
    combiner.left = 2;
    Random random(3);
    (void)combiner.combine(random_region(random), random_region(random), Combine::either);
    QVERIFY(combiner.left < 0);
  }
};

VQSCOPE_TEST(RegionTest)
#include "region_test.moc"
