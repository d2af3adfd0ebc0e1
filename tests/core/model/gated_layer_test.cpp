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

  /// Two tokens of width 1, whose norm is 1. With w = ln 3, silu(w) = 3/4 w. Queries and keys are 1, so that token 1
  /// weighs both tokens alike; only the signs of tokens differ: v = 3/4 w and -1/4·(-w).
  void unit_by_hand() {
    const double w = std::log(3.0);
    const GatedUnit unit{.gain = {1}, .w_q = {{2}}, .w_k = {{0}}, .w_v = {{w}}, .w_g = {{w}}, .w_o = {{8}}, .eps = 0};
    GatedUnit alike = unit;
    alike.eps = 1e-6;  // keys are 0: every score is 0
    const Matrix y = alike.output({{1}, {-2}});
    // v_0 = 0.75 w, v_1 = silu(-w) = -0.25 w, g likewise.
    QVERIFY(std::abs(y[0][0] - (1 + 8 * 0.75 * w * 0.75 * w)) < 1e-5);
    QVERIFY(std::abs(y[1][0] - (-2 + 8 * (0.75 - 0.25) / 2 * w * -0.25 * w)) < 1e-5);
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
      if (config.pos == PositionKind::nope) config.attn = AttentionKind::full;
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

  /// Codes fixed, every codeword moves with its keys: each tensor but the keys' by differences, as only these jump.
  void gradients_of_quantised_keys() {
    for (const GatedCase& one : gated_cases()) {
      if (!one.config.quantises()) continue;
      auto weights = lively_weights(one.config, 4);
      auto gradient = zeros_of<double>(weights.layout);
      const TokenRows tokens(3, 7, 4);
      TransformerConfig config = one.config;
      config.n_layers = 1;
      config.commit_beta = 0;
      const auto pass = TransformerPass<double>::create(config, weights.layout, 3, 7, Keep::everything).value();
      QVERIFY(pass->run(weights, tokens.batch(), &gradient, 1));
      // Of the second unit, below which nothing is quantised any more, and of what comes after it.
      for (const char* name : {"model.layers.0.gau.1.q_proj.weight", "model.layers.0.gau.1.v_proj.weight",
                               "model.layers.0.gau.1.g_proj.weight", "model.layers.0.gau.1.o_proj.weight",
                               "model.norm.weight", "lm_head.weight", "model.layers.0.gau.1.vq_bias"}) {
        const ParameterTensor* tensor = weights.layout->find(name);
        if (!tensor) continue;
        const auto of_tensor = gradient.tensor(*tensor);
        const auto place = weights.tensor(*tensor);
        Doubles at(place.begin(), place.end());
        const double error = gradient_error(Doubles(of_tensor.begin(), of_tensor.end()), at, [&] {
          std::ranges::copy(at, place.begin());
          return pass->run(weights, tokens.batch(), nullptr, 1).value().loss;
        });
        std::ranges::copy(at, place.begin());
        QVERIFY2(error < gradient_limit, qPrintable(QString("%1, %2: %3").arg(one.name, name).arg(error)));
      }
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
