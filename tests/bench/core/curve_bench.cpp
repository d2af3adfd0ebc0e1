// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "core/curve/rope/curve_values.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/method/curve_set.h"

#include <benchmark/benchmark.h>

#include <chrono>

namespace vqscope {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A curve of 4096 points, defaults elsewhere. Argument: q_length; 0 for its default.
void curve(benchmark::State& state, const char* id) {
  const Method& method = **require_method(id);
  auto values = default_values(method.parameters);
  if (find_spec(method.parameters, "points")) values.set("points", Index{4096});
  if (state.range(0) > 0) values.set("q_length", Index{state.range(0)});
  for (auto _ : state) benchmark::DoNotOptimize(make_curves(method, values));
}
BENCHMARK_CAPTURE(curve, rope_bound, "rope_bound")->Arg(0)->Arg(2097152)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(curve, critical_dimension, "critical_dimension")->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(curve, interpolation_bound, "interpolation_bound")->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(curve, entropy_growth, "entropy_growth")->Arg(0)->Arg(2097152)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(curve, attention_resolution, "attention_resolution")
    ->Arg(0)
    ->Arg(65536)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(curve, beta_ary_digit, "beta_ary_digit")->Arg(0)->Arg(2097152)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(curve, receptive_window, "receptive_window")->Arg(0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(curve, base_bound, "base_bound")->Arg(4096)->Arg(32768)->Arg(131072)->Unit(benchmark::kMillisecond);

/// Both in one run: the walk from point to point, and a cosine and a sine each.
void rope_bound_points(benchmark::State& state) {
  const auto rates = turns_of(rope_frequencies({}).inv_freq);
  const auto axis = integer_axis(0, 2097151, 4096, false);
  double plain = 0;
  double fast = 0;
  for (auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    for (const double r : axis) benchmark::DoNotOptimize(rope_bound(rates, static_cast<Index>(r)));
    plain += seconds_since(start);
    start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(rope_bounds(rates, axis, {}));
    const double taken = seconds_since(start);
    fast += taken;
    state.SetIterationTime(taken);
  }
  state.counters["times_faster_than_definition"] = plain / fast;
}
BENCHMARK(rope_bound_points)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vqscope
