// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_answer.h"

#include "core/attention/codebook/keys.h"
#include "core/experiment/setting/vq_experiment.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Tokens of one head, with keys around a few centres.
VqSetting setting_of_tokens(Index length, Index n_code) {
  SeededRandom random(11);
  auto tokens = std::make_shared<VqTokens>();
  tokens->length = length;
  tokens->d_k = tokens->d_v = 8;
  tokens->queries = normal_numbers(random, length * 8);
  tokens->keys = normal_numbers(random, length * 8);
  tokens->values = normal_numbers(random, length * 8);
  VqSetting setting;
  setting.q_length = length;
  setting.n_code = n_code;
  setting.d_k = setting.d_v = 8;
  setting.norm = QueryKeyNorm::none;
  setting.tokens = std::move(tokens);
  return setting;
}

struct ScalarErrors {
  double output = 0, variation = 0;
};

/// Causal softmax attention in double, with keys and with their codewords.
ScalarErrors scalar_errors(const VqSetting& setting) {
  const auto experiment = run_vq(setting).value();
  const auto& data = experiment.data;
  const auto weights = [&](const std::vector<float>& keys, Index query) {
    std::vector<double> all;
    double sum = 0;
    for (Index key = 0; key <= query; ++key) {
      double score = 0;
      for (Index i = 0; i < 8; ++i)
        score += static_cast<double>(data.queries[static_cast<std::size_t>(query * 8 + i)]) *
                 static_cast<double>(keys[static_cast<std::size_t>(key * 8 + i)]);
      all.push_back(std::exp(score));
      sum += all.back();
    }
    for (double& weight : all) weight /= sum;
    return all;
  };
  ScalarErrors errors;
  double apart = 0, size = 0;
  for (Index query = 0; query < setting.q_length; ++query) {
    const auto exact = weights(data.keys, query), codes = weights(experiment.quantised.keys, query);
    for (std::size_t key = 0; key < exact.size(); ++key) errors.variation += std::fabs(exact[key] - codes[key]) / 2;
    for (std::size_t i = 0; i < 8; ++i) {
      double wanted = 0, found = 0;
      for (std::size_t key = 0; key < exact.size(); ++key) {
        wanted += exact[key] * static_cast<double>(data.values[key * 8 + i]);
        found += codes[key] * static_cast<double>(data.values[key * 8 + i]);
      }
      apart += (found - wanted) * (found - wanted);
      size += wanted * wanted;
    }
  }
  errors.variation /= static_cast<double>(setting.q_length);
  errors.output = std::sqrt(apart / size);
  return errors;
}

}  // namespace

class VqAnswerTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void errors_are_those_of_scalar_attention() {
    for (const Index n_code : {Index{1}, Index{4}, Index{30}}) {
      const VqSetting setting = setting_of_tokens(48, n_code);
      const auto answer = vq_answer(setting);
      QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
      const ScalarErrors wanted = scalar_errors(setting);
      QVERIFY2(std::fabs(answer->output_error / wanted.output - 1) < 1e-4, qPrintable(QString::number(wanted.output)));
      QVERIFY(std::fabs(*answer->total_variation - wanted.variation) < 1e-4);
      QCOMPARE(answer->n_code, n_code);
    }
  }

  /// With as many codewords as keys there is no error left, so that 10 % is found below.
  void the_needed_codewords_are_between_sizes_that_were_measured() {
    const VqSetting setting = setting_of_tokens(48, 8);
    const auto answer = vq_answer(setting).value();
    QVERIFY(answer.output_error > stated_error);
    QVERIFY(answer.needed.count || !answer.needed.reason.empty());
    if (!answer.needed.count) return;
    QVERIFY(*answer.needed.count > 8 && *answer.needed.count <= 48);
    VqSetting enough = setting;
    enough.n_code = 48;
    QVERIFY(scalar_errors(enough).output <= stated_error);
  }

  void a_given_codebook_has_no_other_size() {
    VqSetting setting = setting_of_tokens(48, 4);
    auto tokens = std::make_shared<VqTokens>(*setting.tokens);
    tokens->n_code = 4;
    tokens->codewords.assign(tokens->keys.begin(), tokens->keys.begin() + 32);
    setting.tokens = std::move(tokens);
    const auto answer = vq_answer(setting).value();
    QVERIFY(!answer.needed.count && answer.needed.reason.empty());
  }
};

VQSCOPE_TEST(VqAnswerTest)
#include "vq_answer_test.moc"
