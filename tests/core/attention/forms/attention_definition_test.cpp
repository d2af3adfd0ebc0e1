// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/attention/forms/attention_definition.h"

#include "core/mask/language/plain_mask.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Floats = std::vector<float>;

/// One head of three tokens, d_k and d_v 1: keys ln 1, ln 2, ln 3 for queries of 1, values 6, 12,
/// 24.
struct Small {
  Floats q{1, 1, 1}, k{0, std::log(2.0F), std::log(3.0F)}, v{6, 12, 24}, codebook{0, 1};
  AttentionInput input() const {
    return {.q = {q, 1, 3, 1}, .k = {k, 1, 3, 1}, .v = {v, 1, 3, 1}, .codebook = {codebook, 1, 2, 1}};
  }
};

bool near(double got, double wanted) { return std::abs(got - wanted) < 1e-6; }

constexpr AttentionOptions exact{.form = AttentionForm::exact};

}  // namespace

class AttentionDefinitionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Weights 1 : 2 : 3.
  void three_tokens_by_hand() {
    const Small small;
    const auto input = small.input();
    const AttentionDefinition definition(input, exact);
    const auto last = definition.weights(0, 2);
    QVERIFY(near(last[0], 1.0 / 6) && near(last[1], 2.0 / 6) && near(last[2], 3.0 / 6));
    QVERIFY(near(definition.output(0, 0)[0], 6));
    QVERIFY(near(definition.output(0, 1)[0], (6 + 2 * 12) / 3.0));
    QVERIFY(near(definition.output(0, 2)[0], (6 + 2 * 12 + 3 * 24) / 6.0));
  }

  void without_causality_every_query_sees_every_key() {
    const Small small;
    const auto input = small.input();
    const AttentionDefinition definition(input, {.form = AttentionForm::exact, .causal = false});
    QVERIFY(definition.visible(0, 2));
    QVERIFY(near(definition.output(0, 0)[0], 17));
  }

  /// ln 2 = 0.69 and ln 3 = 1.1 are nearer to the codeword 1 than to 0.
  void quantised_keys_stand_in_for_keys() {
    const Small small;
    const auto input = small.input();
    const AttentionDefinition definition(input, {.form = AttentionForm::vq_quadratic});
    QCOMPARE(definition.shortcode(0, 0), Index{0});
    QCOMPARE(definition.shortcode(0, 1), Index{1});
    QVERIFY(near(definition.score(0, 2, 1), 1) && near(definition.score(0, 2, 2), 1));
    const double e = std::exp(1.0);
    QVERIFY(near(definition.output(0, 2)[0], (6 + 12 * e + 24 * e) / (1 + 2 * e)));
  }

  void the_lowest_of_equally_near_codewords() {
    const Floats codebook{2, 0, 2, 0};
    const TensorView view{codebook, 1, 4, 1};
    for (const auto& [key, code] : {std::pair<float, Index>{1, 0}, {2, 0}, {0, 1}, {9, 0}, {-9, 1}})
      QCOMPARE(nearest_codeword(&key, view, 0), code);
  }

  void a_gate_multiplies_and_a_mask_hides() {
    const Small small;
    auto input = small.input();
    const Floats gate{1, 0.5F, 2};
    input.gate = {gate, 1, 3, 1};
    QVERIFY(near(AttentionDefinition(input, exact).output(0, 1)[0], 0.5 * 10));
    const auto mask = plain_mask("kv_idx != 1", 3).value();
    input.mask = mask.get();
    const AttentionDefinition masked(input, exact);
    QVERIFY(!masked.visible(2, 1));
    QVERIFY(near(masked.output(0, 2)[0], 2 * (6 + 3 * 24) / 4.0));
    QCOMPARE(masked.weights(0, 2)[1], 0.0);
  }

  void invalid_keys_do_not_affect_the_output_even_with_nan() {
    Small small;
    small.k[0] = small.v[0] = std::numeric_limits<float>::quiet_NaN();
    auto input = small.input();
    const std::vector<std::uint8_t> valid{0, 1, 1};
    input.key_valid = valid;
    const AttentionDefinition definition(input, exact);
    QCOMPARE(definition.output(0, 0), std::vector<double>{0});
    QVERIFY(near(definition.output(0, 2)[0], (2 * 12 + 3 * 24) / 5.0));
    QCOMPARE(AttentionDefinition(input, {.form = AttentionForm::vq_linear}).shortcode(0, 0), Index{-1});
  }

  /// Blocks of one token: without the cache a query sees its own block and the one before it.
  void without_the_cache_older_blocks_are_not_seen() {
    const Small small;
    const auto input = small.input();
    const AttentionDefinition near_only(input, {.form = AttentionForm::vq_linear, .block_len = 1, .agg_cache = false});
    QVERIFY(near_only.visible(2, 2) && near_only.visible(2, 1) && !near_only.visible(2, 0));
    const AttentionDefinition all(input, {.form = AttentionForm::vq_linear, .block_len = 1});
    QVERIFY(all.visible(2, 0));
  }

  /// Query heads 0 and 1 share key head 0, heads 2 and 3 key head 1.
  void query_heads_share_key_heads() {
    const AttentionSample sample({.length = 5, .heads = 4, .kv_heads = 2});
    const auto input = sample.input();
    const AttentionDefinition definition(input, exact);
    for (Index head = 0; head < 4; ++head) {
      double product = 0;
      for (Index c = 0; c < 8; ++c)
        product += static_cast<double>(input.q.row(head, 3)[c]) * static_cast<double>(input.k.row(head / 2, 1)[c]);
      QVERIFY(near(definition.score(head, 3, 1), product));
    }
    QCOMPARE(definition.output().size(), std::size_t{4 * 5 * 12});
  }

  void weights_are_a_distribution() {
    AttentionSample sample({.length = 30});
    sample.bias = random_bias(4, 1);
    const auto input = sample.input();
    for (const auto form : {AttentionForm::exact, AttentionForm::vq_quadratic, AttentionForm::vq_linear}) {
      const AttentionDefinition definition(input, {.form = form, .block_len = 8});
      for (Index query = 0; query < 30; ++query) {
        double sum = 0;
        for (const double weight : definition.weights(0, query)) sum += weight;
        QVERIFY(std::abs(sum - 1) < 1e-12);
      }
    }
  }
};

VQSCOPE_TEST(AttentionDefinitionTest)
#include "attention_definition_test.moc"
