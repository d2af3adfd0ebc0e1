// SPDX-License-Identifier: GPL-3.0-or-later
// VQ attention in linear time, quantisation included, against full attention over the same tokens in the same run, and
// against the rate of the matrix products that both are made of. d_k 128, d_v 256, 512 codes, blocks of 512.
#include "core/attention/attention.h"
#include "core/base/random.h"
#include "tests/bench/core/palette.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

double seconds_of(const AttentionInput& input, const AttentionOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  benchmark::DoNotOptimize(*attention(input, options));
  return seconds_since(start);
}

/// Seconds that one thread takes for a multiplication and an addition inside Eigen's own products of these shapes.
double product_seconds() {
  const AttentionKernels& kernels = best_kernels();
  const Tokens tokens(512);
  std::vector<float> scores(512 * n_code);
  std::vector<float> out(512 * d_v);
  const auto start = std::chrono::steady_clock::now();
  kernels.row_products({tokens.q.data(), 512, d_k, d_k}, {tokens.codebook.data(), n_code, d_k, d_k}, scores.data(),
                       n_code);
  kernels.add_product({scores.data(), 512, n_code, n_code}, {tokens.v.data(), n_code, d_v, d_v}, out.data(), d_v);
  benchmark::DoNotOptimize(out.data());
  return seconds_since(start) / (512.0 * n_code * (d_k + d_v));
}

/// Multiplications and additions in the products of each form for one head, those by zeros above the diagonal left out.
double product_terms(const AttentionInput& input, const AttentionOptions& options) {
  const auto length = static_cast<double>(input.q.rows);
  if (options.form == AttentionForm::exact) return length * (length + 1) / 2 * (d_k + d_v);
  const auto block = static_cast<double>(options.block_len);
  const auto before = static_cast<double>(explicit_blocks(input.bias, options));
  const double singles = before * block + (block + 1) / 2;
  return length * (2 * n_code * d_k + n_code * d_v + singles * d_v);
}

/// The least of several times: what others on the machine take is left out.
class Least {
 public:
  double take(double seconds) { return m_least = std::min(m_least, seconds), seconds; }
  double seconds() const { return m_least; }

 private:
  double m_least = std::numeric_limits<double>::infinity();
};

/// linear over another form, in turns: `speed_up` is how many times faster; `of_products`: the share of the products'
/// own rate.
void linear_against(benchmark::State& state, const AttentionOptions& other, bool window) {
  const Tokens tokens(state.range(0));
  const int threads = static_cast<int>(state.range(1));
  AttentionInput input = tokens.input();
  if (window) input.bias = {.window = 512, .values = std::vector<float>(513)};
  AttentionOptions linear{.threads = threads};
  AttentionOptions baseline = other;
  baseline.threads = threads;
  Least own, others, product;
  for (auto _ : state) {
    for (int i = 0; i < 3; ++i) product.take(product_seconds());
    state.SetIterationTime(own.take(seconds_of(input, linear)));
    others.take(seconds_of(input, baseline));
  }
  const double unit = product.seconds() / threads;
  state.counters["speed_up"] = others.seconds() / own.seconds();
  state.counters["of_products"] = product_terms(input, linear) * unit / own.seconds();
  state.counters["other_of_products"] = product_terms(input, baseline) * unit / others.seconds();
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
  Least own, others;
  for (auto _ : state) {
    others.take(seconds_of(few.input(), linear));
    state.SetIterationTime(own.take(seconds_of(tokens.input(), linear)));
    others.take(seconds_of(few.input(), linear));
  }
  const double times = static_cast<double>(tokens.length) / static_cast<double>(few.length);
  state.counters["per_token"] = own.seconds() / (others.seconds() * times);
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
      [&] { return seconds_of(tokens.input(), {}); });
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
BENCHMARK(kernels_against_best)->Arg(0)->Arg(1)->Arg(2)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace vqscope::bench
