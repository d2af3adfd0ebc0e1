// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/code_use.h"
#include "core/experiment/setting/vq_experiment.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

class VqErrorCurvesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void learning_fits_better() {
    const auto set =
        *curves_of("vq_codebook_training", small_values({{"n_code", Index{16}}, {"steps", Index{60}}, {"gamma", 0.9}}));
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x.size(), std::size_t{60});
    const auto loss = curve_of(set, "commit_loss");
    QVERIFY(loss.y.back() < loss.y.front());
    QCOMPARE(fact_of(set, "commit_loss"), loss.y.back());
    for (const double perplexity : curve_of(set, "perplexity").y) QVERIFY(perplexity >= 1 && perplexity <= 16);
    const auto dead =
        *curves_of("vq_codebook_training",
                   small_values({{"n_code", Index{16}}, {"fits", std::vector<std::string>{"dead_codes"}}}));
    QCOMPARE(dead.curves.size(), std::size_t{1});
    QCOMPARE(fact_of(dead, "dead_codes"), dead.curves[0].y.back());
  }

  void progress_reaches_the_end() {
    double last = 0;
    const Work work{[&](double fraction) { last = fraction; }, {}};
    for (const char* id : {"vq_codebook_training", "vq_error_vs_codes", "vq_error_by_token", "vq_theorem_2_2"}) {
      last = 0;
      auto values = curve_values(id, small_values());
      if (values.find("n_code_max")) values.set("n_code_max", Index{4});
      QVERIFY(make_curves(*find_method(experiment_methods(), id), values, work));
      QCOMPARE(last, 1.0);
    }
  }

  void partial_curves_are_reported() {
    const auto training = reported_sets("vq_codebook_training", small_values());
    COMPARE_TEXT(wrong_parts(training, 10), "");
    QCOMPARE(training[3].curves[1].y.size(), std::size_t{4});
    COMPARE_TEXT(wrong_parts(reported_sets("vq_error_vs_codes", small_values({{"n_code_max", Index{8}}})), 4), "");
    COMPARE_TEXT(wrong_parts(reported_sets("vq_error_vs_length", small_values({{"length_max", Index{200}}})), 3), "");
  }

  /// Its own steps of learning are those of the other experiments.
  void training_learns_the_shared_codebook() {
    const auto values = small_values({{"train_keys", Index{1500}}, {"n_code", Index{16}}});
    auto one_token = curve_values("vq_codebook_training", values);
    one_token.set("q_length", Index{1});
    const VqSetting setting = *vq_setting(one_token);
    const auto learnt = learn_vq(setting, matrix_of(draw_vq(setting).train, setting.d_k), {}).value();
    const auto set = *curves_of("vq_codebook_training", values);
    for (std::size_t step = 0; step < set.x.size(); ++step)
      QCOMPARE(set.curves[0].y[step], learnt.steps[step].commit_loss);
  }

  /// Keys around centres: more codewords, less of every error, and nothing left of them at as many
  /// as centres.
  void error_falls_with_the_size_of_the_codebook() {
    for (const Index seed : {1, 2, 3}) {
      const auto set = *curves_of("vq_error_vs_codes", small_values({{"n_code_max", Index{64}},
                                                                     {"q_length", Index{96}},
                                                                     {"d_k", Index{16}},
                                                                     {"clusters", Index{16}},
                                                                     {"train_keys", Index{600}},
                                                                     {"seed", seed}}));
      COMPARE_TEXT(incomplete(set), "");
      QCOMPARE(set.x, (std::vector<double>{1, 2, 4, 8, 16, 32, 64}));
      for (const char* name : {"commit_loss", "total_variation", "output_error"}) {
        const auto y = curve_of(set, name).y;
        QVERIFY2(y[0] > y[2] && y[2] > y[4] && 2 * y[0] > 3 * y[4], name);
      }
      const auto loss = curve_of(set, "commit_loss").y;
      QVERIFY(std::is_sorted(loss.rbegin(), loss.rend()));
      QCOMPARE(curve_of(set, "independent_rate").y[0], loss[0]);
      QVERIFY(near(curve_of(set, "independent_rate").y[4], loss[0] * std::pow(16, -2.0 / 16), 1e-9));
      QCOMPARE(set.marks.front().x, 16.0);
    }
  }

  void independent_keys_cannot_be_compressed() {
    const auto set = *curves_of("vq_error_vs_codes", small_values({{"n_code_max", Index{64}},
                                                                   {"q_length", Index{64}},
                                                                   {"d_k", Index{32}},
                                                                   {"train_keys", Index{600}},
                                                                   {"data", std::string("independent")}}));
    const auto loss = curve_of(set, "commit_loss").y;
    QVERIFY(loss.back() > loss.front() / 2);
    QVERIFY(set.marks.empty());
  }

  void lengths_and_tokens() {
    const auto by_length = *curves_of("vq_error_vs_length", small_values({{"length_max", Index{200}}}));
    COMPARE_TEXT(incomplete(by_length), "");
    QCOMPARE(by_length.x, (std::vector<double>{64, 128, 200}));
    const auto by_token = *curves_of("vq_error_by_token", small_values({{"q_length", Index{64}}}));
    COMPARE_TEXT(incomplete(by_token), "");
    QCOMPARE(by_token.x.size(), std::size_t{64});
    // The first query sees one key: nothing can be wrong with it.
    QCOMPARE(curve_of(by_token, "total_variation").y[0], 0.0);
    QCOMPARE(curve_of(by_token, "output_error").y[0], 0.0);
    QVERIFY(near(fact_of(by_token, "mean_total_variation"), curve_of(by_length, "total_variation").y[0], 1e-9));
    QVERIFY(near(fact_of(by_token, "commit_loss"), curve_of(by_length, "commit_loss").y[0], 1e-9));
    COMPARE_ERROR(curves_of("vq_error_by_token", {{"q_length", Index{16385}}}),
                  "q_length is 16385 but must be at most 16384 for the attention of every query");
  }

  void expected_occupancy_of_uniform_codes() {
    QVERIFY(near(expected_occupied(512, 512), 323.8, 0.05));
    QCOMPARE(expected_occupied(1, 9), 1.0);
    QVERIFY(near(expected_occupied(7, 1), 1, 1e-12));
    QVERIFY(near(expected_occupied(2, 2), 1.5, 1e-12));
  }

  void occupancy() {
    const auto set = *curves_of("vq_occupancy", small_values({{"n_code", Index{16}}, {"q_length", Index{100}}}));
    COMPARE_TEXT(incomplete(set), "");
    const auto counts = set.curves[0].y;
    QVERIFY(std::is_sorted(counts.rbegin(), counts.rend()));
    QCOMPARE(std::accumulate(counts.begin(), counts.end(), 0.0), 100.0);
    QCOMPARE(fact_of(set, "occupied") + fact_of(set, "dead_codes"), 16.0);
    QVERIFY(fact_of(set, "perplexity") <= fact_of(set, "occupied") + 1e-9);
    QCOMPARE(set.levels[0].y, 6.25);
    const auto bias =
        *curves_of("vq_occupancy",
                   small_values({{"n_code", Index{16}}, {"q_length", Index{100}}, {"occupancy", std::string("bias")}}));
    QCOMPARE(bias.curves[0].y[0], std::log(counts[0]));
  }

  /// Learnt codewords move too little to change many codes.
  void the_order_of_update_is_measured() {
    const auto set =
        *curves_of("vq_codebook_training",
                   small_values({{"n_code", Index{16}},
                                 {"fits", std::vector<std::string>{"commit_loss_after", "codes_changed"}}}));
    QCOMPARE(set.curves.size(), std::size_t{2});
    QVERIFY(fact_of(set, "commit_loss_after") <= fact_of(set, "commit_loss") + 1e-3);
    QVERIFY(fact_of(set, "codes_changed") >= 0 && fact_of(set, "codes_changed") < 0.1);
  }

  /// 10^5 pairs, of which the mean's own deviation is half a percent.
  void theorem_holds_within_two_percent() {
    for (const bool normalize : {true, false}) {
      const auto set =
          *curves_of("vq_theorem_2_2", small_values({{"pairs", Index{100000}},
                                                     {"n_code_max", Index{4}},
                                                     {"d_k", Index{32}},
                                                     {"normalize", std::string(normalize ? "layer_norm" : "none")},
                                                     {"side", std::string("ratio")}}));
      COMPARE_TEXT(incomplete(set), "");
      const double expected = normalize ? 32.0 / 31 : 1.0;
      QCOMPARE(fact_of(set, "expected_ratio"), expected);
      // For any map to codewords, as long as queries do not depend on keys.
      QCOMPARE(set.curves.size(), std::size_t{3});
      for (const Curve& curve : set.curves)
        for (const double ratio : curve.y) QVERIFY(near(ratio / expected, 1, 0.02));
    }
    const auto both = *curves_of("vq_theorem_2_2", small_values({{"n_code_max", Index{4}}}));
    QVERIFY(near(curve_of(both, "of_scores").y[2] / curve_of(both, "of_keys").y[2], fact_of(both, "ratio"), 1e-12));
  }

  /// Corollary 2.3: of all maps to the codewords, the nearest has the least error of scores.
  void the_nearest_codeword_is_the_best_map() {
    const auto set = *curves_of("vq_theorem_2_2", small_values({{"n_code_max", Index{16}}, {"pairs", Index{4096}}}));
    const auto nearest = curve_of(set, "of_scores").y, second = curve_of(set, "of_scores_second_nearest").y,
               random = curve_of(set, "of_scores_random").y;
    QCOMPARE(second.front(), nearest.front());  // of one codeword
    for (std::size_t i = 1; i < nearest.size(); ++i) QVERIFY(nearest[i] < second[i] && nearest[i] < random[i]);
    QVERIFY(fact_of(set, "second_nearest_over_nearest") > 1 && fact_of(set, "random_over_nearest") > 1);
    const auto one = *curves_of("vq_theorem_2_2",
                                small_values({{"n_code_max", Index{2}}, {"maps", std::vector<std::string>{"random"}}}));
    QCOMPARE(one.curves.size(), std::size_t{2});
    COMPARE_TEXT(one.curves[0].name, "of_scores_random");
  }
};

VQSCOPE_TEST(VqErrorCurvesTest)
#include "vq_error_curves_test.moc"
