// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/relative/relative_field.h"

#include "core/relative/relative_summary.h"
#include "core/relative/segment_sums.h"
#include "tests/core/relative/before_all.h"
#include "tests/support/compare.h"
#include "tests/support/relative_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

RelativeFunction kinked(double slope) {
  return {{smooth_from(before_all, [slope](double d) { return slope * d; }), constant_from(1, 0.25)}};
}

RelativeFunction logarithm(double p, double a) {
  const auto f = [p, a](double d) { return -p * std::log1p(a * std::abs(d)); };
  return {{smooth_from(before_all, f), smooth_from(1, f)}};
}

/// A rough piece: cosines of rates from 1 down to 1e-4, each times -2 to 2.
RelativePiece waves_from(Index begin, Random& random, Index count) {
  std::vector<std::pair<double, double>> waves;
  double reach = 0;
  for (Index i = 0; i < count; ++i) {
    const double amplitude = static_cast<double>(pick(random, -20, 20)) / 10;
    waves.emplace_back(std::pow(10.0, -static_cast<double>(pick(random, 0, 40)) / 10), amplitude);
    reach += std::abs(amplitude);
  }
  const auto at = [waves](double d) {
    double sum = 0;
    for (const auto& [rate, amplitude] : waves) sum += amplitude * std::cos(rate * d);
    return sum;
  };
  return {.begin = begin,
          .kind = PieceKind::rough,
          .at = at,
          .fill =
              [at](Index first, std::span<double> out) {
                for (double& value : out) value = at(static_cast<double>(first++));
              },
          .bounds = {-reach, reach},
          .cost = static_cast<double>(count)};
}

/// Pieces of every kind, in any order.
RelativeFunction random_function(Random& random) {
  if (pick(random, 0, 4) == 0)
    return {{waves_from(before_all, random, 3), constant_from(pick(random, 1, 40), -1)}, true};
  RelativeFunction f;
  Index begin = before_all;
  Index next = pick(random, -60, 10);
  for (Index pieces = pick(random, 1, 5); pieces > 0; --pieces) {
    const double value = static_cast<double>(pick(random, -30, 30)) / 7;
    switch (pick(random, 0, 3)) {
      case 0: f.pieces.push_back(constant_from(begin, value)); break;
      case 1: f.pieces.push_back(waves_from(begin, random, 2)); break;
      case 2: f.pieces.push_back(smooth_from(begin, [value](double d) { return value * d / 50; })); break;
      default: f.pieces.push_back(no_values_from(begin)); break;
    }
    begin = next;
    next += pick(random, 1, 50);
  }
  return f;
}

RelativeField random_field(Random& random) {
  return {{pick(random, 1, 60), pick(random, 1, 60)},
          pick(random, 0, 1) * pick(random, 0, 40),
          random_function(random),
          {"value", {}}};
}

}  // namespace

class RelativeFieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const RelativeField field({2, 3}, 1, kinked(0.5), {"bias", [](Index d) { return "at " + to_text(d); }});
    std::vector<double> cells(6);
    field.read({{0, 2}, {0, 3}}, std::span(cells));
    QCOMPARE(cells, (std::vector<double>{-0.5, 0, 0.25, -1, -0.5, 0}));
    QCOMPARE(field.value_range(), (std::pair{-1.0, 0.25}));
    Summary summary;
    QVERIFY(field.summarize({{0, 2}, {0, 3}}, {}, summary));
    QCOMPARE(summary.mean[0], -1.75F / 6);
    QCOMPARE(summary.min[0], -1.0F);
    QCOMPARE(summary.max[0], 0.25F);
    const CellReport report = field.report(1, 0);
    COMPARE_TEXT(report.facts[2].second, "-2");
    COMPARE_TEXT(report.facts[3].first, "bias");
    COMPARE_TEXT(report.facts[3].second, "-1");
    COMPARE_TEXT(report.why, "at -2");
  }

  void pieces_and_reflections() {
    RelativeFunction f{{constant_from(before_all, 3), no_values_from(2), constant_from(5, 7)}};
    QCOMPARE(f.at(-100), 3.0);
    QCOMPARE(f.at(1), 3.0);
    QVERIFY(std::isnan(f.at(2)));
    QCOMPARE(f.at(5), 7.0);
    QCOMPARE(f.bounds(-3, 9), (std::pair{3.0, 7.0}));
    QVERIFY(std::isnan(f.bounds(2, 4).first));
    f.even = true;
    QCOMPARE(f.at(-6), 7.0);
    QCOMPARE(f.bounds(-6, -5), (std::pair{7.0, 7.0}));
    std::vector<double> values(13);
    f.fill(-7, values);
    for (Index d = -7; d < 6; ++d) {
      const double value = values[static_cast<std::size_t>(d + 7)];
      QVERIFY(value == f.at(d) || (std::isnan(value) && std::isnan(f.at(d))));
    }
  }

  void corners_are_ranked() {
    Random random(2);
    for (int i = 0; i < 50; ++i) {
      const TileGrid grid = random_tile_grid(random, {pick(random, 1, 100000), pick(random, 1, 100000)});
      CornerSet corners(grid, 17);
      const auto sorted = corners.sorted_with({5, -5});
      QVERIFY(std::ranges::is_sorted(sorted) && std::ranges::binary_search(sorted, Index{5}));
      for (Index r = 0; r <= grid.rows(); ++r)
        for (Index c = 0; c <= grid.cols(); ++c)
          QCOMPARE(sorted[corners.rank(r, c)],
                   grid.col_edges[static_cast<std::size_t>(c)] + 1 - 17 - grid.row_edges[static_cast<std::size_t>(r)]);
    }
  }

  void more_corners_than_the_first_table_of_them_has() {
    Random random(3);
    TileGrid grid{{0}, {0}};
    for (int i = 0; i < 100; ++i) {
      grid.row_edges.push_back(grid.row_edges.back() + pick(random, 1, 1000));
      grid.col_edges.push_back(grid.col_edges.back() + pick(random, 1, 1000));
    }
    CornerSet corners(grid, 0);
    const auto sorted = corners.sorted_with({});
    QVERIFY(sorted.size() > 4096);
    QCOMPARE(sorted[corners.rank(50, 60)], grid.col_edges[60] + 1 - grid.row_edges[50]);
  }

  void summaries_agree_with_the_cells() {
    Random random(4);
    for (int i = 0; i < 1500; ++i) {
      const auto field = random_field(random);
      const TileGrid grid = random_tile_grid(random, field.extent());
      COMPARE_TEXT(relative_summary_differs(field, grid), "");
    }
  }

  void reads_agree_with_the_definition() {
    Random random(5);
    for (int i = 0; i < 300; ++i) {
      const auto field = random_field(random);
      COMPARE_TEXT(relative_read_differs(field, random_tile_grid(random, field.extent()).bounds()), "");
    }
  }

  void long_segments_of_smooth_functions() {
    for (const auto& f : {logarithm(1.3, 0.7), logarithm(2, 1e-4), kinked(0.01), kinked(-3)}) {
      const SegmentReader reader(f, nullptr, 0.5);
      for (const auto& [first, count] : {std::pair<Index, Index>{512, 512},
                                         {-1023, 500},
                                         {700, 25},
                                         {16384, 16384},
                                         {-16383, 9000},
                                         {2000001, 90001}}) {
        long double sum = 0;
        long double ramp = 0;
        for (Index i = 0; i < count; ++i) {
          const double value = f.at(first + i) - 0.5;
          sum += value;
          ramp += static_cast<long double>(value) * static_cast<long double>(count - 1 - i);
        }
        const SegmentSums got = reader.sums(first, count);
        const auto n = static_cast<double>(count);
        const double scale = std::abs(f.at(first)) + 1;
        QVERIFY2(std::abs(got.sum - static_cast<double>(sum)) < 1e-9 * scale * n, to_text(first).c_str());
        QVERIFY2(std::abs(got.ramp - static_cast<double>(ramp)) < 1e-9 * scale * n * n, to_text(first).c_str());
      }
    }
  }

  void summaries_far_out() {
    // Tiles of every size at positions where sums over everything before them would drown what they
    // hold.
    Random random(6);
    const Index length = 2097152;
    for (const auto& f :
         {logarithm(2, 0.5), kinked(1.0 / 256), RelativeFunction{{waves_from(before_all, random, 8)}, true}}) {
      const RelativeField field({length, length}, 0, f, {"value", {}});
      for (const Index side : {1, 3, 17, 100, 300}) {
        const Index row = pick(random, length / 2, length - 4 * side);
        const Index col = pick(random, 0, 1) * pick(random, 0, row);
        TileGrid grid;
        for (Index edge = 0; edge < 4; ++edge) {
          grid.row_edges.push_back(row + edge * side);
          grid.col_edges.push_back(col + edge * side);
        }
        COMPARE_TEXT(relative_summary_differs(field, grid), "");
        // One small tile beside two that reach over the matrix.
        if (col > 0 && side < 20) {
          Summary summary;
          QVERIFY(field.summarize({{0, row, row + side, length}, {0, col, col + side, length}}, {}, summary));
          Summary alone;
          QVERIFY(field.summarize({{row, row + side}, {col, col + side}}, {}, alone));
          const auto [low, high] = field.value_range();
          QVERIFY(std::abs(summary.mean[4] - alone.mean[0]) <= 1e-6 * (high - low));
          QCOMPARE(summary.min[4], alone.min[0]);
          QCOMPARE(summary.max[4], alone.max[0]);
        }
      }
    }
  }

  void the_whole_of_a_long_matrix() {
    // The mean of |k - q| over T x T is (T² - 1) / 3T.
    const Index length = Index{1} << 31;
    const auto line = [](double d) { return -std::abs(d) / 1024; };
    const RelativeField field({length, length}, 0, {{smooth_from(before_all, line), smooth_from(1, line)}},
                              {"bias", {}});
    Summary summary;
    QVERIFY(field.summarize({{0, length}, {0, length}}, {}, summary));
    QVERIFY(summary.exact);
    const double t = static_cast<double>(length);
    QCOMPARE(summary.mean[0], static_cast<float>(-(t * t - 1) / (3 * t) / 1024));
    QCOMPARE(summary.min[0], static_cast<float>(-(t - 1) / 1024));
    QCOMPARE(summary.max[0], 0.0F);
  }

  void cells_without_a_value_are_left_out() {
    const RelativeField field({3, 3}, 0, {{kinked(1).pieces[0], no_values_from(1)}}, {"score", {}});
    Summary summary;
    QVERIFY(field.summarize({{0, 1, 3}, {0, 1, 3}}, {}, summary));
    QCOMPARE(summary.mean[0], 0.0F);
    QVERIFY(std::isnan(summary.mean[1]) && std::isnan(summary.min[1]) && std::isnan(summary.max[1]));
    QCOMPARE(summary.mean[2], -1.5F);
    QCOMPARE(summary.mean[3], -1.0F / 3);
    COMPARE_TEXT(field.report(0, 2).facts[3].second, "none");
    const RelativeField nothing({3, 3}, 0, {{no_values_from(before_all)}}, {"score", {}});
    QCOMPARE(nothing.value_range(), (std::pair{0.0, 0.0}));
  }

  void summary_does_not_depend_on_threads_and_planes() {
    Random random(7);
    const RelativeField field({700, 500}, 100, {{waves_from(before_all, random, 4)}}, {"value", {}});
    const TileGrid grid{even_edges({0, 700}, 350), even_edges({3, 490}, 101)};
    Summary one;
    Summary three;
    QVERIFY(field.summarize(grid, {}, one));
    QVERIFY(field.summarize(grid, {.threads = 3}, three));
    QCOMPARE(three.mean, one.mean);
    QCOMPARE(three.min, one.min);
    QVERIFY(field.summarize(grid, {.extremes = false}, three));
    QCOMPARE(three.mean, one.mean);
    QVERIFY(three.min.empty());
    QVERIFY(field.summarize(grid, {.mean = false}, three));
    QCOMPARE(three.max, one.max);
    QVERIFY(three.mean.empty());
  }

  void a_difference_is_one_of_functions() {
    Random random(8);
    int closed = 0;
    for (int i = 0; i < 200; ++i) {
      const Extent extent{pick(random, 1, 40), pick(random, 1, 40)};
      const RelativeFunction f = random_function(random);
      const RelativeFunction g = random_function(random);
      const RelativeField a(extent, 3, f, {"value", {}});
      const RelativeField b(extent, 3, g, {"value", {}});
      const auto minus = a.minus(b, DifferenceKind::plain);
      QCOMPARE(minus != nullptr, f.even == g.even);
      if (!minus) continue;
      ++closed;
      for (int cell = 0; cell < 20; ++cell) {
        const Index row = pick(random, 0, extent.rows - 1);
        const Index col = pick(random, 0, extent.cols - 1);
        const double wanted = a.at(row, col) - b.at(row, col);
        QVERIFY(minus->at(row, col) == wanted || (std::isnan(wanted) && std::isnan(minus->at(row, col))));
      }
      COMPARE_TEXT(relative_summary_differs(*minus, random_tile_grid(random, extent)), "");
      COMPARE_TEXT(relative_read_differs(*minus, {{0, extent.rows}, {0, extent.cols}}), "");
    }
    QVERIFY(closed > 100);
    const RelativeField a({4, 4}, 0, kinked(1), {"value", {}});
    QVERIFY(!a.minus(a, DifferenceKind::angular));
    QVERIFY(!a.minus(RelativeField({4, 4}, 1, kinked(1), {"value", {}}), DifferenceKind::plain));
  }

  /// Cell (q, kv) is f(kv - (past_len + q)), which users of the function rely on.
  void form_gives_the_cells() {
    Random random(9);
    const RelativeField field({9, 12}, 3, random_function(random), {"value", {}});
    const auto form = std::get<RelativeForm>(field.form());
    QCOMPARE(form.past_len, Index{3});
    for (Index q = 0; q < 9; ++q)
      for (Index kv = 0; kv < 12; ++kv) {
        const double wanted = form.function->at(kv - (form.past_len + q));
        QVERIFY(field.at(q, kv) == wanted || (std::isnan(wanted) && std::isnan(field.at(q, kv))));
      }
  }

  void large_rough_fields_are_sampled() {
    const Index length = Index{1} << 24;
    Random random(9);
    const RelativeField field({length, length}, 0, {{waves_from(before_all, random, 1)}, true}, {"score", {}});
    const TileGrid whole{even_edges({0, length}, 4), even_edges({0, length}, 4)};
    Summary summary;
    QVERIFY(field.summarize(whole, {.max_cells = 4096}, summary));
    QVERIFY(!summary.exact);
    COMPARE_ERROR(field.summarize(whole, {.exact_only = true}, summary),
                  "the summary of 16777216 × 16777216 cells would be a sample, and an exact one was asked for");
    // Nearer, the same field is exact.
    COMPARE_TEXT(relative_summary_differs(field, {{length - 80, length - 40, length}, {5, 6, 90}}), "");
  }

  void stops_on_request() {
    std::stop_source source;
    source.request_stop();
    Summary summary;
    const RelativeField field({3, 3}, 0, kinked(1), {"bias", {}});
    const auto result = field.summarize({{0, 3}, {0, 3}}, {.stop = source.get_token()}, summary);
    QVERIFY(!result && result.error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(RelativeFieldTest)
#include "relative_field_test.moc"
