// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/vq_maps.h"

#include "core/experiment/setting/vq_experiment.h"
#include "tests/core/attention/forms/attention_definition.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Weights of one query by the definition, over the codewords of the keys.
std::vector<double> rotated_weights(const Rotation& rotation, const VqExperiment& experiment, Index query, Index clip) {
  const auto row = [](const std::vector<float>& rows, Index i) {
    return std::vector<double>(rows.begin() + i * 8, rows.begin() + (i + 1) * 8);
  };
  std::vector<double> weights, q(8), k(8);
  double sum = 0;
  for (Index key = 0; key <= query; ++key) {
    rotation.apply(row(experiment.data.queries, query), std::min(query - key, clip), q);
    rotation.apply(row(experiment.quantised.keys, key), 0, k);
    weights.push_back(std::exp(dot(q, k)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

class VqWeightsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// One token's own weight is 1; every row's weights add up to 1; ahead there is nothing.
  void rows_add_up() {
    for (const bool normalize : {false, true}) {
      VqSetting setting = small_setting();
      setting.norm = normalize ? QueryKeyNorm::paper : QueryKeyNorm::none;
      for (const VqWeights weights : {VqWeights::exact, VqWeights::quantised, VqWeights::difference}) {
        const auto field = make_vq_weights(setting, weights);
        QCOMPARE(field->extent(), (Extent{48, 48}));
        const bool difference = weights == VqWeights::difference;
        for (Index q = 0; q < 48; ++q) {
          double sum = 0;
          for (Index k = 0; k <= q; ++k) sum += field->at(q, k);
          QVERIFY(near(sum, difference ? 0 : 1, 1e-5));
          if (q < 47) QCOMPARE(field->at(q, q + 1), 0.0);
        }
      }
    }
  }

  /// Two keys that have one code weigh the same.
  void keys_of_one_code_weigh_the_same() {
    VqSetting setting = small_setting();
    setting.n_code = 1;
    const auto field = make_vq_weights(setting, VqWeights::quantised);
    for (const Index q : {0, 5, 47})
      for (Index k = 0; k <= q; ++k) QVERIFY(near(field->at(q, k), 1 / static_cast<double>(q + 1), 1e-6));
  }

  void blocks_are_cells() {
    Random random(3);
    for (const VqWeights weights : {VqWeights::exact, VqWeights::quantised, VqWeights::difference}) {
      const auto field = make_vq_weights(small_setting(), weights);
      for (int i = 0; i < 20; ++i) {
        const Index row = pick(random, 0, 47);
        const Index col = pick(random, 0, 47);
        const Rect block{{row, pick(random, row + 1, 48)}, {col, pick(random, col + 1, 48)}};
        std::vector<double> cells(static_cast<std::size_t>(block.area()), -777);
        field->read(block, std::span(cells));
        auto cell = cells.begin();
        for (Index q = block.rows.begin; q < block.rows.end; ++q)
          for (Index k = block.cols.begin; k < block.cols.end; ++k, ++cell)
            QVERIFY(k > q ? *cell == 0 : near(*cell, field->at(q, k), 1e-6));
      }
    }
  }

  void difference_field_equals_the_subtraction() {
    const auto exact = make_vq_weights(small_setting(), VqWeights::exact);
    const auto quantised = make_vq_weights(small_setting(), VqWeights::quantised);
    const auto difference = make_vq_weights(small_setting(), VqWeights::difference);
    double largest = 0;
    for (Index k = 0; k <= 40; ++k) {
      QCOMPARE(difference->at(40, k), quantised->at(40, k) - exact->at(40, k));
      largest = std::max(largest, std::abs(difference->at(40, k)));
    }
    QVERIFY(largest > 0 && largest < 1);
    QCOMPARE(difference->value_range().first, -difference->value_range().second);
  }

  void a_cell_explains_itself() {
    const auto field = make_vq_weights(small_setting(), VqWeights::quantised);
    const CellReport report = field->report(9, 4);
    QCOMPARE(report.facts.size(), std::size_t{7});
    QVERIFY(report.why.find("equal weights over 10 keys would be 0.1") != std::string::npos);
    COMPARE_TEXT(field->report(4, 9).why, "the key comes after the query: causal attention does not see it");
  }

  /// With a sink weights add up to less than 1; the rest is the sink's, and the weights keep their
  /// ratios.
  void a_sink_takes_weight() {
    const auto weights_with = [](std::vector<double> sinks) {
      return *make_field(
          *find_method(experiment_methods(), "vq_weights"),
          curve_values("vq_weights",
                       small_values({{"q_length", Index{48}}, {"n_code", Index{8}}, {"sinks", std::move(sinks)}})));
    };
    const auto plain = weights_with({}), field = weights_with({2});
    for (const Index q : {0, 20, 47}) {
      double sum = 0;
      for (Index k = 0; k <= q; ++k) sum += field->at(q, k);
      const double sink = std::stod(field->report(q, 0).facts.back().second);
      QVERIFY(sum < 1 && near(sum + sink, 1, 1e-5));
      for (Index k = 0; k <= q; ++k) QVERIFY(near(field->at(q, k), plain->at(q, k) * (1 - sink), 1e-5));
    }
  }

  /// With a bias and a mask each cell is the definition's weight; a query that sees nothing has
  /// none.
  void bias_and_mask_are_in_the_weights() {
    for (const char* bias : {"none", "alibi", "transformer_xl", "t5_bias"})
      for (const char* mask : {"", "(q_idx - kv_idx < 7) & (q_idx != 3)"}) {
        const auto values = curve_values("vq_weights", small_values({{"q_length", Index{48}},
                                                                     {"n_code", Index{8}},
                                                                     {"block_len", Index{16}},
                                                                     {"bias", std::string(bias)},
                                                                     {"mask", std::string(mask)}}));
        const auto field = *make_field(*find_method(experiment_methods(), "vq_weights"), values);
        const VqSetting setting = *vq_setting(values);
        const auto experiment = run_vq(setting);
        AttentionInput input{.q = {experiment->data.queries, 1, 48, 8},
                             .k = {experiment->data.keys, 1, 48, 8},
                             .v = {experiment->data.queries, 1, 48, 8},
                             .codebook = {experiment->codewords, 1, 8, 8}};
        if (setting.bias) {
          input.bias = setting.bias->whole();
          input.mask = setting.bias->mask().get();
        }
        const AttentionDefinition definition(input, {.form = AttentionForm::vq_quadratic});
        std::vector<double> cells(48 * 48);
        field->read({{0, 48}, {0, 48}}, std::span(cells));
        for (Index q = 0; q < 48; ++q) {
          const auto wanted = definition.weights(0, q);
          for (Index k = 0; k < 48; ++k) {
            const double weight = wanted[static_cast<std::size_t>(k)];
            QVERIFY(near(field->at(q, k), weight, 1e-6));
            QVERIFY(near(cells[static_cast<std::size_t>(q * 48 + k)], weight, 1e-6));
          }
        }
      }
  }

  /// m² (R_n q)·k̂, n the distance or at most block_len. Codewords are for unrotated keys.
  void codewords_are_rotated_after_quantisation() {
    for (const char* order : {"quantise_first", "quantise_first_clipped"}) {
      const auto values = curve_values("vq_weights", small_values({{"q_length", Index{40}},
                                                                   {"n_code", Index{8}},
                                                                   {"block_len", Index{6}},
                                                                   {"rope_type", std::string("yarn")},
                                                                   {"rotation_order", std::string(order)}}));
      const auto field = *make_field(*find_method(experiment_methods(), "vq_weights"), values);
      const VqSetting setting = *vq_setting(values);
      const auto experiment = run_vq(setting);
      const Index clip = setting.order == RotationOrder::quantise_first ? 40 : 6;
      std::vector<double> cells(40 * 40);
      field->read({{0, 40}, {0, 40}}, std::span(cells));
      for (Index q = 0; q < 40; ++q) {
        const auto wanted = rotated_weights(*setting.rotation, *experiment, q, clip);
        for (Index k = 0; k <= q; ++k) {
          const double weight = wanted[static_cast<std::size_t>(k)];
          QVERIFY(near(field->at(q, k), weight, 1e-6));
          QVERIFY(near(cells[static_cast<std::size_t>(q * 40 + k)], weight, 1e-6));
        }
      }
    }
  }

  /// With codewords for rotated keys, keys of one code have one score.
  void the_linear_form_follows_the_order() {
    const Method& method = *find_method(experiment_methods(), "vq_weights");
    auto values = curve_values("vq_weights",
                               small_values({{"form", std::string("linear")}, {"rope_type", std::string("default")}}));
    QVERIFY(make_field(method, values));
    COMPARE_TEXT(method.remark(values, {}),
                 "q and k are rotated by RoPE: default, rope_theta 10000; codewords replace rotated keys: the linear "
                 "form is exact.");
    values.set("rotation_order", std::string("quantise_first"));
    COMPARE_ERROR(make_field(method, values),
                  "form is linear, but with rotation_order = quantise_first the score of a codeword depends on the "
                  "position of its key: form must be quadratic, or rotation_order rotate_first or "
                  "quantise_first_clipped");
    values.set("rotation_order", std::string("quantise_first_clipped"));
    QVERIFY(make_field(method, values));
  }

  void the_linear_form_is_refused_where_it_is_not_exact() {
    const Method& method = *find_method(experiment_methods(), "vq_weights");
    auto values = curve_values("vq_weights", small_values({{"form", std::string("linear")}}));
    QVERIFY(make_field(method, values));
    QCOMPARE(method.remark(values, {}), std::string());
    values.set("bias", std::string("alibi"));
    const auto refused = make_field(method, values);
    QVERIFY(!refused && refused.error().message.starts_with(
                            "form is linear, but the bias is not constant beyond distance 128: it is "));
    values.set("clipped", true);
    QVERIFY(make_field(method, values));
    COMPARE_TEXT(method.remark(values, {}),
                 "Linear form with block_len 128: the bias is clipped at distance 128: the linear form is exact.");
  }

  void methods_choose_the_keys() {
    const Method& method = *find_method(experiment_methods(), "vq_weights");
    auto values = curve_values("vq_weights", small_values({{"q_length", Index{48}}, {"n_code", Index{8}}}));
    const auto quantised = *make_field(method, values);
    values.set("weights", std::string("exact"));
    const auto exact = *make_field(method, values);
    const auto error = *make_field(*find_method(experiment_methods(), "vq_weight_error"),
                                   carried_values(*find_method(experiment_methods(), "vq_weight_error"), values));
    QCOMPARE(error->at(30, 7), quantised->at(30, 7) - exact->at(30, 7));
    values.set("q_length", Index{4097});
    COMPARE_ERROR(
        make_field(method, values),
        "q_length is 4097 but must be at most 4096 for weights: every row is summed before the first cell is shown");
  }
};

VQSCOPE_TEST(VqWeightsTest)
#include "vq_weights_test.moc"
