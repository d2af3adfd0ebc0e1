// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/elementwise.h"

#include "core/attention/forms/definition.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

double squared_relu(double x) { return x > 0 ? x * x : 0; }
double exponential(double x) { return std::exp(x); }

}  // namespace

class ElementwiseTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Keys 0.9 and 2.2 have codewords 1 and 2; the identity gives q·k̂ v summed.
  void by_hand() {
    const std::vector<float> q{1, 10}, k{0.9F, 2.2F}, v{3, 5}, codebook{1, 2};
    const AttentionInput input{
        .q = {q, 1, 2, 1}, .k = {k, 1, 2, 1}, .v = {v, 1, 2, 1}, .codebook = {codebook, 1, 2, 1}};
    const auto identity = [](double x) { return x; };
    QCOMPARE(elementwise_quadratic(input, {}, identity), (std::vector<double>{3, 130}));
    QCOMPARE(elementwise_quadratic(input, {.causal = false}, identity), (std::vector<double>{13, 130}));
    QCOMPARE(elementwise_linear(input, {.block_len = 1}, identity), (std::vector<double>{3, 130}));
  }

  void linear_is_quadratic() {
    for (const auto& phi : {squared_relu, exponential})
      for (const Index block_len : {4, 16, 33, 100})
        for (const bool biased : {false, true}) {
          AttentionSample sample({.length = 96});
          if (biased) sample.bias = random_bias(block_len, 1);
          sample.bias.beyond.clear();
          const AttentionInput input = sample.input();
          const AttentionOptions options{.block_len = block_len};
          COMPARE_TEXT(farther(elementwise_linear(input, options, phi), elementwise_quadratic(input, options, phi),
                               1e-12, {100}),
                       "");
        }
  }

  void linear_is_quadratic_without_a_mask() {
    const AttentionSample sample({});
    const AttentionInput input = sample.input();
    const AttentionOptions options{.causal = false};
    COMPARE_TEXT(farther(elementwise_linear(input, options, squared_relu),
                         elementwise_quadratic(input, options, squared_relu), 1e-12, {100}),
                 "");
  }

  /// Softmax is exp over its row's sum, which values of 1 give.
  void exponentials_over_their_sum_are_softmax() {
    AttentionSample sample({});
    const AttentionOptions options{.block_len = 16};
    const auto weighted = elementwise_linear(sample.input(), options, exponential);
    const auto wanted = AttentionDefinition(sample.input(), options).output();
    std::fill(sample.v.begin(), sample.v.end(), 1.0F);
    const auto sums = elementwise_linear(sample.input(), options, exponential);
    std::vector<double> got;
    for (std::size_t i = 0; i < weighted.size(); ++i) got.push_back(weighted[i] / sums[i]);
    COMPARE_TEXT(farther(got, wanted, 1e-12, {1}), "");
  }
};

VQSCOPE_TEST(ElementwiseTest)
#include "elementwise_test.moc"
