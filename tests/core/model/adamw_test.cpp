// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/model/train/optimiser.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace vqscope;

namespace {

/// A matrix of one number and a vector of one number.
std::shared_ptr<const ParameterLayout> two_numbers() {
  ParameterLayout layout;
  layout.tensors = {{"matrix", {1, 1}, 0, 1}, {"vector", {1}, 1, 1}, {"codebook", {1, 1}, 2, 1}};
  layout.count = 3;
  layout.learnt = 2;
  return std::make_shared<const ParameterLayout>(layout);
}

}  // namespace

class AdamWTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Bias-corrected, the first step is lr · g / (|g| + eps); the matrix decays, the codebook is
  /// left alone.
  void first_step_by_hand() {
    const auto layout = two_numbers();
    Parameters<double> p{layout, {10, 10, 10}};
    AdamW<double> adamw(layout, {.eps = 1, .weight_decay = 0.5, .clip = 100});
    const GradientClip clip = adamw.step(p, {layout, {3, -4, 7}}, 0.1);
    QCOMPARE(clip.norm, 5.0);
    QCOMPARE(clip.coefficient, 1.0);
    QVERIFY(std::abs(p.values[0] - (10 * 0.95 - 0.1 * 3 / 4)) < 1e-14);
    QVERIFY(std::abs(p.values[1] - (10 + 0.1 * 4 / 5)) < 1e-14);
    QCOMPARE(p.values[2], 10.0);
  }

  void long_gradients_are_clipped() {
    const auto layout = two_numbers();
    Parameters<double> p{layout, {0, 0, 0}};
    AdamW<double> adamw(layout, {.eps = 1, .weight_decay = 0, .clip = 1});
    QVERIFY(std::abs(adamw.step(p, {layout, {3, -4, 0}}, 0.1).coefficient - 0.2) < 1e-6);
    QVERIFY(std::abs(p.values[0] + 0.1 * 0.6 / 1.6) < 1e-6);
  }

  void nan_gradient_keeps_the_parameters() {
    const auto layout = two_numbers();
    Parameters<double> p{layout, {1, 2, 3}};
    AdamW<double> adamw(layout, {});
    const auto clip = adamw.step(p, {layout, {std::numeric_limits<double>::quiet_NaN(), 0, 0}}, 0.1);
    QVERIFY(std::isnan(clip.norm));
    QCOMPARE(p.values, (std::vector<double>{1, 2, 3}));
    QCOMPARE(adamw.steps(), Index{0});
  }

  void learning_rates_by_hand() {
    const LearningRate rate{.lr_max = 2, .lr_min_ratio = 0.5, .warmup_steps = 4, .total_steps = 8};
    QCOMPARE(rate.at(1), 0.5);
    QCOMPARE(rate.at(4), 2.0);
    QCOMPARE(rate.at(6), 1.5);
    QCOMPARE(rate.at(8), 1.0);
    QCOMPARE(rate.at(100), 1.0);
    QCOMPARE((LearningRate{.lr_max = 2, .warmup_steps = 0, .total_steps = 0}.at(3)), 0.2);
  }
};

VQSCOPE_TEST(AdamWTest)
#include "adamw_test.moc"
