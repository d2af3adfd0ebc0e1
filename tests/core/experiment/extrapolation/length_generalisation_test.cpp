// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/studies.h"
#include "core/experiment/methods.h"
#include "core/method/curve_set.h"
#include "tests/support/curve_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using TaskChanges = ParameterValues::Map;
using Tasks = std::vector<std::string>;

const Method& generalisation() {
  static const Method made = length_generalisation_method();
  return made;
}

ParameterValues study_values(const TaskChanges& changes) {
  return default_values(generalisation().parameters, changes);
}

/// A few steps of a tiny model.
ParameterValues small_study(TaskChanges changes = {}) {
  for (const auto& [name, value] : {std::pair("train_steps", 3),
                                    {"batch_rows", 2},
                                    {"seed_count", 2},
                                    {"d_model", 8},
                                    {"n_layers", 1},
                                    {"num_heads", 2},
                                    {"d_ff", 8},
                                    {"train_threads", 2}})
    changes.emplace(name, Index{value});
  changes.emplace("lines", std::string("mean"));
  return study_values(changes);
}

}  // namespace

class LengthGeneralisationTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void sizes_of_every_task() {
    const auto sizes = [](const char* task, Index longest) {
      return tested_sizes(study_values({{"task", std::string(task)}, {"longest_multiple", longest}}));
    };
    QCOMPARE(sizes("copy", 8), (std::vector<Index>{6, 12, 15, 18, 24, 48, 96}));
    QCOMPARE(sizes("sort", 8), (std::vector<Index>{4, 8, 10, 12, 16, 32, 64}));
    QCOMPARE(sizes("recall", 8), (std::vector<Index>{3, 6, 7, 9, 12, 24, 48}));
    QCOMPARE(sizes("passkey", 3), (std::vector<Index>{30, 60, 75, 90, 120}));
  }

  void studies_of_every_task() {
    for (const TaskInfo& info : task_infos()) {
      const auto study = task_study(study_values({{"task", std::string(info.id)}}));
      const auto batch = study.training(0).batch(0);
      QCOMPARE(batch.rows, task_recipe(info.task).rows);
      QVERIFY(batch.length <= study.train_length());
      for (std::size_t test = 0; test < study.lengths.size(); ++test) {
        const auto tested = study.test(test).value();
        QCOMPARE(tested.length, study.lengths[test]);
        QCOMPARE(tested.rows, Index{info.id == "passkey" && test >= 5 ? 32 : 64});
      }
      QVERIFY(check_study(study));
      QCOMPARE(generalisation().in_force(study_values({{"task", std::string(info.id)}})).integer("train_steps"),
               task_recipe(info.task).steps);
    }
    QCOMPARE(task_study(study_values({{"train_steps", Index{7}}})).values.integer("train_steps"), Index{7});
  }

  void curves_of_the_shares() {
    const CurveSet set = make_curves(generalisation(), small_study({{"models", Tasks{"rope", "alibi"}},
                                                                    {"longest_multiple", Index{2}},
                                                                    {"competence", 0.0},
                                                                    {"quantity", std::string("token_accuracy")}}))
                             .value();
    QCOMPARE(set.x, (std::vector<double>{6, 12, 15, 18, 24}));
    QCOMPARE(set.curves.size(), std::size_t{2});
    COMPARE_TEXT(set.curves[1].name, "alibi");
    for (const Curve& curve : set.curves) {
      QVERIFY(std::ranges::all_of(curve.y, [](double y) { return 0 <= y && y <= 1; }));
      QCOMPARE(fact_of(set, "at_largest_in_training_" + curve.name), curve.y[1]);
      QVERIFY(std::abs(fact_of(set, "beyond_training_" + curve.name) - (curve.y[2] + curve.y[3] + curve.y[4]) / 3) <
              1e-12);
    }
    QCOMPARE(std::min(fact_of(set, "rank_rope"), fact_of(set, "rank_alibi")), 1.0);
    QCOMPARE(set.marks[0].x, 12.0);
  }

  void learnt_relative_positions_solve_tasks() {
    const Tasks models{"fire", "rope_t5_bias", "rope_kerple_log", "transformer_xl"};
    const CurveSet set = make_curves(generalisation(), small_study({{"models", models},
                                                                    {"longest_multiple", Index{2}},
                                                                    {"competence", 0.0},
                                                                    {"quantity", std::string("token_accuracy")}}))
                             .value();
    QCOMPARE(set.curves.size(), std::size_t{4});
    for (const Curve& curve : set.curves)
      QVERIFY(std::ranges::all_of(curve.y, [](double y) { return 0 <= y && y <= 1; }));
    QVERIFY(set.curves[0].y != set.curves[3].y);
  }

  /// A model that did not learn is named, not ranked.
  void the_competence_gate() {
    const CurveSet set = make_curves(generalisation(), small_study({{"models", Tasks{"nope"}}})).value();
    COMPARE_TEXT(set.curves[0].name, "nope (did not learn)");
    QVERIFY(std::isnan(fact_of(set, "rank_nope")));
    QVERIFY(std::isnan(fact_of(set, "kendall_tau_kazemnejad_2023")));
    QVERIFY(std::ranges::none_of(set.facts, [](const auto& fact) { return fact.first == "kendall_tau_language"; }));
  }

  void the_order_on_the_language() {
    std::vector<double> fractions;
    const CurveSet set = make_curves(generalisation(),
                                     small_study({{"models", Tasks{"rope", "alibi", "t5_bias"}},
                                                  {"task", std::string("passkey")},
                                                  {"longest_multiple", Index{2}},
                                                  {"competence", 0.0},
                                                  {"seed_count", Index{1}},
                                                  {"language_steps", Index{2}}}),
                                     {.progress = [&](double part) { fractions.push_back(part); }})
                             .value();
    QVERIFY(std::ranges::is_sorted(fractions) && fractions.back() == 1);
    std::vector<double> ranks;
    for (const char* id : {"rope", "alibi", "t5_bias"}) {
      QVERIFY(std::isfinite(fact_of(set, std::string("language_gap_") + id)));
      ranks.push_back(fact_of(set, std::string("language_rank_") + id));
    }
    std::ranges::sort(ranks);
    QCOMPARE(ranks, (std::vector<double>{1, 2, 3}));
    const double tau = fact_of(set, "kendall_tau_language");
    QVERIFY(std::isnan(tau) || (-1 <= tau && tau <= 1));
  }

  void refusals() {
    COMPARE_ERROR(check_method_values(generalisation(), small_study({{"models", Tasks{}}})),
                  "models is empty but must have at least one model");
    COMPARE_ERROR(
        check_method_values(generalisation(), small_study({{"num_heads", Index{8}}, {"models", Tasks{"rope"}}})),
        "rope: head_dim is 1 but must be even to be rotated in pairs");
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(make_curves(generalisation(), small_study({{"seed", Index{77}}}), {.stop = stop.get_token()}).error().code,
             Errc::cancelled);
  }
};

VQSCOPE_TEST(LengthGeneralisationTest)
#include "length_generalisation_test.moc"
