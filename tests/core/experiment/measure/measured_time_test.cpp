// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/measured_time.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <thread>

using namespace vqscope;

class MeasuredTimeTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// A call that is over at once is made once more than it counts.
  void short_calls_warm_up() {
    int calls = 0;
    const Spread spread = seconds_of({}, 4, [&] { ++calls; });
    QCOMPARE(calls, 5);
    QVERIFY(spread.least >= 0 && spread.least <= spread.median && spread.median <= spread.greatest);
  }

  /// Work that grows like T² with a limit of nothing: only the first length is measured.
  void lengths_above_the_time_limit_are_skipped() {
    int calls = 0;
    RisingTimes times(2, 1e-12, 3);
    QVERIFY(std::isfinite(times.at(16, {}, [&] { ++calls; }).median));
    const int measured = calls;
    const Spread skipped = times.at(1 << 20, {}, [&] { ++calls; });
    QVERIFY(std::isnan(skipped.median) && std::isnan(skipped.least) && std::isnan(skipped.greatest));
    QCOMPARE(calls, measured);
    RisingTimes patient(2, 1e9, 3);
    for (const Index length : {16, 1 << 20}) QVERIFY(std::isfinite(patient.at(length, {}, [] {}).median));
  }

  void a_stop_ends_the_repetitions() {
    std::stop_source stop;
    int calls = 0;
    const Work work{.progress = {}, .stop = stop.get_token()};
    (void)seconds_of(work, 1000, [&] {
      if (++calls == 3) stop.request_stop();
    });
    QCOMPARE(calls, 3);
  }

  /// One measurement runs at a time: others wait, or give up after a stop.
  void measurements_are_made_one_at_a_time() {
    std::stop_source stop;
    int inside = 0, most = 0;
    const auto measure = [&] {
      const MeasuringAlone alone({});
      most = std::max(most, ++inside);
      --inside;
    };
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(measure);
    threads.clear();
    QCOMPARE(most, 1);
    const MeasuringAlone alone({});
    stop.request_stop();
    const MeasuringAlone gives_up(stop.get_token());  // returns although the machine is taken
  }

  void the_machine_is_named() {
    QVERIFY(machine_text(1).ends_with(", 1 thread"));
    QVERIFY(machine_text(8).ends_with(", 8 threads"));
    QVERIFY(machine_text(1).find("kernels ") != std::string::npos);
  }
};

VQSCOPE_TEST(MeasuredTimeTest)
#include "measured_time_test.moc"
