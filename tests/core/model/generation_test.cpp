// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/generate/generation.h"

#include "core/model/generate/decoder.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/train/initial_weights.h"
#include "tests/core/model/golden/golden_case.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

class GenerationTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void samplers_by_hand() {
    const std::vector<double> logits{std::log(1.0), std::log(4.0), std::log(3.0), std::log(2.0)};
    const auto near = [](const std::vector<double>& a, const std::vector<double>& b) {
      for (std::size_t i = 0; i < b.size(); ++i)
        if (std::abs(a[i] - b[i]) > 1e-12) return false;
      return a.size() == b.size();
    };
    QVERIFY(near(token_probabilities(logits, {}), {0, 1, 0, 0}));
    QVERIFY(near(token_probabilities(logits, {.temperature = 1}), {0.1, 0.4, 0.3, 0.2}));
    QVERIFY(near(token_probabilities(logits, {.temperature = 0.5}), {1 / 30.0, 16 / 30.0, 9 / 30.0, 4 / 30.0}));
    QVERIFY(near(token_probabilities(logits, {.temperature = 1, .top_p = 0.65}), {0, 4 / 7.0, 3 / 7.0, 0}));
    QVERIFY(near(token_probabilities(logits, {.temperature = 1, .top_p = 0}), {0, 1, 0, 0}));
    QVERIFY(near(token_probabilities(std::vector<double>{2, 5, 5}, {}), {0, 1, 0}));
  }

  /// As often as their probabilities say, and never outside the nucleus.
  void samples_have_their_probabilities() {
    const std::vector<double> logits{std::log(1.0), std::log(4.0), std::log(3.0), std::log(2.0)};
    SeededRandom random(5);
    std::vector<int> counts(4);
    for (int i = 0; i < 20000; ++i)
      ++counts[static_cast<std::size_t>(sample_token(logits, {.temperature = 1, .top_p = 0.85}, random))];
    QCOMPARE(counts[0], 0);
    for (const auto& [token, p] : {std::pair(1, 4 / 9.0), {2, 3 / 9.0}, {3, 2 / 9.0}})
      QVERIFY(std::abs(counts[static_cast<std::size_t>(token)] / 20000.0 - p) < 0.015);
  }

  void tokens_read_one_by_one_have_the_same_logits_data() {
    QTest::addColumn<QString>("name");
    for (const QString& name : golden_names())
      if (!QStringList{"left_padded", "packed", "rope_random_positions"}.contains(name))
        QTest::newRow(qPrintable(name)) << name;
  }
  void tokens_read_one_by_one_have_the_same_logits() {
    QFETCH(QString, name);
    const auto golden = golden_case(name);
    const auto weights = golden_weights<double>(golden);
    const auto logits = golden.reals("out.logits");
    const auto decoder = Decoder<double>::create(golden.config, weights, golden.length).value();
    double largest = 0;
    for (Index t = 0; t < golden.length; ++t) {
      const auto own = decoder->read(golden.tokens[static_cast<std::size_t>(t)]);
      for (std::size_t i = 0; i < own.size(); ++i)
        largest = std::fmax(largest, std::abs(own[i] - logits[static_cast<std::size_t>(t) * own.size() + i]));
    }
    QVERIFY2(largest < 1e-10, qPrintable(QString::number(largest)));
  }

  void learnt_positions_with_and_without_cache() {
    const TransformerConfig plain{.vocab = 11, .d_model = 16, .n_heads = 4, .n_kv_heads = 2, .head_dim = 4, .d_ff = 8};
    TransformerConfig fire = plain, rope = plain, xl = plain;
    fire.pos = PositionKind::fire;
    fire.fire_threshold = 5;
    rope.bias = PositionKind::relative_bias;
    rope.relative_bias = "kerple_log";
    xl.pos = PositionKind::xl;
    for (const TransformerConfig& config : {fire, rope, xl}) {
      auto weights = zeros_of<double>(parameter_layout(config).value());
      SeededRandom random(3);
      for (double& value : weights.values) value = 0.3 + 0.4 * random.normal();
      clamp_learnt_bias(config, weights);
      const std::vector<std::int32_t> tokens{1, 7, 3, 3, 0, 10, 5, 1, 9, 9, 2, 4};
      const auto pass = TransformerPass<double>::create(config, weights.layout, 1, 12, Keep::logits).value();
      QVERIFY(pass->run(weights, {1, 12, tokens, tokens}, nullptr, 1));
      const auto decoder = Decoder<double>::create(config, weights, 12).value();
      for (std::size_t t = 0; t < tokens.size(); ++t) {
        const auto own = decoder->read(tokens[t]);
        for (std::size_t i = 0; i < 11; ++i) QVERIFY(std::abs(own[i] - pass->logits(0)[t * 11 + i]) < 1e-10);
      }
      const GenerationOptions cached{.count = 20, .sampler = {.temperature = 1}, .seed = 4};
      GenerationOptions whole = cached;
      whole.cache = false;
      QCOMPARE(generate<double>(config, weights, tokens, whole, {}).value(),
               generate<double>(config, weights, tokens, cached, {}).value());
    }
  }

  void with_and_without_cache_data() {
    QTest::addColumn<QString>("mask");
    QTest::newRow("every key") << "";
    QTest::newRow("strided") << "kv_idx < 2 or (q_idx - kv_idx) % 3 == 0";
    QTest::newRow("queries that see nothing") << "kv_idx > 8";
  }
  void with_and_without_cache() {
    QFETCH(QString, mask);
    TransformerConfig config{.vocab = 11, .d_model = 16, .n_heads = 4, .n_kv_heads = 2, .head_dim = 4, .d_ff = 8};
    if (!mask.isEmpty()) config.attn = AttentionKind::mask;
    config.mask = mask.toStdString();
    auto weights = initial_weights<float>(config, parameter_layout(config).value(), 2);
    // A head of the usual size hardly distinguishes tokens before training.
    for (Index i = 0; i < 11 * 16; ++i) *weights.at(weights.layout->head + i) *= 50;
    const std::vector<std::int32_t> prompt{1, 7, 3};
    for (const SamplerOptions& sampler :
         {SamplerOptions{}, SamplerOptions{.temperature = 1}, SamplerOptions{.temperature = 0.8, .top_p = 0.7}}) {
      GenerationOptions options{.count = 30, .sampler = sampler, .seed = 4};
      const auto with = generate<float>(config, weights, prompt, options, {}).value();
      options.cache = false;
      QCOMPARE(generate<float>(config, weights, prompt, options, {}).value(), with);
      QCOMPARE(with.size(), std::size_t{33});
      QVERIFY(std::equal(prompt.begin(), prompt.end(), with.begin()));
      options.seed = 5;
      QCOMPARE(generate<float>(config, weights, prompt, options, {}).value() == with, sampler.temperature == 0);
    }
  }

  void refused() {
    TransformerConfig config{.vocab = 5, .d_model = 4, .n_heads = 1, .n_kv_heads = 1, .head_dim = 4, .d_ff = 2};
    config.pos = PositionKind::learned;
    config.max_pos = 6;
    auto weights = initial_weights<float>(config, parameter_layout(config).value(), 2);
    const auto with = [&](std::vector<std::int32_t> prompt, Index count, const Work& work = {}) {
      return generate<float>(config, weights, prompt, {.count = count}, work);
    };
    QVERIFY(with({1, 2}, 4));
    COMPARE_ERROR(with({}, 4), "the prompt has no token but must have at least one");
    COMPARE_ERROR(with({1, 5}, 4), "tokens has 5 at row 0, position 1 but must be from 0 to 4");
    COMPARE_ERROR(with({1, 2}, 5), "the prompt and 5 tokens more are 7, the table of learned positions has 6");
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(with({1}, 1, {.progress = {}, .stop = stop.get_token()}).error().code, Errc::cancelled);
    *weights.at(weights.layout->head) = std::nanf("");
    COMPARE_ERROR(with({1, 2}, 1), "a logit after 2 tokens is nan but must be finite");
  }
};

VQSCOPE_TEST(GenerationTest)
#include "generation_test.moc"
