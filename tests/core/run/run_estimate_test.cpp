// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_estimate.h"

#include "core/base/machine.h"
#include "core/method/verdict/verdict.h"
#include "core/run/sweep.h"
#include "tests/core/run/test_sweep.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Basis = TimeEstimate::Basis;

/// The work of a line is its number of seeds.
Method worked_line() {
  Method method = line_method();
  auto& recipe = std::get<CurveRecipe>(method.recipe);
  recipe.work = [](const ParameterValues& values) { return 1.0 + static_cast<double>(values.integer("seed")); };
  recipe.verdict = general_verdict;
  return method;
}

ParameterValues seeded(Index seed) {
  ParameterValues values = default_values(line_method().parameters);
  values.set("seed", seed);
  return values;
}

/// As read from its file.
KeptRun timed(Index seed, double seconds) {
  const Method method = line_method();
  const ParameterValues values = seeded(seed);
  const Run run{.id = run_id(method, values),
                .method = method.id,
                .values = values,
                .curves = make_curves(method, values).value(),
                .seconds = seconds,
                .version = "1.0",
                .when = "2026-01-01T00:00:00Z"};
  return {.name = "run", .run = read_run(run_text(run)).value()};
}

}  // namespace

class RunEstimateTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void runs_of_the_same_values_come_first() {
    const std::vector<KeptRun> runs{timed(1, 9), timed(2, 1.5)};
    const auto same = estimate_time(runs, line_method(), seeded(2), std::nullopt);
    QCOMPARE(same->seconds, 1.5);
    QCOMPARE(same->basis, Basis::same_values);
    const auto other = estimate_time(runs, line_method(), seeded(5), std::nullopt);
    QCOMPARE(other->seconds, 9.0);
    QCOMPARE(other->basis, Basis::other_values);
    QVERIFY(!estimate_time({}, line_method(), seeded(2), 1.0));
  }

  void other_values_are_scaled_by_the_work() {
    const auto estimate = estimate_time({timed(1, 9)}, worked_line(), seeded(3), std::nullopt);
    QCOMPARE(estimate->seconds, 18.0);
    QCOMPARE(estimate->basis, Basis::other_values);
  }

  /// A kept run took as long as the load of then made it.
  void the_speed_of_the_machine_comes_first_where_the_work_is_known() {
    const std::vector<KeptRun> runs{timed(3, 900)};
    const auto estimate = estimate_time(runs, worked_line(), seeded(3), 2.0);
    QCOMPARE(estimate->seconds, 2.0);
    QCOMPARE(estimate->basis, Basis::speed);
    QCOMPARE(estimate_time(runs, line_method(), seeded(3), 2.0)->basis, Basis::same_values);
  }

  /// The thread that measures is the one that computes.
  void the_speed_is_the_best_of_the_attempts() {
    Method method = worked_line();
    auto& recipe = std::get<CurveRecipe>(method.recipe);
    recipe.make = [](const ParameterValues& values, const Work& work) -> Result<CurveSet> {
      volatile double sum = 0;
      for (int i = 0; i < 1'000'000; ++i) sum = sum + 1;
      if (values.integer("seed") == 9) return invalid("not this one");
      return line_method().curves()->make(values, work);
    };
    const std::vector<ParameterValues> attempts{seeded(1), seeded(99), seeded(9)};
    const auto rate = probed_rate(method, attempts, {});
    QVERIFY(rate && *rate > 0);
    QVERIFY(!probed_rate(method, std::vector{seeded(9)}, {}));
    QVERIFY(!probed_rate(line_method(), attempts, {}));  // its work is not known
  }

  void stopped_runs_and_those_of_other_machines_say_nothing() {
    KeptRun stopped = timed(1, 9), elsewhere = timed(1, 9);
    stopped.run.complete = false;
    elsewhere.run.processor = "another";
    QVERIFY(!estimate_time({stopped, elsewhere}, line_method(), seeded(1), std::nullopt));
  }

  void a_kept_run_has_its_values_and_its_sentence() {
    const KeptRun run = timed(4, 1);
    QVERIFY(values_of_run(line_method(), run.run) == seeded(4));
    QVERIFY(has_values_of(line_method(), run.run));
    KeptRun older = run;
    older.run.values["a_parameter_of_then"] = "1";
    older.run.id = "0123456789abcdef";
    QVERIFY(values_of_run(line_method(), older.run) == seeded(4));
    QVERIFY(!has_values_of(line_method(), older.run));
    const std::vector<KeptRun> runs{timed(3, 1), run};
    QVERIFY(newest_run(runs, line_method(), seeded(4)) == &runs[1]);
    QVERIFY(!newest_run(runs, line_method(), seeded(5)));
    QVERIFY(!verdict_of_run(worked_line(), run).empty());
    QVERIFY(verdict_of_run(line_method(), run).empty());
  }
};

VQSCOPE_TEST(RunEstimateTest)
#include "run_estimate_test.moc"
