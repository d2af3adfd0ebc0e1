// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/fire/fire_network.h"
#include "core/method/curve_set.h"
#include "tests/core/encoding/table_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Keys ahead of the query have no bias; the others the network's.
struct FireDefinition {
  FireNetwork network;
  Index past_len;

  double operator()(Index row, Index col) const {
    const Index position = past_len + row;
    if (col > position) return std::numeric_limits<double>::quiet_NaN();
    return network.bias(static_cast<double>(position), static_cast<double>(position - col));
  }
};

Result<CurveSet> fire_curves(const ParameterValues::Map& set) {
  const Method& method = *find_method(encoding_methods(), "fire_by_distance");
  return make_curves(method, default_values(method.parameters, set));
}

}  // namespace

class FireBiasFieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cells_agree_with_the_definition() {
    Random random(3);
    for (Index seed = 0; seed < 12; ++seed) {
      const Index length = pick(random, 1, 90);
      const Index past = pick(random, 0, 1) * pick(random, 0, 50);
      const ParameterValues::Map set{
          {"q_length", length}, {"past_len", past}, {"fire_threshold", 16.0}, {"seed", seed}, {"head", Index{2}}};
      const auto field = table("fire", set);
      QCOMPARE(field->extent(), (Extent{length, length + past}));
      ParameterValues values = default_values(fire_parameters());
      for (const char* name : {"fire_threshold", "seed", "head"}) values.set(name, set.at(name));
      const FireDefinition definition{fire_from(values), past};
      const auto wrong = table_differs(*field, random_tile_grid(random, field->extent()), definition, 1e-12) +
                         table_differs(*field, {{0, length}, {0, length + past}}, definition, 1e-12);
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
  }

  /// Up to L a function of relative position, and none beyond.
  void the_threshold() {
    const auto field = table("fire", {{"q_length", Index{64}}, {"fire_threshold", 16.0}});
    QCOMPARE(field->at(16, 10), field->at(9, 3));
    QVERIFY(field->at(40, 34) != field->at(9, 3));
  }

  void reports_and_errors() {
    const auto field = table("fire", {{"q_length", Index{64}}, {"fire_threshold", 16.0}});
    COMPARE_TEXT(
        field->report(9, 3).why,
        "k is 6 behind q: x = ln(1 + 0.1 · 6) / ln(1 + 0.1 · 16), where 16 is L; the value is the network of x");
    COMPARE_TEXT(field->report(40, 40).why,
                 "k is q: x = ln(1 + 0.1 · 0) / ln(1 + 0.1 · 40), where 40 is q's position; the value is the network "
                 "of x");
    COMPARE_TEXT(field->report(3, 5).why, "k is 2 ahead of q, where FIRE has no bias: the causal mask hides it");
    COMPARE_ERROR(table_result("fire", {{"mlp_2_bias", std::vector<double>{1}}}),
                  "mlp_2_bias is given without mlp_0_weight, the four lists of weights must be given together");
  }

  void curves() {
    const auto field = table("fire", {{"q_length", Index{64}}, {"fire_threshold", 16.0}});
    const auto set = fire_curves({{"query_positions", std::vector<Index>{10, 40}}, {"fire_threshold", 16.0}});
    QVERIFY(set);
    QCOMPARE(set->x.size(), std::size_t{41});
    COMPARE_TEXT(set->curves[0].name, "p = 10");
    QVERIFY(set->formula.ends_with("no key is further than p from a query at p"));
    for (Index n = 0; n <= 40; ++n) {
      const auto at = static_cast<std::size_t>(n);
      QCOMPARE(std::isnan(set->curves[0].y[at]), n > 10);
      if (n <= 10) QCOMPARE(set->curves[0].y[at], field->at(10, 10 - n));
      QCOMPARE(set->curves[1].y[at], field->at(40, 40 - n));
    }
    COMPARE_ERROR(fire_curves({{"query_positions", std::vector<Index>{7, 3, 7}}}),
                  "query_positions names 7 twice but must name each position once");
    COMPARE_ERROR(fire_curves({{"query_positions", std::vector<Index>{}}}),
                  "query_positions is empty but must name one position at least");
  }
};

VQSCOPE_TEST(FireBiasFieldTest)
#include "fire_bias_field_test.moc"
