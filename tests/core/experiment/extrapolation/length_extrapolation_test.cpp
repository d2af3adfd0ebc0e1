// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/experiment/extrapolation/studies.h"
#include "core/experiment/methods.h"
#include "core/experiment/training/training_data.h"
#include "core/method/curve_set.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/train/initial_weights.h"
#include "tests/support/curve_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const Method& method() {
  static const Method made = length_extrapolation_method();
  return made;
}

/// A few steps of a tiny model.
ParameterValues small_language(const std::vector<std::pair<std::string, ParameterValue>>& changes = {}) {
  ParameterValues values = default_values(method().parameters);
  values.set("models", std::vector<std::string>{"rope", "rope_linear", "alibi", "vq", "rope_random"});
  values.set("lines", std::string("mean"));
  for (const auto& [name, value] : {std::pair("train_steps", 3),
                                    {"train_length", 32},
                                    {"batch_rows", 2},
                                    {"seed_count", 2},
                                    {"d_model", 8},
                                    {"n_layers", 1},
                                    {"num_heads", 2},
                                    {"d_ff", 8},
                                    {"longest_multiple", 2},
                                    {"train_threads", 1}})
    values.set(name, Index{value});
  for (const auto& [name, value] : changes) values.set(name, value);
  return values;
}

/// By a process that has not trained anything yet.
VariantMeasures measured_anew(
    const ParameterValues& values, const Work& work = {},
    const std::function<void(const VariantMeasures&)>& measured = [](const VariantMeasures&) {}) {
  TrainedModels models;
  return run_study(language_study(values), work, measured, models).value();
}

}  // namespace

class LengthExtrapolationTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Each has a training of its own, with a finite loss at every length, the same bits with any
  /// number of threads.
  void learnt_relative_positions() {
    const std::vector<std::string> models{"fire", "rope_t5_bias", "rope_kerple_log", "transformer_xl"};
    const auto losses = measured_anew(small_language({{"models", models}}));
    QCOMPARE(losses.size(), models.size());
    QCOMPARE(measured_anew(small_language({{"models", models}, {"train_threads", Index{3}}})), losses);
    for (std::size_t model = 0; model < models.size(); ++model) {
      QVERIFY(std::isfinite(losses[model][0][0]) && std::isfinite(losses[model][1][1]));
      QVERIFY(model == 0 || losses[model][0][0] != losses[model - 1][0][0]);
    }
    const auto later = measured_anew(small_language({{"models", models}, {"fire_threshold", 40.0}}));
    QVERIFY(later[0][0][0] != losses[0][0][0]);
    QCOMPARE(later[1], losses[1]);
  }

  /// At the training length scalings change nothing; what is measured does not depend on the
  /// threads.
  void losses_of_variants() {
    std::vector<double> fractions;
    int measured = 0;
    const auto losses = measured_anew(small_language(), {[&](double part) { fractions.push_back(part); }, {}},
                                      [&](const VariantMeasures&) { ++measured; });
    QCOMPARE(measured, 8);
    QVERIFY(std::ranges::is_sorted(fractions) && fractions.back() == 1);
    QCOMPARE(losses.size(), std::size_t{5});
    const auto& rope = losses[0];
    const auto& linear = losses[1];
    for (std::size_t seed = 0; seed < 2; ++seed) {
      QCOMPARE(linear[seed][0], rope[seed][0]);
      QVERIFY(linear[seed][1] != rope[seed][1]);
      for (const auto& variant : losses) QVERIFY(variant[seed][1] > 3 && variant[seed][1] < 5);
    }
    QVERIFY(rope[0] != rope[1]);
    QCOMPARE(measured_anew(small_language({{"train_threads", Index{3}}})), losses);
    const auto second = measured_anew(small_language({{"seed", Index{1}}, {"seed_count", Index{1}}}));
    for (std::size_t i = 0; i < losses.size(); ++i) QCOMPARE(second[i][0], losses[i][1]);
  }

  /// Tests count as work, so that the progress ends with the last of them.
  void progress_names_trainings_and_tests() {
    std::vector<std::string> phases;
    std::vector<double> fractions;
    const Work work{.progress = [&](double part) { fractions.push_back(part); },
                    .stop = {},
                    .phase = [&](const std::string& words) { phases.push_back(words); }};
    measured_anew(small_language({{"models", std::vector<std::string>{"alibi"}}}), work);
    const std::vector<std::string> named{"0 of 2 models trained",
                                         "1 of 2 models trained",
                                         "1 of 2 models trained, 1 of 4 tests evaluated",
                                         "1 of 2 models trained, 2 of 4 tests evaluated",
                                         "All models are trained, 2 of 4 tests evaluated",
                                         "All models are trained, 3 of 4 tests evaluated",
                                         "All models are trained, 4 of 4 tests evaluated"};
    phases.erase(std::unique(phases.begin(), phases.end()), phases.end());
    QCOMPARE(phases, named);
    QCOMPARE(fractions.back(), 1.0);
    QVERIFY(fractions[fractions.size() - 2] < 1);
    const Method& study = method();
    const double few = study.curves()->work(small_language());
    QVERIFY(few > 0);
    QVERIFY(study.curves()->work(small_language({{"train_steps", Index{6}}})) > few);
    QVERIFY(study.curves()->work(small_language({{"longest_multiple", Index{4}}})) > few);
  }

  /// A training is done once: other lines, a longer curve or one model more take what is there.
  void trainings_are_kept() {
    TrainedModels models;
    int steps = 0;
    const auto run = [&](const std::vector<std::pair<std::string, ParameterValue>>& changes) {
      steps = 0;
      // A kept training has no steps.
      const Work counted{.trained = [&](const TrainingProgress&) { ++steps; }};
      return run_study(
                 language_study(small_language(changes)), counted, [](const auto&) {}, models)
          .value();
    };
    const auto few = run({{"models", std::vector<std::string>{"alibi"}}});
    QCOMPARE(steps, 2 * 3);
    const auto more = run({{"models", std::vector<std::string>{"alibi", "nope"}}});
    QCOMPARE(steps, 2 * 3);
    QCOMPARE(more[0], few[0]);
    QCOMPARE(measured_anew(small_language({{"models", std::vector<std::string>{"alibi", "nope"}}})), more);
    for (const auto& [name, value] : {std::pair("train_steps", ParameterValue(Index{4})),
                                      {"lr_max", ParameterValue(1e-3)},
                                      {"batch_rows", ParameterValue(Index{3})},
                                      {"train_length", ParameterValue(Index{33})},
                                      {"seed", ParameterValue(Index{7})},
                                      {"d_ff", ParameterValue(Index{16})}}) {
      run({{"models", std::vector<std::string>{"alibi"}}, {"seed_count", Index{1}}, {name, value}});
      QVERIFY2(steps > 0, name);
    }
  }

  void curves_of_the_losses() {
    const auto losses = measured_anew(small_language());
    const CurveSet set = make_curves(method(), small_language({{"competence", 9.0}})).value();
    QCOMPARE(set.x, (std::vector<double>{32, 64}));
    // In the order of the list of models.
    QCOMPARE(curve_names(set), (std::vector<std::string>{"rope", "rope_linear", "rope_random", "alibi", "vq"}));
    for (std::size_t i = 0; i < 5; ++i) {
      QCOMPARE(set.curves[i].y[0], 0.0);
      const double gap = (losses[i][0][1] - losses[i][0][0] + losses[i][1][1] - losses[i][1][0]) / 2;
      QVERIFY(std::abs(set.curves[i].y[1] - gap) < 1e-12);
    }
    QVERIFY(std::abs(fact_of(set, "loss_at_training_length_rope") - (losses[0][0][0] + losses[0][1][0]) / 2) < 1e-12);
    std::vector<double> ranks;
    for (const auto& name : curve_names(set)) ranks.push_back(fact_of(set, "rank_" + name));
    std::ranges::sort(ranks);
    QCOMPARE(ranks.front(), 1.0);
    QVERIFY(ranks.back() <= 5);
  }

  /// Of models with a cache at test; without positions, keys of the cache have as much weight as others.
  void shares_of_the_cache() {
    const std::vector<std::string> models{"rope", "vq", "vq_test_without_cache", "vq_nope"};
    const auto with = [&](const char* quantity) {
      return small_language({{"models", models},
                             {"model_block_len", Index{4}},
                             {"n_layers", Index{2}},
                             {"competence", 9.0},
                             {"quantity", std::string(quantity)}});
    };
    const CurveSet set = make_curves(method(), with("cache_share")).value();
    QCOMPARE(curve_names(set), (std::vector<std::string>{"vq", "vq_nope"}));
    COMPARE_TEXT(set.y_title, "share of attention on the cache");
    for (const Curve& curve : set.curves) QVERIFY(curve.y[0] > 0.3 && curve.y[0] < curve.y[1] && curve.y[1] < 1);
    QCOMPARE(fact_of(set, "cache_share_at_longest_vq"), set.curves[0].y[1]);
    const CurveSet layers = make_curves(method(), with("cache_share_by_layer")).value();
    QCOMPARE(curve_names(layers),
             (std::vector<std::string>{"vq, layer 0", "vq, layer 1", "vq_nope, layer 0", "vq_nope, layer 1"}));
    QVERIFY(std::abs((layers.curves[0].y[1] + layers.curves[1].y[1]) / 2 - set.curves[0].y[1]) < 1e-12);
    COMPARE_ERROR(method().check(small_language({{"models", std::vector<std::string>{"rope", "vq_without_cache"}},
                                                 {"quantity", std::string("cache_share")}})),
                  "quantity is cache_share but must be difference or loss, or models must name one with a cache, such "
                  "as vq");
  }

  /// A model that did not learn is named, not ranked.
  void the_competence_gate() {
    const CurveSet set =
        make_curves(method(), small_language({{"competence", 1.0}, {"lines", std::string("seeds")}})).value();
    QCOMPARE(set.curves.size(), std::size_t{10});
    COMPARE_TEXT(set.curves[0].name, "rope (did not learn), seed 0");
    COMPARE_TEXT(set.curves[9].name, "vq (did not learn), seed 1");
    QVERIFY(std::isnan(fact_of(set, "rank_rope")));
    const CurveSet diverged = make_curves(method(), small_language({{"lr_max", 1.0},
                                                                    {"models", std::vector<std::string>{"nope"}},
                                                                    {"lines", std::string("range")},
                                                                    {"quantity", std::string("loss")}}))
                                  .value();
    QCOMPARE(curve_names(diverged).front(), std::string("nope (did not learn)"));
    QCOMPARE(diverged.bands, (std::vector<CurveBand>{{0, 1, 2}}));
    QVERIFY(diverged.curves[1].y[0] <= diverged.curves[0].y[0] && diverged.curves[0].y[0] <= diverged.curves[2].y[0]);
  }

  void units_and_published_values() {
    const CurveSet set = make_curves(method(), small_language({{"x_unit", std::string("trained_lengths")},
                                                               {"overlay", std::string("alibi_table_2")},
                                                               {"models", std::vector<std::string>{"alibi"}}}))
                             .value();
    QCOMPARE(set.x, (std::vector<double>{1, 2}));
    QVERIFY(set.published && set.published->series.size() == 4);
  }

  /// Values measured so far are shown, others are missing.
  void partial_curves() {
    std::vector<CurveSet> partial;
    const auto done =
        make_curves(method(), small_language(),
                    {.progress = {}, .stop = {}, .partial = [&](const CurveSet& set) { partial.push_back(set); }});
    QVERIFY(done);
    QCOMPARE(partial.size(), std::size_t{8});
    QVERIFY(std::isfinite(partial[0].curves[0].y[1]));  // the first seed's, until there are others
    QVERIFY(partial[0].curves[0].y != done->curves[0].y);
    QVERIFY(std::isnan(partial[0].curves[3].y[1]));
    QCOMPARE(partial[7].curves[0].y, done->curves[0].y);
    COMPARE_TEXT(partial[0].curves[3].name, "alibi");
  }

  void stops_and_refusals() {
    std::stop_source stop;
    const auto stopped = make_curves(method(), small_language({{"train_steps", Index{10000}}}),
                                     {.progress = [&](double) { stop.request_stop(); }, .stop = stop.get_token()});
    QCOMPARE(stopped.error().code, Errc::cancelled);
    const auto refused = [](const std::vector<std::pair<std::string, ParameterValue>>& changes) {
      return check_study(language_study(small_language(changes)));
    };
    QVERIFY(refused({}));
    COMPARE_ERROR(refused({{"models", std::vector<std::string>{}}}),
                  "models is empty but must have at least one model");
    COMPARE_ERROR(refused({{"num_heads", Index{8}}}), "rope: head_dim is 1 but must be even to be rotated in pairs");
    const auto large = refused({{"d_model", Index{128}},
                                {"n_layers", Index{6}},
                                {"num_heads", Index{8}},
                                {"batch_rows", Index{1024}},
                                {"train_length", Index{128}}});
    QVERIFY(!large);
    QVERIFY2(large.error().message.starts_with("a training at 128 tokens needs "), large.error().message.c_str());
  }

  /// At lengths that full attention takes too long for, VQ attention is measured.
  void tests_that_take_too_long() {
    VariantStudy study = language_study(
        small_language({{"models", std::vector<std::string>{"rope", "vq"}}, {"longest_multiple", Index{4096}}}));
    study.most_test_seconds = 100;
    QCOMPARE(study.longest(), Index{131072});
    QCOMPARE(study.test_rows, Index{8});
    const auto variants = chosen_variants(study.values);
    const std::size_t last = study.lengths.size() - 1;
    QCOMPARE(skipped_test(study, variants[0], 0), Skipped::no);
    QCOMPARE(skipped_test(study, variants[0], last), Skipped::time);
    QCOMPARE(skipped_test(study, variants[1], last), Skipped::no);
    QVERIFY(check_study(study));
    study.most_test_seconds = std::numeric_limits<double>::infinity();
    study.values.set("d_ff", Index{2000});
    QCOMPARE(skipped_test(study, variants[0], last), Skipped::memory);
    QCOMPARE(skipped_test(study, variants[1], last), Skipped::no);
    study.skips_trainings = true;
    study.values.set("d_ff", Index{8});
    study.values.set("train_length", Index{16384});
    QCOMPARE(skipped_test(study, variants[0], 0), Skipped::memory);
    QCOMPARE(skipped_test(study, variants[1], 0), Skipped::no);
    QVERIFY(check_study(study));
    study.values.set("models", std::vector<std::string>{"rope"});
    QVERIFY(check_study(study).error().message.starts_with("a training at 16384 tokens needs "));
    study.values.set("models", std::vector<std::string>{"rope", "vq"});
    study.values.set("train_length", Index{32});
    study.values.set("d_ff", Index{2000});
    study.most_test_seconds = 2e-4;
    COMPARE_ERROR(check_study(study), "rope: its test at 32 tokens takes about 1 s but must take at most 2e-04 s");
  }

  /// Full attention is trained on whole sequences all the same.
  void windows_of_vq_attention() {
    const std::vector<std::string> models{"rope", "vq"};
    VariantStudy study = language_study(small_language({{"models", models}, {"train_steps", Index{5}}}));
    TrainedModels known;
    const auto none = [](const VariantMeasures&) {};
    const auto whole = run_study(study, {}, none, known).value();
    study.bptt_len = 16;
    const auto windows = run_study(study, {}, none, known).value();
    QCOMPARE(windows[0], whole[0]);
    QVERIFY(std::isfinite(windows[1][0][0]) && windows[1][0][0] != whole[1][0][0]);
    const auto refused = [](Index window) { return method().check(small_language({{"bptt_len", window}})); };
    QVERIFY(refused(32));
    COMPARE_ERROR(refused(24), "bptt_len is 24 but must be a multiple of model_block_len, 16");
  }

  /// Curves end there, and have no rank.
  void curves_of_skipped_tests() {
    const auto curves = make_curves(method(), small_language({{"models", std::vector<std::string>{"rope", "vq"}},
                                                              {"seed_count", Index{1}},
                                                              {"quantity", std::string("loss")},
                                                              {"train_length", Index{512}},
                                                              {"num_heads", Index{1}},
                                                              {"longest_multiple", Index{8}},
                                                              {"most_test_seconds", 1.0}}));
    QVERIFY(curves);
    QVERIFY(std::isfinite(curves->curves[0].y[0]) && std::isnan(curves->curves[0].y[3]));
    QVERIFY(std::isfinite(curves->curves[1].y[3]));
    QCOMPARE(fact_of(*curves, "rope_skipped_from"), 4096.0);
    QVERIFY(std::isnan(fact_of(*curves, "rank_rope")));
    const auto marked = [](const CurveMark& mark) { return mark.label == "rope skipped: above 1 s"; };
    QVERIFY(std::ranges::any_of(curves->marks, marked));
    const auto trained = make_curves(method(), small_language({{"models", std::vector<std::string>{"rope", "vq"}},
                                                               {"seed_count", Index{1}},
                                                               {"train_steps", Index{1}},
                                                               {"train_length", Index{8192}},
                                                               {"bptt_len", Index{64}}}));
    QVERIFY(trained);
    QCOMPARE(trained->curves.size(), std::size_t{1});
    COMPARE_TEXT(trained->curves[0].name, "vq (did not learn)");
    QCOMPARE(fact_of(*trained, "rope_skipped_from"), 8192.0);
  }

  void multiples() {
    QCOMPARE(extrapolation_multiples(small_language({{"longest_multiple", Index{16}}})),
             (std::vector<Index>{1, 2, 4, 8, 16}));
    QCOMPARE(extrapolation_multiples(small_language({{"longest_multiple", Index{7}}})), (std::vector<Index>{1, 2, 4}));
  }
};

VQSCOPE_TEST(LengthExtrapolationTest)
#include "length_extrapolation_test.moc"
