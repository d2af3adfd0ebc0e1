// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/transformer_pass.h"
#include "tests/core/model/central_differences.h"
#include "tests/core/model/vq/vq_models.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index rows_in_segments = 3;
constexpr const char* window_of_two = R"(, "block_len": 4, "grad_mode": "truncated", "backprop_blocks": 2)";

/// What a pass over sequences gives, whole or in segments.
template <class Real>
struct Passed {
  std::vector<Real> logits;  ///< [rows, length, vocab]
  double ce = 0;             ///< sums over the tokens
  double commit = 0;
  std::vector<double> shares = {};
  std::vector<double> gradient = {};  ///< of the mean over the tokens
};

/// In segments of these lengths; with gradients, of each segment's mean loss.
template <class Real>
Passed<Real> in_segments(const TransformerConfig& config, const std::vector<std::int32_t>& tokens,
                         const std::vector<Index>& segments, bool gradients = false) {
  const auto layout = parameter_layout(config).value();
  const auto weights = vq_weights<Real>(config, layout);
  const Index length = std::ssize(tokens) / rows_in_segments;
  const Index carried = segments.size() > 1 ? carried_tokens(config) : 0;
  const auto all = static_cast<double>(std::ssize(tokens));
  Passed<Real> passed{.logits = std::vector<Real>(static_cast<std::size_t>(std::ssize(tokens) * config.vocab))};
  CarriedState<Real> state(config, rows_in_segments);
  Index begin = 0;
  for (const Index size : segments) {
    const auto part = columns_of(tokens, length, {begin, begin + size});
    const Batch batch{rows_in_segments, size, part, part};
    const auto pass = TransformerPass<Real>::create(config, layout, rows_in_segments, size,
                                                    gradients ? Keep::gradients : Keep::logits, carried)
                          .value();
    auto gradient = zeros_of<Real>(layout);
    Parameters<Real>* wanted = gradients ? &gradient : nullptr;
    const auto losses =
        (carried > 0 ? pass->run_segment(weights, batch, state, wanted, 2) : pass->run(weights, batch, wanted, 2))
            .value();
    const auto counted = static_cast<double>(rows_in_segments * size);
    passed.ce += losses.ce_loss * counted;
    passed.commit += losses.commit_loss * counted;
    passed.shares.resize(losses.cache_shares.size());
    for (std::size_t i = 0; i < passed.shares.size(); ++i) passed.shares[i] += losses.cache_shares[i] * counted;
    passed.gradient.resize(gradient.values.size());
    for (std::size_t i = 0; i < gradient.values.size(); ++i)
      passed.gradient[i] += static_cast<double>(gradient.values[i]) * counted / all;
    for (Index row = 0; row < rows_in_segments; ++row)
      std::ranges::copy(pass->logits(row), passed.logits.begin() + (row * length + begin) * config.vocab);
    begin += size;
  }
  return passed;
}

void compare_with_whole(const TransformerConfig& config, const std::vector<Index>& segments) {
  const Index length = std::accumulate(segments.begin(), segments.end(), Index{0});
  auto tokens = vq_tokens();
  tokens.resize(static_cast<std::size_t>(rows_in_segments * length));
  const auto whole = in_segments<double>(config, tokens, {length});
  const auto parts = in_segments<double>(config, tokens, segments);
  const double difference = apart(parts.logits, whole.logits);
  QVERIFY2(difference < 1e-12, qPrintable(QString::number(difference)));
  QVERIFY(std::abs(parts.ce - whole.ce) < 1e-12 * whole.ce);
  QVERIFY(std::abs(parts.commit - whole.commit) <= 1e-12 * whole.commit);
  QCOMPARE(parts.shares.size(), whole.shares.size());
  if (!whole.shares.empty()) QVERIFY(apart(parts.shares, whole.shares) < 1e-12);
  const double single =
      apart(in_segments<float>(config, tokens, segments).logits, in_segments<float>(config, tokens, {length}).logits);
  QVERIFY2(single < 1e-5, qPrintable(QString::number(single)));
}

}  // namespace

