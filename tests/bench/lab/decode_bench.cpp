// SPDX-License-Identifier: GPL-3.0-or-later
// A step of the time machine: four lanes after 100,000 new tokens.
#include "core/experiment/decode/decode_lane.h"
#include "core/experiment/methods.h"
#include "core/field/field.h"

#include <benchmark/benchmark.h>

namespace vqscope::bench {
namespace {

void decode_viewport(benchmark::State& state, const char* policy) {
  const Method method = decode_trace_method();
  ParameterValues values = default_values(method.parameters);
  values.set("lengths", std::vector<Index>{4096, 8000, 2000, 1});
  values.set("steps", Index{100000});
  values.set("step", Index{99999});
  values.set("policy", std::string(policy));
  const auto field = make_field(method, values);
  if (!field) return state.SkipWithError(field.error().message.c_str());
  const Extent extent = (*field)->extent();
  const TileGrid grid{even_edges({0, extent.rows}, extent.rows), even_edges({0, extent.cols}, 1024)};
  Summary summary;
  for (auto _ : state) {
    (void)(*field)->summarize(grid, {}, summary);
    benchmark::DoNotOptimize(summary.mean.data());
  }
  if (!summary.exact) state.SkipWithError("not exact");
}

}  // namespace

BENCHMARK_CAPTURE(decode_viewport, full, "full")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode_viewport, sinks, "sinks")->Unit(benchmark::kMillisecond);

}  // namespace vqscope::bench
