// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/run/attention_run.h"

#include "core/mask/language/plain_mask.h"
#include "tests/core/attention/forms/attention_definition.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

double variation(const AttentionInput& input, const AttentionOptions& options) {
  const auto codes = shortcodes(input, options).value();
  const std::vector<float> keys = quantised_keys(input, codes);
  return mean_total_variation(input, {keys, input.k.heads, input.k.rows, input.k.cols}, options).value().mean;
}

/// Cell by cell in double.
double variation_by_definition(const AttentionInput& input, AttentionOptions options) {
  options.form = AttentionForm::vq_quadratic;
  const AttentionDefinition quantised(input, options);
  options.form = AttentionForm::exact;
  const AttentionDefinition exact(input, options);
  double sum = 0, rows = 0;
  for (Index head = 0; head < input.q.heads; ++head)
    for (Index query = 0; query < input.q.rows; ++query) {
      const auto a = exact.weights(head, query), b = quantised.weights(head, query);
      double apart = 0, weight = 0;
      for (std::size_t j = 0; j < a.size(); ++j) {
        apart += std::abs(a[j] - b[j]) / 2;
        weight += a[j];
      }
      if (weight == 0) continue;
      sum += apart;
      ++rows;
    }
  return sum / rows;
}

}  // namespace

class WeightDifferenceTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Keys 0 and ln 3 of the codeword 0: the second query's weights are 1/4 and 3/4 instead of 1/2
  /// and 1/2.
  void by_hand() {
    const std::vector<float> q{1, 1}, k{0, std::log(3.0F)}, v{5, 6}, zero{0};
    AttentionInput input;
    input.q = {q, 1, 2, 1};
    input.k = {k, 1, 2, 1};
    input.v = {v, 1, 2, 1};
    input.codebook = {zero, 1, 1, 1};
    QVERIFY(std::abs(variation(input, {}) - 0.125) < 1e-6);
  }

  void agrees_with_the_definition_data() {
    QTest::addColumn<bool>("causal");
    QTest::addColumn<bool>("cache");
    QTest::addColumn<bool>("biased");
    QTest::newRow("causal") << true << true << false;
    QTest::newRow("every key") << false << true << false;
    QTest::newRow("near blocks") << true << false << false;
    QTest::newRow("bias and mask") << true << true << true;
  }
  void agrees_with_the_definition() {
    QFETCH(bool, causal);
    QFETCH(bool, cache);
    QFETCH(bool, biased);
    const AttentionSample sample({.length = 70, .heads = 4, .kv_heads = 2, .codebooks = 2, .n_code = 5, .d_k = 4});
    AttentionInput input;
    input.q = {sample.q, 4, 70, 4};
    input.k = {sample.k, 2, 70, 4};
    input.v = {sample.v, 2, 70, 12};
    input.codebook = {sample.codebook, 2, 5, 4};
    std::vector<std::uint8_t> valid(70, 1);
    valid[0] = valid[9] = 0;
    input.key_valid = valid;
    const auto mask = plain_mask("q_idx > 3 and kv_idx % 3 != 1", 70).value();
    if (biased) {
      input.mask = mask.get();
      input.bias = {.window = 69};
      for (Index n = 0; n < 70; ++n) input.bias.values.push_back(-0.1F * static_cast<float>(n));
    }
    const AttentionOptions options{
        .form = AttentionForm::vq_quadratic, .causal = causal, .block_len = 16, .agg_cache = cache, .threads = 3};
    const double wanted = variation_by_definition(input, options);
    QVERIFY(wanted > 0.01);
    QVERIFY2(std::abs(variation(input, options) - wanted) < 1e-5, qPrintable(QString::number(wanted)));
  }

  void work_is_cancelled() {
    const std::vector<float> one{1};
    AttentionInput input;
    input.q = input.k = input.v = {one, 1, 1, 1};
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(mean_total_variation(input, input.k, {}, {.progress = {}, .stop = stop.get_token()}).error().code,
             Errc::cancelled);
  }
};

VQSCOPE_TEST(WeightDifferenceTest)
#include "weight_difference_test.moc"
