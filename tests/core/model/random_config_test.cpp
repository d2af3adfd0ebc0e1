// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/model/generate/decoder.h"
#include "core/model/position/relative_bias.h"
#include "core/model/train/initial_weights.h"
#include "core/model/train/trainer.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace vqscope;

namespace {

constexpr int layer_kinds = 2, position_kinds = 10, attention_kinds = 8;
constexpr Index drawn_vocab = 7, drawn_rows = 2, drawn_length = 11;

/// A config of the given kinds whose sizes and other choices are random; not every one passes its
/// check.
TransformerConfig drawn_config(int layer, int pos, int attn, SeededRandom& random) {
  const auto below = [&](std::uint64_t n) { return static_cast<Index>(random.bits() % n); };
  TransformerConfig c{.vocab = drawn_vocab, .d_model = 6 + below(3), .n_layers = 1 + below(2)};
  c.layer_kind = static_cast<ModelLayerKind>(layer);
  c.pos = static_cast<PositionKind>(pos);
  const auto biases = relative_bias_choices();
  c.relative_bias = biases[static_cast<std::size_t>(below(biases.size()))].id;
  c.attn = static_cast<AttentionKind>(attn);
  c.n_kv_heads = 1 + below(2);
  c.n_heads = c.gated() && below(4) > 0 ? c.n_kv_heads = 1 : c.n_kv_heads * (1 + below(2));
  if (c.quantises() && below(4) > 0) c.n_kv_heads = c.n_heads;
  c.head_dim = 3 + below(3);
  c.d_ff = 5;
  c.d_v = c.gated() ? 3 + below(5) : 0;
  c.mlp = static_cast<MlpKind>(below(2));
  c.tie_word_embeddings = below(3) == 0;
  c.qk_bias = !c.gated() && below(3) == 0;
  if (c.rotates() && below(2) == 0) c.bias = static_cast<PositionKind>(3 + below(3));
  if (c.rotates()) c.rope_scaling = std::array{"default", "linear", "ntk", "yarn"}[static_cast<std::size_t>(below(4))];
  c.rope_factor = 4;
  c.original_max_position = 8;
  if (c.pos == PositionKind::rope && below(4) == 0) c.rerope_window = 1 + below(6);
  c.max_pos = drawn_length + below(3);
  c.t5_buckets = 4 + below(4);
  c.t5_max_distance = 16;
  c.sandwich_dim = 8;
  c.fire_threshold = 4;
  c.window = 1 + below(6);
  c.mask = below(2) == 0 ? "kv_idx == 0 or (q_idx - kv_idx) % 3 == 1" : "q_idx > 5";
  c.n_code = 2 + below(4);
  c.block_len = 1 + below(5);
  c.cache = below(3) > 0;
  c.grad_mode = static_cast<VqGradient>(below(3));
  c.backprop_blocks = 1 + below(2);
  c.segment = 1 + below(6);
  c.memory = below(6);
  c.same_length = c.attn == AttentionKind::xl && below(3) == 0;
  c.clamp_len = c.pos == PositionKind::xl ? below(6) : 0;
  c.top_k = 1 + below(3);
  if (below(2) == 0) c.memory_layers = {below(static_cast<std::uint64_t>(c.n_layers))};
  return c;
}

/// Weights that all matter: those that begin at 0 or 1 too.
Parameters<double> drawn_weights(const TransformerConfig& config, SeededRandom& random) {
  auto weights = zeros_of<double>(parameter_layout(config).value());
  for (double& value : weights.values) value = 0.2 + 0.4 * random.normal();
  clamp_learnt_bias(config, weights);
  return weights;
}

std::vector<std::int32_t> drawn_tokens(SeededRandom& random) {
  std::vector<std::int32_t> tokens;
  for (Index i = 0; i < drawn_rows * drawn_length; ++i)
    tokens.push_back(static_cast<std::int32_t>(random.bits() % drawn_vocab));
  return tokens;
}

/// Kinds whose memory or codewords are constants of the gradient have no derivative to compare
/// with.
bool is_differentiable(const TransformerConfig& c) {
  return c.attn != AttentionKind::vq && c.attn != AttentionKind::xl && c.attn != AttentionKind::memorizing;
}

class DrawnModel {
 public:
  DrawnModel(const TransformerConfig& config, SeededRandom& random)
      : m_config(config),
        m_weights(drawn_weights(config, random)),
        m_tokens(drawn_tokens(random)),
        m_labels(drawn_tokens(random)),
        m_random(random) {}

  /// Error of the model; empty: none.
  QString fault() {
    if (auto text = decoding_fault(); !text.isEmpty()) return text;
    if (m_config.rerope_window == 0 && is_differentiable(m_config))
      if (auto text = gradient_fault(); !text.isEmpty()) return text;
    return training_fault();
  }

