// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/position/distance_bias.h"

#include "core/encoding/fire/fire_network.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/train/initial_weights.h"
#include "tests/core/model/central_differences.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

TransformerConfig fire_config(double threshold) {
  return {.vocab = 5,
          .d_model = 6,
          .n_heads = 3,
          .n_kv_heads = 3,
          .head_dim = 2,
          .d_ff = 3,
          .pos = PositionKind::fire,
          .fire_threshold = threshold};
}

Parameters<double> random_fire(const TransformerConfig& config, double c, double multiplier) {
  auto parameters = zeros_of<double>(parameter_layout(config).value());
  parameters.values = random_doubles(parameters.layout->count, 6);
  *parameters.at(parameters.layout->fire.c) = c;
  *parameters.at(parameters.layout->fire.multiplier) = multiplier;
  return parameters;
}

/// The formula of the paper, for one head, position and distance.
double by_definition(const TransformerConfig& config, const Parameters<double>& parameters, Index head, Index position,
                     Index distance) {
  const FireOffsets& at = parameters.layout->fire;
  const double c = std::abs(*parameters.at(at.c));
  const double threshold = std::abs(*parameters.at(at.multiplier)) * config.fire_threshold;
  const auto psi = [&](double x) { return std::log(c * x + 1); };
  const double x =
      psi(static_cast<double>(distance)) / (psi(std::max(static_cast<double>(position), threshold)) + 1e-6);
  double sum = *parameters.at(at.output_bias + head);
  for (Index k = 0; k < 32; ++k)
    sum += *parameters.at(at.output + head * 32 + k) *
           std::max(0.0, *parameters.at(at.hidden + k) * x + *parameters.at(at.hidden_bias + k));
  return sum;
}

}  // namespace

class FireBiasTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// One hidden unit: bias = 3 max(0, 2 x - 1) + 0.5.
  void by_hand() {
    const TransformerConfig config = fire_config(3);
    auto parameters = zeros_of<double>(parameter_layout(config).value());
    const FireOffsets& at = parameters.layout->fire;
    *parameters.at(at.c) = 1;
    *parameters.at(at.multiplier) = 1;
    *parameters.at(at.hidden + 7) = 2;
    *parameters.at(at.hidden_bias + 7) = -1;
    *parameters.at(at.output + 32 + 7) = 3;
    *parameters.at(at.output_bias + 1) = 0.5;
    Doubles out(3 * 64);
    FireBias<double>(config, 8).forward(parameters, out.data(), 1, {});
    const auto of_head_1 = [&](std::size_t position, std::size_t distance) {
      return out[64 + position * 8 + distance];
    };
    QCOMPARE(of_head_1(2, 0), 0.5);
    // x = ln 3 / ln 4 up to position 3, and ln 3 / ln 8 at position 7: below and above 1/2.
    QVERIFY(std::abs(of_head_1(2, 2) - (3 * (2 * std::log(3.0) / std::log(4.0) - 1) + 0.5)) < 1e-5);
    QCOMPARE(of_head_1(3, 2), of_head_1(0, 2));
    QVERIFY(std::abs(of_head_1(7, 2) - (3 * (2 * std::log(3.0) / std::log(8.0) - 1) + 0.5)) < 1e-5);
    QVERIFY(std::abs(of_head_1(7, 1) - 0.5) < 1e-15);  // ln 2 / ln 8 is below 1/2
    QCOMPARE(out[2 * 8 + 2], 0.0);                     // head 0
  }

  void tables_and_rows_agree_with_the_definition() {
    for (const double threshold : {1.0, 4.6, 50.0})
      for (const double multiplier : {1.3, -0.9}) {
        const TransformerConfig config = fire_config(threshold);
        const auto parameters = random_fire(config, -0.3, multiplier);
        const FireBias<double> fire(config, 11);
        Doubles table(3 * 121), row(33);
        fire.forward(parameters, table.data(), 3, {});
        for (Index position = 0; position < 11; ++position) {
          fire.row(parameters, position, row.data(), 11);
          for (Index head = 0; head < 3; ++head)
            for (Index n = 0; n < 11; ++n) {
              const double wanted = by_definition(config, parameters, head, position, n);
              QVERIFY(std::abs(table[static_cast<std::size_t>((head * 11 + position) * 11 + n)] - wanted) < 1e-12);
              if (n <= position) QVERIFY(std::abs(row[static_cast<std::size_t>(head * 11 + n)] - wanted) < 1e-12);
            }
        }
      }
  }

  /// The encoding on the page of biases, with a model's weights given.
  void fire_bias_method_gives_the_same_numbers() {
    const TransformerConfig config = fire_config(4.6);
    const auto parameters = random_fire(config, -0.3, 1.3);
    const FireOffsets& at = parameters.layout->fire;
    const auto list = [&](Index offset, Index count) {
      return std::vector<double>(parameters.at(offset), parameters.at(offset) + count);
    };
    ParameterValues values = default_values(fire_parameters());
    for (const auto& [name, value] : ParameterValues::Map{{"num_heads", Index{3}},
                                                          {"fire_c", 0.3},
                                                          {"fire_threshold", 1.3 * 4.6},
                                                          {"mlp_0_weight", list(at.hidden, 32)},
                                                          {"mlp_0_bias", list(at.hidden_bias, 32)},
                                                          {"mlp_2_weight", list(at.output, 96)},
                                                          {"mlp_2_bias", list(at.output_bias, 3)}})
      values.set(name, value);
    Doubles row(33);
    for (Index head = 0; head < 3; ++head) {
      values.set("head", head);
      QVERIFY(check_fire_parameters(values));
      const FireNetwork network = fire_from(values);
      for (Index position = 0; position < 11; ++position) {
        FireBias<double>(config, 11).row(parameters, position, row.data(), 11);
        for (Index n = 0; n <= position; ++n)
          QVERIFY(std::abs(network.bias(static_cast<double>(position), static_cast<double>(n)) -
                           row[static_cast<std::size_t>(head * 11 + n)]) < 1e-12);
      }
    }
  }

  void gradients() {
    for (const double threshold : {1.0, 4.6, 50.0})
      for (const double sign : {1.0, -1.0}) {
        const TransformerConfig config = fire_config(threshold);
        auto parameters = random_fire(config, 0.3 * sign, 1.3 * sign);
        // Every unit is far from the corner of its ReLU at every distance.
        for (Index k = 0; k < fire_width; ++k) {
          *parameters.at(parameters.layout->fire.hidden + k) = 0.1 * static_cast<double>(k % 5) - 0.15;
          *parameters.at(parameters.layout->fire.hidden_bias + k) = k % 3 == 0 ? -2 : 1;
        }
        auto gradient = zeros_of<double>(parameters.layout);
        const FireBias<double> fire(config, 9);
        const Doubles dout = random_doubles(3 * 81, 3);
        Doubles out(3 * 81);
        fire.backward(parameters, dout.data(), gradient.values.data(), {});
        VERIFY_GRADIENT(gradient.values, parameters.values, ([&] {
                          fire.forward(parameters, out.data(), 1, {});
                          return dot(out, dout);
                        }));
        QCOMPARE(*gradient.at(gradient.layout->fire.multiplier) == 0, false);
      }
  }

  /// After a stop no more rows are computed, forward or backward.
  void stops() {
    const TransformerConfig config = fire_config(1);
    const auto parameters = random_fire(config, 0.5, 1);
    auto gradient = zeros_of<double>(parameters.layout);
    std::stop_source stop;
    stop.request_stop();
    Doubles out(3 * 25, 777);
    const FireBias<double> fire(config, 5);
    fire.forward(parameters, out.data(), 2, stop.get_token());
    QVERIFY(out[0] != 777 && out[2 * 5] == 777);
    fire.backward(parameters, out.data(), gradient.values.data(), stop.get_token());
    QCOMPARE(gradient.values, zeros_of<double>(parameters.layout).values);
  }

  /// The bias is by the position in the document, not in the row; positions without a row in the
  /// table are refused.
  void positions_of_packed_documents() {
    const TransformerConfig config = fire_config(2);
    const auto parameters = random_fire(config, 0.5, 1);
    const std::vector<std::int32_t> tokens{1, 2, 3, 1, 2, 3}, documents{0, 0, 0, 1, 1, 1};
    std::vector<std::int32_t> positions{0, 1, 2, 0, 1, 2};
    Batch batch{1, 6, tokens, tokens};
    batch.doc_ids = documents;
    batch.position_ids = positions;
    const auto pass = TransformerPass<double>::create(config, parameters.layout, 1, 6, Keep::everything).value();
    QVERIFY(pass->run(parameters, batch, nullptr, 1));
    const auto logits = pass->logits(0);
    for (std::size_t i = 0; i < 15; ++i) QVERIFY(std::abs(logits[i] - logits[15 + i]) < 1e-12);
    positions[4] = 6;
    COMPARE_ERROR(pass->run(parameters, batch, nullptr, 1),
                  "position_ids has 6 at row 0, position 4 but must be from 0 to 5");
  }

  void sequences_too_long() {
    const TransformerConfig config = fire_config(2);
    const std::vector<std::int32_t> tokens(10000);
    COMPARE_ERROR(check_batch(config, {1, 10000, tokens, tokens}),
                  "the sequences have 10000 tokens, FIRE's bias of 3 heads must have at most 268435456 numbers, "
                  "tokens² per head");
  }

  void initial_values() {
    const TransformerConfig config = fire_config(16);
    const auto weights = initial_weights<double>(config, parameter_layout(config).value(), 3);
    QCOMPARE(weights.tensor(*weights.layout->find("model.fire.c"))[0], 0.1);
    QCOMPARE(weights.tensor(*weights.layout->find("model.fire.L_multiplier"))[0], 1.0);
    const auto largest = [&](const char* name) {
      const auto values = weights.tensor(*weights.layout->find(name));
      return std::abs(*std::ranges::max_element(values, {}, [](double value) { return std::abs(value); }));
    };
    QVERIFY(largest("model.fire.mlp.0.weight") > 0.8 && largest("model.fire.mlp.0.weight") <= 1);
    QVERIFY(largest("model.fire.mlp.2.weight") > 0.14 && largest("model.fire.mlp.2.weight") <= std::sqrt(1 / 32.0));
  }

  /// The table of biases in every pass, and its gradient in each of up to as many parts as rows.
  void memory_counts_the_tables_by_position() {
    const TransformerConfig fire = fire_config(512);
    TransformerConfig t5 = fire;
    t5.pos = PositionKind::t5_bias;
    const auto bytes = [](const TransformerConfig& config, Keep keep) {
      return static_cast<double>(
          TransformerPass<double>::bytes(config, *parameter_layout(config).value(), 1, 2048, keep));
    };
    const double table = 3 * 2048.0 * 2048.0 * sizeof(double);
    for (const auto& [keep, tables] : {std::pair{Keep::logits, 1}, std::pair{Keep::gradients, 2}}) {
      const double more = bytes(fire, keep) - bytes(t5, keep);
      QVERIFY2(std::abs(more - tables * table) < 0.01 * table, qPrintable(QString::number(more / table)));
    }
  }
};

VQSCOPE_TEST(FireBiasTest)
#include "fire_bias_test.moc"
