// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"
#include "core/method/curve_set.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace vqscope;

namespace {

Result<CurveSet> curves(const Method& method, const ParameterValues::Map& set = {}) {
  return make_curves(method, default_values(method.parameters, set));
}

double fact(const CurveSet& set, std::string_view name) {
  for (const auto& [key, value] : set.facts)
    if (key == name) return value;
  return std::nan("");
}

}  // namespace

/// Attention does not depend on the order of tokens, or on a bias of keys.
class OrderCurvesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void softmax_cancels_a_bias_of_keys_unless_rotated() {
    for (const Index seed : {0, 1, 2}) {
      const auto set = curves(key_bias_method(), {{"seed", seed}, {"k_bias", 3.0}});
      QVERIFY(set);
      QVERIFY(fact(*set, "largest_change_plain") < 1e-12);
      QVERIFY(fact(*set, "largest_change_rope") > 1e-3);
      for (const Curve& curve : set->curves)
        QVERIFY(std::abs(std::accumulate(curve.y.begin(), curve.y.end(), 0.0) - 1) < 1e-12);
    }
    const auto none = curves(key_bias_method(), {{"k_bias", 0.0}});
    QCOMPARE(fact(*none, "largest_change_rope"), 0.0);
    QVERIFY(key_bias_method().remark(default_values(key_bias_method().parameters), {}).find("softmax cancels it") !=
            std::string::npos);
  }

  void attention_without_positions_is_permutation_equivariant() {
    const auto set = curves(permutation_equivariance_method(), {{"q_length", Index{12}}});
    QVERIFY(set);
    QVERIFY(fact(*set, "largest_no_positions") < 1e-12);
    for (const char* kind : {"causal_mask", "sinusoidal", "rope", "alibi"})
      QVERIFY2(fact(*set, std::string("largest_") + kind) > 1e-3, kind);
  }

  void identity_permutation_has_no_error() {
    const auto set = curves(permutation_equivariance_method(),
                            {{"q_length", Index{3}}, {"permutation", std::vector<Index>{0, 1, 2}}});
    for (const Curve& curve : set->curves) QCOMPARE(curve.y, (std::vector<double>{0, 0, 0}));
  }

  void wrong_permutations() {
    for (const std::vector<Index>& order : {std::vector<Index>{0, 1}, {0, 0, 1}, {1, 2, 3}}) {
      const auto set = curves(permutation_equivariance_method(), {{"q_length", Index{3}}, {"permutation", order}});
      COMPARE_ERROR(set, "permutation must name each of the tokens 0 to 2 once");
    }
  }
};

VQSCOPE_TEST(OrderCurvesTest)
#include "order_curves_test.moc"
