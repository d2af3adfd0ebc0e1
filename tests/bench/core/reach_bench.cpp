// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/finding/findings.h"
#include "core/schedule/reach/layer_reach.h"
#include "core/schedule/text/layer_texts.h"

#include <benchmark/benchmark.h>

namespace vqscope {
namespace {

/// Layers of 2,097,152 tokens in a thousand documents.
LayerSight sight_of(Index layers) {
  SequenceOfLayers tokens = SequenceOfLayers::plain(2097152);
  tokens.document_lengths.assign(1024, 2048);
  tokens.keeps_documents[0] = false;
  return LayerSight::make(parse_layers("5*sliding:1024,full", layers).value(), tokens).value();
}

void reach_of_all_layers(benchmark::State& state) {
  const LayerSight sight = sight_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(LayerReach::make(sight, 2000000));
}
BENCHMARK(reach_of_all_layers)->Arg(100)->Arg(128)->Unit(benchmark::kMicrosecond);

void findings_of_all_layers(benchmark::State& state) {
  const LayerSight sight = sight_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(find_in_schedule(sight, 2000000));
}
BENCHMARK(findings_of_all_layers)->Arg(100)->Unit(benchmark::kMicrosecond);

/// Windows alone: the path has as many hops as layers.
void path_through_windows(benchmark::State& state) {
  const auto sight =
      LayerSight::make(parse_layers("sliding:1024", 100).value(), SequenceOfLayers::plain(2097152)).value();
  for (auto _ : state) benchmark::DoNotOptimize(shortest_path(sight, 99, 2000000, 2000000 - 100 * 1023));
}
BENCHMARK(path_through_windows)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace vqscope
