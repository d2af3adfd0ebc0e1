// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/methods.h"
#include "core/curve/rope/curve_values.h"
#include "core/encoding/methods.h"
#include "core/encoding/phase/rope_table.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "core/method/method.h"
#include "tests/bench/core/seconds_since.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index positions = 131072;

/// A plain implementation: one std::cos and one std::sin a cell, in float.
void plain_table(const std::vector<float>& inv_freq, float* cos, float* sin) {
  for (Index p = 0; p < positions; ++p)
    for (const float each : inv_freq) {
      const float angle = static_cast<float>(p) * each;
      *cos++ = std::cos(angle);
      *sin++ = std::sin(angle);
    }
}

/// Both in one run, for the machine's speed drifts: the ratio is what counts.
void rope_table(benchmark::State& state) {
  const auto frequencies = rope_frequencies({});
  std::vector<Turns> rates;
  std::vector<float> inv_freq;
  for (const auto each : frequencies.inv_freq) {
    rates.push_back(turns_of(each));
    inv_freq.push_back(static_cast<float>(each));
  }
  std::vector<float> cos(static_cast<std::size_t>(positions) * rates.size());
  std::vector<float> sin(cos.size());
  double plain = 0;
  double table = 0;
  for (auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    plain_table(inv_freq, cos.data(), sin.data());
    plain += bench::seconds_since(start);
    benchmark::ClobberMemory();
    start = std::chrono::steady_clock::now();
    RopeTable(rates).fill(0, positions, cos.data(), sin.data());
    const double taken = bench::seconds_since(start);
    benchmark::ClobberMemory();
    table += taken;
    state.SetIterationTime(taken);
  }
  state.counters["times_faster_than_std"] = plain / table;
}
BENCHMARK(rope_table)->UseManualTime()->Unit(benchmark::kMillisecond);

/// One frame: 1024 rows of pixels over 2,097,152 positions. Argument: with extremes.
void rope_viewport(benchmark::State& state, const Method& method, Index first, Index rows) {
  auto values = default_values(method.parameters);
  values.set("q_length", Index{2097152});
  const auto field = *make_field(method, values);
  const TileGrid grid{even_edges({first, first + rows}, 1024), even_edges({0, field->extent().cols}, 128)};
  SummaryOptions options;
  options.extremes = state.range(0) != 0;
  Summary summary;
  for (auto _ : state) {
    if (!field->summarize(grid, options, summary)) state.SkipWithError("cancelled");
    benchmark::DoNotOptimize(summary.mean.data());
  }
  state.counters["exact"] = summary.exact;
}
void rope_phase_viewport(benchmark::State& state) { rope_viewport(state, rope_phase_method(), 0, 2097152); }
void rope_cos_viewport(benchmark::State& state) { rope_viewport(state, rope_cos_method(), 0, 2097152); }
void rope_phase_zoomed_in(benchmark::State& state) { rope_viewport(state, rope_phase_method(), 2000000, 1024); }
BENCHMARK(rope_phase_viewport)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(rope_cos_viewport)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(rope_phase_zoomed_in)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// A whole block read as float32, the path of CSV and NPY files.
void rope_read(benchmark::State& state, const Method& method) {
  auto values = default_values(method.parameters);
  values.set("q_length", positions);
  const auto field = *make_field(method, values);
  std::vector<float> cells(static_cast<std::size_t>(positions * field->extent().cols));
  for (auto _ : state) {
    field->read({{0, positions}, {0, field->extent().cols}}, std::span(cells));
    benchmark::DoNotOptimize(cells.data());
  }
}
void rope_phase_read(benchmark::State& state) { rope_read(state, rope_phase_method()); }
void rope_cos_read(benchmark::State& state) { rope_read(state, rope_cos_method()); }
BENCHMARK(rope_phase_read)->Unit(benchmark::kMillisecond);
BENCHMARK(rope_cos_read)->Unit(benchmark::kMillisecond);

/// The work of a plot of eight methods at T = 2,097,152: 4096 points of 64 pairs each, against a
/// std::cos each.
void rope_score_points(benchmark::State& state) {
  std::vector<Turns> rates;
  for (const auto each : rope_frequencies({}).inv_freq) rates.push_back(turns_of(each));
  const auto axis = integer_axis(0, 2097151, 4096, false);
  constexpr int methods = 8;
  double plain = 0;
  double fast = 0;
  for (auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < methods; ++i)
      for (const double r : axis) benchmark::DoNotOptimize(rope_score(rates, static_cast<Index>(r)));
    plain += bench::seconds_since(start);
    start = std::chrono::steady_clock::now();
    for (int i = 0; i < methods; ++i) benchmark::DoNotOptimize(rope_scores(rates, axis, {}));
    const double taken = bench::seconds_since(start);
    fast += taken;
    state.SetIterationTime(taken);
  }
  state.counters["times_faster_than_cosines"] = plain / fast;
}
BENCHMARK(rope_score_points)->UseManualTime()->Unit(benchmark::kMillisecond);

/// A curve that stays positive is searched to its end. Argument: q_length.
void rope_first_negative(benchmark::State& state) {
  std::vector<Turns> rates;
  for (const auto each : rope_frequencies({.rope_theta = 1e9}).inv_freq) rates.push_back(turns_of(each));
  for (auto _ : state) benchmark::DoNotOptimize(first_negative(rates, state.range(0), {}));
}
BENCHMARK(rope_first_negative)->Arg(2097152)->Unit(benchmark::kMillisecond);

/// Four scalings at once. Argument: q_length.
void rope_curve(benchmark::State& state, const Method& method) {
  auto values = default_values(method.parameters);
  values.set("q_length", Index{state.range(0)});
  for (auto _ : state) benchmark::DoNotOptimize(make_curves(method, values));
}
void rope_score_curves(benchmark::State& state) { rope_curve(state, rope_score_method()); }
void rope_phase_ood_curves(benchmark::State& state) { rope_curve(state, rope_phase_ood_method()); }
BENCHMARK(rope_score_curves)->Arg(8192)->Arg(2097152)->Unit(benchmark::kMillisecond);
BENCHMARK(rope_phase_ood_curves)->Arg(8192)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vqscope
