// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "core/field/field.h"
#include "tests/bench/core/viewport.h"

#include <cstring>

namespace vqscope::bench {
namespace {

std::shared_ptr<const Field> buckets(Index length) {
  const Method& method = *find_method("t5_bucket");
  ParameterValues values = default_values(method.parameters);
  values.set("q_length", length);
  return *make_field(method, values);
}

/// All cells as int32 into a buffer that is already in memory.
void materialise(benchmark::State& state) {
  constexpr Index length = 8192;
  const auto field = buckets(length);
  std::vector<std::int32_t> cells(length * length, 1);
  compare(
      state, "times_memset",
      [&] {
        field->read({{0, length}, {0, length}}, std::span(cells));
        benchmark::DoNotOptimize(cells.data());
      },
      [&] {
        const auto start = std::chrono::steady_clock::now();
        std::memset(cells.data(), 1, cells.size() * sizeof(cells[0]));
        benchmark::DoNotOptimize(cells.data());
        benchmark::ClobberMemory();
        return seconds_since(start);
      });
}

/// Min, max and mean of one viewport of 1024 x 1024 tiles on one thread.
void viewport(benchmark::State& state, bool zoomed_out) {
  summarize_views(state, *buckets(long_sequence), zoomed_out, {});
}

}  // namespace

BENCHMARK(materialise)->UseManualTime();
BENCHMARK_CAPTURE(viewport, zoomed_out, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, random_zoom, false)->UseManualTime();

}  // namespace vqscope::bench
