// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/layers.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/position/distance_bias.h"
#include "core/model/position/positions.h"
#include "tests/core/model/vq/vq_models.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Logits, then the gradient.
template <class Real>
std::vector<Real> vq_numbers(const TransformerConfig& config, Keep keep) {
  const auto layout = parameter_layout(config).value();
  const auto weights = vq_weights<Real>(config, layout);
  const auto tokens = vq_tokens();
  auto gradient = zeros_of<Real>(layout);
  const auto pass = TransformerPass<Real>::create(config, layout, 3, vq_length, keep).value();
  pass->run(weights, Batch{3, vq_length, tokens, tokens}, &gradient, 2).value();
  for (Index row = 0; row < 3; ++row)
    gradient.values.insert(gradient.values.end(), pass->logits(row).begin(), pass->logits(row).end());
  return gradient.values;
}

/// Scores of one head in the first layer by their definition, one at a time, from un-rotated normalised queries and
/// codewords.
class VqDefinition {
 public:
  VqDefinition(const TransformerConfig& config, const Parameters<double>& weights) : m_config(config), m_full(config) {
    m_full.attn = AttentionKind::full;
    const DistanceBias<double> bias(m_full, vq_length);
    m_by_position = bias.by_position();
    if (!bias.none() && config.pos != PositionKind::vq) {
      m_bias.resize(static_cast<std::size_t>(bias.size()));
      bias.forward(weights, 0, m_bias.data());
    }
    const LayerOffsets& at = weights.layout->layers.front();
    if (config.pos == PositionKind::vq) m_vq_bias = weights.at(at.vq_bias);
    if (config.pos == PositionKind::xl) m_u = weights.at(at.xl_u), m_v = weights.at(at.xl_v), m_r = weights.at(at.xl_r);
  }

  double score(Index head, Index query, Index distance, const double* q, const double* k) const {
    const Index counted = std::min(distance, m_config.block_len), n = m_config.head_dim;
    double sum = m_config.rotates() ? rotated(counted, q, k) : 0;
    if (m_config.pos == PositionKind::xl) return xl(head, distance, q, k);
    for (Index i = 0; i < n && !m_config.rotates(); ++i) sum += q[i] * k[i];
    if (m_vq_bias && distance <= m_config.block_len) sum += m_vq_bias[head * (m_config.block_len + 1) + distance];
    if (m_bias.empty()) return sum;
    const Index row = m_by_position ? head * vq_length + query : head;
    return sum + m_bias[static_cast<std::size_t>(row * vq_length + counted)];
  }

 private:
  /// The query turned by the angles of a distance; YaRN's factor counts twice, as for two rotated vectors.
  double rotated(Index distance, const double* q, const double* k) const {
    const auto tables = rotary_tables<double>(m_full, std::array{static_cast<std::int32_t>(distance)});
    const double factor = m_config.rope_scaling == "yarn" ? 0.1 * std::log(m_config.rope_factor) + 1 : 1;
    const Index half = m_config.head_dim / 2;
    double sum = 0;
    for (Index i = 0; i < half; ++i) {
      const double cos = tables.query_cos[static_cast<std::size_t>(i)];
      const double sin = tables.query_sin[static_cast<std::size_t>(i)];
      sum += factor * ((q[i] * cos - q[i + half] * sin) * k[i] + (q[i + half] * cos + q[i] * sin) * k[i + half]);
    }
    return sum;
  }

  double xl(Index head, Index distance, const double* q, const double* k) const {
    const Index n = m_config.head_dim, d = m_config.d_model;
    const double scale = std::pow(static_cast<double>(n), -0.25);
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      sum += (q[i] + scale * m_u[head * n + i]) * k[i];
      double r = 0;
      for (Index c = 0; c < d; ++c) {
        const double frequency =
            std::pow(m_config.xl_base, -2.0 * static_cast<double>(c % (d / 2)) / static_cast<double>(d));
        const double angle = static_cast<double>(distance) * frequency;
        r += m_r[(head * n + i) * d + c] * (c < d / 2 ? std::sin(angle) : std::cos(angle));
      }
      if (distance <= m_config.block_len) sum += (q[i] + scale * m_v[head * n + i]) * scale * r;
    }
    return sum;
  }

  TransformerConfig m_config, m_full;
  std::vector<double> m_bias;
  bool m_by_position = false;
  const double *m_vq_bias = nullptr, *m_u = nullptr, *m_v = nullptr, *m_r = nullptr;
};

}  // namespace

class VqPositionsTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void weights_follow_the_definition_data() { add_encodings(); }
  void weights_follow_the_definition() {
    QFETCH(QString, encoding);
    for (const std::string& heads : vq_heads)
      for (const char* cache : {R"(, "block_len": 3)", R"(, "block_len": 6, "cache": false)"}) {
        const TransformerConfig config = vq_model(encoding.toStdString(), heads, cache);
        const auto layout = parameter_layout(config).value();
        const auto weights = vq_weights<double>(config, layout);
        const auto tokens = vq_tokens();
        const Batch batch{3, vq_length, tokens, tokens};
        const auto pass = TransformerPass<double>::create(config, layout, 3, vq_length, Keep::everything).value();
        pass->run(weights, batch, nullptr, 1).value();
        // The same model without positions in its scores has queries as they are before.
        TransformerConfig plain = config;
        plain.bias = PositionKind::nope;
        plain.rope_scaling = "default";
        if (plain.pos != PositionKind::sinusoidal && plain.pos != PositionKind::learned) plain.pos = PositionKind::nope;
        auto plain_weights = zeros_of<double>(parameter_layout(plain).value());
        for (const ParameterTensor& tensor : plain_weights.layout->tensors)
          std::ranges::copy(weights.tensor(*layout->find(tensor.name)), plain_weights.tensor(tensor).begin());
        const auto same = TransformerPass<double>::create(plain, plain_weights.layout, 3, vq_length, Keep::everything);
        (*same)->run(plain_weights, batch, nullptr, 1).value();
        const VqDefinition definition(config, weights);
        for (Index head = 0; head < config.n_heads; ++head)
          for (Index query = 0; query < vq_length; ++query)
            compare(config, definition, *pass, (*same)->queries(0, 1).data(), head, query);
      }
  }

  void linear_and_quadratic_form_agree_data() { add_encodings(); }
  void linear_and_quadratic_form_agree() {
    QFETCH(QString, encoding);
    for (const std::string& heads : vq_heads)
      for (const char* mode : {R"("dense_ste")", R"("through_cache")", R"("truncated", "backprop_blocks": 3)"})
        for (const char* block : {"1", "3", "8"}) {
          const TransformerConfig config = vq_model(
              encoding.toStdString(), heads, std::string(R"(, "block_len": )") + block + R"(, "grad_mode": )" + mode);
          QVERIFY(attends_by_codes(config, vq_length, Keep::gradients));
          const double difference =
              apart(vq_numbers<double>(config, Keep::gradients), vq_numbers<double>(config, Keep::everything));
          QVERIFY2(difference < 1e-12, qPrintable(QString::number(difference)));
          const double single =
              apart(vq_numbers<float>(config, Keep::gradients), vq_numbers<float>(config, Keep::everything));
          QVERIFY2(single < 1e-5, qPrintable(QString::number(single)));
        }
  }

  /// By the weight of every key, and by the linear form.
  void share_of_the_cache_data() { add_encodings(); }
  void share_of_the_cache() {
    QFETCH(QString, encoding);
    constexpr Index block = 3;
    const auto tokens = vq_tokens();
    auto labels = tokens;
    for (std::size_t i = 0; i < labels.size(); i += 2) labels[i] = uncounted_label;
    for (const std::string& heads : vq_heads) {
      const TransformerConfig config = vq_model(encoding.toStdString(), heads, R"(, "block_len": 3)");
      const auto layout = parameter_layout(config).value();
      const auto weights = vq_weights<double>(config, layout);
      const Batch batch{3, vq_length, tokens, labels};
      const auto pass = TransformerPass<double>::create(config, layout, 3, vq_length, Keep::everything).value();
      const auto shares = pass->run(weights, batch, nullptr, 2).value().cache_shares;
      QCOMPARE(std::ssize(shares), config.attention_layers());
      for (Index layer = 0; layer < config.attention_layers(); ++layer) {
        double sum = 0;
        for (Index i = 1; i < 3 * vq_length; i += 2)
          for (Index head = 0; head < config.n_heads; ++head) {
            const Index row = i / vq_length, query = i % vq_length;
            const auto p = pass->weights(layer, row, head, query);
            for (Index key = 0; key < (query / block - 1) * block; ++key) sum += p[static_cast<std::size_t>(key)];
          }
        const double mean = sum / static_cast<double>(config.n_heads * (3 * vq_length / 2));
        QVERIFY(std::abs(shares[static_cast<std::size_t>(layer)] - mean) < 1e-12);
      }
      for (const Keep keep : {Keep::logits, Keep::gradients}) {
        const auto linear = TransformerPass<double>::create(config, layout, 3, vq_length, keep).value();
        const auto own = linear->run(weights, batch, nullptr, 2).value().cache_shares;
        QVERIFY(apart(own, shares) < 1e-12);
      }
    }
  }

 private:
  static void add_encodings() {
    QTest::addColumn<QString>("encoding");
    for (const std::string& encoding : vq_encodings)
      QTest::newRow(encoding.c_str()) << QString::fromStdString(encoding);
  }

  static void compare(const TransformerConfig& config, const VqDefinition& definition,
                      const TransformerPass<double>& pass, const double* queries, Index head, Index query) {
    const Index kv_head = head / (config.n_heads / config.n_kv_heads), n = config.head_dim;
    std::vector<double> wanted(vq_length);
    double sum = 0;
    for (Index key = config.cache ? 0 : std::max<Index>(0, query - config.block_len); key <= query; ++key) {
      const Index code = pass.codes(0, 1)[static_cast<std::size_t>(kv_head * vq_length + key)];
      const double* k = pass.codebook(0).data() + (kv_head * config.n_code + code) * n;
      const double* q = queries + (query * config.n_heads + head) * n;
      sum += wanted[static_cast<std::size_t>(key)] = std::exp(definition.score(head, query, query - key, q, k));
    }
    const auto own = pass.weights(0, 1, head, query);
    for (std::size_t key = 0; key < wanted.size(); ++key) QVERIFY(std::abs(own[key] - wanted[key] / sum) < 1e-12);
  }
};

VQSCOPE_TEST(VqPositionsTest)
#include "vq_positions_test.moc"
