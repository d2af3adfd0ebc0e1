// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/transformer_xl/xl_field.h"

#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::uint64_t counted(const XlBoundary& boundary, const Rect& cells) {
  std::uint64_t count = 0;
  for (Index row = cells.rows.begin; row < cells.rows.end; ++row)
    count +=
        static_cast<std::uint64_t>(cells.cols.end - std::clamp(boundary.at(row), cells.cols.begin, cells.cols.end));
  return count;
}

Range random_range(Random& random, Index end) {
  const Index begin = pick(random, 0, end - 1);
  return {begin, pick(random, begin + 1, end)};
}

}  // namespace

class XlBoundaryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    constexpr Index never = XlBoundary::never;
    // Segments of four less six: 0 up to row 7, 2 in rows 8 to 11, 6 in rows 12 to 15.
    const XlBoundary memory{4, 6, never};
    QCOMPARE(memory.at(7), Index{0});
    QCOMPARE(memory.at(8), Index{2});
    QCOMPARE(memory.at(15), Index{6});
    QCOMPARE(memory.cells_from({{0, 16}, {0, 16}}), std::uint64_t{16 * 16 - 4 * 2 - 4 * 6});
    // Behind the query.
    const XlBoundary causal{4, never, -1};
    QCOMPARE(causal.at(5), Index{6});
    QCOMPARE(causal.cells_from({{0, 4}, {0, 4}}), std::uint64_t{6});
    // The segment's first token, and two before the query where that is later: 8, 8, 8, 9.
    const XlBoundary both{4, 0, 2};
    QCOMPARE(both.at(10), Index{8});
    QCOMPARE(both.at(11), Index{9});
  }

  void counts_agree_with_the_rows() {
    Random random(1);
    for (int i = 0; i < 20000; ++i) {
      XlBoundary boundary{pick(random, 1, 15)};
      if (pick(random, 0, 3) > 0) boundary.before_segment = pick(random, 0, 40);
      if (pick(random, 0, 1) > 0) boundary.before_row = pick(random, -1, 40);
      const Rect cells{random_range(random, 120), random_range(random, 120)};
      QCOMPARE(boundary.cells_from(cells), counted(boundary, cells));
    }
  }

  /// Half of the longest matrix: T (T + n) / 2 cells are at or right of the segments' first tokens.
  void counts_of_the_longest_sequence() {
    const Index length = Index{1} << 31;
    const XlBoundary own{1024, 0, XlBoundary::never};
    const auto t = static_cast<std::uint64_t>(length);
    QCOMPARE(own.cells_from({{0, length}, {0, length}}), t / 2 * (t + 1024));
  }
};

VQSCOPE_TEST(XlBoundaryTest)
#include "xl_boundary_test.moc"
