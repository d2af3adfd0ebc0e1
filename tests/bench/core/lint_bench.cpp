// SPDX-License-Identifier: GPL-3.0-or-later
// The lint of 2 million rows, and a search for a row that breaks it that finds none; `palette_fills`: times what
// filling a 4 MiB image from palette indices takes in the same run.
#include "core/catalogue/registry.h"
#include "core/lint/lint.h"
#include "core/lint/lint_rows.h"
#include "tests/bench/core/palette.h"
#include "tests/bench/core/views.h"

namespace vqscope::bench {
namespace {

/// Packed documents with a window and padding at the right, all as it is wanted to be.
LintCase packed(Index documents) {
  auto values = default_values(find_method("visibility")->parameters);
  values.set("mask", std::string("packed"));
  values.set("q_length", long_sequence);
  values.set("sliding_window", Index{4096});
  values.set("document_lengths", std::vector<Index>(static_cast<std::size_t>(documents), long_sequence / documents));
  return *lint_case(values);
}

void check_all_rules(benchmark::State& state) {
  const LintCase given = packed(state.range(0));
  PaletteFill palette;
  compare(
      state, "palette_fills", [&] { benchmark::DoNotOptimize(lint_mask(given)); }, [&] { return palette.run(); });
}

void next_broken_row_in_vain(benchmark::State& state) {
  const LintCase given = packed(state.range(0));
  PaletteFill palette;
  compare(
      state, "palette_fills", [&] { benchmark::DoNotOptimize(*next_row_that_breaks(given, 0, true)); },
      [&] { return palette.run(); });
}

}  // namespace

BENCHMARK(check_all_rules)->Arg(1)->Arg(256)->Arg(4096)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(next_broken_row_in_vain)->Arg(1)->Arg(256)->Arg(4096)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace vqscope::bench
