// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/transformer_config.h"
#include "core/model/layer/layers.h"
#include "tests/core/model/central_differences.h"
#include "tests/core/model/gated_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <array>

using namespace vqscope;
using namespace vqscope::test;

/// Layers of gated attention units: layer_kind "shga".
class GatedLayerTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void silu_by_hand() {
    const Doubles x{0, std::log(3.0), -std::log(3.0)};
    Doubles y(3);
    silu(3, x.data(), y.data());
    QCOMPARE(y[0], 0.0);
    QVERIFY(std::abs(y[1] - 0.75 * std::log(3.0)) < 1e-15);
    QVERIFY(std::abs(y[2] + 0.25 * std::log(3.0)) < 1e-15);
    Doubles at = random_doubles(9, 3), dx(9);
    const Doubles dy = random_doubles(9, 4);
    silu_backward(9, at.data(), dy.data(), dx.data());
    VERIFY_GRADIENT(dx, at, ([&] {
                      Doubles out(9);
                      silu(9, at.data(), out.data());
                      return dot(out, dy);
                    }));
  }

  /// Two tokens of width 1: the norm leaves their signs. With w = ln 3, silu(w) = 3/4 w and
  /// silu(-w) = -1/4 w. Token 1 scores -1 + (2 + w) for token 0 and 1 for itself: weights 3/4 and
  /// 1/4, so that wv = w / 2.
  void unit_by_hand() {
    const double w = std::log(3.0);
    GatedUnit unit{.gain = {1}, .w_q = {{2}}, .w_k = {{5}}, .w_v = {{w}}, .w_g = {{w}}, .w_o = {{8}}, .eps = 0};
    unit.bias = [&](Index distance) { return static_cast<double>(distance) * (2 + w); };
    const Matrix y = unit.output({{1}, {-2}});
    QVERIFY(std::abs(y[0][0] - (1 + 8 * 0.75 * w * 0.75 * w)) < 1e-14);
    QVERIFY(std::abs(y[1][0] - (-2 + 8 * 0.5 * w * -0.25 * w)) < 1e-14);

    TransformerConfig config = gated_bias("kerple_log");
    config.vocab = 2, config.d_model = config.head_dim = config.d_v = 1, config.eps = 1e-30;
    auto weights = zeros_of<double>(parameter_layout(config).value());
    std::ranges::fill(weights.values, 1.0);
    const LayerOffsets& at = weights.layout->layers[0];
    *weights.at(weights.layout->embedding + 1) = -2;
    *weights.at(at.learnt_bias) = -(2 + w);
    *weights.at(at.learnt_bias + 1) = std::exp(1.0) - 1;
    const auto pass = TransformerPass<double>::create(config, weights.layout, 1, 2, Keep::everything).value();
    const std::vector<std::int32_t> tokens{0, 1};
    QVERIFY(pass->run(weights, {1, 2, tokens}, nullptr, 1));
    QVERIFY(std::abs(pass->weights(0, 0, 0, 1)[0] - 0.75) < 1e-14);
    QVERIFY(std::abs(pass->weights(0, 0, 0, 1)[1] - 0.25) < 1e-14);
  }

  void fast_path_agrees_with_the_definition_data() {
    QTest::addColumn<int>("number");
    const std::vector<GatedCase> cases = gated_cases();
    for (std::size_t i = 0; i < cases.size(); ++i)
      for (const char* name : {"nope", "rope", "xl", "xl in a window", "vq", "vq without cache"})
        if (std::string(cases[i].name) == name) QTest::newRow(name) << static_cast<int>(i);
  }
  void fast_path_agrees_with_the_definition() {
    QFETCH(int, number);
    TransformerConfig config = gated_cases()[static_cast<std::size_t>(number)].config;
    config.n_layers = 2;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const auto weights = varied_weights(config, seed);
      const TokenRows tokens(2, 7, seed);
      const auto pass = TransformerPass<double>::create(config, weights.layout, 2, 7, Keep::everything).value();
      QVERIFY(pass->run(weights, tokens.batch(), nullptr, 1));
      const Matrix embedding = matrix_of(weights, "model.embed_tokens.weight");
      Matrix x;
      for (std::size_t t = 7; t < 14; ++t) x.push_back(embedding[static_cast<std::size_t>(tokens.tokens[t])]);
      for (Index unit = 0; unit < 4; ++unit) x = unit_of(config, weights, unit).output(x);
      GatedUnit last;
      last.gain = matrix_of(weights, "model.norm.weight")[0];
      const Matrix head = matrix_of(weights, "lm_head.weight");
      const auto logits = pass->logits(1);
      for (std::size_t t = 0; t < 7; ++t) {
        const Vector own = GatedUnit::times(head, last.x_tilde(x[t]));
        for (std::size_t i = 0; i < own.size(); ++i)
          QVERIFY2(std::abs(own[i] - logits[t * own.size() + i]) < 1e-11, qPrintable(QString::number(own[i])));
      }
    }
  }

  void gradients_data() {
    QTest::addColumn<int>("number");
    const std::vector<GatedCase> cases = gated_cases();
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (!cases[i].config.quantises()) QTest::newRow(cases[i].name) << static_cast<int>(i);
  }
  /// Tensor by tensor.
  void gradients() {
    QFETCH(int, number);
    const TransformerConfig config = gated_cases()[static_cast<std::size_t>(number)].config;
    auto weights = varied_weights(config, 4);
    auto gradient = zeros_of<double>(weights.layout);
    const TokenRows tokens(3, 7, 4);
    const auto pass = TransformerPass<double>::create(config, weights.layout, 3, 7, Keep::everything).value();
    QVERIFY(pass->run(weights, tokens.batch(), &gradient, 1));
    for (const ParameterTensor& tensor : weights.layout->tensors) {
      const auto of_tensor = gradient.tensor(tensor);
      Doubles own(of_tensor.begin(), of_tensor.end());
      const auto place = weights.tensor(tensor);
      Doubles at(place.begin(), place.end());
      const double error = gradient_error(own, at, [&] {
        std::ranges::copy(at, place.begin());
        return pass->run(weights, tokens.batch(), nullptr, 1).value().loss;
      });
      std::ranges::copy(at, place.begin());
      QVERIFY2(error < gradient_limit, qPrintable(QString("%1: %2").arg(tensor.name.c_str()).arg(error)));
    }
  }

  /// The straight-through estimator: keys plus what their codewords were apart from them, which is
  /// held. Every tensor against the definition's differences; commitment pulls keys to their held
  /// codewords.
  void gradients_of_quantised_keys() {
    TransformerConfig config = gated_config(PositionKind::vq, AttentionKind::vq);
    config.grad_mode = VqGradient::dense_ste;
    config.commit_beta = 0.3;
    auto weights = varied_weights(config, 4);
    auto gradient = zeros_of<double>(weights.layout);
    const TokenRows tokens(1, 7, 4);
    const auto pass = TransformerPass<double>::create(config, weights.layout, 1, 7, Keep::everything).value();
    const auto losses = pass->run(weights, tokens.batch(), &gradient, 1).value();
    const HeldLoss definition{config, weights, tokens};
    const auto held = definition.held();
    QVERIFY(std::abs(definition.loss(held) - losses.loss) < 1e-12);
    for (const ParameterTensor& tensor : weights.layout->tensors) {
      if (tensor.offset >= weights.layout->learnt) continue;
      const auto of_tensor = gradient.tensor(tensor);
      const auto place = weights.tensor(tensor);
      Doubles at(place.begin(), place.end());
      const double error = gradient_error(Doubles(of_tensor.begin(), of_tensor.end()), at, [&] {
        std::ranges::copy(at, place.begin());
        return definition.loss(held);
      });
      std::ranges::copy(at, place.begin());
      QVERIFY2(error < gradient_limit, qPrintable(QString("%1: %2").arg(tensor.name.c_str()).arg(error)));
    }
  }

  void threads_do_not_change_the_numbers() {
    for (const GatedCase& one : gated_cases()) {
      const auto layout = parameter_layout(one.config).value();
      const auto weights = initial_weights<float>(one.config, layout, 4);
      const TokenRows tokens(11, 8, 5);
      auto first = zeros_of<float>(layout), again = first;
      const auto pass = TransformerPass<float>::create(one.config, layout, 11, 8, Keep::everything).value();
      const auto alone = TransformerPass<float>::create(one.config, layout, 11, 8, Keep::logits).value();
      const double loss = pass->run(weights, tokens.batch(), &first, 1)->loss;
      QCOMPARE(pass->run(weights, tokens.batch(), &again, 3)->loss, loss);
      QCOMPARE(again.values, first.values);
      QCOMPARE(alone->run(weights, tokens.batch(), nullptr, 2)->loss, loss);
    }
  }

  /// 2 · 64 (2 · 16 + 3 · 96) = 4 · 64 · 64 + 3 · 64 · 128.
  void as_many_parameters_as_an_ordinary_layer() {
    TransformerConfig config;
    const Index before = parameter_layout(config).value()->count;
    use_gated_layers(config);
    QCOMPARE(config.head_dim, Index{16});
    QCOMPARE(config.d_v, Index{96});
    QVERIFY(config.check());
    QCOMPARE(parameter_layout(config).value()->count, before);
    use_gated_layers(config, 8, 12);
    QCOMPARE(config.head_dim, Index{8});
    QCOMPARE(config.d_v, Index{12});
  }
};

VQSCOPE_TEST(GatedLayerTest)
#include "gated_layer_test.moc"
