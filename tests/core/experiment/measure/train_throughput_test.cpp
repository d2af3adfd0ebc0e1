// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/throughput_curves.h"

#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using TextList = std::vector<std::string>;

ParameterValues::Map small_throughput(const ParameterValues::Map& set = {}) {
  ParameterValues::Map values{{"length_max", Index{40}}, {"repeats", Index{2}},   {"d_model", Index{8}},
                              {"n_heads", Index{2}},     {"n_layers", Index{1}},  {"d_ff", Index{8}},
                              {"n_code", Index{4}},      {"block_len", Index{8}}, {"batch_rows", Index{2}}};
  for (const auto& [name, value] : set) values.insert_or_assign(name, value);
  return values;
}

TextList line_names(const CurveSet& set) {
  TextList names;
  for (std::size_t i = 0; i < set.bands.size(); ++i) names.push_back(set.curves[i].name);
  return names;
}

}  // namespace

class TrainThroughputTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// No number is compared: it is another one each time.
  void rates_of_every_model_and_pass() {
    const auto set =
        *curves_of("train_throughput", small_throughput({{"models", TextList{"full", "vq", "vq_without_cache"}}}));
    QCOMPARE(set.x, (std::vector<double>{40}));
    QCOMPARE(line_names(set), (TextList{"full_training", "vq_training", "vq_without_cache_training", "full_evaluation",
                                        "vq_evaluation", "vq_without_cache_evaluation"}));
    for (const Curve& curve : set.curves) QVERIFY2(curve.y[0] > 0 && std::isfinite(curve.y[0]), curve.name.c_str());
    QCOMPARE(fact_of(set, "tokens_per_second_vq_evaluation"), curve_of(set, "vq_evaluation").y[0]);
    QCOMPARE(fact_of(set, "length_of_speed_up_vq_training"), 40.0);
    QVERIFY(near(fact_of(set, "speed_up_vq_training"),
                 curve_of(set, "vq_training").y[0] / curve_of(set, "full_training").y[0], 1e-9));
    QVERIFY(set.formula.find("2 sequences at a time") != std::string::npos);
  }

  /// Training throughput as published, on the same axis; evaluation alone has none.
  void published_values_beside() {
    const auto set = *curves_of("train_throughput", small_throughput({{"layer", std::string("shga")}}));
    QCOMPARE(set.published->y_title, set.y_title);
    QCOMPARE(set.published->series[0].name, std::string("published full shga"));
    const auto evaluated = *curves_of("train_throughput", small_throughput({{"passes", TextList{"evaluation"}}}));
    QVERIFY(!evaluated.published);
  }

  void speed_ups() {
    const auto set = *curves_of("train_throughput",
                                small_throughput({{"quantity", std::string("speed_up")}, {"pos", std::string("xl")}}));
    QCOMPARE(line_names(set), (TextList{"vq_training", "vq_evaluation"}));
    QCOMPARE(fact_of(set, "speed_up_vq_evaluation"), curve_of(set, "vq_evaluation").y[0]);
    QCOMPARE(set.published->series[0].name, std::string("published mha, serial_scan"));
  }

  void refusals() {
    COMPARE_ERROR(curves_of("train_throughput",
                            small_throughput({{"quantity", std::string("speed_up")}, {"models", TextList{"vq"}}})),
                  "models is vq but must name full and another model to plot the speed-up");
    COMPARE_ERROR(curves_of("train_throughput", small_throughput({{"passes", TextList{}}})),
                  "passes is empty but must name one at least");
    QVERIFY(stops("train_throughput", small_throughput({{"length_max", Index{600}}})));
  }

  void rates_are_reported_when_measured() {
    COMPARE_TEXT(wrong_parts(reported_sets("train_throughput", small_throughput({{"length_max", Index{300}}})), 2), "");
  }

  /// Memory is counted before anything is allocated.
  void models_above_the_memory_limit_are_skipped() {
    const auto values = curve_values("train_throughput", small_throughput());
    const auto config = timed_config(values, "full").value();
    ModelThroughput model(config, parameter_layout(config).value(), ModelPass::training, {.most_bytes = 1000});
    const Spread spread = model.at(Index{1} << 40, {}).value();
    QVERIFY(std::isnan(spread.median) && spread.skipped == Skipped::memory);
  }

  void skipped_points_are_named() {
    CurveSet set{.x = {1, 2, 4}, .curves = {{"a", {}}, {"b", {}}, {"c", {}}, {"d", {}}}};
    SkippedPoints skipped("2 s", "1 GiB");
    skipped.add("a", 1, Skipped::no);
    skipped.add("a", 2, Skipped::time);
    skipped.add("a", 4, Skipped::memory);  // was skipped before
    skipped.add("b", 2, Skipped::memory);
    for (const char* curve : {"c", "d"}) skipped.add(curve, 2, Skipped::time);
    skipped.mark(set);
    QCOMPARE(set.marks.size(), std::size_t{2});
    QCOMPARE(set.marks[0].label, std::string("3 curves skipped: above 2 s"));
    QCOMPARE(set.marks[1].label, std::string("b skipped: above 1 GiB"));
    QCOMPARE(set.marks[1].x, 2.0);
    QCOMPARE(fact_of(set, "d_skipped_from"), 2.0);
  }
};

VQSCOPE_TEST(TrainThroughputTest)
#include "train_throughput_test.moc"
