// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/trained_model.h"

#include "core/experiment/training/training_data.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/train/initial_weights.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace vqscope;

namespace {

TransformerConfig small_config(Index vocabulary) {
  return {.vocab = vocabulary, .d_model = 8, .n_heads = 2, .n_kv_heads = 2, .head_dim = 4, .d_ff = 8};
}

/// A model and a batch of more rows than go through at a time, and one pass over all of them.
struct Sample {
  Sample(Index vocabulary, TokenBatch of)
      : config(small_config(vocabulary)),
        weights(initial_weights<float>(config, parameter_layout(config).value(), 1)),
        batch(std::move(of)),
        pass(TransformerPass<float>::create(config, weights.layout, batch.rows, batch.length, Keep::logits).value()),
        losses(pass->run(weights, {batch.rows, batch.length, batch.tokens, batch.labels}, nullptr, 1).value()) {}

  /// By looking at every logit: the token of the largest one.
  std::int32_t answer(Index row, Index t) const {
    std::int32_t best = 0;
    for (std::int32_t token = 1; token < config.vocab; ++token)
      if (logit(row, t, token) > logit(row, t, best)) best = token;
    return best;
  }
  float logit(Index row, Index t, std::int32_t token) const {
    return pass->logits(row)[static_cast<std::size_t>(t * config.vocab + token)];
  }

  TransformerConfig config;
  Parameters<float> weights;
  TokenBatch batch;
  std::unique_ptr<TransformerPass<float>> pass;
  Losses losses;
};

}  // namespace

class TestMeasuresTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// The same as one pass over all rows, whose labels count as they do there.
  void losses_are_means_over_labels() {
    TokenBatch batch = TrainingData::language(3, 7, 3000).batch(0);
    std::fill_n(batch.labels.begin(), 2990, ignored_label);
    const Sample sample(40, std::move(batch));
    const double parts = context_loss(sample.config, sample.weights, sample.batch, {}, {}).value().value;
    QVERIFY2(std::abs(sample.losses.ce_loss - parts) < 1e-6, qPrintable(QString::number(parts)));
  }

  /// Of the model with a cache alone, as in one pass.
  void shares_of_the_cache() {
    TransformerConfig config = small_config(40);
    config.pos = PositionKind::vq;
    config.attn = AttentionKind::vq;
    config.n_code = 4;
    config.block_len = 3;
    const auto weights = initial_weights<float>(config, parameter_layout(config).value(), 1);
    const TokenBatch batch = TrainingData::language(3, 7, 3000).batch(0);
    const auto measured = context_loss(config, weights, batch, {}, {}).value();
    const auto pass = TransformerPass<float>::create(config, weights.layout, 7, 3000, Keep::logits).value();
    const auto losses = pass->run(weights, {7, 3000, batch.tokens, batch.labels}, nullptr, 1).value();
    QCOMPARE(measured.cache_shares.size(), std::size_t{2});
    for (std::size_t layer = 0; layer < 2; ++layer)
      QVERIFY(std::abs(measured.cache_shares[layer] - losses.cache_shares[layer]) < 1e-6);
    config.cache = false;
    QVERIFY(context_loss(config, weights, batch, {}, {}).value().cache_shares.empty());
  }

  /// Labels that are the model's predictions, apart from some.
  void answers_are_the_largest_logits() {
    Sample sample(task_token::vocabulary, task_batch(Task::copy, 400, 30, 5, 0));
    auto& labels = sample.batch.labels;
    Index counted = 0, wrong = 0, wrong_rows = 0;
    for (Index row = 0; row < sample.batch.rows; ++row) {
      bool right = true;
      for (Index t = 0; t < sample.batch.length; ++t) {
        auto& label = labels[static_cast<std::size_t>(row * sample.batch.length + t)];
        if (label == ignored_label) continue;
        label = sample.answer(row, t);
        if (++counted % 1009 != 0) continue;
        label = (label + 1) % task_token::vocabulary;
        ++wrong;
        right = false;
      }
      wrong_rows += !right;
    }
    QVERIFY(wrong > 5 && wrong_rows < 30);
    QCOMPARE(token_accuracy(sample.config, sample.weights, sample.batch, {}, {}).value().value,
             static_cast<double>(counted - wrong) / static_cast<double>(counted));
    QCOMPARE(exact_match(sample.config, sample.weights, sample.batch, {}, {}).value().value,
             static_cast<double>(30 - wrong_rows) / 30);
  }

  void are_cancelled() {
    const Sample sample(task_token::vocabulary, task_batch(Task::sort, 4, 3, 5, 0));
    std::stop_source stop;
    stop.request_stop();
    for (const TestMeasure measure : {context_loss, exact_match, token_accuracy})
      QCOMPARE(measure(sample.config, sample.weights, sample.batch, {}, stop.get_token()).error().code,
               Errc::cancelled);
  }

  /// Positions reach the model: with others the numbers change.
  void positions_are_used() {
    const Sample sample(task_token::vocabulary, task_batch(Task::copy, 12, 3, 5, 0));
    const auto at = random_positions(3, sample.batch.length, 4096, 1, 0);
    QVERIFY(context_loss(sample.config, sample.weights, sample.batch, at, {}).value() !=
            context_loss(sample.config, sample.weights, sample.batch, {}, {}).value());
  }
};

VQSCOPE_TEST(TestMeasuresTest)
#include "test_measures_test.moc"
