// SPDX-License-Identifier: GPL-3.0-or-later
// Reach of Transformer-XL through 48 layers over 2,097,152 tokens: one picture of 1024 x 1024 tiles on one thread.
#include "core/attention/transformer_xl/xl_field.h"
#include "tests/bench/core/viewport.h"

namespace vqscope::bench {
namespace {

void xl_viewport(benchmark::State& state, Index segment_len, Index memory_len, bool zoomed_out) {
  const XlField field({.length = long_sequence, .segment_len = segment_len, .memory_len = memory_len, .layers = 48},
                      XlView::reach);
  if (!summarize_views(state, field, zoomed_out, {})) state.SkipWithError("not exact");
}

}  // namespace

BENCHMARK_CAPTURE(xl_viewport, segments_of_128_zoomed_out, 128, 128, true)->UseManualTime();
BENCHMARK_CAPTURE(xl_viewport, segments_of_4096_zoomed_out, 4096, 40960, true)->UseManualTime();
BENCHMARK_CAPTURE(xl_viewport, segments_of_1_zoomed_out, 1, 40000, true)->UseManualTime();
BENCHMARK_CAPTURE(xl_viewport, segments_of_4096_random_zoom, 4096, 40960, false)->UseManualTime();

}  // namespace vqscope::bench
