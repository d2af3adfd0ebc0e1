// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "tests/bench/core/palette.h"
#include "tests/bench/core/views.h"

namespace vqscope::bench {

/// Viewports of view_side x view_side tiles over a field of long_sequence x long_sequence cells, on one thread;
/// `times_palette_fill`: how many times what filling their image from palette indices takes. Whether the last of them
/// was exact.
inline bool summarize_views(benchmark::State& state, const Field& field, bool zoomed_out,
                            const SummaryOptions& options) {
  const auto lattices = views(long_sequence, view_side, zoomed_out);
  PaletteFill palette;
  Summary summary;
  std::size_t next = 0;
  compare(
      state, "times_palette_fill",
      [&] {
        (void)field.summarize(lattices[next++ % lattices.size()], options, summary);
        benchmark::DoNotOptimize(summary.mean.data());
      },
      [&] { return palette.run(); });
  return summary.exact;
}

}  // namespace vqscope::bench
