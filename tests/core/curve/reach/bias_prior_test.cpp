// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/reach/reach_values.h"

#include "core/base/sentence.h"
#include "core/method/curve_set.h"
#include "tests/core/curve/curve_cases.h"
#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

double tail(const char* id, const ParameterValues::Map& set) {
  return BiasPrior(relative_field(id, set)->function(), 512, {}).tail(64, 512);
}

Result<CurveSet> prior_curves(const ParameterValues::Map& set) { return curves_of("bias_prior", set); }

/// An ALiBi head of the slope 2^-exponent.
ParameterValues::Map slope(Index exponent) { return {{"num_heads", Index{8}}, {"head", exponent - 1}}; }

}  // namespace

class BiasPriorTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void tails_by_the_published_numbers() {
    QVERIFY(near(tail("nope", {}), .875, 1e-12));
    QVERIFY(near(tail("alibi", slope(4)), .0183, 5e-5));
    QVERIFY(near(tail("alibi", slope(6)), .3677, 5e-5));
    QVERIFY(near(tail("alibi", slope(8)), .7442, 5e-5));
    QVERIFY(near(tail("kerple_log", {}), .304, 1e-3));
    QVERIFY(near(tail("kerple_log", {{"r1", 2.0}}), .00825, 5e-5));
    // A ratio of 8: the last head.
    QVERIFY(near(tail("sandwich", {{"head", Index{7}}}), .343, 1e-3));
  }

  /// (e^-64m - e^-Tm) / (1 - e^-Tm), with all digits although the head of slope 1/2 has 1e-14 of
  /// its weight there.
  void small_tails_have_all_their_digits() {
    for (const Index exponent : {1, 2, 4, 8})
      for (const Index first : {64, 600, 1000})
        for (const Index length : {1001, 8192}) {
          const BiasPrior prior(relative_field("alibi", slope(exponent))->function(), 8192, {});
          const long double m = std::exp2(-static_cast<long double>(exponent));
          const long double exact = (std::exp(-first * m) - std::exp(-length * m)) / -std::expm1(-length * m);
          const double found = prior.tail(first, length);
          QVERIFY2(std::abs(found / static_cast<double>(exact) - 1) < 1e-9,
                   qPrintable(QString("slope 2^-%1, %2 of %3: %4").arg(exponent).arg(first).arg(length).arg(found)));
        }
  }

  void the_window_of_alibi() {
    // Beyond w the geometric series leaves e^(-m w): 99 % at ln 100 / m.
    const BiasPrior prior(relative_field("alibi", slope(4))->function(), 100000, {});
    QCOMPARE(prior.window(0.99, 100000), static_cast<Index>(std::ceil(std::log(100.0) * 16)));
    QCOMPARE(BiasPrior(relative_field("nope", {})->function(), 1000, {}).window(0.99, 1000), Index{990});
  }

  void entropy_without_a_bias() {
    const BiasPrior prior(relative_field("nope", {})->function(), 5000, {});
    for (const Index length : {1, 2, 100, 5000})
      QVERIFY(near(prior.entropy(length), std::log(static_cast<double>(length)), 1e-12));
  }

  void every_bias_by_definition() {
    const Index longest = 3000;
    for (const char* id : {"nope", "alibi", "kerple_log", "kerple_power", "sandwich", "t5_bias"}) {
      ParameterValues::Map set;
      for (const auto& [name, value] : ParameterValues::Map{{"head", Index{3}}, {"r1", 0.7}, {"r2", 0.4}})
        if (find_spec(find_method(encoding_methods(), id)->parameters, name)) set[name] = value;
      const auto f = relative_field(id, set)->function();
      const BiasPrior prior(f, longest, {});
      for (const Index length : {1, 5, 600, 1777, 3000}) {
        double weight = 0;
        double weighted = 0;
        double beyond = 0;
        for (Index r = 0; r < length; ++r) {
          const double p = std::exp(f.at(-r) - f.at(0));
          weight += p;
          weighted += p * (f.at(-r) - f.at(0));
          if (r >= 100) beyond += p;
        }
        QVERIFY2(near(prior.tail(100, length), beyond / weight, 1e-8), id);
        QVERIFY2(near(prior.entropy(length), std::log(weight) - weighted / weight, 1e-8), id);
        double inside = 0;
        Index window = 0;
        while (inside < 0.99 * weight) inside += std::exp(f.at(-window++) - f.at(0));
        QVERIFY2(std::abs(prior.window(0.99, length) - window) <= 1, id);
      }
    }
  }

  void curve() {
    const auto set = *prior_curves({{"q_length", Index{2048}}, {"original_max_position_embeddings", Index{512}}});
    QCOMPARE(set.curves.size(), std::size_t{5});
    COMPARE_TEXT(set.curves[1].name, "alibi");
    QCOMPARE(set.x.back(), 2048.0);
    QVERIFY(near(set.curves[0].y.back(), .75, 1e-12));
    QCOMPARE(set.marks.front().x, 512.0);
    QCOMPARE(prior_curves({{"q_length", Index{1}}})->x, (std::vector<double>{1}));
    QVERIFY(!set.formula.empty() && !set.y_title.empty());
    QCOMPARE(set.facts.front(), (std::pair<std::string, double>{"tail_nope", set.curves[0].y.back()}));
    const auto entropy =
        *prior_curves({{"quantity", std::string("entropy")}, {"biases", std::vector<std::string>{"nope"}}});
    QVERIFY(near(entropy.curves[0].y.back(), std::log(8192.0), 1e-12));
    const auto window =
        *prior_curves({{"quantity", std::string("window")}, {"biases", std::vector<std::string>{"t5_bias"}}});
    QVERIFY(window.integer && window.curves[0].y.back() > 1000);
  }

  void errors_and_stops() {
    COMPARE_ERROR(prior_curves({{"r2", 3.0}}),
                  "kerple_power: r2 is 3 but must be at most 2 as the exponent of kerple_power");
    QVERIFY(prior_curves({{"r2", 3.0}, {"biases", std::vector<std::string>{"kerple_log"}}}));
    COMPARE_ERROR(prior_curves({{"head", Index{8}}}), "alibi: head is 8 but must be below num_heads = 8");
    std::vector<std::string> ids;
    for (const auto* bias : bias_methods()) ids.push_back(bias->id);
    COMPARE_ERROR(
        prior_curves({{"biases", std::vector<std::string>{"alibbi"}}}),
        fmt::format("biases is alibbi but must be a comma-separated list of {}; did you mean alibi?", join(ids, ", ")));
    std::stop_source source;
    source.request_stop();
    const Method& method = *find_method(curve_methods(), "bias_prior");
    const auto set = make_curves(method, default_values(method.parameters), {{}, source.get_token()});
    QVERIFY(!set && set.error().code == Errc::cancelled);
  }

  void curves_over_lengths_carry_both() {
    for (const char* id : {"rope_phase_ood", "bias_prior"}) {
      const Method& method = *find_method(curve_methods(), id);
      ParameterValues values = default_values(method.parameters);
      values.set("overlay", std::string("alibi_table_2"));
      values.set("x_unit", std::string("trained_lengths"));
      const auto set = make_curves(method, values);
      QVERIFY(set);
      QVERIFY(set->published.has_value());
      QCOMPARE(set->published->series[0].x[0], 1.0);
    }
  }
};

VQSCOPE_TEST(BiasPriorTest)
#include "bias_prior_test.moc"
