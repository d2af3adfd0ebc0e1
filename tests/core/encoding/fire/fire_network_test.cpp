// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/fire/fire_network.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

namespace {

ParameterValues fire_values(const ParameterValues::Map& set) { return default_values(fire_parameters(), set); }

using Reals = std::vector<double>;

/// Two heads of two units.
ParameterValues::Map given() {
  return {{"num_heads", Index{2}},
          {"head", Index{1}},
          {"fire_threshold", 3.0},
          {"fire_c", 1.0},
          {"mlp_0_weight", Reals{2, -1}},
          {"mlp_0_bias", Reals{-1, 0.25}},
          {"mlp_2_weight", Reals{9, 9, 3, 4}},
          {"mlp_2_bias", Reals{9, 0.5}}};
}

}  // namespace

class FireNetworkTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Head 1: 3 max(0, 2 x - 1) + 4 max(0, 1/4 - x) + 1/2.
  void by_hand() {
    const FireNetwork network = fire_from(fire_values(given()));
    QCOMPARE(network.bias(2, 0), 1.5);
    // x = ln 3 / ln 4 up to position 3, ln 3 / ln 8 at position 7, both above 1/2.
    QVERIFY(std::abs(network.bias(2, 2) - (3 * (2 * std::log(3.0) / std::log(4.0) - 1) + 0.5)) < 1e-5);
    QCOMPARE(network.bias(3, 2), network.bias(0, 2));
    QVERIFY(std::abs(network.bias(7, 2) - (3 * (2 * std::log(3.0) / std::log(8.0) - 1) + 0.5)) < 1e-5);
    // x = ln 2 / ln 8 = 1/3: no unit is on.
    QCOMPARE(network.bias(7, 1), 0.5);
    QCOMPARE(network.range(), (std::pair{0.5, 3.5}));
  }

  void weights_of_one_head_apply_to_the_shown_head() {
    auto set = given();
    set["mlp_2_weight"] = Reals{3, 4};
    set["mlp_2_bias"] = Reals{0.5};
    QCOMPARE(fire_from(fire_values(set)).bias(2, 0), 1.5);
    QVERIFY(check_fire_parameters(fire_values(set)));
  }

  void the_range_holds_every_bias() {
    for (Index seed = 0; seed < 40; ++seed) {
      const FireNetwork network = fire_from(fire_values({{"seed", seed}, {"fire_threshold", 20.0}}));
      const auto [least, greatest] = network.range();
      double low = 1e9, high = -1e9;
      for (double x = 0; x <= 1; x += 1e-3) {
        low = std::min(low, network.of_normalised(x));
        high = std::max(high, network.of_normalised(x));
      }
      QVERIFY(least <= low + 1e-12 && high <= greatest + 1e-12);
      QVERIFY2(low - least < 0.01 && greatest - high < 0.01, qPrintable(QString::number(seed)));
    }
  }

  /// As before training: width 32, ±1 and ±32^(-1/2); a seed has heads of its own, and more heads
  /// change no layer.
  void sampled_weights() {
    const FireNetwork first = fire_from(fire_values({}));
    QCOMPARE(first.hidden.size(), std::size_t{32});
    for (const double weight : first.hidden) QVERIFY(std::abs(weight) <= 1);
    for (const double weight : first.output) QVERIFY(std::abs(weight) <= 1 / std::sqrt(32.0));
    QVERIFY(*std::max_element(first.hidden.begin(), first.hidden.end()) > 0.8);
    QCOMPARE(fire_from(fire_values({{"num_heads", Index{2}}})).output, first.output);
    QVERIFY(fire_from(fire_values({{"head", Index{1}}})).output != first.output);
    QVERIFY(fire_from(fire_values({{"seed", Index{1}}})).hidden != first.hidden);
  }

  void errors() {
    const auto checked = [](const char* name, Reals reals) {
      auto set = given();
      set[name] = std::move(reals);
      return check_fire_parameters(fire_values(set));
    };
    QVERIFY(check_fire_parameters(fire_values(given())));
    COMPARE_ERROR(checked("mlp_0_bias", {1, 2, 3}), "mlp_0_bias has 3 numbers but must have 2");
    COMPARE_ERROR(checked("mlp_2_weight", {1, 2, 3}),
                  "mlp_2_weight has 3 numbers but must have 2 for one head or 4 for all");
    COMPARE_ERROR(checked("mlp_2_bias", {1, 2, 3}),
                  "mlp_2_bias has 3 numbers but must have 1 for one head or 2 for all");
    COMPARE_ERROR(checked("mlp_2_bias", {}),
                  "mlp_0_weight is given without mlp_2_bias, the four lists of weights must be given together");
    COMPARE_ERROR(checked("mlp_0_weight", {}),
                  "mlp_0_bias is given without mlp_0_weight, the four lists of weights must be given together");
    COMPARE_ERROR(check_fire_parameters(fire_values({{"head", Index{8}}})),
                  "head is 8 but must be below num_heads = 8");
  }
};

VQSCOPE_TEST(FireNetworkTest)
#include "fire_network_test.moc"
