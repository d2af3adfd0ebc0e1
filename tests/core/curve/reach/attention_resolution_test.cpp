// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/reach/reach_values.h"

#include "tests/core/curve/curve_cases.h"
#include "tests/core/encoding/bias_cases.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

double by_definition(const std::vector<double>& s, std::size_t length) {
  double products = 0;
  double weights = 0;
  for (std::size_t n = 0; n < length; ++n) {
    products += std::exp(s[n]) * (std::exp(s[n]) - std::exp(s[n + 1]));
    weights += std::exp(s[n]);
  }
  return products / (weights * weights);
}

}  // namespace

class AttentionResolutionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // Weights 4, 2 and then 1: 4 · 2 of 4², 4 · 2 + 2 · 1 of 6².
    ResolutionSums sums;
    sums.add(std::log(4.0), std::log(2.0));
    QVERIFY(near(sums.resolution(), 8.0 / 16, 1e-15));
    sums.add(std::log(2.0), 0);
    QVERIFY(near(sums.resolution(), 10.0 / 36, 1e-15));
  }

  /// (1 − e^−m)² / (1 + e^−m) for scores −m n.
  void a_line_by_the_published_formula() {
    for (const double m : {2.0, 0.5, 0.0625, 0.004}) {
      const auto set =
          *curves_of("attention_resolution", {{"slope", m}, {"scores", std::vector<std::string>{"alibi"}}});
      const double limit = std::pow(1 - std::exp(-m), 2) / (1 + std::exp(-m));
      QVERIFY(near(set.curves[0].y.back() / limit, 1, 1e-9));
      QVERIFY(near(fact_of(set, "resolution_alibi") / limit, 1, 1e-9));
    }
  }

  void running_sums_agree_with_the_definition() {
    Random random(6);
    for (int i = 0; i < 20; ++i) {
      std::vector<double> s{static_cast<double>(pick(random, -3, 3))};
      ResolutionSums sums;
      for (std::size_t n = 0; n < 300; ++n) {
        s.push_back(static_cast<double>(pick(random, -9000, 9000)) / 1000);
        sums.add(s[n], s[n + 1]);
        const double wanted = by_definition(s, n + 1);
        QVERIFY(near(sums.resolution(), wanted, 1e-10 * (1 + std::abs(wanted))));
      }
    }
  }

  void great_scores_do_not_overflow() {
    ResolutionSums sums;
    for (const double s : {-2000.0, 5000.0, 4999.0}) sums.add(s, s - 1);
    QVERIFY(std::isfinite(sums.resolution()));
  }

  /// RoPE under a scaling: that of its score field.
  void scalings_of_rope() {
    for (const char* type : {"linear", "yarn", "ntk_by_parts"}) {
      const ParameterValues::Map rope{{"head_dim", Index{16}}, {"rope_type", std::string(type)}, {"factor", 8.0}};
      auto chosen = rope;
      chosen["scores"] = std::vector<std::string>{"rope_score_field"};
      chosen["q_length"] = Index{40};
      const auto set = *curves_of("attention_resolution", chosen);
      std::vector<double> s;
      for (Index n = 0; n <= 40; ++n) s.push_back(value_at("rope_score_field", -n, rope));
      for (double& each : s) each *= 8.0 * 2 / 16;
      QVERIFY2(near(set.curves[0].y.back(), by_definition(s, 40), 1e-12), type);
    }
  }

  void curves_agree_with_the_scores() {
    const auto set = *curves_of("attention_resolution", {{"q_length", Index{6000}}, {"head_dim", Index{32}}});
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.curves.size(), std::size_t{4});
    for (const char* id : {"xpos_score", "rope_score_field", "sinusoidal_similarity"}) {
      ParameterValues::Map own{{"head_dim", Index{32}}};
      double pairs = 16;
      if (std::string(id) == "sinusoidal_similarity") {
        own.clear();
        pairs = 256;
      }
      const auto f = relative_field(id, own)->function();
      std::vector<double> s;
      for (Index n = 0; n <= 6000; ++n) s.push_back(8 * f.at(-n) / pairs);
      for (std::size_t k = 0; k < set.x.size(); k += 37)
        QVERIFY(near(curve_of(set, id).y[k] / by_definition(s, static_cast<std::size_t>(set.x[k])), 1, 1e-9));
      for (const double y : curve_of(set, id).y) QVERIFY(y > 0);
    }
    // xPos has a higher resolution than RoPE over many tokens.
    QVERIFY(curve_of(set, "xpos_score").y.back() > curve_of(set, "rope_score_field").y.back());
  }

  void form_shows_relevant_parameters() {
    const auto& specs = find_method(curve_methods(), "attention_resolution")->parameters;
    const auto values = curve_values("attention_resolution", {{"scores", std::vector<std::string>{"alibi"}}});
    for (const char* name : {"head_dim", "rope_theta", "scale_base", "d_model", "score_scale"})
      QVERIFY2(!is_relevant(*find_spec(specs, name), values), name);
    QVERIFY(is_relevant(*find_spec(specs, "slope"), values));
    const auto rope = curve_values("attention_resolution", {{"scores", std::vector<std::string>{"rope_score_field"}}});
    QVERIFY(is_relevant(*find_spec(specs, "head_dim"), rope) && !is_relevant(*find_spec(specs, "scale_base"), rope));
    QVERIFY(is_relevant(*find_spec(specs, "rope_type"), rope) && !is_relevant(*find_spec(specs, "rope_type"), values));
  }

  void errors_and_stops() {
    COMPARE_ERROR(curves_of("attention_resolution", {{"head_dim", Index{7}}}),
                  "xpos_score: head_dim is 7 but must be even");
    COMPARE_ERROR(curves_of("attention_resolution", {{"d_model", Index{7}}}),
                  "sinusoidal_similarity: d_model is 7 but must be even");
    QVERIFY(curves_of("attention_resolution", {{"q_length", Index{1}}}));
    QCOMPARE(
        curves_of("attention_resolution", {{"q_length", Index{1} << 30}, {"scores", std::vector<std::string>{"alibi"}}})
            ->x.back(),
        65536.0);
    QVERIFY(stops("attention_resolution"));
  }
};

VQSCOPE_TEST(AttentionResolutionTest)
#include "attention_resolution_test.moc"
