// SPDX-License-Identifier: GPL-3.0-or-later
// VQ attention in linear time, quantisation included, against full attention over the same tokens in the same run, and
// against the rate of the matrix products that both are made of. d_k 128, d_v 256, 512 codes, blocks of 512.
#include "core/attention/forms/attention.h"
#include "core/attention/forms/form_parts.h"
#include "core/base/random.h"
#include "tests/bench/core/palette.h"

#include <malloc.h>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace vqscope::bench {
namespace {

constexpr Index d_k = 128;
constexpr Index d_v = 256;
constexpr Index n_code = 512;

std::vector<float> numbers(Index count, double deviation, std::uint64_t seed) {
  SeededRandom random(seed);
  std::vector<float> all(static_cast<std::size_t>(count));
  for (float& x : all) x = static_cast<float>(deviation * random.normal());
  return all;
}

struct Tokens {
  explicit Tokens(Index length_)
      : length(length_),
        q(numbers(length * d_k, std::pow(d_k, -0.25), 1)),
        k(numbers(length * d_k, std::pow(d_k, -0.25), 2)),
        v(numbers(length * d_v, 1, 3)),
        codebook(numbers(n_code * d_k, std::pow(d_k, -0.25), 4)) {}

  AttentionInput input() const {
    AttentionInput in;
    in.q = {q, 1, length, d_k};
    in.k = {k, 1, length, d_k};
    in.v = {v, 1, length, d_v};
    in.codebook = {codebook, 1, n_code, d_k};
    return in;
  }

  Index length;
  std::vector<float> q, k, v, codebook;
};

struct Seconds {
  double wall = std::numeric_limits<double>::infinity();
  double processor = std::numeric_limits<double>::infinity();  ///< of all threads

  /// The least of several: what others on the machine take is left out.
  void take(const Seconds& other) {
    wall = std::min(wall, other.wall);
    processor = std::min(processor, other.processor);
  }
};

template <class Body>
Seconds seconds_of(const Body& body) {
  const std::clock_t before = std::clock();
  const auto start = std::chrono::steady_clock::now();
  body();
  const double wall = seconds_since(start);
  return {wall, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC};
}

Seconds seconds_of(const AttentionInput& input, const AttentionOptions& options) {
  return seconds_of([&] { benchmark::DoNotOptimize(*attention(input, options)); });
}

/// A line of /proc/self/status that is in kB; 0: there is none.
double bytes_in_status(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kilobytes = 0; word == name && status >> kilobytes) return 1024 * kilobytes;
  return 0;
}

/// Memory in use, from which on VmHWM is the most in use. Nothing: the system does not reset it.
std::optional<double> start_of_peak() {
  malloc_trim(0);  // what was freed must not be there to be used again uncounted
  if (!(std::ofstream("/proc/self/clear_refs") << 5 << std::flush)) return std::nullopt;
  return bytes_in_status("VmRSS:");
}

/// Seconds for a multiplication and an addition inside Eigen's own products of these shapes.
Seconds product_seconds() {
  constexpr int rounds = 10;  // std::clock counts whole microseconds
  const AttentionKernels& kernels = best_kernels();
  const Tokens tokens(512);
  std::vector<float> scores(512 * n_code);
  std::vector<float> out(512 * d_v);
  const Seconds all = seconds_of([&] {
    for (int i = 0; i < rounds; ++i) {
      kernels.row_products({tokens.q.data(), 512, d_k, d_k}, {tokens.codebook.data(), n_code, d_k, d_k}, scores.data(),
                           n_code);
      kernels.add_product({scores.data(), 512, n_code, n_code}, {tokens.v.data(), n_code, d_v, d_v}, out.data(), d_v);
      benchmark::DoNotOptimize(out.data());
    }
  });
  const double terms = rounds * 512.0 * n_code * (d_k + d_v);
  return {all.wall / terms, all.processor / terms};
}

/// Multiplications and additions in the products of each form for one head, those by zeros above
/// the diagonal left out.
double product_terms(const AttentionInput& input, const AttentionOptions& options) {
  const auto length = static_cast<double>(input.q.rows);
  if (options.form == AttentionForm::exact) return length * (length + 1) / 2 * (d_k + d_v);
  const auto block = static_cast<double>(options.block_len);
  const auto before = static_cast<double>(explicit_blocks(input.bias, options));
  const double singles = before * block + (block + 1) / 2;
  return length * (2 * n_code * d_k + n_code * d_v + singles * d_v);
}

