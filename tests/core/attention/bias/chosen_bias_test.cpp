// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/bias/chosen_bias.h"

#include "core/attention/forms/attention.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ParameterValues bias_values(const ParameterValues::Map& set) { return default_values(bias_parameters(), set); }

Result<ChosenBias> bias_of(const ParameterValues::Map& set, const BiasShape& bias_shape) {
  return ChosenBias::make(bias_values(set), bias_shape);
}

const BiasShape bias_shape{.length = 300, .window = 32, .heads = 2, .d_k = 8};

}  // namespace

class ChosenBiasTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void default_bias_is_none() {
    const auto bias = bias_of({}, bias_shape).value();
    QVERIFY(bias.none() && bias.hypothesis().constant && bias.whole().none());
    COMPARE_TEXT(bias.hypothesis().sentence, "no bias and no mask: the linear form is exact");
  }

  /// The third pair of four turns by base^(-1/2) radians a token; sines come first.
  void base_of_the_sinusoids() {
    for (const double base : {10000.0, 100000.0}) {
      const auto bias = bias_of({{"bias", std::string("transformer_xl")}, {"xl_base", base}}, bias_shape).value();
      const double wanted = std::sin(1 / std::sqrt(base)) * std::pow(8, -0.25);
      QVERIFY(std::abs(static_cast<double>(bias.whole().relative[8 + 2]) - wanted) < 1e-7);
    }
  }

  void sinks_are_of_all_heads_or_of_each() {
    const auto with = [](std::vector<double> sinks, Index heads, Index head = 0) {
      BiasShape shape = bias_shape;
      shape.heads = heads;
      return bias_of({{"sinks", std::move(sinks)}, {"head", head}}, shape);
    };
    QCOMPARE(with({1.5}, 2)->whole().sinks, (std::vector<float>{1.5}));
    QCOMPARE(with({1, 2}, 2)->for_linear_form()->sinks, (std::vector<float>{1, 2}));
    QCOMPARE(with({1, 2, 3}, 1, 2)->whole().sinks, (std::vector<float>{3}));
    QVERIFY(with({1}, 2)->only_sinks() && !with({1}, 2)->none());
    COMPARE_TEXT(with({1}, 2)->hypothesis().sentence, "no bias and no mask: the linear form is exact");
    COMPARE_ERROR(with({1, 2, 3}, 2), "sinks has 3 numbers but must have 1, or 2, one for each head");
    COMPARE_ERROR(with({1, 2}, 1, 5),
                  "sinks has 2 numbers, none of which is for head 5: it must have 1, or one for each head");
  }

  void alibi_has_a_slope_for_each_head() {
    const auto bias = bias_of({{"bias", std::string("alibi")}}, bias_shape).value();
    QCOMPARE(bias.whole().window, Index{299});
    QCOMPARE(bias.whole().values.size(), std::size_t{600});
    QCOMPARE(bias.whole().values[10], -10 / 16.0F);
    QCOMPARE(bias.whole().values[310], -10 / 256.0F);
    QVERIFY(!bias.hypothesis().constant && bias.hypothesis().first == 34);
    QVERIFY(!bias.for_linear_form());
    const auto clipped = bias_of({{"bias", std::string("alibi")}, {"clipped", true}}, bias_shape).value();
    QVERIFY(clipped.hypothesis().constant);
    QCOMPARE(clipped.whole().beyond, (std::vector<float>{-2, -32 / 256.0F}));
  }

  /// Where the hypothesis holds the linear form is the quadratic one, for every bias and masks by
  /// distance.
  void linear_form_is_exact_if_the_hypothesis_holds() {
    const AttentionSample sample({.length = 300, .heads = 2, .kv_heads = 1, .d_k = 8});
    int allowed = 0;
    for (const char* id : {"none", "transformer_xl", "t5_bias", "alibi", "kerple_log", "sandwich"})
      for (const bool clipped : {false, true})
        for (const char* mask :
             {"", "q_idx - kv_idx < 20", "q_idx - kv_idx != 5", "q_idx - kv_idx > 32", "kv_idx > 9"}) {
          const auto bias = bias_of({{"bias", std::string(id)},
                                     {"clipped", clipped},
                                     {"mask", std::string(mask)},
                                     {"bidirectional", false},
                                     {"max_distance", Index{32}}},
                                    bias_shape)
                                .value();
          const auto linear = bias.for_linear_form();
          if (!linear) continue;
          ++allowed;
          AttentionInput input = sample.input();
          input.bias = bias.whole();
          input.mask = bias.mask().get();
          const auto wanted = attention(input, {.form = AttentionForm::vq_quadratic}).value().values;
          input.bias = *linear;
          input.mask = nullptr;
          const auto got = attention(input, {.block_len = 32}).value().values;
          COMPARE_TEXT(farther(got, wanted, 2e-6, sample.v), "");
        }
    QVERIFY(allowed > 30);
  }

  void bias_of_masked_keys_beyond_the_window_is_ignored() {
    const auto bias =
        bias_of({{"bias", std::string("alibi")}, {"mask", std::string("q_idx - kv_idx < 20")}}, bias_shape).value();
    QVERIFY(bias.hypothesis().constant);
    COMPARE_TEXT(bias.hypothesis().sentence,
                 "every query sees none of the keys beyond distance 32: the linear form is exact");
  }

  void hypothesis_for_few_tokens_and_for_blind_queries() {
    const auto near = bias_of({{"bias", std::string("alibi")}}, {.length = 20, .window = 32}).value();
    COMPARE_TEXT(near.hypothesis().sentence, "no token is farther than 32 behind another: the linear form is exact");
    QCOMPARE(near.whole().window, Index{19});
    const auto blind = bias_of({{"mask", std::string("kv_idx > 4")}}, {.length = 20, .window = 32}).value();
    QVERIFY(blind.hypothesis().sentence.ends_with("; 5 of 20 queries have no visible key; their output is 0"));
  }

  void bad_choices() {
    COMPARE_ERROR(bias_of({{"bias", std::string("transformer_xl")}}, {.d_k = 3}),
                  "d_k is 3 but must be even for bias = transformer_xl");
    COMPARE_ERROR(bias_of({{"bias", std::string("alibi")}, {"head", Index{9}}}, {}),
                  "alibi: head is 9 but must be below num_heads = 8");
    const auto by_key = bias_of({{"mask", std::string("kv_idx % 2 == 0")}}, {.length = 30, .window = 40}).value();
    COMPARE_ERROR(
        by_key.for_linear_form(),
        "form is linear, but the mask is constant beyond distance 40 and depends on more than the distance within it, "
        "which only the quadratic form supports");
  }
};

VQSCOPE_TEST(ChosenBiasTest)
#include "chosen_bias_test.moc"
