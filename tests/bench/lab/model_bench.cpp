// SPDX-License-Identifier: GPL-3.0-or-later
// One training step of a small transformer, forward, backward and AdamW, on one thread: 2 layers, d 64, 4 heads, 16
// sequences of 64 tokens, float32.
#include "core/data/language.h"
#include "core/data/token_batch.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/train/initial_weights.h"
#include "core/model/train/optimiser.h"

#include <benchmark/benchmark.h>

namespace vqscope::bench {
namespace {

void train(benchmark::State& state, TransformerConfig config) {
  config.vocab = language::vocabulary;
  const auto layout = parameter_layout(config).value();
  auto parameters = initial_weights<float>(config, layout, 1);
  auto gradient = zeros_of<float>(layout);
  AdamW<float> optimiser(layout, {});
  const auto pass = TransformerPass<float>::create(config, layout, 16, 64, Keep::everything).value();
  const auto stream = language::stream(1, 700000);
  Index step = 0;
  Losses losses;
  for (auto _ : state) {
    const auto tokens = training_batch(stream, step++, 16, 64).value();
    losses = pass->run(parameters, {16, 64, tokens.tokens, tokens.labels}, &gradient, 1).value();
    optimiser.step(parameters, gradient, 5e-3);
    pass->update_codebooks(parameters);
  }
  state.counters["tokens/s"] = benchmark::Counter(1024 * static_cast<double>(step), benchmark::Counter::kIsRate);
  state.counters["loss"] = losses.ce_loss;
}

BENCHMARK_CAPTURE(train, rope, TransformerConfig{})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(train, alibi, TransformerConfig{.pos = PositionKind::relative_bias, .relative_bias = "alibi"})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(train, kerple_log,
                  TransformerConfig{.pos = PositionKind::relative_bias, .relative_bias = "kerple_log"})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(train, gated_rope,
                  TransformerConfig{.n_heads = 1, .n_kv_heads = 1, .layer_kind = ModelLayerKind::shga, .d_v = 96})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(train, vq, TransformerConfig{.pos = PositionKind::vq, .attn = AttentionKind::vq})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vqscope::bench
