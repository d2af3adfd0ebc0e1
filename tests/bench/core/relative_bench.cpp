// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "core/field/field.h"
#include "tests/bench/core/palette.h"
#include "tests/bench/core/views.h"

namespace vqscope::bench {
namespace {

std::shared_ptr<const Field> field_of(const char* id, Index length) {
  const Method& method = *find_method(id);
  ParameterValues values = default_values(method.parameters);
  values.set("q_length", length);
  return *make_field(method, values);
}

/// Min, max and mean of 1024 x 1024 tiles on two threads, T = 2,097,152: a field that is panned and
/// zoomed, or, for what a slider changes, one that is made anew each time.
void viewport(benchmark::State& state, const char* id, bool zoomed_out, bool anew) {
  auto field = field_of(id, long_sequence);
  const auto grids = views(long_sequence, view_side, zoomed_out);
  PaletteFill palette;
  Summary summary;
  (void)field->summarize(grids[0], {.threads = 2}, summary);
  std::size_t next = 0;
  compare(
      state, "times_palette_fill",
      [&] {
        if (anew) field = field_of(id, long_sequence);
        (void)field->summarize(grids[next++ % grids.size()], {.threads = 2}, summary);
        benchmark::DoNotOptimize(summary.mean.data());
      },
      [&] { return palette.run(); });
}

}  // namespace

#define VQSCOPE_BENCH_RELATIVE(id)                                                   \
  BENCHMARK_CAPTURE(viewport, id##_zoomed_out, #id, true, false)->UseManualTime();   \
  BENCHMARK_CAPTURE(viewport, id##_random_zoom, #id, false, false)->UseManualTime(); \
  BENCHMARK_CAPTURE(viewport, id##_anew, #id, true, true)->UseManualTime()

VQSCOPE_BENCH_RELATIVE(alibi);
VQSCOPE_BENCH_RELATIVE(kerple_log);
VQSCOPE_BENCH_RELATIVE(kerple_power);
VQSCOPE_BENCH_RELATIVE(sandwich);
VQSCOPE_BENCH_RELATIVE(t5_bias);
VQSCOPE_BENCH_RELATIVE(rope_score_field);
VQSCOPE_BENCH_RELATIVE(xpos_score);
VQSCOPE_BENCH_RELATIVE(rerope_score);

#undef VQSCOPE_BENCH_RELATIVE

}  // namespace vqscope::bench
