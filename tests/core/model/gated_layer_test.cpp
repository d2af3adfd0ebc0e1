// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/shga_sizes.h"
#include "core/model/config/transformer_json.h"
#include "core/model/layer/silu.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/train/initial_weights.h"
#include "tests/core/model/central_differences.h"
#include "tests/core/model/gated_unit.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <array>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index vocab = 5;

TransformerConfig gated_config(PositionKind pos = PositionKind::nope, AttentionKind attn = AttentionKind::full) {
  TransformerConfig config{.vocab = vocab, .d_model = 6, .n_layers = 1, .n_heads = 1, .n_kv_heads = 1, .head_dim = 4};
  config.layer_kind = LayerDesign::shga;
  config.d_v = 7;
  config.pos = pos;
  config.attn = attn;
  config.window = 3;
  config.mask = "kv_idx == 0 or (q_idx - kv_idx) % 3 == 1 or q_idx > 5";
  config.n_code = 5;
  config.block_len = 2;
  config.max_pos = 9;
  return config;
}

struct GatedCase {
  const char* name;
  TransformerConfig config;
};

std::vector<GatedCase> gated_cases() {
  using P = PositionKind;
  using A = AttentionKind;
  std::vector<GatedCase> cases{{"nope", gated_config()},
                               {"rope", gated_config(P::rope)},
                               {"xpos in a window", gated_config(P::xpos, A::window)},
                               {"alibi with a mask", gated_config(P::alibi, A::mask)},
                               {"t5_bias", gated_config(P::t5_bias)},
                               {"kerple_log", gated_config(P::kerple_log)},
                               {"sandwich", gated_config(P::sandwich)},
                               {"learned", gated_config(P::learned)},
                               {"sinusoidal", gated_config(P::sinusoidal)},
                               {"vq", gated_config(P::vq, A::vq)},
                               {"vq without bias", gated_config(P::nope, A::vq)},
                               {"vq without cache", gated_config(P::vq, A::vq)}};
  cases.back().config.cache = false;
  return cases;
}

/// Weights that are all at work: those that begin at 0 or 1, or small, too.
Parameters<double> lively_weights(const TransformerConfig& config, std::uint64_t seed) {
  auto weights = initial_weights<double>(config, parameter_layout(config).value(), seed);
  SeededRandom random(seed + 100);
  for (double& value : weights.values) value += 0.2 * random.normal();
  for (Index i = 0; i < vocab * config.d_model; ++i) *weights.at(weights.layout->head + i) *= 5;
  if (config.pos == PositionKind::kerple_log) clamp_kerple(config, weights);
  return weights;
}

struct TokenRows {
  TokenRows(Index rows_, Index length_, std::uint64_t seed) : rows(rows_), length(length_) {
    SeededRandom random(seed);
    for (Index i = 0; i < rows * length; ++i) {
      tokens.push_back(static_cast<std::int32_t>(random.bits() % vocab));
      labels.push_back(static_cast<std::int32_t>(random.bits() % vocab));
    }
  }
  Batch batch() const { return {rows, length, tokens, labels}; }

  Index rows, length;
  std::vector<std::int32_t> tokens, labels;
};

Matrix matrix_of(const Parameters<double>& weights, const std::string& name) {
  const ParameterTensor& tensor = *weights.layout->find(name);
  const auto numbers = weights.tensor(tensor);
  const auto width = static_cast<std::size_t>(tensor.shape.back());
  Matrix rows;
  for (std::size_t at = 0; at < numbers.size(); at += width)
    rows.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(at),
                      numbers.begin() + static_cast<std::ptrdiff_t>(at + width));
  return rows;
}

