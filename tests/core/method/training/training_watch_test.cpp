// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/training/training_watch.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <thread>

using namespace vqscope;

namespace {

TrainingProgress progress_of(const std::string& model, int seed, Index step, Index steps, double loss) {
  return {.training = model + ", seed " + std::to_string(seed),
          .model = model,
          .place = model == "rope" ? std::size_t{0} : std::size_t{1},
          .step = step,
          .steps = steps,
          .tokens = 100,
          .loss = loss};
}

}  // namespace

class TrainingWatchTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void no_state_before_the_first_progress() {
    const TrainingWatch watch;
    QVERIFY(!watch.state());
    QVERIFY(watch.losses().curves.empty());
  }

  void state_of_the_latest() {
    TrainingWatch watch;
    watch.add(progress_of("alibi", 0, 1, 2, 3.5), 0);
    watch.add(progress_of("rope", 0, 1, 2, 3), 1);
    watch.add(progress_of("rope", 0, 2, 2, 2.25), 3);
    const auto state = watch.state();
    QCOMPARE(state->begun, Index{2});
    QCOMPARE(state->ended, Index{1});
    QCOMPARE(training_text(*state), std::string("rope, seed 0: step 2 of 2, loss 2.250 · 1 training ended"));
    QCOMPARE(state->tokens_per_second, 200.0 / 3);  // the first step's time is not known
  }

  void a_single_training_has_no_name() {
    TrainingWatch watch;
    watch.add({.step = 7, .steps = 9, .tokens = 1, .loss = 1}, 0);
    QCOMPARE(training_text(*watch.state()), std::string("step 7 of 9, loss 1.000"));
    QVERIFY(std::isnan(watch.state()->tokens_per_second));
    QCOMPARE(watch.losses().curves.front().name, std::string("loss"));
  }

  /// Steps of more than five seconds ago do not count.
  void tokens_of_the_last_seconds() {
    TrainingWatch watch;
    for (int second = 0; second <= 20; ++second) {
      TrainingProgress each = progress_of("rope", 0, second + 1, 40, 1);
      each.tokens = second < 10 ? 1 : 1000;
      watch.add(each, second);
    }
    QCOMPARE(watch.state()->tokens_per_second, 1000.0);
  }

  /// In the order of the models' places; seeds that have not come as far do not count.
  void losses_are_means_over_seeds() {
    TrainingWatch watch;
    watch.add(progress_of("alibi", 0, 1, 3, 9), 0);
    watch.add(progress_of("rope", 1, 1, 3, 4), 0);
    watch.add(progress_of("rope", 0, 1, 3, 2), 0);
    watch.add(progress_of("rope", 0, 2, 3, 1), 0);
    const CurveSet set = watch.losses();
    QCOMPARE(set.x, (std::vector<double>{1, 2}));
    QCOMPARE(set.curves.size(), std::size_t{2});
    QCOMPARE(set.curves[0].name, std::string("rope"));
    QCOMPARE(set.curves[0].y, (std::vector<double>{3, 1}));
    QCOMPARE(set.curves[1].y[0], 9.0);
    QVERIFY(std::isnan(set.curves[1].y[1]));
  }

  void long_trainings_have_few_points() {
    TrainingWatch watch;
    constexpr Index steps = 1001;  // a point every 6 steps, and the last
    for (Index step = 1; step <= steps; ++step) watch.add(progress_of("rope", 0, step, steps, double(step)), 0);
    const CurveSet set = watch.losses();
    QCOMPARE(set.x.size(), std::size_t{167});
    QCOMPARE(set.x.front(), 6.0);
    QCOMPARE(set.curves[0].y.front(), 3.5);
    QCOMPARE(set.x.back(), 1001.0);
    QCOMPARE(set.curves[0].y.back(), (997.0 + 1001) / 2);
  }

  /// At once, then every two seconds, and at the end; a sample that fails leaves the one before.
  void samples_are_requested_at_intervals() {
    TrainingWatch watch;
    int samples = 0;
    for (Index step = 1; step <= 8; ++step) {
      TrainingProgress each = progress_of("rope", 0, step, 8, 1);
      each.sample = [&]() -> Result<TextSample> {
        ++samples;
        if (step == 8) return cancelled();
        return TextSample{"given", std::to_string(step), {}};
      };
      watch.add(each, 0.5 * double(step));
    }
    QCOMPARE(samples, 3);  // steps 1, 5 and 8
    QCOMPARE(watch.state()->sample, (TextSample{"given", "5", {}}));
    QCOMPARE(watch.state()->sample_step, Index{5});
    QCOMPARE(watch.state()->sample_of, std::string("rope, seed 0"));
  }

  void many_threads() {
    TrainingWatch watch;
    std::vector<std::jthread> threads;
    for (int seed = 0; seed < 4; ++seed)
      threads.emplace_back([&watch, seed] {
        for (Index step = 1; step <= 300; ++step) watch.add(progress_of("rope", seed, step, 300, seed), double(step));
      });
    for (int i = 0; i < 50; ++i) (void)watch.state(), (void)watch.losses();
    threads.clear();
    QCOMPARE(watch.state()->ended, Index{4});
    const CurveSet set = watch.losses();
    for (const double y : set.curves[0].y) QCOMPARE(y, 1.5);
  }
};

VQSCOPE_TEST(TrainingWatchTest)
#include "training_watch_test.moc"