/// linear over another form, in turns: `speed_up` is how many times faster, `processor_speed_up`
/// how many times less time all threads take; `of_products`: the share of the products' own rate,
/// in processor time.
void linear_against(benchmark::State& state, const AttentionOptions& other, bool window) {
  const Tokens tokens(state.range(0));
  const int threads = static_cast<int>(state.range(1));
  AttentionInput input = tokens.input();
  if (window) input.bias = {.window = 512, .values = std::vector<float>(513)};
  AttentionOptions linear{.threads = threads};
  AttentionOptions baseline = other;
  baseline.threads = threads;
  Seconds own, others, product;
  for (auto _ : state) {
    product.take(product_seconds());
    const Seconds seconds = seconds_of(input, linear);
    state.SetIterationTime(seconds.wall);
    own.take(seconds);
    others.take(seconds_of(input, baseline));
  }
  state.counters["speed_up"] = others.wall / own.wall;
  state.counters["processor_speed_up"] = others.processor / own.processor;
  state.counters["of_products"] = product_terms(input, linear) * product.processor / own.processor;
  state.counters["other_of_products"] = product_terms(input, baseline) * product.processor / others.processor;
}

void linear_against_full(benchmark::State& state) { linear_against(state, {.form = AttentionForm::exact}, false); }

void linear_against_plain(benchmark::State& state) {
  linear_against(state, {.form = AttentionForm::exact, .skip_hidden = false}, false);
}

/// With a bias in the window, so that the block before is seen key by key.
void linear_with_window_against_full(benchmark::State& state) {
  linear_against(state, {.form = AttentionForm::exact}, true);
}

/// Seconds per token at a length over those at 8192.
void linear_per_token(benchmark::State& state) {
  const Tokens tokens(state.range(0));
  const Tokens few(8192);
  const AttentionOptions linear{.threads = static_cast<int>(state.range(1))};
  Seconds own, others;
  for (auto _ : state) {
    others.take(seconds_of(few.input(), linear));
    const Seconds seconds = seconds_of(tokens.input(), linear);
    state.SetIterationTime(seconds.wall);
    own.take(seconds);
    others.take(seconds_of(few.input(), linear));
  }
  const double times = static_cast<double>(tokens.length) / static_cast<double>(few.length);
  state.counters["per_token"] = own.wall / (others.wall * times);
  state.counters["processor_per_token"] = own.processor / (others.processor * times);
}

/// Alone, for who compares it with another program's attention.
void linear_alone(benchmark::State& state) {
  const Tokens tokens(state.range(0));
  const AttentionOptions linear{.threads = static_cast<int>(state.range(1))};
  for (auto _ : state) state.SetIterationTime(seconds_of(tokens.input(), linear).wall);
}

/// Memory at its most while attention is computed, less what there was before and what it gives.
/// `counted`: the estimate of attention_memory().
void linear_peak_memory(benchmark::State& state) {
  const Tokens tokens(state.range(0));
  const AttentionOptions linear{.threads = static_cast<int>(state.range(1))};
  double most = 0;
  double output = 0;
  for (auto _ : state) {
    const auto before = start_of_peak();
    if (!before) return state.SkipWithError("the system does not tell the most memory since a moment");
    const AttentionOutput out = *attention(tokens.input(), linear);
    output = static_cast<double>(out.values.size() * sizeof(float) + out.shortcodes.size() * sizeof(std::int32_t));
    most = std::max(most, bytes_in_status("VmHWM:") - *before - output);
  }
  const auto bytes = [](double n) {
    return benchmark::Counter(n, benchmark::Counter::kDefaults, benchmark::Counter::kIs1024);
  };
  state.counters["beyond_output"] = bytes(most);
  state.counters["counted"] = bytes(attention_memory(tokens.input(), linear) - output);
}

/// Each build of the kernels over the fastest.
void kernels_against_best(benchmark::State& state) {
  const auto usable = usable_kernels();
  const auto which = static_cast<std::size_t>(state.range(0));
  if (which >= usable.size()) return state.SkipWithError("this processor does not run it");
  const Tokens tokens(4096);
  state.SetLabel(usable[which]->name);
  compare(
      state, "times_best", [&] { benchmark::DoNotOptimize(*attention(tokens.input(), {.kernels = usable[which]})); },
      [&] { return seconds_of(tokens.input(), {}).wall; });
}

}  // namespace

BENCHMARK(linear_against_full)
    ->ArgsProduct({{2048, 8192, 32768}, {1, 2}})
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(linear_against_plain)
    ->ArgsProduct({{2048, 8192, 32768}, {1, 2}})
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(linear_with_window_against_full)
    ->ArgsProduct({{2048, 8192, 32768}, {1, 2}})
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(linear_per_token)
    ->ArgsProduct({{131072}, {1, 2}})
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(linear_alone)
    ->ArgsProduct({{2048, 8192, 131072}, {1, 2}})
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(linear_peak_memory)->ArgsProduct({{8192, 131072}, {1, 2}})->Iterations(2)->Unit(benchmark::kMillisecond);
BENCHMARK(kernels_against_best)->Arg(0)->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace vqscope::bench