/// RoPE of neighbours half a head apart, base 10000.
Vector rotated(Vector x, Index token) {
  const std::size_t half = x.size() / 2;
  for (std::size_t k = 0; k < half; ++k) {
    const double angle =
        static_cast<double>(token) * std::pow(10000, -static_cast<double>(k) / static_cast<double>(half));
    const double first = x[k], second = x[k + half];
    x[k] = first * std::cos(angle) - second * std::sin(angle);
    x[k + half] = second * std::cos(angle) + first * std::sin(angle);
  }
  return x;
}

GatedUnit unit_of(const TransformerConfig& config, const Parameters<double>& weights, Index number) {
  const std::string prefix = "model.layers." + std::to_string(number / 2) + ".gau." + std::to_string(number % 2) + ".";
  GatedUnit unit{.gain = matrix_of(weights, prefix + "input_layernorm.weight")[0],
                 .w_q = matrix_of(weights, prefix + "q_proj.weight"),
                 .w_k = matrix_of(weights, prefix + "k_proj.weight"),
                 .w_v = matrix_of(weights, prefix + "v_proj.weight"),
                 .w_g = matrix_of(weights, prefix + "g_proj.weight"),
                 .w_o = matrix_of(weights, prefix + "o_proj.weight")};
  if (config.pos == PositionKind::rope) unit.turn = rotated;
  if (config.pos == PositionKind::alibi) unit.bias = [](Index n) { return -static_cast<double>(n) / 256; };
  if (config.attn == AttentionKind::window) unit.sees = [](Index q, Index k) { return k <= q && q - k < 3; };
  if (!config.quantises()) return unit;
  unit.codebook = matrix_of(weights, prefix + "codebook_sum");
  const Vector counts = matrix_of(weights, prefix + "codebook_count")[0];
  for (std::size_t s = 0; s < counts.size(); ++s)
    for (double& value : unit.codebook[s]) value /= std::max(counts[s], 0.01);
  const Vector biases = matrix_of(weights, prefix + "vq_bias")[0];
  unit.bias = [biases](Index n) { return n < std::ssize(biases) ? biases[static_cast<std::size_t>(n)] : 0; };
  if (!config.cache) unit.sees = [&config](Index q, Index k) { return k <= q && q - k <= config.block_len; };
  return unit;
}

/// The loss of one row by the definition, with codewords of a moment held.
struct HeldLoss {
  struct Held {
    Matrix codewords;  ///< of each token
    Matrix apart;      ///< from its key
  };
  const TransformerConfig& config;
  const Parameters<double>& weights;
  const TokenRows& tokens;