 private:
  using Pass = TransformerPass<double>;
  Batch batch() const { return {drawn_rows, drawn_length, m_tokens, m_labels}; }
  std::unique_ptr<Pass> pass(Keep keep) const {
    return Pass::create(m_config, m_weights.layout, drawn_rows, drawn_length, keep).value();
  }

  /// Every kind of pass has the logits that the first row has token by token.
  QString decoding_fault() const {
    const auto decoder = Decoder<double>::create(m_config, m_weights, drawn_length).value();
    std::vector<double> logits;
    for (std::size_t t = 0; t < drawn_length; ++t) {
      const auto own = decoder->read(m_tokens[t]);
      logits.insert(logits.end(), own.begin(), own.end());
    }
    for (const Keep keep : {Keep::everything, Keep::gradients, Keep::logits}) {
      const auto own = pass(keep);
      if (auto run = own->run(m_weights, batch(), nullptr, 1); !run) return QString::fromStdString(run.error().message);
      double largest = 0;
      for (std::size_t i = 0; i < logits.size(); ++i)
        largest = std::fmax(largest, std::abs(logits[i] - own->logits(0)[i]));
      if (!(largest < 1e-9))
        return QString("pass %1 and decoder differ by %2").arg(static_cast<int>(keep)).arg(largest);
    }
    return {};
  }

  /// The gradient along a random direction is the slope of the loss.
  QString gradient_fault() {
    const auto own = pass(Keep::everything);
    auto gradient = zeros_of<double>(m_weights.layout);
    if (auto run = own->run(m_weights, batch(), &gradient, 1); !run) return QString::fromStdString(run.error().message);
    const Parameters<double> at = m_weights;
    std::vector<double> direction;
    double along = 0;
    for (const double value : gradient.values) along += value * direction.emplace_back(m_random.normal());
    const auto loss = [&](double step) {
      for (std::size_t i = 0; i < direction.size(); ++i) m_weights.values[i] = at.values[i] + step * direction[i];
      return own->run(m_weights, batch(), nullptr, 1).value().loss;
    };
    constexpr double step = 1e-5;
    const double slope = (8 * (loss(step) - loss(-step)) - (loss(2 * step) - loss(-2 * step))) / (12 * step);
    m_weights = at;
    // FIRE's ReLU has kinks within the steps.
    const bool kinks = m_config.score_bias() == PositionKind::fire;
    if (std::abs(slope - along) < (kinks ? 1e-2 : 1e-5) * (1 + std::abs(along))) return {};
    return QString("the gradient is %1, the slope %2").arg(along).arg(slope);
  }

  QString training_fault() const {
    TrainerOptions options{.rate = {.lr_max = 1e-3, .warmup_steps = 1, .total_steps = 2}};
    options.optimiser = static_cast<OptimiserKind>(m_config.d_model % 2);
    options.dropout = options.layerdrop = m_config.n_layers == 2 ? 0.2 : 0;
    Trainer<float> trainer(m_config, initial_weights<float>(m_config, m_weights.layout, 3), options);
    for (int step = 0; step < 2; ++step) {
      const auto done = trainer.step(batch(), 2);
      const bool rerope = m_config.rerope_window > 0;
      if (rerope && !done && done.error().message.ends_with("must be 0 for gradients: ReRoPE is for evaluation"))
        return {};
      if (rerope) return "ReRoPE was trained";
      if (!done) return QString::fromStdString(done.error().message);
    }
    return {};
  }

  const TransformerConfig& m_config;
  Parameters<double> m_weights;
  std::vector<std::int32_t> m_tokens, m_labels;
  SeededRandom& m_random;
};

}  // namespace

/// Every combination of layer, position and attention, with random sizes: refused with a sentence,
/// or decoded, differentiated and trained.
class RandomConfigTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void works_or_is_refused_data() {
    QTest::addColumn<int>("layer");
    QTest::addColumn<int>("pos");
    for (int layer = 0; layer < layer_kinds; ++layer)
      for (int pos = 0; pos < position_kinds; ++pos)
        QTest::addRow("layer kind %d, position %d", layer, pos) << layer << pos;
  }
  void works_or_is_refused() {
    QFETCH(int, layer);
    QFETCH(int, pos);
    SeededRandom random(static_cast<std::uint64_t>(100 * layer + pos));
    int worked = 0;
    for (int i = 0; i < 3 * attention_kinds; ++i) {
      const TransformerConfig config = drawn_config(layer, pos, i % attention_kinds, random);
      if (const auto checked = config.check(); !checked) {
        QVERIFY(!checked.error().message.empty());
        continue;
      }
      const QString fault = DrawnModel(config, random).fault();
      QVERIFY2(fault.isEmpty(),
               qPrintable(QString("attention %1, draw %2: %3").arg(i % attention_kinds).arg(i).arg(fault)));
      ++worked;
    }
    QVERIFY(worked > 0);
  }
};

VQSCOPE_TEST(RandomConfigTest)
#include "random_config_test.moc"
