// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/row_errors.h"

#include "core/experiment/setting/vq_experiment.h"
#include "tests/core/attention/forms/attention_definition.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

TensorView tensor(const std::vector<float>& rows, Index width) {
  return {rows, 1, static_cast<Index>(rows.size()) / width, width};
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

}  // namespace

class RowErrorsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Scores 0 and ln 3 of the second query become 0 and 0: weights 1/4 and 3/4 become halves.
  void by_hand() {
    const std::vector<float> queries{1, 1};
    const std::vector<float> keys{0, std::log(3.0F)};
    const std::vector<float> quantised{0, 0};
    const std::vector<float> values{4, 8};
    const auto rows =
        row_errors({matrix_of(queries, 1), matrix_of(keys, 1), matrix_of(quantised, 1), matrix_of(values, 1)}, {0, 2});
    QVERIFY(rows);
    QCOMPARE((*rows)[0].total_variation, 0.0);
    QCOMPARE((*rows)[0].relative(), 0.0);
    QVERIFY(near((*rows)[1].total_variation, 0.25, 1e-6));
    QVERIFY(near((*rows)[1].output_size, 7, 1e-5) && near((*rows)[1].output_error, 1, 1e-5));
    QVERIFY(near((*rows)[1].relative(), 1.0 / 7, 1e-6));
    const MeanError mean = mean_of(*rows);
    QVERIFY(near(mean.total_variation, 0.125, 1e-6));
    QVERIFY(near(mean.output_error, 1 / std::sqrt(16.0 + 49), 1e-6));
    QCOMPARE(RowError().relative(), 0.0);
  }

  void rows_agree_with_the_definition() {
    for (const std::uint64_t seed : {1U, 2U}) {
      VqSetting setting = small_setting();
      setting.keys.seed = seed;
      const auto experiment = run_vq(setting);
      QVERIFY(experiment);
      const VqData& data = experiment->data;
      AttentionInput input;
      input.q = tensor(data.queries, data.d_k);
      input.k = tensor(data.keys, data.d_k);
      input.v = tensor(data.values, data.d_v);
      input.codebook = tensor(experiment->codewords, data.d_k);
      AttentionOptions options;
      options.form = AttentionForm::exact;
      const AttentionDefinition exact(input, options);
      options.form = AttentionForm::vq_quadratic;
      const AttentionDefinition quantised(input, options);
      const Range some{5, 41};
      const auto rows = row_errors({matrix_of(data.queries, data.d_k), matrix_of(data.keys, data.d_k),
                                    matrix_of(experiment->quantised.keys, data.d_k), matrix_of(data.values, data.d_v)},
                                   some);
      QCOMPARE(static_cast<Index>(rows->size()), some.size());
      for (Index q = some.begin; q < some.end; ++q) {
        const RowError& row = (*rows)[static_cast<std::size_t>(q - some.begin)];
        const auto a = exact.weights(0, q);
        const auto b = quantised.weights(0, q);
        double apart = 0;
        for (std::size_t j = 0; j < a.size(); ++j) apart += std::abs(a[j] - b[j]) / 2;
        QVERIFY(near(row.total_variation, apart, 1e-5));
        QVERIFY(near(row.output_error, distance(exact.output(0, q), quantised.output(0, q)), 1e-5));
      }
    }
  }

  void it_can_be_stopped() {
    std::stop_source source;
    source.request_stop();
    const std::vector<float> one{1};
    const auto all = matrix_of(one, 1);
    QVERIFY(row_errors({all, all, all, all}, {0, 1}, {{}, source.get_token()}).error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(RowErrorsTest)
#include "row_errors_test.moc"
