// SPDX-License-Identifier: GPL-3.0-or-later
// Exact top-k search of 64 queries among 1,048,576 keys of width 128, against the products of the same blocks alone.
#include "core/attention/memory/retrieval_search.h"
#include "core/base/random.h"
#include "tests/bench/core/palette.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace vqscope::bench {
namespace {

constexpr Index width = 128;
constexpr Index key_count = Index{1} << 20;
constexpr Index query_count = 64;

/// Numbers of mean 0, quickly made.
std::vector<float> uniform_numbers(Index count, std::uint64_t seed) {
  SeededRandom random(seed);
  std::vector<float> all(static_cast<std::size_t>(count));
  for (float& x : all) x = static_cast<float>(random.uniform() - 0.5);
  return all;
}

/// Scores of all keys, 512 at a time, which nothing is selected from.
void products_alone(const StridedMatrix& queries, const StridedMatrix& keys, std::vector<float>& scores) {
  constexpr Index at_once = 512;
  const AttentionKernels& kernels = best_kernels();
  for (Index begin = 0; begin < keys.rows; begin += at_once) {
    kernels.row_products(queries, {keys.data + begin * width, at_once, width, width}, scores.data(), at_once);
    benchmark::DoNotOptimize(scores.data());
  }
}

/// `search` and `products`: billions of multiplications and additions a second, in turns;
/// `of_products`: their ratio.
void search_against_products(benchmark::State& state) {
  const auto all_keys = uniform_numbers(key_count * width, 1);
  const auto all_queries = uniform_numbers(query_count * width, 2);
  const StridedMatrix keys{all_keys.data(), key_count, width, width};
  const StridedMatrix queries{all_queries.data(), query_count, width, width};
  const auto search = state.range(0) == 0 ? RetrievalSearch::exact : RetrievalSearch::bucket_maximum;
  std::vector<float> scores(query_count * 512);
  double own = std::numeric_limits<double>::infinity(), products = own;
  for (auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    products_alone(queries, keys, scores);
    products = std::min(products, seconds_since(start));
    start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(*find_keys(queries, keys, {.top_k = 32, .search = search}));
    const double seconds = seconds_since(start);
    state.SetIterationTime(seconds);
    own = std::min(own, seconds);
  }
  constexpr double terms = static_cast<double>(key_count * query_count * width) / 1e9;
  state.SetLabel(search == RetrievalSearch::exact ? "exact" : "bucket maximum");
  state.counters["search"] = terms / own;
  state.counters["products"] = terms / products;
  state.counters["of_products"] = products / own;
}

}  // namespace

BENCHMARK(search_against_products)->Arg(0)->Arg(1)->Iterations(5)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace vqscope::bench
