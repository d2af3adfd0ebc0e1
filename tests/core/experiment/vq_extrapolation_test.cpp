// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/codebook_scheme.h"

#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ParameterValues::Map values_with(const ParameterValues::Map& set = {}) {
  auto values = small_values({{"original_max_position_embeddings", Index{32}},
                              {"n_code", Index{16}},
                              {"d_k", Index{16}},
                              {"train_keys", Index{512}},
                              {"reach", Index{8}}});
  for (const auto& [name, value] : set) values.insert_or_assign(name, value);
  return values;
}

}  // namespace

class VqExtrapolationTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void drift_by_hand() {
    QCOMPARE(code_drift({2, 2}, {1, 1}), 0.0);
    QCOMPARE(code_drift({3, 0}, {0, 5}), 1.0);
    QCOMPARE(code_drift({1, 1}, {3, 1}), 0.25);
  }

  /// Pair i of position p is turned by p · θ^(-2i/d), and begins anew after a period.
  void rows_are_rotated_by_position() {
    const RopeScaling scaling{.head_dim = 4, .rope_theta = 100};
    std::vector<float> rows;
    for (int i = 0; i < 5; ++i) rows.insert(rows.end(), {1, 0, 0, 2});
    rotate_rows(rows, scaling, 3);
    for (std::size_t i = 0; i < 5; ++i) {
      const double p = static_cast<double>(i % 3);
      QVERIFY(near(rows[4 * i], std::cos(p), 1e-6) && near(rows[4 * i + 2], std::sin(p), 1e-6));
      QVERIFY(near(rows[4 * i + 1], -2 * std::sin(p / 10), 1e-6) && near(rows[4 * i + 3], 2 * std::cos(p / 10), 1e-6));
    }
  }

  void partial_curves_are_reported() {
    for (const char* unit : {"tokens", "trained_lengths"})
      COMPARE_TEXT(wrong_parts(reported_sets("vq_extrapolation", values_with({{"x_unit", std::string(unit)}})), 30),
                   "");
  }

  void every_scheme_has_a_curve() {
    for (const char* measure : {"commit_loss", "total_variation", "output_error", "code_drift"}) {
      const auto set = *curves_of("vq_extrapolation", values_with({{"measure", std::string(measure)}}));
      COMPARE_TEXT(incomplete(set), "");
      QCOMPARE(set.x, (std::vector<double>{8, 16, 32, 64, 128, 256}));
      QCOMPARE(set.curves.size(), std::size_t{5});
      QCOMPARE(set.marks[0].x, 32.0);
      for (const auto& curve : set.curves)
        for (const double y : curve.y) QVERIFY2(y >= 0 && std::isfinite(y), curve.name.c_str());
    }
  }

  /// Up to the training length a scaling set up for the length is none.
  void scalings_agree_up_to_the_trained_length() {
    const auto set = *curves_of("vq_extrapolation", values_with());
    const auto plain = curve_of(set, "default").y;
    for (const char* name : {"linear", "dynamic"})
      for (std::size_t i = 0; i < 3; ++i) QCOMPARE(curve_of(set, name).y[i], plain[i]);
    QVERIFY(curve_of(set, "linear").y.back() != plain.back());
  }

  /// Unrotated dimensions are quantised equally well at any length; untrained phases are not.
  void error_of_unrotated_keys_does_not_grow() {
    for (const Index seed : {1, 2}) {
      const auto set =
          *curves_of("vq_extrapolation", values_with({{"seed", seed}, {"measure", std::string("commit_loss")}}));
      QVERIFY(near(fact_of(set, "over_trained_unrotated"), 1, 0.35));
      QVERIFY(fact_of(set, "over_trained_default") > fact_of(set, "over_trained_unrotated"));
    }
  }

  /// A bias in a comparison gives what it gives alone; several biases of one scheme are named by
  /// the bias.
  void biases_are_compared() {
    const std::vector<std::string> one{"unrotated"};
    const auto compared =
        *curves_of("vq_extrapolation",
                   values_with({{"schemes", one}, {"biases", std::vector<std::string>{"none", "alibi", "t5_bias"}}}));
    QCOMPARE(compared.curves.size(), std::size_t{3});
    for (const char* bias : {"none", "alibi", "t5_bias"}) {
      const auto alone = *curves_of("vq_extrapolation", values_with({{"schemes", one}, {"bias", std::string(bias)}}));
      QCOMPARE(alone.curves.size(), std::size_t{1});
      QCOMPARE(curve_of(compared, bias).y, alone.curves[0].y);
    }
    const auto both =
        *curves_of("vq_extrapolation", values_with({{"schemes", std::vector<std::string>{"unrotated", "default"}},
                                                    {"biases", std::vector<std::string>{"none", "alibi"}}}));
    QCOMPARE(both.curves[3].name, std::string("default, alibi"));
    QVERIFY(both.curves[0].y != both.curves[1].y);
  }

  /// The mean lies between the least and the greatest, which are those of the seeds one by one.
  void seeds_have_a_band() {
    const ParameterValues::Map one{{"schemes", std::vector<std::string>{"unrotated"}}, {"seed_count", Index{3}}};
    auto with = [&](const char* lines) {
      auto values = one;
      values["lines"] = std::string(lines);
      return *curves_of("vq_extrapolation", values_with(values));
    };
    const auto range = with("range"), seeds = with("seeds");
    QCOMPARE(seeds.curves.size(), std::size_t{3});
    QCOMPARE(range.bands, (std::vector<CurveBand>{{0, 1, 2}}));
    for (std::size_t x = 0; x < range.x.size(); ++x) {
      std::vector<double> all;
      for (const auto& seed : seeds.curves) all.push_back(seed.y[x]);
      QCOMPARE(range.curves[1].y[x], std::ranges::min(all));
      QCOMPARE(range.curves[2].y[x], std::ranges::max(all));
      QVERIFY(range.curves[1].y[x] <= range.curves[0].y[x] && range.curves[0].y[x] <= range.curves[2].y[x]);
    }
    const auto second = *curves_of(
        "vq_extrapolation", values_with({{"schemes", std::vector<std::string>{"unrotated"}}, {"seed", Index{1}}}));
    QCOMPARE(seeds.curves[1].y, second.curves[0].y);
  }

  void lengths_in_trained_ones() {
    const auto set = *curves_of("vq_extrapolation", values_with({{"x_unit", std::string("trained_lengths")}}));
    QCOMPARE(set.x, (std::vector<double>{0.25, 0.5, 1, 2, 4, 8}));
    QCOMPARE(set.marks[0].x, 1.0);
  }

  void bad_values_are_refused() {
    COMPARE_ERROR(curves_of("vq_extrapolation", {{"d_k", Index{7}}}), "d_k is 7 but must be even");
    COMPARE_ERROR(curves_of("vq_extrapolation", {{"factor", 0.5}}), "factor is 0.5 but must be 0 or at least 1");
    COMPARE_ERROR(
        curves_of("vq_extrapolation", {{"original_max_position_embeddings", Index{4096}}, {"reach", Index{33}}}),
        "reach is 33, which makes 135168 tokens with the training length 4096 but must be at most 131072 tokens");
    COMPARE_ERROR(curves_of("vq_extrapolation", {{"rope_theta", 1.0}}), "rope_theta is 1 but must be above 1");
  }
};

VQSCOPE_TEST(VqExtrapolationTest)
#include "vq_extrapolation_test.moc"
