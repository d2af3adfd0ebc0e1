// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_chart.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

namespace {

KeptRun kept(const std::string& n_code, const std::string& seed, std::vector<double> y) {
  KeptRun run;
  run.name = "run-" + n_code + "-" + seed;
  run.run.method = "line";
  run.run.x_name = "length";
  run.run.x = {1, 2};
  run.run.curves = {{"loss", std::move(y)}};
  run.run.values = {{"n_code", n_code}, {"seed", seed}};
  return run;
}

/// As its file has it.
KeptRun read_back(const CurveSet& set) {
  return {.name = "a", .run = read_run(run_text({.id = "1", .method = "m", .curves = set})).value()};
}

}  // namespace

class RunChartTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// By hand: means 2 and 6, sample deviations sqrt(2) and sqrt(8).
  void seeds_are_one_line_with_a_band() {
    const auto chart = chart_of({kept("8", "0", {1, 4}), kept("8", "1", {3, 8})});
    QVERIFY(chart);
    QCOMPARE(chart->spreads.size(), std::size_t{1});
    QCOMPARE(chart->spreads[0].mean, (std::vector<double>{2, 6}));
    QCOMPARE(chart->spreads[0].deviation, (std::vector<double>{std::sqrt(2.0), std::sqrt(8.0)}));
    QCOMPARE(chart->curves.curves[1].y, (std::vector<double>{1, 4}));
    QCOMPARE(chart->curves.curves[2].y, (std::vector<double>{3, 8}));
    QCOMPARE(chart->curves.bands, (std::vector<CurveBand>{{0, 1, 2}}));
    QCOMPARE(chart->remark, std::string("The runs differ in at most the seed"));
    QCOMPARE(spread_table(*chart).substr(0, 80),
             std::string("series,length,runs,mean,least,greatest,deviation\nloss,1,2,2,1,3,1.4142135623730951\n")
                 .substr(0, 80));
  }

  /// Opened again, a run looks as it was measured: every mark of its curves.
  void a_kept_run_looks_as_before() {
    CurveSet set{.x_name = "length",
                 .x_title = "length (tokens)",
                 .y_title = "loss",
                 .formula = "of 3 seeds",
                 .steps = true,
                 .integer = true,
                 .x = {1, 2},
                 .curves = {{"other", {7, 8}}, {"loss", {2, 3}}, {"loss, least", {1, 2}}, {"loss, greatest", {3, 4}}},
                 .bands = {{1, 2, 3}},
                 .marks = {{1.5, "mark"}},
                 .principal = 1,
                 .exact = false};
    const auto chart = chart_of({read_back(set)}).value().curves;
    QCOMPARE(chart.bands, set.bands);
    QCOMPARE(chart.principal, set.principal);
    QVERIFY(chart.steps && chart.integer && !chart.exact);
    QCOMPARE(chart.formula, set.formula);
    for (std::size_t i = 0; i < set.curves.size(); ++i) {
      QCOMPARE(chart.curves[i].name, set.curves[i].name);
      QCOMPARE(chart.curves[i].y, set.curves[i].y);
    }
    const auto several = chart_of({read_back(set), read_back(set)}).value().curves;
    QCOMPARE(several.curves.size(), std::size_t{6});
    QCOMPARE(several.bands, (std::vector<CurveBand>{{0, 1, 2}, {3, 4, 5}}));
    QCOMPARE(several.curves[4].name, std::string("loss, least"));
    QCOMPARE(several.curves[4].y, (std::vector<double>{2, 3}));
  }

  void other_values_are_lines_of_their_own() {
    const auto chart = chart_of({kept("8", "0", {1, 2}), kept("16", "0", {5, 6}), kept("8", "1", {3, 4})});
    QVERIFY(chart);
    QCOMPARE(chart->varied, (std::vector<std::string>{"n_code"}));
    QCOMPARE(chart->remark, std::string("The runs differ in n_code"));
    QCOMPARE(chart->spreads.size(), std::size_t{2});
    QCOMPARE(chart->spreads[0].name, std::string("loss · n_code=8"));
    QCOMPARE(chart->spreads[0].runs, Index{2});
    QVERIFY(std::isnan(chart->spreads[1].deviation[0]));
  }

  void remark_names_several_varied_parameters() {
    auto other = kept("16", "0", {5, 6});
    other.run.values["steps"] = "3";
    other.run.complete = false;
    const auto chart = chart_of({kept("8", "0", {1, 2}), other});
    QCOMPARE(chart->remark, std::string("The runs differ in more than one parameter: n_code, steps; 1 of them stopped "
                                        "before the end"));
  }

  /// Written to a file's text and read again: a run shows its marks, levels and published values as
  /// when measured.
  void run_keeps_marks_levels_and_published_values() {
    Run run{.id = "a", .method = "line"};
    run.curves = {.x_name = "length", .x_title = "length (tokens)", .x = {1, 2}, .curves = {{"loss", {3, 4}}}};
    run.curves.marks = {{1.5, "training length"}};
    run.curves.levels = {{3.5, "random tokens"}};
    run.curves.segments = {{1, 2, "exact"}};
    run.curves.published = Published{"A 2023", "loss (published)", 512, {{"paper", {1, 2}, {5, std::nan("")}}}};
    KeptRun shown{.name = "a", .run = *read_run(run_text(run))};
    const CurveSet one = chart_of({shown})->curves;
    QCOMPARE(one.x_title, run.curves.x_title);
    QCOMPARE(one.marks.at(0).x, 1.5);
    QCOMPARE(one.marks.at(0).label, std::string("training length"));
    QCOMPARE(one.levels.at(0).y, 3.5);
    QCOMPARE(one.segments.at(0).to, 2.0);
    QCOMPARE(one.published->trained_length, 512.0);
    QCOMPARE(one.published->series.at(0).y.at(0), 5.0);
    QVERIFY(std::isnan(one.published->series.at(0).y.at(1)));
    KeptRun older = shown;
    older.run.looks = {};
    const CurveSet both = chart_of({shown, older})->curves;
    QVERIFY(both.marks.empty() && both.levels.empty() && both.segments.empty() && !both.published);
  }

  void gaps_do_not_count() {
    const auto chart = chart_of({kept("8", "0", {std::nan(""), 4}), kept("8", "1", {3, 8})});
    QCOMPARE(chart->spreads[0].mean, (std::vector<double>{3, 6}));
    QVERIFY(std::isnan(chart->spreads[0].deviation[0]));
  }

  /// A run that was measured further is compared as far as the other one goes.
  void runs_of_other_reach_share_a_chart() {
    auto further = kept("16", "0", {5, 6, 7});
    further.run.x = {1, 2, 4};
    auto later = kept("32", "0", {8, 9});
    later.run.x = {2, 4};
    const auto chart = chart_of({kept("8", "0", {1, 2}), further, later});
    QVERIFY(chart);
    QCOMPARE(chart->curves.x, (std::vector<double>{1, 2, 4}));
    QCOMPARE(chart->curves.curves[0].y[1], 2.0);
    QVERIFY(std::isnan(chart->curves.curves[0].y[2]));
    QCOMPARE(chart->curves.curves[1].y, (std::vector<double>{5, 6, 7}));
    QVERIFY(std::isnan(chart->curves.curves[2].y[0]));
    QCOMPARE(chart->curves.curves[2].y[2], 9.0);
    QCOMPARE(chart->curves.curves[2].name, std::string("loss · n_code=32"));
  }

  void runs_without_a_common_chart_are_refused() {
    auto other = kept("8", "1", {1, 2});
    other.run.method = "curve";
    QCOMPARE(chart_of({}).error().message, std::string("a chart needs at least one run"));
    QCOMPARE(chart_of({kept("8", "0", {1, 2}), other}).error().message,
             std::string("runs of different experiments cannot share a chart: line and curve"));
    other.run.method = "line";
    other.run.x = {1, 3};
    QCOMPARE(chart_of({kept("8", "0", {1, 2}), other}).error().message,
             std::string("run run-8-1 has different values of length than the others"));
  }
};

VQSCOPE_TEST(RunChartTest)
#include "run_chart_test.moc"
