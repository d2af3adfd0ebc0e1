// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_experiment.h"

#include "core/attention/tensor_view.h"
#include "core/experiment/setting/row_errors.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

class VqExperimentTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Keys 0.9 and 2.2 of codewords 1 and 2, key -3 of codeword 1.
  void quantised_by_hand() {
    const std::vector<float> keys{0.9F, 2.2F, -3}, codewords{1, 2};
    const auto quantised = quantise(matrix_of(keys, 1), matrix_of(codewords, 1));
    QCOMPARE(quantised.codes, (std::vector<std::int32_t>{0, 1, 0}));
    QCOMPARE(quantised.keys, (std::vector<float>{1, 2, 1}));
    QVERIFY(std::abs(quantised.commit_loss - (0.01 + 0.04 + 16) / 3) < 1e-5);
    QCOMPARE(code_counts(quantised.codes, 3), (std::vector<Index>{2, 1, 0}));
  }

  void lengths_double() {
    QCOMPARE(powers_of_two(4, 20), (std::vector<double>{4, 8, 16, 20}));
    QCOMPARE(powers_of_two(4, 16), (std::vector<double>{4, 8, 16}));
    QCOMPARE(powers_of_two(5, 5), std::vector<double>{5});
  }

  void some_rows_of_a_matrix() {
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
    const StridedMatrix some = rows_of(matrix_of(numbers, 2), {1, 3});
    QCOMPARE(some.rows, Index{2});
    QCOMPARE(some.data[0], 3.0F);
    QCOMPARE(some.stride, Index{2});
  }

  /// A longer sequence begins with the same tokens, and every key has the nearest of the learnt
  /// codewords.
  void tokens_and_codebook() {
    VqSetting setting = small_setting(), longer = setting;
    longer.q_length = 60;
    const VqData data = draw_vq(setting), more = draw_vq(longer);
    QVERIFY(std::equal(data.keys.begin(), data.keys.end(), more.keys.begin()));
    QVERIFY(std::equal(data.queries.begin(), data.queries.end(), more.queries.begin()));
    QCOMPARE(data.train.size(), std::size_t{200 * 8});
    const auto experiment = run_vq(setting).value();
    QCOMPARE(experiment.codewords.size(), std::size_t{8 * 8});
    QCOMPARE(experiment.quantised.codes.size(), std::size_t{48});
    const auto counts = code_counts(experiment.quantised.codes, 8);
    QCOMPARE(std::accumulate(counts.begin(), counts.end(), Index{0}), Index{48});
    QVERIFY(experiment.quantised.commit_loss < 1);  // eight clusters, eight codewords
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(run_vq(setting, {.progress = {}, .stop = stop.get_token()}).error().code, Errc::cancelled);
  }

  /// q·k of one head up to the query's own key, -infinity after it.
  void rows_of_scores() {
    const std::vector<float> queries{1, 2, 3}, keys{4, 5, 6};
    const auto q = matrix_of(queries, 1), k = matrix_of(keys, 1);
    const ScoreRows scores({q, k, k, k});
    std::vector<float> rows(6);
    scores.fill({k}, {0, 2}, {0, 3}, rows.data());
    QCOMPARE(rows, (std::vector<float>{4, hidden_score, hidden_score, 8, 10, hidden_score}));
    QCOMPARE(scores.product({k}, 2, 1), 15.0);
    QCOMPARE(scores.bias(2, 1), 0.0);
  }

  /// Keys more than one token back are scored by other vectors.
  void rows_of_far_scores() {
    const std::vector<float> queries{1, 2, 3}, far_queries{10, 20, 30}, keys{4, 5, 6}, far_keys{7, 8, 9};
    const auto q = matrix_of(queries, 1), k = matrix_of(keys, 1), far = matrix_of(far_keys, 1);
    const ScoreRows scores({q, k, k, k, nullptr, {1, matrix_of(far_queries, 1), far, far}});
    std::vector<float> rows(9);
    scores.fill({k, far}, {0, 3}, {0, 3}, rows.data());
    QCOMPARE(rows, (std::vector<float>{4, hidden_score, hidden_score, 8, 10, hidden_score, 210, 15, 18}));
    QCOMPARE(scores.product({k, far}, 2, 0), 210.0);
    QCOMPARE(scores.product({k}, 2, 0), 12.0);
  }
};

VQSCOPE_TEST(VqExperimentTest)
#include "vq_experiment_test.moc"
