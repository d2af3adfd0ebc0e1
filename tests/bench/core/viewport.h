// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "tests/bench/core/palette.h"
#include "tests/bench/core/views.h"

namespace vqscope::bench {

/// Viewports of view_side x view_side tiles over a field of long_sequence x long_sequence cells, on
/// one thread; `times_palette_fill`: how many times what filling their image from palette indices
/// takes, all zooms alike. Whether every one of them was exact.
inline bool summarize_views(benchmark::State& state, const Field& field, bool zoomed_out,
                            const SummaryOptions& options) {
  const auto grids = views(long_sequence, view_side, zoomed_out);
  PaletteFill palette;
  Summary summary;
  bool exact = true;
  double seconds = 0;
  double fill_seconds = 0;
  for (auto _ : state) {
    double in_all = 0;
    for (const TileGrid& grid : grids) {
      const auto start = std::chrono::steady_clock::now();
      (void)field.summarize(grid, options, summary);
      benchmark::DoNotOptimize(summary.mean.data());
      in_all += seconds_since(start);
      exact = exact && summary.exact;
      fill_seconds += palette.run();
    }
    state.SetIterationTime(in_all / static_cast<double>(grids.size()));
    seconds += in_all;
  }
  state.counters["times_palette_fill"] = seconds / fill_seconds;
  return exact;
}

}  // namespace vqscope::bench
