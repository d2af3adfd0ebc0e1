// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/dropout.h"

#include "core/model/pass/transformer_pass.h"
#include "core/model/train/initial_weights.h"
#include "core/model/train/trainer.h"
#include "tests/core/model/central_differences.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

TransformerConfig dropout_config() {
  return {.vocab = 7, .d_model = 6, .n_layers = 3, .n_heads = 2, .n_kv_heads = 2, .head_dim = 4, .d_ff = 5};
}

/// Eight tokens in each of four rows.
struct Tokens {
  Tokens() {
    for (int i = 0; i < 4 * 8; ++i) all.push_back((i * 5 + i / 3) % 7);
  }
  Batch batch() const { return {4, 8, all, all}; }
  std::vector<std::int32_t> all;
};

}  // namespace

class DropoutTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// The kept share is near 1 - p, what is kept is divided by it, and each place, step and seed has
  /// a mask of its own.
  void shares_and_masks() {
    const std::vector<double> ones(100 * 64, 1.0);
    const auto kept = [&](const TrainingNoise& noise, const DropoutPlace& place, Index first = 0) {
      std::vector<double> out(ones.size());
      add_kept(noise, place, first, 100, 64, ones.data(), out.data());
      return out;
    };
    const TrainingNoise noise{.seed = 4, .step = 9, .dropout = 0.25};
    const DropoutPlace place{1, DropoutPlace::Branch::mlp};
    const auto mask = kept(noise, place);
    const auto dropped = std::ranges::count(mask, 0.0);
    QVERIFY(std::abs(static_cast<double>(dropped) / 6400 - 0.25) < 5 * std::sqrt(0.25 * 0.75 / 6400));
    QCOMPARE(std::ranges::count(mask, 1 / 0.75), std::ptrdiff_t{6400} - dropped);
    QCOMPARE(kept(noise, place), mask);
    for (const auto& other :
         {kept({.seed = 5, .step = 9, .dropout = 0.25}, place), kept({.seed = 4, .step = 10, .dropout = 0.25}, place),
          kept(noise, {1, DropoutPlace::Branch::attention}), kept(noise, {2, DropoutPlace::Branch::mlp})}) {
      Index same = 0;
      for (std::size_t i = 0; i < mask.size(); ++i) same += other[i] == mask[i] ? 1 : 0;
      QVERIFY(std::abs(static_cast<double>(same) / 6400 - 0.625) < 0.03);  // (3/4)² + (1/4)²
    }
    const auto later = kept(noise, place, 10);  // tokens have masks of their own, wherever a part begins
    QVERIFY(std::equal(later.begin(), later.end() - 10 * 64, mask.begin() + 10 * 64));
  }

  void layers_are_left_out_at_their_rate() {
    Index dropped = 0;
    for (Index step = 1; step <= 2000; ++step)
      dropped += TrainingNoise{.seed = 1, .step = step, .layerdrop = 0.3}.drops_layer(step % 4) ? 1 : 0;
    QVERIFY(std::abs(static_cast<double>(dropped) / 2000 - 0.3) < 5 * std::sqrt(0.21 / 2000));
    QVERIFY(!(TrainingNoise{.dropout = 0.9}.drops_layer(0)));
  }

  /// The loss with a mask that stands still, by central differences; some layer is left out.
  void gradients() {
    TransformerConfig gated = dropout_config(), distances = dropout_config();
    gated.layer_kind = ModelLayerKind::shga;
    gated.n_heads = gated.n_kv_heads = 1;
    gated.d_v = 5;
    distances.pos = PositionKind::xl;
    for (const TransformerConfig& config : {dropout_config(), gated, distances}) check_gradients(config);
  }

  void zero_rate_keeps_the_output() {
    const TransformerConfig config = dropout_config();
    const auto layout = parameter_layout(config).value();
    const auto weights = initial_weights<float>(config, layout, 6);
    const Tokens tokens;
    const auto pass = TransformerPass<float>::create(config, layout, 4, 8, Keep::gradients).value();
    auto with = zeros_of<float>(layout), without = with;
    const TrainingNoise noise{.seed = 1, .step = 1};
    const double loss = pass->run(weights, tokens.batch(), &with, 1, {}, &noise)->loss;
    QCOMPARE(pass->run(weights, tokens.batch(), &without, 1)->loss, loss);
    QCOMPARE(with.values, without.values);
  }

  /// With both and with either optimiser, training is the same on any number of threads and after a
  /// pause.
  void training_does_not_depend_on_threads_and_pauses() {
    const Tokens tokens;
    TransformerConfig config = dropout_config();
    config.attn = AttentionKind::vq;
    config.pos = PositionKind::vq;
    config.n_code = 4;
    config.block_len = 2;
    const auto layout = parameter_layout(config).value();
    for (const OptimiserKind kind : {OptimiserKind::adamw, OptimiserKind::adafactor}) {
      const TrainerOptions options{.optimiser = kind, .dropout = 0.2, .layerdrop = 0.4, .seed = 8};
      const auto trained = [&](int threads, Index pause_after) {
        auto trainer = std::make_unique<Trainer<float>>(config, initial_weights<float>(config, layout, 1), options);
        for (Index t = 0; t < 6; ++t) {
          if (t == pause_after) {
            StringSink sink;
            if (!write_safetensors(trainer->state(), sink)) return std::vector<float>();
            trainer = std::make_unique<Trainer<float>>(config, initial_weights<float>(config, layout, 2), options);
            const auto file = NamedTensors::open(std::make_shared<MemorySource>(sink.text()), "s").value();
            if (!trainer->resume(file)) return std::vector<float>();
          }
          if (!trainer->step(tokens.batch(), threads)) return std::vector<float>();
        }
        return trainer->parameters().values;
      };
      const auto whole = trained(1, -1);
      QVERIFY(!whole.empty());
      QCOMPARE(trained(3, -1), whole);
      QCOMPARE(trained(1, 3), whole);
    }
  }

 private:
  static void check_gradients(const TransformerConfig& config) {
    const auto layout = parameter_layout(config).value();
    auto weights = initial_weights<double>(config, layout, 6);
    const Tokens tokens;
    const auto pass = TransformerPass<double>::create(config, layout, 4, 8, Keep::gradients).value();
    for (const TrainingNoise& noise : {TrainingNoise{.seed = 2, .step = 1, .dropout = 0.3},
                                       TrainingNoise{.seed = 3, .step = 2, .dropout = 0.1, .layerdrop = 0.5}}) {
      QVERIFY(noise.layerdrop == 0 || noise.drops_layer(0) || noise.drops_layer(1) || noise.drops_layer(2));
      auto gradient = zeros_of<double>(layout), unused = gradient;
      QVERIFY(pass->run(weights, tokens.batch(), &gradient, 2, {}, &noise));
      const auto value = [&] { return pass->run(weights, tokens.batch(), &unused, 1, {}, &noise)->loss; };
      VERIFY_GRADIENT(gradient.values, weights.values, value);
    }
  }
};

VQSCOPE_TEST(DropoutTest)
#include "dropout_test.moc"