/// A pass over segments of a sequence, with the state of attention carried from one to the next.
class CarriedStateTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void segments_of_vq_attention_data() { add_all_encodings(); }
  void segments_of_vq_attention() {
    QFETCH(QString, encoding);
    for (const std::string& heads : vq_heads)
      for (const char* cache : {R"(, "block_len": 4)", R"(, "block_len": 4, "cache": false)"}) {
        const TransformerConfig config = vq_model(encoding.toStdString(), heads, cache);
        for (const std::vector<Index>& segments : {std::vector<Index>{4, 8, 20, 9}, {12, 12, 12, 1}, {36, 5}})
          compare_with_whole(config, segments);
      }
  }

  void segments_of_other_attention_data() {
    QTest::addColumn<QString>("attention");
    for (const char* attention :
         {R"("attn": "window", "window": 9, "pos": "rope")", R"("attn": "window", "window": 70, "pos": "alibi")",
          R"("attn": "window", "window": 9, "pos": "fire", "fire_threshold": 9)",
          R"("attn": "xl", "segment": 8, "memory": 8, "pos": "xl")",
          R"("attn": "xl", "segment": 8, "memory": 13, "same_length": true, "pos": "xl")"})
      QTest::newRow(attention) << attention;
  }
  void segments_of_other_attention() {
    QFETCH(QString, attention);
    const std::string text =
        R"({"vocab": 11, "d_model": 12, "n_layers": 2, "n_heads": 4, "n_kv_heads": 2, "head_dim": 4, "d_ff": 7, )" +
        attention.toStdString() + "}";
    const TransformerConfig config = read_transformer_config(read_json(text).value()).value();
    const Index unit = segment_unit(config);
    auto tokens = vq_tokens();
    while (std::ssize(tokens) < rows_in_segments * (4 * unit + 3)) tokens.push_back(tokens[tokens.size() - 100]);
    tokens.resize(static_cast<std::size_t>(rows_in_segments * (4 * unit + 3)));
    const auto whole = in_segments<double>(config, tokens, {4 * unit + 3});
    const auto parts = in_segments<double>(config, tokens, {unit, 2 * unit, unit, 3});
    QVERIFY(apart(parts.logits, whole.logits) < 1e-12);
  }

  void attention_without_bounded_state() {
    for (const AttentionKind attn : {AttentionKind::full, AttentionKind::memorizing, AttentionKind::infini_linear})
      QCOMPARE(carried_tokens(TransformerConfig{.attn = attn}), Index{0});
  }

  /// With weights that do not change, gradients that end at windows are the same for windows one after the other.
  void windows_have_the_truncated_gradient_data() { add_all_encodings(); }
  void windows_have_the_truncated_gradient() {
    QFETCH(QString, encoding);
    auto tokens = vq_tokens();
    tokens.resize(rows_in_segments * 40);
    for (const std::string& heads : vq_heads) {
      const TransformerConfig config = vq_model(encoding.toStdString(), heads, window_of_two);
      const auto whole = in_segments<double>(config, tokens, {40}, true);
      const auto windows = in_segments<double>(config, tokens, {8, 8, 8, 8, 8}, true);
      const double difference = apart(windows.gradient, whole.gradient);
      QVERIFY2(difference < 1e-12, qPrintable(QString::number(difference)));
      TransformerConfig through = config;
      through.grad_mode = VqGradient::through_cache;
      QVERIFY(apart(in_segments<double>(through, tokens, {8, 8, 8, 8, 8}, true).gradient, whole.gradient) < 1e-12);
    }
  }

  /// Of parameters that keys do not depend on, since a key's gradient passes straight through its codeword.
  void gradient_by_central_differences_data() { add_all_encodings(); }
  void gradient_by_central_differences() {
    QFETCH(QString, encoding);
    TransformerConfig config = vq_model(encoding.toStdString(), vq_heads[1], window_of_two);
    config.n_layers = 1;
    const auto layout = parameter_layout(config).value();
    auto weights = vq_weights<double>(config, layout);
    const auto tokens = vq_tokens();
    const auto pass =
        TransformerPass<double>::create(config, layout, rows_in_segments, 8, Keep::gradients, carried_tokens(config))
            .value();
    CarriedState<double> before(config, rows_in_segments);
    const auto loss = [&](Index begin, CarriedState<double>& state, Parameters<double>* gradient) {
      const auto part = columns_of(tokens, vq_length, {begin, begin + 8});
      return pass->run_segment(weights, {rows_in_segments, 8, part, part}, state, gradient, 1).value().ce_loss;
    };
    loss(0, before, nullptr);
    loss(8, before, nullptr);
    auto gradient = zeros_of<double>(layout);
    CarriedState<double> state = before;
    loss(16, state, &gradient);
    for (const ParameterTensor& tensor : layout->tensors) {
      const bool of_keys =
          std::ranges::any_of(std::array{"k_proj", "embed", "input_layernorm", "position"},
                              [&](const char* part) { return tensor.name.find(part) != std::string::npos; });
      if (of_keys || tensor.offset >= layout->learnt) continue;
      const Index some = tensor.offset + tensor.count / 2;
      auto& value = weights.values[static_cast<std::size_t>(some)];
      const auto at = [&](double by) {
        const double old = std::exchange(value, value + by);
        CarriedState<double> constant = before;
        const double sum = loss(16, constant, nullptr);
        value = old;
        return sum;
      };
      constexpr double step = 1e-5;  // short, for the kinks of ReLU
      const double slope = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
      const double own = gradient.values[static_cast<std::size_t>(some)];
      QVERIFY2(std::abs(own - slope) < 1e-8 + 1e-6 * std::abs(slope), qPrintable(QString::fromStdString(tensor.name)));
    }
  }

 private:
  static void add_all_encodings() {
    QTest::addColumn<QString>("encoding");
    for (const std::string& encoding : vq_encodings)
      QTest::newRow(encoding.c_str()) << QString::fromStdString(encoding);
  }
};

VQSCOPE_TEST(CarriedStateTest)
#include "carried_state_test.moc"
