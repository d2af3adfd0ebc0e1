// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/label_counts.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

/// Cell (r, c) is the remainder of r + c by 3, except for one cell.
class Remainders : public Field {
 public:
  explicit Remainders(Index size) : m_size(size) {}
  Extent extent() const override { return {m_size, m_size}; }
  CellType cell_type() const override { return CellType::int32; }
  double at(Index row, Index col) const override { return static_cast<double>((row + col) % 3); }
  std::pair<double, double> value_range() const override { return {0, 2}; }

 private:
  Index m_size;
};

}  // namespace

class LabelCountsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cells_are_looked_at() {
    LabelCounts counts;
    QVERIFY(count_labels_of(Remainders(4), {{0, 2}, {0, 4}}, 100, {}, counts));
    QCOMPARE(counts, (LabelCounts{{0, 3}, {1, 3}, {2, 2}}));
    QCOMPARE(most_frequent(counts), 0);
    QCOMPARE(most_frequent({{4, 1}, {6, 9}, {7, 9}}), 6);
  }

  void more_cells_than_allowed_are_a_sample() {
    LabelCounts counts;
    QVERIFY(!count_labels_of(Remainders(1000), {{0, 1000}, {0, 1000}}, 60, {}, counts));
    std::uint64_t cells = 0;
    for (const auto& [label, count] : counts) cells += count;
    QCOMPARE(cells, std::uint64_t{60});
    QCOMPARE(counts.size(), std::size_t{3});
  }
};

VQSCOPE_TEST(LabelCountsTest)
#include "label_counts_test.moc"
