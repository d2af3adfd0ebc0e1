// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/relative/segment_sums.h"

#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <atomic>
#include <limits>
#include <thread>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index chunk = DistanceTable::chunk;

/// 3d + 1; each call of fill is counted.
RelativeFunction counted_line(std::atomic<int>& fills) {
  RelativePiece piece{.begin = std::numeric_limits<Index>::min(), .kind = PieceKind::rough};
  piece.at = [](double d) { return 3 * d + 1; };
  piece.fill = [&fills](Index first, std::span<double> out) {
    ++fills;
    for (double& value : out) value = static_cast<double>(3 * first++ + 1);
  };
  return {{piece}};
}

}  // namespace

class DistanceTableTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void values_by_hand() {
    std::atomic<int> fills = 0;
    const DistanceTable table(counted_line(fills), {-10, 10});
    QCOMPARE(table.range(), (Range{-10, 10}));
    const auto values = table.values({2, 5});
    QCOMPARE(values.size(), std::size_t{3});
    QCOMPARE(values[0], 7.0);
    QCOMPARE(values[2], 13.0);
    QCOMPARE(table.values({-10, -9}).front(), -29.0);
    QVERIFY(table.values({3, 3}).empty());
  }

  /// Chunk -1 ends with -1, also for the first and the last argument of a chunk.
  void borders_of_chunks() {
    std::atomic<int> fills = 0;
    const DistanceTable table(counted_line(fills), {-2 * chunk, 2 * chunk});
    for (const Index at : {-2 * chunk, -chunk - 1, -chunk, Index{-1}, Index{0}, chunk - 1, chunk, 2 * chunk - 1})
      QCOMPARE(table.values({at, at + 1}).front(), static_cast<double>(3 * at + 1));
    QCOMPARE(fills.load(), 4);
    QCOMPARE(table.values({-chunk, 0}).size(), static_cast<std::size_t>(chunk));
  }

  void chunks_are_computed_once_on_demand() {
    std::atomic<int> fills = 0;
    const DistanceTable table(counted_line(fills), {0, 100 * chunk});
    QCOMPARE(fills.load(), 0);
    table.values({5, 6});
    table.values({chunk - 1, chunk});
    QCOMPARE(fills.load(), 1);
  }

  void a_range_is_computed_once_on_any_number_of_threads() {
    for (const int threads : {1, 3}) {
      std::atomic<int> fills = 0;
      const DistanceTable table(counted_line(fills), {-5 * chunk, 5 * chunk});
      table.compute({-1, chunk + 1}, threads, {});
      QCOMPARE(fills.load(), 3);
      table.compute({-1, chunk + 1}, threads, {});
      table.compute({7, 7}, threads, {});
      QCOMPARE(fills.load(), 3);
    }
  }

  void several_threads_may_want_the_same_chunk() {
    std::atomic<int> fills = 0;
    const DistanceTable table(counted_line(fills), {0, 3 * chunk});
    std::atomic<int> wrong = 0;
    {
      std::vector<std::jthread> readers;
      for (int i = 0; i < 4; ++i)
        readers.emplace_back([&] {
          for (Index at = 0; at < 3 * chunk; at += 97)
            if (table.values({at, at + 1}).front() != static_cast<double>(3 * at + 1)) ++wrong;
        });
    }
    QCOMPARE(wrong.load(), 0);
    QCOMPARE(fills.load(), 3);
  }

  void a_stop_leaves_the_rest_for_later() {
    std::atomic<int> fills = 0;
    std::stop_source source;
    source.request_stop();
    const DistanceTable table(counted_line(fills), {0, 2 * chunk});
    table.compute({0, 2 * chunk}, 2, source.get_token());
    QCOMPARE(fills.load(), 0);
    QCOMPARE(table.values({chunk, chunk + 1}).front(), static_cast<double>(3 * chunk + 1));
  }
};

VQSCOPE_TEST(DistanceTableTest)
#include "distance_table_test.moc"
