// SPDX-License-Identifier: GPL-3.0-or-later
// Learnt vectors a and b that are added to queries and keys: (R_m (q + a)) · (R_n (k + b)).
#include "core/io/json/json_reader.h"
#include "core/model/config/transformer_json.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/train/initial_weights.h"
#include "tests/core/model/central_differences.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index bias_length = 9;

TransformerConfig biased_config(const std::string& more, bool biased = true) {
  const std::string text =
      R"({"vocab": 7, "d_model": 8, "n_layers": 2, "n_heads": 4, "n_kv_heads": 2, "head_dim": 4, "d_ff": 5, )" +
      std::string(biased ? R"("qk_bias": true, )" : "") + more + "}";
  return read_transformer_config(read_json(text).value()).value();
}

std::vector<std::int32_t> bias_tokens() {
  std::vector<std::int32_t> tokens;
  SeededRandom random(8);
  for (Index i = 0; i < 2 * bias_length; ++i) tokens.push_back(static_cast<std::int32_t>(random.bits() % 7));
  return tokens;
}

Parameters<double> biased_weights(const TransformerConfig& config) {
  auto weights = initial_weights<double>(config, parameter_layout(config).value(), 5);
  SeededRandom random(6);  // those that begin at 0 matter too
  for (double& value : weights.values) value += 0.3 * random.normal();
  clamp_learnt_bias(config, weights);
  return weights;
}

struct PassResult {
  double loss = 0;
  Doubles gradient, logits;
};

PassResult passed(const TransformerConfig& config, const Parameters<double>& weights) {
  const auto tokens = bias_tokens();
  auto gradient = zeros_of<double>(weights.layout);
  const auto pass = TransformerPass<double>::create(config, weights.layout, 2, bias_length, Keep::everything).value();
  const auto losses = pass->run(weights, Batch{2, bias_length, tokens, tokens}, &gradient, 1).value();
  PassResult result{losses.loss, gradient.values, {}};
  for (Index row = 0; row < 2; ++row)
    result.logits.insert(result.logits.end(), pass->logits(row).begin(), pass->logits(row).end());
  return result;
}

double gap_of(const Doubles& a, const Doubles& b) {
  double gap = 0;
  for (std::size_t i = 0; i < a.size(); ++i) gap = std::max(gap, std::abs(a[i] - b[i]));
  return gap;
}

/// All weights, with the vectors of one kind set to 0.
Parameters<double> without(Parameters<double> weights, std::string_view suffix) {
  for (const ParameterTensor& tensor : weights.layout->tensors)
    if (tensor.name.ends_with(suffix)) std::ranges::fill(weights.tensor(tensor), 0.0);
  return weights;
}

}  // namespace

class QueryKeyBiasTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void names_and_initial_values() {
    const auto config = biased_config(R"("pos": "rope")");
    const auto layout = parameter_layout(config).value();
    QCOMPARE(layout->find("model.layers.1.self_attn.q_proj.bias")->shape, (std::vector<Index>{16}));
    QCOMPARE(layout->find("model.layers.0.self_attn.k_proj.bias")->shape, (std::vector<Index>{8}));
    const auto weights = initial_weights<double>(config, layout, 1);
    QCOMPARE(*weights.at(layout->layers[0].q_bias), 0.0);
    QVERIFY(!parameter_layout(biased_config(R"("pos": "rope")", false))
                 .value()
                 ->find("model.layers.0.self_attn.q_proj.bias"));
  }

  void vectors_of_zero_change_nothing() {
    for (const char* pos : {R"("pos": "rope")", R"("pos": "nope")", R"("pos": "alibi")"}) {
      const auto biased = biased_config(pos), plain = biased_config(pos, false);
      const auto weights = without(without(biased_weights(biased), "q_proj.bias"), "k_proj.bias");
      auto same = zeros_of<double>(parameter_layout(plain).value());
      for (const ParameterTensor& tensor : same.layout->tensors) {
        const auto from = weights.tensor(*weights.layout->find(tensor.name));
        std::ranges::copy(from, same.tensor(tensor).begin());
      }
      QVERIFY(gap_of(passed(biased, weights).logits, passed(plain, same).logits) < 1e-14);
    }
  }

  /// Without rotation, b adds the same number to all scores of a query, which softmax cancels.
  void the_bias_of_keys_acts_through_the_rotation() {
    const auto moved = [](const char* pos, std::string_view vector) {
      const auto config = biased_config(pos);
      const auto weights = biased_weights(config);
      return gap_of(passed(config, weights).logits, passed(config, without(weights, vector)).logits);
    };
    QVERIFY(moved(R"("pos": "nope")", "k_proj.bias") < 1e-12);
    QVERIFY(moved(R"("pos": "nope")", "q_proj.bias") > 1e-3);
    QVERIFY(moved(R"("pos": "rope")", "k_proj.bias") > 1e-3);
    QVERIFY(moved(R"("pos": "rope")", "q_proj.bias") > 1e-3);
  }

  void gradients_are_central_differences_data() {
    QTest::addColumn<QString>("more");
    for (const char* more :
         {R"("pos": "rope")", R"("pos": "xpos", "xpos_scale_base": 32)", R"("pos": "rope", "bias": "kerple_log")",
          R"("pos": "rope", "rope_scaling": "yarn", "rope_factor": 4)",
          R"("pos": "rope", "attn": "window", "window": 3)", R"("pos": "rope", "attn": "infini_delta", "segment": 4)"})
      QTest::newRow(more) << more;
  }
  void gradients_are_central_differences() {
    QFETCH(QString, more);
    const auto config = biased_config(more.toStdString());
    auto weights = biased_weights(config);
    const Doubles gradient = passed(config, weights).gradient;
    for (const ParameterTensor& tensor : weights.layout->tensors) {
      if (!tensor.name.ends_with("_proj.bias")) continue;
      const auto values = weights.tensor(tensor);
      Doubles x(values.begin(), values.end());
      const auto first = gradient.begin() + tensor.offset;
      const Doubles of_tensor(first, first + tensor.count);
      VERIFY_GRADIENT(of_tensor, x, [&] {
        std::ranges::copy(x, values.begin());
        return passed(config, weights).loss;
      });
      std::ranges::copy(x, values.begin());
    }
  }

  void gated_units_have_none() {
    const auto json = read_json(R"({"layer_kind": "shga", "vocab": 7, "d_model": 8, "n_layers": 1, "d_k": 4,
                                    "qk_bias": true})");
    COMPARE_ERROR(read_transformer_config(*json), "qk_bias is given, layer_kind must be \"transformer\"");
  }
};

VQSCOPE_TEST(QueryKeyBiasTest)
#include "query_key_bias_test.moc"
