// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/training/model_training.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

namespace {

/// The loss of step i is i.
std::vector<TrainingStep> steps_of(Index first, Index last, bool quantised = false) {
  std::vector<TrainingStep> steps;
  for (Index step = first; step <= last; ++step) {
    TrainingStep each{.step = step};
    each.losses.loss = static_cast<double>(step);
    each.losses.ce_loss = static_cast<double>(10 * step);
    if (quantised) each.losses.commit_layers = {0.5};
    steps.push_back(each);
  }
  return steps;
}

}  // namespace

class TrainingCurvesTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void means_of_the_last_steps() {
    const CurveSet set = training_curves(steps_of(1, 25), 30, {});
    QCOMPARE(set.x.size(), std::size_t{30});
    QCOMPARE(set.x.back(), 30.0);
    QCOMPARE(set.curves.size(), std::size_t{3});
    QCOMPARE(set.bands, (std::vector<CurveBand>{{0, 1, 2}}));
    QCOMPARE(set.curves[0].y.size(), std::size_t{25});  // as far as they are known
    QCOMPARE(set.curves[0].y[3], 2.5);                  // steps 1 to 4
    QCOMPARE(set.curves[0].y[24], 15.5);                // steps 6 to 25
    QCOMPARE(set.curves[1].y[24], 6.0);
    QCOMPARE(set.curves[2].y[24], 25.0);
    QVERIFY(set.exact);
  }

  void of_a_resumed_training() {
    const CurveSet set = training_curves(steps_of(11, 14), 14, {});
    QCOMPARE(set.x, (std::vector<double>{11, 12, 13, 14}));
    QCOMPARE(set.curves[0].y[3], 12.5);
  }

  void cross_entropy_of_quantised_keys() {
    const CurveSet set = training_curves(steps_of(1, 2, true), 2, {});
    QCOMPARE(set.curves[3].name, std::string("cross entropy, mean of 20 steps"));
    QCOMPARE(set.curves[3].y, (std::vector<double>{10, 15}));
  }

  void long_trainings_are_thinned() {
    QCOMPARE(curve_stride(2000), Index{1});
    QCOMPARE(curve_stride(2001), Index{2});
    const CurveSet set = training_curves(steps_of(1, 5001), 5001, {});
    QCOMPARE(set.x.front(), 3.0);
    QCOMPARE(set.x[1], 6.0);
    QCOMPARE(set.x.back(), 5001.0);
    QCOMPARE(set.x.size(), std::size_t{1667});
    QVERIFY(!set.exact);
  }

  void levels() {
    const auto levels = loss_levels("language", 40);
    QCOMPARE(levels.size(), std::size_t{2});
    QCOMPARE(levels[0].y, std::log(40.0));
    QCOMPARE(loss_levels("copy", 84).size(), std::size_t{1});
  }
};

VQSCOPE_TEST(TrainingCurvesTest)
#include "training_curves_test.moc"
