// SPDX-License-Identifier: GPL-3.0-or-later
// A frame of the row debugger over 2 million keys, from the event to its pixels; `palette_fills`: times what filling a
// 4 MiB image from palette indices takes in the same run.
#include "core/mask/preset/presets.h"
#include "tests/bench/core/palette.h"
#include "tests/bench/core/views.h"
#include "tests/bench/widgets/event_loop.h"
#include "widgets/mask/row/row_debugger.h"

#include <random>

namespace vqscope::bench {
namespace {

std::shared_ptr<const Mask> packed_window() {
  SequenceInput input{.q_length = long_sequence, .padding = 4096};
  for (Index left = long_sequence - input.padding; left > 0;) {
    input.document_lengths.push_back(std::min<Index>(left, 1 << 17));
    left -= input.document_lengths.back();
  }
  return make_terms_mask({.names = {"key_valid", "same_document", "causal", "sliding_window"}, .window = 4096},
                         *SequenceLayout::make(input));
}

/// The panel of a window of 1440 x 900, and one as large as a screen.
template <class Change>
void frame(benchmark::State& state, const Change& change) {
  RowDebugger debugger;
  debugger.resize(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  debugger.setMask(packed_window());
  debugger.show();
  settle([&] { return debugger.paintedFrames() == 0; });
  PaletteFill palette;
  std::mt19937_64 random(5);
  compare(
      state, "palette_fills",
      [&] {
        change(debugger, static_cast<Index>(random() % long_sequence));
        debugger.repaint();
      },
      [&] { return palette.run(); });
}

void row_debugger_key(benchmark::State& state) {
  frame(state, [](RowDebugger& debugger, Index at) { debugger.setCell({long_sequence / 2, at}); });
}

void row_debugger_row(benchmark::State& state) {
  frame(state, [](RowDebugger& debugger, Index at) { debugger.setCell({at, long_sequence / 2}); });
}

void row_debugger_still(benchmark::State& state) {
  frame(state, [](RowDebugger&, Index) {});
}

}  // namespace

BENCHMARK(row_debugger_key)->Args({876, 260})->Args({2000, 1200})->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(row_debugger_row)->Args({876, 260})->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(row_debugger_still)->Args({876, 260})->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace vqscope::bench
