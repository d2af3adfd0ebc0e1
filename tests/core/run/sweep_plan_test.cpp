// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep.h"

#include "core/run/sweep_folder.h"
#include "tests/core/run/test_sweep.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

SweepPlan plan_of(std::vector<VaryText> varied, Index seeds = 1) {
  return {.method = &line_method(),
          .values = default_values(line_method().parameters),
          .varied = std::move(varied),
          .seeds = seeds};
}

std::string plan_refusal(const SweepPlan& plan) {
  const auto sweep = sweep_of(plan);
  return sweep ? "" : sweep.error().message;
}

}  // namespace

class SweepPlanTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void texts_and_seeds_make_the_sweep() {
    const auto sweep = sweep_of(plan_of({{"slope", "1,2"}}, 3));
    QVERIFY(sweep);
    QCOMPARE(sweep_text(*sweep), sweep_text(line_sweep()));
    QCOMPARE(sweep_id(*sweep), sweep_id(line_sweep()));
  }

  void seeds_begin_at_the_one_of_the_form() {
    SweepPlan plan = plan_of({}, 2);
    plan.values.set("seed", Index{7});
    const auto sweep = sweep_of(plan);
    QVERIFY(sweep);
    QCOMPARE(std::get<Index>(varied_value(*sweep, 1, 0)), Index{8});
    const std::vector<std::string> words{"sweep", "line", "--seeds", "2", "--set", "seed=7", "--out", "d"};
    QCOMPARE(sweep_words(plan, *sweep, "d", 1), words);
  }

  /// A form keeps the value of a parameter that it hides; a command line cannot set it.
  void irrelevant_values_take_their_default() {
    SweepPlan plan = plan_of({{"slope", "1,2"}});
    plan.values.set("bend", Index{5});
    QCOMPARE(sweep_of(plan)->fixed.integer("bend"), Index{1});
    plan.varied.push_back({"kind", "straight,bent"});
    const auto sweep = sweep_of(plan);
    QCOMPARE(sweep->fixed.integer("bend"), Index{5});
    QCOMPARE(command_line(sweep_words(plan, *sweep, "a b", 4)),
             std::string("vqscope sweep line --vary slope=1,2 --vary kind=straight,bent --set bend=5 --out 'a b' "
                         "--jobs 4"));
  }

  void a_range_of_factors_is_quoted_for_the_shell() {
    const SweepPlan plan = plan_of({{"slope", " 1:8:*2 "}});
    const auto sweep = sweep_of(plan);
    QCOMPARE(point_count(*sweep), 4.0);
    QCOMPARE(command_line(sweep_words(plan, *sweep, "d", 1)),
             std::string("vqscope sweep line --vary 'slope=1:8:*2' --out d"));
  }

  void each_sweep_has_a_folder_of_its_own() {
    const auto folder_of = [](const SweepPlan& plan) { return default_sweep_folder(*sweep_of(plan)); };
    const SweepPlan plan = plan_of({{"slope", "1,2"}});
    SweepPlan other = plan;
    QCOMPARE(folder_of(other), folder_of(plan));
    other.values.set("slope", 3.0);  // which varies
    QCOMPARE(folder_of(other), folder_of(plan));
    other.values.set("seed", Index{1});
    QVERIFY(folder_of(other) != folder_of(plan));
    QVERIFY(folder_of(plan_of({{"slope", "2,1"}})) != folder_of(plan));
    QVERIFY(folder_of(plan).find("/vqscope/sweeps/line-") != std::string::npos);
  }

  void varied_value_agrees_with_its_run() {
    const Sweep sweep = line_sweep();
    for (Index i = 0; i < 6; ++i)
      for (std::size_t which = 0; which < 2; ++which)
        QCOMPARE(varied_value(sweep, i, which), *sweep_point(sweep, i).values.find(sweep.varied[which].name));
  }

  void a_sweep_that_was_read_has_a_plan() {
    SweepPlan plan = plan_of({{"slope", "0:1:0.125"}, {"sizes", "1,2;3"}, {"kind", "straight,bent"}}, 2);
    plan.values.set("bend", Index{4});
    const auto sweep = sweep_of(plan);
    const auto again = sweep_of(vqscope::plan_of(*sweep));
    QVERIFY2(again, again ? "" : again.error().message.c_str());
    COMPARE_TEXT(sweep_text(*again), sweep_text(*sweep));
  }

  void refusals() {
    QCOMPARE(plan_refusal(plan_of({{"slop", "1"}})),
             std::string("--vary: unknown parameter slop of line; did you mean slope?"));
    QCOMPARE(plan_refusal(plan_of({{"", "1"}})), std::string("--vary: missing parameter for the values 1"));
    QCOMPARE(plan_refusal(plan_of({{"slope", ""}})), std::string("slope is empty but must be a number from 0 to 1000"));
    QCOMPARE(plan_refusal(plan_of({{"slope", "1,2000"}})),
             std::string("point slope=2000: slope is 2000 but must be a number from 0 to 1000"));
    QCOMPARE(plan_refusal(plan_of({{"slope", "1"}, {"slope", "2"}})), std::string("--vary names slope twice"));
    QCOMPARE(plan_refusal(plan_of({{"seed", "1,2"}}, 2)), std::string("--vary names seed twice"));
    QCOMPARE(plan_refusal(plan_of({{"slope", "0:999"}, {"seed", "0:999"}, {"kind", "straight,bent"}})),
             std::string("the sweep has 2000000 points but must have at most 100000: vary fewer values"));
    QCOMPARE(plan_refusal(plan_of({{"bend", "1,2"}})),
             std::string("point bend=2: bend is not used while kind is straight"));
  }

  void a_long_list_is_refused_before_it_is_compared() {
    std::string values = "0";
    for (int i = 1; i <= 100'000; ++i) values += "," + std::to_string(i) + "e-3";
    QCOMPARE(plan_refusal(plan_of({{"slope", values}})), std::string("--vary slope has more than 100000 values"));
  }

  void stop_cancels_the_plan() {
    std::stop_source stop;
    stop.request_stop();
    const auto sweep = sweep_of(plan_of({{"slope", "1,2"}}), stop.get_token());
    QVERIFY(!sweep && sweep.error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(SweepPlanTest)
#include "sweep_plan_test.moc"