  Matrix embedded() const {
    const Matrix embedding = matrix_of(weights, "model.embed_tokens.weight");
    Matrix x;
    for (const std::int32_t token : tokens.tokens) x.push_back(embedding[static_cast<std::size_t>(token)]);
    return x;
  }
  std::vector<Held> held() const {
    std::vector<Held> all;
    Matrix x = embedded();
    for (Index number = 0; number < config.attention_layers(); ++number) {
      const GatedUnit unit = unit_of(config, weights, number);
      Held& own = all.emplace_back();
      for (const Vector& row : x) {
        const Vector key = unit.query_or_key(unit.w_k, row);
        own.apart.push_back(own.codewords.emplace_back(unit.nearest(key)));
        for (std::size_t i = 0; i < key.size(); ++i) own.apart.back()[i] -= key[i];
      }
      x = unit.output(x);
    }
    return all;
  }
  double loss(const std::vector<Held>& all) const {
    Matrix x = embedded();
    double sum = 0;
    for (Index number = 0; number < config.attention_layers(); ++number) {
      const Held& own = all[static_cast<std::size_t>(number)];
      GatedUnit unit = unit_of(config, weights, number);
      unit.codebook.clear();
      unit.held = own.apart;
      for (std::size_t t = 0; t < x.size(); ++t) {
        const Vector key = unit.query_or_key(unit.w_k, x[t]);
        for (std::size_t i = 0; i < key.size(); ++i)
          sum += config.commit_beta * (key[i] - own.codewords[t][i]) * (key[i] - own.codewords[t][i]);
      }
      x = unit.output(x);
    }
    GatedUnit last;
    last.gain = matrix_of(weights, "model.norm.weight")[0];
    for (std::size_t t = 0; t < x.size(); ++t) {
      const Vector logits = GatedUnit::times(matrix_of(weights, "lm_head.weight"), last.x_tilde(x[t]));
      double exponentials = 0;
      for (const double logit : logits) exponentials += std::exp(logit);
      sum += std::log(exponentials) - logits[static_cast<std::size_t>(tokens.labels[t])];
    }
    return sum / static_cast<double>(x.size());
  }
};

}  // namespace

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

  /// Two tokens of width 1: the norm leaves their signs. With w = ln 3, silu(w) = 3/4 w and silu(-w) = -1/4 w. Token 1
  /// scores -1 + (2 + w) for token 0 and 1 for itself: weights 3/4 and 1/4, so that wv = w / 2.
  void unit_by_hand() {
    const double w = std::log(3.0);
    GatedUnit unit{.gain = {1}, .w_q = {{2}}, .w_k = {{5}}, .w_v = {{w}}, .w_g = {{w}}, .w_o = {{8}}, .eps = 0};
    unit.bias = [&](Index distance) { return static_cast<double>(distance) * (2 + w); };
    const Matrix y = unit.output({{1}, {-2}});
    QVERIFY(std::abs(y[0][0] - (1 + 8 * 0.75 * w * 0.75 * w)) < 1e-14);
    QVERIFY(std::abs(y[1][0] - (-2 + 8 * 0.5 * w * -0.25 * w)) < 1e-14);

    TransformerConfig config = gated_config(PositionKind::kerple_log);
    config.vocab = 2, config.d_model = config.head_dim = config.d_v = 1, config.eps = 1e-30;
    auto weights = zeros_of<double>(parameter_layout(config).value());
    std::ranges::fill(weights.values, 1.0);
    const LayerOffsets& at = weights.layout->layers[0];
    *weights.at(weights.layout->embedding + 1) = -2;
    *weights.at(at.kerple_r1) = -(2 + w);
    *weights.at(at.kerple_r2) = std::exp(1.0) - 1;
    const auto pass = TransformerPass<double>::create(config, weights.layout, 1, 2, Keep::everything).value();
    const std::vector<std::int32_t> tokens{0, 1};
    QVERIFY(pass->run(weights, {1, 2, tokens}, nullptr, 1));
    QVERIFY(std::abs(pass->weights(0, 0, 0, 1)[0] - 0.75) < 1e-14);
    QVERIFY(std::abs(pass->weights(0, 0, 0, 1)[1] - 0.25) < 1e-14);
  }

  void fast_path_is_the_definition_data() {
    QTest::addColumn<int>("number");
    const std::vector<GatedCase> cases = gated_cases();
    for (std::size_t i = 0; i < cases.size(); ++i)
      for (const char* name : {"nope", "rope", "vq", "vq without cache"})
        if (std::string(cases[i].name) == name) QTest::newRow(name) << static_cast<int>(i);
  }
  void fast_path_is_the_definition() {
    QFETCH(int, number);
    TransformerConfig config = gated_cases()[static_cast<std::size_t>(number)].config;
    config.n_layers = 2;
    for (const std::uint64_t seed : {1, 2, 3}) {
      const auto weights = lively_weights(config, seed);
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
    auto weights = lively_weights(config, 4);
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

  /// The straight-through estimator: keys plus what their codewords were apart from them, which is held. Every tensor
  /// against the definition's differences; commitment pulls keys to their held codewords.
  void gradients_of_quantised_keys() {
    TransformerConfig config = gated_config(PositionKind::vq, AttentionKind::vq);
    config.grad_mode = VqGradient::dense_ste;
    config.commit_beta = 0.3;
    auto weights = lively_weights(config, 4);
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
