// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/rope_series.h"

#include "core/method/shared/common_parameters.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

ParameterValues series_values(const std::string& type, std::vector<std::string> compare) {
  ParameterValues values = default_values(rope_series_parameters(std::move(compare)));
  values.set("rope_type", type);
  return values;
}

std::string types_of(const std::vector<RopeScaling>& series) {
  std::string text;
  for (const auto& scaling : series) text += (text.empty() ? "" : " ") + scaling.rope_type;
  return text;
}

}  // namespace

class RopeSeriesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// In the table's order, whatever the order of the list, and the first not twice.
  void the_chosen_type_comes_first_and_once() {
    COMPARE_TEXT(types_of(rope_series(series_values("default", {}))), "default");
    COMPARE_TEXT(types_of(rope_series(series_values("yarn", {"ntk", "linear"}))), "yarn linear ntk");
    COMPARE_TEXT(types_of(rope_series(series_values("yarn", {"yarn", "default"}))), "yarn default");
  }

  void all_have_the_same_values() {
    auto values = series_values("yarn", {"linear", "llama3"});
    values.set("factor", 7.5);
    values.set("rope_theta", 5e5);
    for (const auto& scaling : rope_series(values)) {
      QCOMPARE(scaling.factor, 7.5);
      QCOMPARE(scaling.rope_theta, 5e5);
    }
  }

  /// beta_fast belongs to yarn: shown while yarn is drawn, be it beside another type.
  void parameters_of_a_compared_type_are_relevant() {
    const auto specs = rope_series_parameters({});
    const auto& beta = *find_spec(specs, "beta_fast");
    QVERIFY(!is_relevant(beta, series_values("linear", {})));
    QVERIFY(is_relevant(beta, series_values("yarn", {})));
    QVERIFY(is_relevant(beta, series_values("linear", {"ntk", "yarn"})));
  }

  void values_that_one_series_refuses_are_refused() {
    auto values = series_values("linear", {});
    values.set("beta_fast", 0.5);
    values.set("beta_slow", 1.0);
    values.set("yarn_ramp", std::string("rotation_count"));
    QVERIFY2(check_rope_series(values), "linear looks at no ramp");
    values.set("compare", std::vector<std::string>{"yarn"});
    const auto refused = check_rope_series(values);
    QVERIFY(!refused && refused.error().message.find("beta_fast") != std::string::npos);
  }

  void facts_are_named_after_their_series() {
    CurveSet set;
    set.curves.push_back({"default", {}});
    add_series_fact(set, "bound_at_0", "default", 1);
    set.curves.push_back({"yarn", {}});
    add_series_fact(set, "bound_at_0", "yarn", 2);
    COMPARE_TEXT(set.facts[0].first, "bound_at_0");
    COMPARE_TEXT(set.facts[1].first, "bound_at_0_yarn");
  }

  /// cos and sin of q and of k: the score has it twice.
  void scores_have_the_square_of_the_attention_factor() {
    RopeFrequencies frequencies;
    QCOMPARE(score_factor(frequencies), 1.0);
    frequencies.attention_factor = 1.5;
    QCOMPARE(score_factor(frequencies), 2.25);
  }

  void unscaled_rope() {
    const auto specs = unscaled_rope_parameters(512);
    std::string names;
    for (const auto& spec : specs) names += spec.name + " ";
    for (const char* name :
         {"q_length ", "head_dim ", "rotary_dim ", "rope_theta ", "original_max_position_embeddings "})
      QVERIFY2(names.find(name) != std::string::npos, name);
    QCOMPARE(specs.size(), std::size_t{5});
    auto values = default_values(specs);
    values.set("head_dim", Index{64});
    values.set("rope_theta", 1e6);
    const RopeScaling scaling = unscaled_rope_from(values);
    COMPARE_TEXT(scaling.rope_type, "default");
    QCOMPARE(scaling.head_dim, Index{64});
    QCOMPARE(scaling.rope_theta, 1e6);
    QVERIFY(scaling.check());
  }

  void points_and_marks() {
    const auto points = points_parameter("Curve", 100, 4096);
    QVERIFY(check_value(points, Index{2}) && check_value(points, Index{4096}));
    COMPARE_ERROR(check_value(points, Index{1}), "points is 1 but must be an integer from 2 to 4096");
    QCOMPARE(trained_mark(4096).x, 4096.0);
    COMPARE_TEXT(trained_mark(4096).label, "training length 4\u202f096");
  }
};

VQSCOPE_TEST(RopeSeriesTest)
#include "rope_series_test.moc"
