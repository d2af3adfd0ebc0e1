// SPDX-License-Identifier: GPL-3.0-or-later
// Searches over 2 million rows that find nothing, the worst case; `palette_fills`: times what filling a 4 MiB image
// from palette indices takes in the same run.
#include "core/mask/preset/presets.h"
#include "core/mask/row/row_search.h"
#include "tests/bench/core/palette.h"
#include "tests/bench/core/views.h"

namespace vqscope::bench {
namespace {

std::shared_ptr<const Mask> packed_documents(Index documents) {
  SequenceInput input{.q_length = long_sequence};
  input.document_lengths.assign(static_cast<std::size_t>(documents), long_sequence / documents);
  return make_terms_mask({.names = {"same_document", "causal", "sliding_window"}, .window = 4096},
                         *SequenceLayout::make(input));
}

void next_row_in_vain(benchmark::State& state, RowKind kind, bool compared) {
  const auto mask = packed_documents(state.range(0));
  const auto second = packed_documents(state.range(0));
  PaletteFill palette;
  const RowSearch search{kind, 0, true, compared ? second.get() : nullptr};
  compare(
      state, "palette_fills", [&] { benchmark::DoNotOptimize(*next_row(*mask, search)); },
      [&] { return palette.run(); });
}

void next_empty_row(benchmark::State& state) { next_row_in_vain(state, RowKind::empty, false); }
void next_row_that_differs_from_another_mask(benchmark::State& state) {
  next_row_in_vain(state, RowKind::differs, true);
}

}  // namespace

BENCHMARK(next_empty_row)->Arg(1)->Arg(256)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(next_row_that_differs_from_another_mask)->Arg(1)->Arg(256)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace vqscope::bench
