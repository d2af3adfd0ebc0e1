// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/experiment/measure/measured_time.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

class SpreadTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void of_values() {
    const Spread odd = spread_of({3, 1, 8});
    QCOMPARE(odd.median, 3.0);
    QCOMPARE(odd.least, 1.0);
    QCOMPARE(odd.greatest, 8.0);
    QCOMPARE(spread_of({4, 1, 2, 9}).median, 3.0);
    QCOMPARE(spread_of({7}).greatest, 7.0);
    QVERIFY(std::isnan(spread_of({}).median) && std::isnan(spread_of({}).least));
  }

  /// The longest time is the least rate; bounds of a ratio are as far apart as those of its parts
  /// allow.
  void derived_spreads() {
    const Spread seconds{4, 2, 8};
    const Spread rate = amount_by(16, seconds);
    QCOMPARE(rate.median, 4.0);
    QCOMPARE(rate.least, 2.0);
    QCOMPARE(rate.greatest, 8.0);
    const Spread ratio = ratio_of({12, 10, 20}, seconds);
    QCOMPARE(ratio.median, 3.0);
    QCOMPARE(ratio.least, 1.25);
    QCOMPARE(ratio.greatest, 10.0);
    QCOMPARE(scaled(seconds, 0.5).greatest, 4.0);
  }

  void curves_with_bands() {
    CurveSet set{.curves = {{"a", {}}, {"b", {}}}};
    add_spread_curves(set);
    QCOMPARE(set.curves.size(), std::size_t{6});
    QCOMPARE(set.bands, (std::vector<CurveBand>{{0, 2, 3}, {1, 4, 5}}));
    QCOMPARE(set.curves[5].name, std::string("b, greatest"));
    add_spread(set, 1, {2, 1, 3});
    QCOMPARE(set.curves[1].y, (std::vector<double>{2}));
    QCOMPARE(set.curves[4].y, (std::vector<double>{1}));
    QCOMPARE(set.curves[5].y, (std::vector<double>{3}));
    QVERIFY(set.curves[0].y.empty());
    CurveSet plain{.curves = {{"a", {}}}};
    add_spread(plain, 0, {2, 1, 3});
    QCOMPARE(plain.curves[0].y, (std::vector<double>{2}));
  }

  /// A short call is made once more than it is measured; a stop ends the repeats.
  void calls_that_are_measured() {
    int called = 0;
    const Spread seconds = seconds_of({}, 5, [&] { ++called; });
    QCOMPARE(called, 6);
    QVERIFY(0 <= seconds.least && seconds.least <= seconds.median && seconds.median <= seconds.greatest);
    std::stop_source stop;
    called = 0;
    (void)seconds_of({.progress = {}, .stop = stop.get_token()}, 1000, [&] {
      if (++called == 4) stop.request_stop();
    });
    QCOMPARE(called, 4);
  }

  void timing_experiments_show_the_spread_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("lines");
    QTest::newRow("vq_throughput") << "vq_throughput" << 3;
    QTest::newRow("vq_decode") << "vq_decode" << 2;
    QTest::newRow("vq_table") << "vq_table" << 3;
    QTest::newRow("train_throughput") << "train_throughput" << 4;
    QTest::newRow("memorizing_cost") << "memorizing_cost" << 3;
  }
  void timing_experiments_show_the_spread() {
    QFETCH(QString, id);
    QFETCH(int, lines);
    const Method& method = *find_method(experiment_methods(), id.toStdString());
    ParameterValues values = default_values(method.parameters);
    for (const auto& [name, value] : {std::pair{"length_max", Index{128}},
                                      {"memory_len", 128},
                                      {"n_code", 16},
                                      {"d_k", 8},
                                      {"d_v", 16},
                                      {"block_len", 32},
                                      {"top_k", 4},
                                      {"d_model", 8},
                                      {"repeats", 4}})
      if (values.find(name)) values.set(name, value);
    const auto set = make_curves(method, values);
    QVERIFY2(set, set ? "" : set.error().message.c_str());
    QCOMPARE(set->bands.size(), static_cast<std::size_t>(lines));
    QVERIFY(set->formula.find("median of 4") != std::string::npos);
    for (const CurveBand& band : set->bands)
      for (std::size_t i = 0; i < set->x.size(); ++i) {
        const double least = set->curves[band.least].y[i], greatest = set->curves[band.greatest].y[i];
        QVERIFY(least <= set->curves[band.of].y[i] && set->curves[band.of].y[i] <= greatest);
      }
  }

  /// Where a curve begins to have no value; edges of bands say nothing of their own.
  void skipped_lengths_are_marked() {
    CurveSet set{.x = {1, 2, 3, 4}, .curves = {{"a", {5, no_value, no_value, 6}}, {"b", {5, 6}}, {"c", {1, 2, 3, 4}}}};
    add_spread_curves(set);
    mark_skipped(set, "above 2 s");
    QCOMPARE(set.marks.size(), std::size_t{2});
    QCOMPARE(set.marks[0].x, 2.0);
    QCOMPARE(set.marks[0].label, std::string("a skipped: above 2 s"));
    QCOMPARE(set.marks[1].x, 3.0);
    QCOMPARE(set.marks[1].label, std::string("b skipped: above 2 s"));
  }

  void all_curves_are_marked_in_short() {
    CurveSet set{.x = {1, 2}, .curves = {{"long_name_a", {5, no_value}}, {"long_name_b", {5, no_value}}}};
    mark_skipped(set, "above 2 s");
    QCOMPARE(set.marks.size(), std::size_t{1});
    QCOMPARE(set.marks[0].label, std::string("all curves skipped: above 2 s"));
  }

  void counted_costs_have_no_spread() {
    const auto set = *curves_of("vq_throughput", {{"cost", std::string("flops")}, {"length_max", Index{128}}});
    QVERIFY(set.bands.empty());
    QCOMPARE(set.curves.size(), std::size_t{3});
  }
};

VQSCOPE_TEST(SpreadTest)
#include "spread_test.moc"
