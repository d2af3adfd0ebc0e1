// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/trained_model.h"

#include "core/model/train/initial_weights.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

const TransformerConfig traced_config{
    .vocab = 5, .d_model = 4, .n_layers = 1, .n_heads = 1, .n_kv_heads = 1, .head_dim = 4, .d_ff = 4};

TrainedModels::Model model_of(std::size_t numbers) {
  const auto layout = parameter_layout(traced_config).value();
  Parameters<float> weights = zeros_of<float>(layout);
  weights.values.resize(numbers);
  return std::make_shared<const TrainedModel>(std::optional(weights), TrainingTrace{});
}

TrainingKey key_of(std::uint64_t seed) { return {.config = traced_config, .data = "d", .steps = 3, .seed = seed}; }

}  // namespace

class TrainedModelTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void measures_are_kept_by_everything_that_decides_them() {
    const auto model = model_of(10);
    const TestKey key{traced_config, "language", 64, context_loss};
    QVERIFY(!model->measured(key));
    model->keep(key, Measured{2.5});
    QCOMPARE(model->measured(key), std::optional(Measured{2.5}));
    for (const auto& change : {+[](TestKey& k) { k.length = 65; }, +[](TestKey& k) { k.data = "copy"; },
                               +[](TestKey& k) { k.measure = exact_match; }, +[](TestKey& k) { k.config.eps = 1; }}) {
      TestKey other = key;
      change(other);
      QVERIFY(!model->measured(other));
    }
  }

  void trainings_are_found_by_their_key() {
    TrainedModels models;
    const auto first = model_of(10);
    models.keep(key_of(1), first);
    QCOMPARE(models.find(key_of(1)), first);
    QVERIFY(!models.find(key_of(2)));
    for (const auto& change : {+[](TrainingKey& k) { k.steps = 4; }, +[](TrainingKey& k) { k.dropout = 0.1; },
                               +[](TrainingKey& k) { k.tuning_steps = 1; }, +[](TrainingKey& k) { k.config.d_ff = 5; },
                               +[](TrainingKey& k) { k.optimiser = OptimiserKind::adafactor; }}) {
      TrainingKey other = key_of(1);
      change(other);
      QVERIFY(!models.find(other));
    }
    models.keep(key_of(1), model_of(11));
    QCOMPARE(models.find(key_of(1))->parameters()->values.size(), std::size_t{11});  // the latest
  }

  /// 128 MiB of weights: three of 48 MiB do not fit, a single larger one stays.
  void old_trainings_make_room() {
    constexpr std::size_t numbers = (std::size_t{48} << 20) / sizeof(float);
    TrainedModels models;
    for (const std::uint64_t seed : {1U, 2U, 3U}) models.keep(key_of(seed), model_of(numbers));
    QVERIFY(!models.find(key_of(1)) && models.find(key_of(2)) && models.find(key_of(3)));
    models.keep(key_of(4), model_of(3 * numbers));
    QVERIFY(models.find(key_of(4)) && !models.find(key_of(3)));
  }

  /// A training whose loss was not finite has no weights, and is not trained again.
  void failed_trainings_are_kept() {
    TrainedModels models;
    models.keep(key_of(1), std::make_shared<const TrainedModel>(std::nullopt, TrainingTrace{}));
    QVERIFY(models.find(key_of(1)) && !models.find(key_of(1))->parameters());
  }
};

VQSCOPE_TEST(TrainedModelTest)
#include "trained_model_test.moc"
