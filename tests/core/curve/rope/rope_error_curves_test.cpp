// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/curve_values.h"

#include "core/curve/methods.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/method/curve_set.h"
#include "core/method/method_list.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

namespace {

CurveSet error_curves(const char* id, const ParameterValues::Map& set = {}) {
  const Method& method = *find_method(curve_methods(), id);
  return *make_curves(method, default_values(method.parameters, set));
}

/// By looking at every whole number around.
Index sharing_by_hand(Index position, const NumberType& type) {
  const double value = type.rounded(static_cast<double>(position));
  Index count = 0;
  for (Index n = std::max<Index>(0, position - 3000); n < position + 3000; ++n)
    if (type.rounded(static_cast<double>(n)) == value) ++count;
  return count;
}

}  // namespace

class RopeErrorCurvesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void positions_that_share_a_number() {
    const auto& bfloat16 = number_type("bfloat16");
    QCOMPARE(positions_sharing(255, bfloat16), Index{1});
    QCOMPARE(positions_sharing(257, bfloat16), Index{2});  // 256 and 257
    QCOMPARE(positions_sharing(260, bfloat16), Index{3});  // 259 and 261 are halfway and go to the even one
    QCOMPARE(positions_sharing(70000, number_type("float16")), Index{0});
    for (const char* type : {"float32", "bfloat16", "float16"})
      for (Index position = 0; position < 66000; position += 97) {
        if (!std::isfinite(number_type(type).rounded(static_cast<double>(position)))) continue;
        QCOMPARE(positions_sharing(position, number_type(type)), sharing_by_hand(position, number_type(type)));
      }
  }

  void the_worst_pair_at_each_position() {
    const auto set = error_curves("rope_error_by_position", {{"q_length", Index{512}}, {"head_dim", Index{8}}});
    QCOMPARE(set.curves.size(), std::size_t{3});
    QVERIFY(set.exact);
    const auto inv_freq = rope_frequencies({.head_dim = 8}).inv_freq;
    for (std::size_t i = 0; i < set.x.size(); ++i) {
      double largest = 0;
      for (const auto each : inv_freq)
        largest = std::max(largest, std::abs(angle_error(static_cast<Index>(set.x[i]), each, number_type("bfloat16"),
                                                         RopeRounding::everything)));
      if (largest > 0)
        QCOMPARE(set.curves[1].y[i], largest);
      else
        QVERIFY(std::isnan(set.curves[1].y[i]));
    }
  }

  void errors_at_131072_are_facts() {
    const auto facts = error_curves("rope_error_by_position").facts;
    QCOMPARE(facts.size(), std::size_t{3});
    QCOMPARE(facts[0].first, std::string("error_at_131072_float32"));
    QVERIFY(facts[0].second > 1e-4 && facts[0].second < 7.6e-3);
    QCOMPARE(facts[2].first, std::string("error_at_131072_float16"));
    QVERIFY(std::isnan(facts[2].second));
    QCOMPARE(error_curves("position_collisions").facts[1], (std::pair{std::string("first_collision_bfloat16"), 257.0}));
  }
};

VQSCOPE_TEST(RopeErrorCurvesTest)
#include "rope_error_curves_test.moc"
