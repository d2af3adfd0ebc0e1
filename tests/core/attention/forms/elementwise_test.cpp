// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/attention_forms.h"

#include "core/attention/forms/attention.h"
#include "core/mask/language/plain_mask.h"
#include "tests/core/attention/forms/attention_definition.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Cell by cell in double: the sum of φ(score) v over the visible keys, [heads, T, d_v].
std::vector<double> elementwise_by_definition(const AttentionInput& input, const AttentionOptions& options) {
  const AttentionDefinition cells(input, options);
  std::vector<double> out;
  for (Index head = 0; head < input.q.heads; ++head)
    for (Index query = 0; query < input.q.rows; ++query) {
      std::vector<double> row(static_cast<std::size_t>(input.v.cols));
      for (Index key = 0; key < input.k.rows; ++key) {
        if (!cells.visible(query, key)) continue;
        const double score = cells.score(head, query, key);
        const double weight =
            options.weights == WeightFunction::exponential ? std::exp(score) : std::pow(std::max(score, 0.0), 2);
        const float* v = input.v.row(head / (input.q.heads / input.k.heads), key);
        for (std::size_t c = 0; c < row.size(); ++c) row[c] += weight * static_cast<double>(v[c]);
      }
      out.insert(out.end(), row.begin(), row.end());
    }
  return out;
}

double largest_gap(const std::vector<float>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return INFINITY;
  double gap = 0, size = 1;
  for (std::size_t i = 0; i < b.size(); ++i) {
    gap = std::fmax(gap, std::abs(static_cast<double>(a[i]) - b[i]));
    size = std::fmax(size, std::abs(b[i]));
  }
  return gap / size;
}

}  // namespace

class ElementwiseTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Keys 0.9 and 2.2 have codewords 1 and 2: squares of the scores 1 | 10 and 20.
  void by_hand() {
    const std::vector<float> q{1, 10}, k{0.9F, 2.2F}, v{3, 5}, codebook{1, 2};
    AttentionInput input;
    input.q = {q, 1, 2, 1};
    input.k = {k, 1, 2, 1};
    input.v = {v, 1, 2, 1};
    input.codebook = {codebook, 1, 2, 1};
    AttentionOptions options{.form = AttentionForm::vq_quadratic, .weights = WeightFunction::squared_relu};
    QCOMPARE(attention(input, options)->values, (std::vector<float>{3, 300 + 2000}));
    options.form = AttentionForm::vq_linear;
    options.block_len = 1;
    QCOMPARE(attention(input, options)->values, (std::vector<float>{3, 2300}));
    options.causal = false;
    QCOMPARE(attention(input, options)->values, (std::vector<float>{3 + 20, 2300}));
    QCOMPARE(elementwise_weight(WeightFunction::squared_relu, -2), 0.0F);
    QCOMPARE(elementwise_weight(WeightFunction::squared_relu, -INFINITY), 0.0F);
    QCOMPARE(elementwise_weight(WeightFunction::exponential, -INFINITY), 0.0F);
    QCOMPARE(elementwise_weight(WeightFunction::exponential, 0), 1.0F);
  }

  void every_form_is_the_definition_data() {
    QTest::addColumn<int>("weights");
    QTest::addColumn<int>("block_len");
    for (const int weights : {1, 2})
      for (const int block_len : {4, 16, 33, 100})
        QTest::addRow("%s, blocks of %d", weights == 1 ? "exponential" : "squared_relu", block_len)
            << weights << block_len;
  }
  void every_form_is_the_definition() {
    QFETCH(int, weights);
    QFETCH(int, block_len);
    AttentionSample sample({.length = 96, .heads = 4, .kv_heads = 2, .codebooks = 2});
    AttentionInput input = sample.input();
    std::vector<std::uint8_t> valid(96, 1);
    valid[3] = valid[50] = 0;
    for (const bool hides : {false, true})
      for (const bool causal : {true, false})
        for (const bool cache : {true, false})
          for (const auto form : {AttentionForm::exact, AttentionForm::vq_quadratic, AttentionForm::vq_linear}) {
            input.key_valid = hides ? std::span<const std::uint8_t>(valid) : std::span<const std::uint8_t>();
            const AttentionOptions options{.form = form,
                                           .weights = static_cast<WeightFunction>(weights),
                                           .causal = causal,
                                           .block_len = block_len,
                                           .agg_cache = cache || !causal,
                                           .threads = 2};
            const double gap =
                largest_gap(attention(input, options)->values, elementwise_by_definition(input, options));
            QVERIFY2(gap < 1e-5, qPrintable(QString::number(gap)));
          }
  }

  /// A bias within the window, one value beyond it, and a mask, which the linear form does not
  /// take.
  void biases_and_masks() {
    AttentionSample sample({.length = 70});
    AttentionInput input = sample.input();
    input.bias = {.window = 16, .beyond = {-0.75F}};
    for (int n = 0; n <= 16; ++n) input.bias.values.push_back(0.1F * static_cast<float>(n) - 1);
    for (const auto weights : {WeightFunction::exponential, WeightFunction::squared_relu})
      for (const auto form : {AttentionForm::vq_quadratic, AttentionForm::vq_linear}) {
        const AttentionOptions options{.form = form, .weights = weights, .block_len = 16};
        QVERIFY(largest_gap(attention(input, options)->values, elementwise_by_definition(input, options)) < 1e-5);
      }
    const auto mask = plain_mask("(q_idx + kv_idx) % 3 != 1", 70).value();
    input.mask = mask.get();
    const AttentionOptions options{.form = AttentionForm::vq_quadratic, .weights = WeightFunction::squared_relu};
    QVERIFY(largest_gap(attention(input, options)->values, elementwise_by_definition(input, options)) < 1e-5);
  }

  /// Softmax is the exponentials over their sum, which values of 1 give.
  void normalised_exponentials_equal_softmax() {
    AttentionSample sample({.length = 96});
    AttentionOptions options{.weights = WeightFunction::exponential, .block_len = 16};
    const auto weighted = attention(sample.input(), options)->values;
    options.weights = WeightFunction::softmax;
    const auto wanted = attention(sample.input(), options)->values;
    std::fill(sample.v.begin(), sample.v.end(), 1.0F);
    options.weights = WeightFunction::exponential;
    const auto sums = attention(sample.input(), options)->values;
    for (std::size_t i = 0; i < sums.size(); ++i) QVERIFY(std::abs(weighted[i] / sums[i] - wanted[i]) < 1e-5F);
  }

  void weights_beyond_float32_are_refused() {
    const std::vector<float> q{100}, k{1}, v{1};
    AttentionInput input;
    input.q = {q, 1, 1, 1};
    input.k = {k, 1, 1, 1};
    input.v = {v, 1, 1, 1};
    COMPARE_ERROR(attention(input, {.form = AttentionForm::exact, .weights = WeightFunction::exponential}),
                  "the output of query 0 is inf: the scores are too large for weights without a sum");
  }
};

VQSCOPE_TEST(ElementwiseTest)
#include "elementwise_test.moc"
