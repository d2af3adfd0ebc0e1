// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/known_tiles.h"

#include "core/mask/language/language_mask.h"
#include "core/mask/map/visibility_field.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const LanguageMask> tiled_mask(const std::string& text, Index queries, Index keys = 0) {
  SequenceInput input{.q_length = queries};
  if (keys > 0) input.kv_length = keys;
  const auto mask = LanguageMask::make(MaskProgram::parse(text).program, {}, *SequenceLayout::make(input));
  return mask ? *mask : nullptr;
}

/// None of them has bands.
const char* const unsolvable[] = {
    "(kv_idx <= q_idx) & ((q_idx ^ kv_idx) % 3 != 0)",
    "2 * kv_idx <= q_idx",
    "(q_idx * kv_idx) % 7 < 3",
    "(q_idx - kv_idx < 20) & (q_idx * kv_idx <= 1000)",
};

/// Key kv is seen by the queries from 2 kv on: half of the keys up to the query.
std::uint64_t cells_of_half(const Rect& tile) {
  std::uint64_t count = 0;
  for (Index q = tile.rows.begin; q < tile.rows.end; ++q)
    count += static_cast<std::uint64_t>(std::clamp(q / 2 + 1, tile.cols.begin, tile.cols.end) - tile.cols.begin);
  return count;
}

}  // namespace

class KnownTilesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void counted_tiles_agree_with_the_rows() {
    Random random(1);
    for (const char* text : unsolvable) {
      const auto mask = tiled_mask(text, 70, 90);
      QVERIFY2(mask && !mask->has_bands(), text);
      for (int i = 0; i < 40; ++i) {
        const auto grid = random_tile_grid(random, mask->extent());
        const SummaryOptions options{.reasons = true};
        Summary wanted;
        QVERIFY(VisibilityField(mask).summarize(grid, options, wanted));
        KnownTiles known(*mask, grid, options);
        known.count();
        QVERIFY2(known.all_known(), text);
        Summary summary;
        summary.shape(grid, options);
        known.store(summary);
        QVERIFY2(summary.mean == wanted.mean && summary.min == wanted.min && summary.max == wanted.max, text);
        for (Index row = 0; row < grid.rows(); ++row)
          for (Index col = 0; col < grid.cols(); ++col)
            QVERIFY2(known.reason(row, col) == wanted.reason[static_cast<std::size_t>(row * grid.cols() + col)], text);
      }
    }
  }

  void strips_are_counted_as_the_rows_are() {
    Random random(2);
    for (const char* text : {"(q_idx - kv_idx) % 3 == 0", "((q_idx ^ kv_idx) % 4 != 0) & (kv_idx % 5 <= q_idx % 7)",
                             "def near(b, h, q_idx, kv_idx):\n    return (q_idx - kv_idx).abs() < 30\n"
                             "def grid(b, h, q_idx, kv_idx):\n    return (q_idx - kv_idx) % 4 == 1\n"
                             "mask_mod = and_masks(near, grid)"}) {
      SequenceInput input{.q_length = 90, .kv_length = 150};
      const auto mask = *LanguageMask::make(MaskProgram::parse(text).program, {}, *SequenceLayout::make(input));
      for (int i = 0; i < 40 && !mask->has_bands(); ++i) {
        const auto grid = random_tile_grid(random, mask->extent());
        const SummaryOptions options{.reasons = true, .threads = 2};
        Summary wanted;
        QVERIFY(VisibilityField(mask).summarize(grid, options, wanted));
        KnownTiles known(*mask, grid, options);
        known.count_strips();
        QVERIFY2(known.all_known(), text);
        Summary summary;
        summary.shape(grid, options);
        known.store(summary);
        QVERIFY2(summary.mean == wanted.mean && summary.min == wanted.min && summary.max == wanted.max, text);
        for (Index row = 0; row < grid.rows(); ++row)
          for (Index col = 0; col < grid.cols(); ++col)
            QVERIFY2(known.reason(row, col) == wanted.reason[static_cast<std::size_t>(row * grid.cols() + col)], text);
      }
    }
  }

  void every_zoom_of_a_dilated_window_is_exact() {
    const Index length = Index{1} << 21;
    const auto mask = tiled_mask("d = (q_idx - kv_idx).abs()\nreturn (d <= 4096) & (d % 8 == 0)", length);
    QVERIFY(mask && !mask->has_bands());
    for (const Index span : {100, 20000, 203457, 2000000}) {
      const TileGrid grid{even_edges({4321, 4321 + span}, 100), even_edges({1234, 1234 + span}, 90)};
      Summary summary;
      QVERIFY(VisibilityField(mask).summarize(grid, {.max_cells = 1 << 16}, summary));
      QVERIFY(summary.exact);
    }
  }

  void a_spent_budget_leaves_tiles_unknown_and_none_wrong() {
    const auto mask = tiled_mask(unsolvable[0], 300);
    const TileGrid grid{even_edges({0, 300}, 10), even_edges({0, 300}, 10)};
    Summary wanted;
    QVERIFY(VisibilityField(mask).summarize(grid, {}, wanted));
    for (const Index budget : {1, 10, 100, 1000}) {
      const SummaryOptions options{.max_cells = budget};
      KnownTiles known(*mask, grid, options);
      known.cover();
      known.count();
      QVERIFY(!known.all_known());
      Summary summary;
      summary.shape(grid, options);
      std::ranges::fill(summary.mean, -1.0F);
      known.store(summary);
      for (std::size_t i = 0; i < summary.mean.size(); ++i)
        QVERIFY(summary.mean[i] == -1 || summary.mean[i] == wanted.mean[i]);
    }
  }

  void two_million_keys_at_rest() {
    const Index length = Index{1} << 21;
    const auto mask = tiled_mask("2 * kv_idx <= q_idx", length);
    QVERIFY(mask && !mask->has_bands());
    const Index middle = length / 2;
    const TileGrid grid{even_edges({middle, middle + (1 << 15)}, 50), even_edges({0, length}, 40)};
    Summary summary;
    const SummaryOptions options{.reasons = true, .max_cells = Index{1} << 31, .exact_only = true, .threads = 2};
    QVERIFY(VisibilityField(mask).summarize(grid, options, summary));
    QVERIFY(summary.exact);
    for (Index row = 0; row < grid.rows(); ++row)
      for (Index col = 0; col < grid.cols(); ++col) {
        const Rect tile = grid.tile(row, col);
        const auto at = static_cast<std::size_t>(row * grid.cols() + col);
        const double fraction = static_cast<double>(cells_of_half(tile)) / static_cast<double>(tile.area());
        QVERIFY(std::abs(summary.mean[at] - fraction) < 1e-6);
        QCOMPARE(int(summary.reason[at]), fraction < 1 ? 1 : 0);
      }
  }

  void stop_ends_it() {
    std::stop_source source;
    source.request_stop();
    const auto mask = tiled_mask(unsolvable[0], Index{1} << 21);
    const TileGrid grid{{0, 1 << 21}, {0, 1 << 21}};
    Summary summary;
    const SummaryOptions options{.max_cells = Index{1} << 40, .exact_only = true, .stop = source.get_token()};
    const auto stopped = VisibilityField(mask).summarize(grid, options, summary);
    QVERIFY(!stopped && stopped.error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(KnownTilesTest)
#include "known_tiles_test.moc"
