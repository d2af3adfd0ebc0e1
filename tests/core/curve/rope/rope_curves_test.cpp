// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "core/curve/methods.h"
#include "core/encoding/methods.h"
#include "core/method/curve_set.h"
#include "core/method/method_list.h"
#include "tests/core/encoding/rope_cases.h"
#include "tests/support/curve_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::vector<Turns> rates(const RopeScaling& scaling) {
  std::vector<Turns> all;
  for (const auto inv_freq : rope_frequencies(scaling).inv_freq) all.push_back(turns_of(inv_freq));
  return all;
}

CurveSet curves(const char* id, const ParameterValues::Map& set) {
  const Method& method = *find_method(curve_methods(), id);
  return make_curves(method, rope_values(method, set)).value();
}

std::vector<std::string> names(const CurveSet& set) {
  std::vector<std::string> all;
  for (const auto& curve : set.curves) all.push_back(curve.name);
  return all;
}

const ParameterValues::Map alone{{"compare", std::vector<std::string>{}}};

}  // namespace

class RopeCurvesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void score_by_the_published_numbers() {
    const auto all = rates({});
    QCOMPARE(rope_score(all, 0), 64.0);
    QVERIFY(near(rope_score(all, 1), 62.094, 5e-4));
    QVERIFY(near(rope_score(all, 10), 42.820, 5e-4));
    QVERIFY(near(rope_score(all, 100), 30.544, 6e-4));
    QVERIFY(near(rope_score(all, 1000), 10.178, 5e-4));
    QVERIFY(near(rope_score(all, 4096), -3.383, 5e-4));
    QCOMPARE(first_negative(all, 8192, {}), std::optional<Index>(1707));
    QCOMPARE(first_negative(all, 1707, {}), std::nullopt);
  }

  void score_depends_on_the_difference_of_positions_only() {
    // A token's query and key, rotated to positions m and n, by Hugging Face's half_split.
    const auto cos = make_field(*find_method(encoding_methods(), "rope_cos"),
                                rope_values(*find_method(encoding_methods(), "rope_cos"), {{"q_length", Index{70000}}}))
                         .value();
    const auto sin = make_field(*find_method(encoding_methods(), "rope_sin"),
                                rope_values(*find_method(encoding_methods(), "rope_sin"), {{"q_length", Index{70000}}}))
                         .value();
    const auto rotated_dot = [&](Index m, Index n) {
      double sum = 0;
      for (Index i = 0; i < 64; ++i) sum += cos->at(m, i) * cos->at(n, i) + sin->at(m, i) * sin->at(n, i);
      return sum;
    };
    Random random(1);
    for (int i = 0; i < 200; ++i) {
      const Index m = pick(random, 0, 69999);
      const Index n = pick(random, 0, m);
      QVERIFY(near(rotated_dot(m, n), rope_score(rates({}), m - n), 1e-9));
    }
  }

  void many_scores_equal_single_scores() {
    Random random(3);
    for (int i = 0; i < 40; ++i) {
      const auto all = rates(random_picture(random, PhaseQuantity::phase, 10).scaling);
      const Index last = pick(random, 1, Index{1} << pick(random, 1, 31));
      auto distances = integer_axis(pick(random, 0, last), last, 500, false);
      if (pick(random, 0, 1)) std::ranges::shuffle(distances, random);
      const auto scores = rope_scores(all, distances, {});
      QCOMPARE(scores.size(), distances.size());
      for (std::size_t k = 0; k < scores.size(); ++k)
        QVERIFY(near(scores[k], rope_score(all, static_cast<Index>(distances[k])), 1e-12));
    }
    const auto usual_axis = integer_axis(0, 2097151, 4096, false);
    const auto scores = rope_scores(rates({}), usual_axis, {});
    for (std::size_t k = 0; k < scores.size(); ++k)
      QVERIFY(near(scores[k], rope_score(rates({}), static_cast<Index>(usual_axis[k])), 1e-12));
    std::stop_source source;
    source.request_stop();
    QVERIFY(rope_scores(rates({}), usual_axis, source.get_token()).empty());
  }

  void first_negative_agrees_with_a_plain_search() {
    Random random(2);
    for (int i = 0; i < 60; ++i) {
      const auto all = rates(random_picture(random, PhaseQuantity::phase, 10).scaling);
      const Index end = pick(random, 1, 20000);
      std::optional<Index> slow;
      for (Index r = 0; r < end && !slow; ++r)
        if (rope_score(all, r) < 0) slow = r;
      QCOMPARE(first_negative(all, end, {}), slow);
    }
  }

  void first_negative_stops() {
    std::stop_source source;
    source.request_stop();
    QCOMPARE(first_negative(rates({}), 8192, source.get_token()), std::nullopt);
    const Method& method = *find_method(curve_methods(), "rope_score");
    const auto set = make_curves(method, default_values(method.parameters), {{}, source.get_token()});
    QVERIFY(!set && set.error().code == Errc::cancelled);
  }

  void score_curve() {
    const auto set = curves("rope_score", alone);
    QCOMPARE(names(set), (std::vector<std::string>{"default"}));
    QCOMPARE(set.x.size(), std::size_t{8192});
    QVERIFY(set.exact);
    QCOMPARE(set.levels.front().y, 0.0);
    QCOMPARE(set.x.back(), 8191.0);
    QCOMPARE(set.curves[0].y.front(), 64.0);
    QCOMPARE(fact_of(set, "first_negative"), 1707.0);
    QCOMPARE(set.marks.front().x, 4096.0);
    QVERIFY(!set.principal);
    const auto shorter = curves("rope_score", {{"q_length", Index{100}}, {"compare", std::vector<std::string>{}}});
    QVERIFY(shorter.exact && shorter.marks.empty());
    QVERIFY(std::isnan(fact_of(shorter, "first_negative")));
  }

  void one_series_a_scaling() {
    const auto set = curves("rope_score", {{"rope_type", std::string("ntk")}});
    QCOMPARE(names(set), (std::vector<std::string>{"ntk", "linear", "dynamic"}));
    QVERIFY(!set.principal);
    QVERIFY(fact_of(set, "first_negative") > 1707);
    const auto page = curves("rope_score", {});
    QCOMPARE(names(page), (std::vector<std::string>{"default", "linear", "ntk", "dynamic"}));
    QCOMPARE(fact_of(page, "first_negative_linear"), 4 * 1707.0 - 3);
  }

  void scores_have_the_attention_factor_squared() {
    const auto set =
        curves("rope_score", {{"rope_type", std::string("yarn")}, {"compare", std::vector<std::string>{"default"}}});
    const double factor = 0.1 * std::log(4.0) + 1;
    QVERIFY(near(fact_of(set, "attention_factor"), factor, 1e-12));
    QVERIFY(near(set.curves[0].y.front(), 64 * factor * factor, 1e-12));
    QCOMPARE(set.curves[1].y.front(), 64.0);
    const Method& field = *find_method(encoding_methods(), "rope_score_field");
    const auto cells = make_field(field, rope_values(field, {{"rope_type", std::string("yarn")}})).value();
    QVERIFY(near(set.curves[0].y[100], cells->at(100, 0), 1e-9));
  }

  void wavelengths() {
    const auto set = curves("rope_wavelength", {});
    QCOMPARE(names(set), (std::vector<std::string>{"default"}));
    QVERIFY(near(set.curves[0].y[0], 6.283185307179586, 1e-14));
    QVERIFY(near(set.curves[0].y[32], 628.3185307179586, 1e-10));
    QCOMPARE(fact_of(set, "pairs_beyond_trained_length"), 18.0);
    QCOMPARE(set.marks.front().x, 46.0);
    QVERIFY(set.curves[0].y[45] <= 4096 && set.curves[0].y[46] > 4096);
    // Training had the frequencies before any scaling.
    const auto yarn = curves("rope_wavelength", {{"rope_type", std::string("yarn")}, {"factor", 4.0}});
    QCOMPARE(yarn.marks.front().x, set.marks.front().x);
    const auto both = curves("rope_wavelength", {{"compare", std::vector<std::string>{"linear"}}});
    QVERIFY(fact_of(both, "pairs_beyond_trained_length_linear") > 18);
    QVERIFY(near(both.curves[1].y[10], 4 * both.curves[0].y[10], 1e-9));
  }

  void untrained_phases_by_the_published_numbers() {
    const RopeScaling plain;
    const RopeScaling ntk{.rope_type = "ntk"};
    QVERIFY(near(phase_excess(plain, 8192), .1275, 5e-5));
    QVERIFY(near(phase_excess(plain, 16384), .1725, 5e-5));
    QVERIFY(near(phase_excess(plain, 32768), .1856, 5e-5));
    QVERIFY(near(phase_excess(ntk, 8192), .0241, 5e-5));
    QVERIFY(near(phase_excess(ntk, 16384), .0429, 5e-5));
    QVERIFY(near(phase_excess(ntk, 32768), .0578, 5e-5));
    for (const Index length : {8192, 16384, 32768}) {
      QVERIFY(near(phase_excess({.rope_type = "linear"}, length), 0, 2e-4));
      QVERIFY(near(phase_excess({.rope_type = "dynamic_linear"}, length), 0, 2e-4));
      QVERIFY(near(phase_excess({.rope_type = "yarn"}, length), 0, 2e-4));
    }
    QCOMPARE(phase_excess(plain, 4096), 0.0);
  }

  void untrained_phases_curve() {
    const auto set = curves("rope_phase_ood", {});
    QCOMPARE(names(set), (std::vector<std::string>{"default", "linear", "ntk", "dynamic"}));
    QVERIFY(set.log_x && !set.exact);
    QCOMPARE(set.x.front(), 4096.0);
    QCOMPARE(set.x.back(), 131072.0);
    QCOMPARE(set.curves[0].y.front(), 0.0);
    QCOMPARE(set.curves[0].y.back(), phase_excess({}, 131072));
    QCOMPARE(curves("rope_phase_ood", {{"q_length", Index{1} << 20}}).x.back(), 1048576.0);
  }

  void untrained_phases_agree_with_their_help() {
    const Method& method = *find_method(curve_methods(), "rope_phase_ood");
    QVERIFY(!find_spec(method.parameters, "seq_len"));
    COMPARE_TEXT(
        find_spec(method.parameters, "q_length")->help,
        "The curve ends at q_length + past_len, if that is more than 32 times the training length; smaller values "
        "have no effect.");
    const auto plain = curves("rope_phase_ood", {});
    const auto shorter = curves("rope_phase_ood", {{"q_length", Index{5}}, {"past_len", Index{131067}}});
    const auto other = curves("rope_phase_ood", {{"factor", 1.0}});
    QCOMPARE(shorter.x, plain.x);
    for (std::size_t i = 0; i < plain.curves.size(); ++i) {
      QCOMPARE(shorter.curves[i].y, plain.curves[i].y);
      QCOMPARE(other.curves[i].y == plain.curves[i].y, plain.curves[i].name != "dynamic");
    }
  }

  void texts_are_complete() {
    for (const auto* id : {"rope_score", "rope_wavelength", "rope_phase_ood", "rope_inv_freq"}) {
      const auto set = curves(id, {});
      QVERIFY2(!set.x_name.empty() && !set.x_title.empty() && !set.y_title.empty() && !set.formula.empty(), id);
      for (const auto& curve : set.curves) QVERIFY2(curve.y.size() == set.x.size(), id);
    }
  }

  void every_series_is_checked() {
    const Method& method = *find_method(curve_methods(), "rope_score");
    COMPARE_ERROR(
        make_curves(method, rope_values(method, {{"rotary_dim", Index{2}}})),
        "rotary_dim is 2 but must be at least 4 with rope_type ntk, whose exponent d/(d-2) has no value at d = 2");
  }

  void frequency_curve() {
    const Method& method = *find_method(curve_methods(), "rope_inv_freq");
    const auto set = make_curves(method, default_values(method.parameters));
    QVERIFY(set.has_value());
    QCOMPARE(set->x_name, std::string("pair"));
    QCOMPARE(set->curves.size(), std::size_t{2});
    QCOMPARE(set->curves[0].name, std::string("inv_freq"));
    QCOMPARE(set->curves[1].name, std::string("wavelength"));
    QCOMPARE(set->x.size(), std::size_t{64});
    QCOMPARE(set->curves[0].y[32], 0.01);
    QCOMPARE(*set->principal, std::size_t{0});
    QCOMPARE(set->facts.front().first, std::string("attention_factor"));
  }
};

VQSCOPE_TEST(RopeCurvesTest)
#include "rope_curves_test.moc"
