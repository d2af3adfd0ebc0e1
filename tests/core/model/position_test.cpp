// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/position/distance_bias.h"
#include "core/model/position/positions.h"
#include "core/model/position/relative_bias.h"
#include "tests/core/model/central_differences.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr std::array<std::int32_t, 3> positions{0, 5, 700};

Parameters<double> random_parameters(const TransformerConfig& config) {
  auto parameters = zeros_of<double>(parameter_layout(config).value());
  parameters.values = random_doubles(parameters.layout->count, 9);
  for (double& value : parameters.values) value = 0.1 + std::abs(value);
  return parameters;
}

}  // namespace

class PositionTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void rotary_tables_by_hand() {
    TransformerConfig config{.head_dim = 4, .rope_theta = 100};
    auto tables = rotary_tables<double>(config, positions);
    QCOMPARE(tables.query_cos.size(), std::size_t{6});
    QCOMPARE(tables.query_cos[3], std::cos(0.5));
    QCOMPARE(tables.query_sin[4], std::sin(700.0));
    QCOMPARE(tables.key_sin, tables.query_sin);
    config.pos = PositionKind::xpos;
    tables = rotary_tables<double>(config, positions);
    const double growth = std::pow((0.5 + 0.4) / 1.4, 5 / 512.0);
    QCOMPARE(tables.query_cos[3], std::cos(0.5) * growth);
    QCOMPARE(tables.key_cos[3], std::cos(0.5) / growth);
    config.pos = PositionKind::nope;
    QVERIFY(rotary_tables<double>(config, positions).query_cos.empty());
  }

  /// Tokens have factors far below and above 1, whose products are what counts.
  void xpos_ends_where_its_factors_do() {
    TransformerConfig config{.head_dim = 4, .pos = PositionKind::xpos};
    QVERIFY(check_xpos_range<float>(config, 30614));
    COMPARE_ERROR(
        check_xpos_range<float>(config, 30615),
        "position 30615 is above 30614, where the factors of xPos leave float32; use a larger xpos_scale_base");
    QVERIFY(check_xpos_range<double>(config, 131071));
    const std::vector<std::int32_t> last{30614};
    const auto tables = rotary_tables<float>(config, last);
    for (const auto* table : {&tables.query_cos, &tables.key_cos})
      for (const float value : *table) QVERIFY(std::isnormal(value));
    config.xpos_scale_base = 4096;
    QVERIFY(check_xpos_range<float>(config, 131071));
  }

  void rotation() {
    const Doubles cos = random_doubles(6, 1), sin = random_doubles(6, 2), dy = random_doubles(24, 4);
    Doubles x = random_doubles(24, 3), dx = dy;
    const Rotary<double> rotary{3, 2, 4, cos.data(), sin.data()};
    const auto turned = [&] {
      Doubles y = x;
      rotary.forward(y.data());
      return y;
    };
    // Token 1, head 1, pair 0: dimensions 0 and 2.
    QCOMPARE(turned()[12], x[12] * cos[2] - x[14] * sin[2]);
    QCOMPARE(turned()[14], x[14] * cos[2] + x[12] * sin[2]);
    rotary.backward(dx.data());
    VERIFY_GRADIENT(dx, x, ([&] { return dot(turned(), dy); }));
  }

  void sinusoids_by_hand() {
    const auto encodings = sinusoidal_encodings(4, positions);
    QCOMPARE(Doubles(encodings.begin(), encodings.begin() + 4), (Doubles{0, 1, 0, 1}));
    QCOMPARE(encodings[6], std::sin(5 / 100.0));
    QCOMPARE(encodings[9], std::cos(700.0));
  }

  void fixed_biases_by_hand() {
    TransformerConfig config{
        .n_heads = 4, .pos = PositionKind::relative_bias, .relative_bias = "alibi", .sandwich_dim = 4};
    Doubles bias(3);
    relative_bias(config, 0, {}, bias);
    QCOMPARE(bias[2], -0.5);  // slope 2^-2
    relative_bias(config, 3, {}, bias);
    QCOMPARE(bias[1], -1.0 / 256);  // slope 2^-8
    config.relative_bias = "sandwich";
    relative_bias(config, 0, {}, bias);
    QVERIFY(std::abs(bias[0] - 0.5 * 2) < 1e-14);
    relative_bias(config, 3, {}, bias);
    QVERIFY(std::abs(bias[2] - 0.125 * (std::cos(2.0) + std::cos(0.02))) < 1e-14);
  }

  void biases_of_other_positions() {
    for (const PositionKind kind : {PositionKind::nope, PositionKind::rope, PositionKind::learned})
      QVERIFY(DistanceBias<double>({.pos = kind}, 4).none());
    QVERIFY(!DistanceBias<double>({.pos = PositionKind::relative_bias, .relative_bias = "alibi"}, 4).learnt());
  }

  void distance_sinusoids_by_hand() {
    const auto sinusoids = distance_sinusoids({.d_model = 4}, 3);
    QCOMPARE(Doubles(sinusoids.begin(), sinusoids.begin() + 4), (Doubles{0, 0, 1, 1}));
    QCOMPARE(sinusoids[8], std::sin(2.0));
    QCOMPARE(sinusoids[9], std::sin(0.02));
    QCOMPARE(sinusoids[10], std::cos(2.0));
  }

  void rotation_takes_its_bias_from_the_config() {
    TransformerConfig rope{.pos = PositionKind::rope, .bias = PositionKind::relative_bias, .relative_bias = "alibi"};
    const TransformerConfig alibi{.pos = PositionKind::relative_bias, .relative_bias = "alibi"};
    Doubles of_rope(16), of_alibi(16);
    const auto parameters = zeros_of<double>(parameter_layout(rope).value());
    DistanceBias<double>(rope, 4).forward(parameters, 0, of_rope.data());
    DistanceBias<double>(alibi, 4).forward(parameters, 0, of_alibi.data());
    QCOMPARE(of_rope, of_alibi);
    rope.bias = PositionKind::nope;
    QVERIFY(DistanceBias<double>(rope, 4).none());
  }

  /// kerple_log: b = -r1 ln(1 + r2 n), so db/dr1 = -ln(1 + r2 n) and db/dr2 = -r1 n / (1 + r2 n).
  void slopes_of_a_learnt_bias() {
    const TransformerConfig config{.pos = PositionKind::relative_bias, .relative_bias = "kerple_log"};
    for (const double r1 : {0.01, 0.7, 40.0})
      for (const double r2 : {0.01, 1.3, 90.0}) {
        const Doubles learnt{r1, r2};
        Doubles by_r1(2000), by_r2(2000);
        relative_bias_slope(config, 1, learnt, 0, by_r1);
        relative_bias_slope(config, 1, learnt, 1, by_r2);
        for (std::size_t i = 0; i < by_r1.size(); ++i) {
          const auto n = static_cast<double>(i);
          const double expected_r2 = -r1 * n / (1 + r2 * n);
          QVERIFY(std::abs(by_r1[i] + std::log1p(r2 * n)) <= 1e-8 * std::log1p(r2 * n));
          QVERIFY(std::abs(by_r2[i] - expected_r2) <= 1e-8 * (std::abs(expected_r2) + r1 * std::log1p(r2 * n)));
        }
      }
  }

  void learnt_biases() {
    for (const PositionKind kind : {PositionKind::t5_bias, PositionKind::relative_bias, PositionKind::vq}) {
      const TransformerConfig config{.vocab = 3,
                                     .d_model = 4,
                                     .n_heads = 3,
                                     .n_kv_heads = 3,
                                     .head_dim = 2,
                                     .d_ff = 2,
                                     .pos = kind,
                                     .relative_bias = "kerple_log",
                                     .attn = kind == PositionKind::vq ? AttentionKind::vq : AttentionKind::full,
                                     .t5_buckets = 6,
                                     .t5_max_distance = 12,
                                     .n_code = 2,
                                     .block_len = 5};
      auto parameters = random_parameters(config);
      auto gradient = zeros_of<double>(parameters.layout);
      const DistanceBias<double> bias(config, 20);
      const Doubles dout = random_doubles(60, 3);
      Doubles out(60);
      const auto value = [&] {
        double sum = 0;
        for (const Index layer : {0, 1}) {
          bias.forward(parameters, layer, out.data());
          sum += dot(out, dout);
        }
        return sum;
      };
      for (const Index layer : {0, 1}) bias.backward(parameters, layer, dout.data(), gradient.values.data());
      VERIFY_GRADIENT(gradient.values, parameters.values, value);
      if (kind == PositionKind::vq) QCOMPARE(out[6], 0.0);
    }
  }
};

VQSCOPE_TEST(PositionTest)
#include "position_test.moc"
