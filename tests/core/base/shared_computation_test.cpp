// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shared_computation.h"

#include "core/base/random.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <atomic>
#include <future>
#include <new>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Shared = SharedComputation<int, int>;

/// A computation that goes on until it is let go or stopped.
struct Gate {
  std::atomic<bool> open = false;
  std::atomic<int> entered = 0;
  std::atomic<int> stopped = 0;

  Result<int> pass(const Work& work, int value) {
    ++entered;
    entered.notify_all();
    while (!open && !work.stop.stop_requested()) std::this_thread::yield();
    if (!work.stop.stop_requested()) return value;
    ++stopped;
    return cancelled();
  }

  void wait_until_entered(int times) const {
    for (int now = entered; now < times; now = entered) entered.wait(now);
  }
};

Work stoppable(const std::stop_source& source) { return {.progress = {}, .stop = source.get_token()}; }

}  // namespace

class SharedComputationTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void computes_once_for_all_readers() {
    Shared shared;
    Gate gate;
    const auto read = [&] { return shared.get(7, {}, [&](const Work& work) { return gate.pass(work, 42); }); };
    std::vector<std::future<Result<Shared::Value>>> readers;
    for (int i = 0; i < 8; ++i) readers.push_back(std::async(std::launch::async, read));
    gate.wait_until_entered(1);
    gate.open = true;
    std::vector<Shared::Value> values;
    for (auto& reader : readers) values.push_back(reader.get().value());
    for (const auto& value : values) QVERIFY(value == values.front() && *value == 42);
    QCOMPARE(gate.entered.load(), 1);
    QCOMPARE(shared.get(7, {}, [](const Work&) -> Result<int> { return invalid("it is known"); }).value(), values[0]);
  }

  void another_key_is_another_computation() {
    Shared shared;
    const auto of = [&](int key) {
      return *shared.get(key, {}, [&](const Work&) { return Result<int>(key * key); }).value();
    };
    QCOMPARE(of(3), 9);
    QCOMPARE(of(4), 16);
  }

  /// An unused value is computed again, apart from the last few that are kept.
  void keeps_values_in_use_and_the_most_recent() {
    int computed = 0;
    const auto count = [&](Shared& shared, int key) {
      computed = 0;
      auto value = shared.get(key, {}, [&](const Work&) { return Result<int>(++computed); });
      return value.has_value() ? computed : -1;
    };
    Shared none;
    QCOMPARE(count(none, 1), 1);
    QCOMPARE(count(none, 1), 1);
    Shared two(2);
    for (const int key : {1, 2, 3}) QCOMPARE(count(two, key), 1);
    QCOMPARE(count(two, 3), 0);
    QCOMPARE(count(two, 2), 0);
    QCOMPARE(count(two, 1), 1);
  }

  /// The first reader is not bound to values that others still wait for.
  void a_stopped_reader_leaves_the_others() {
    Shared shared;
    Gate gate;
    std::stop_source first;
    const auto read = [&](const Work& work) {
      return shared.get(1, work, [&](const Work& inner) { return gate.pass(inner, 5); });
    };
    auto leaving = std::async(std::launch::async, [&] { return read(stoppable(first)); });
    gate.wait_until_entered(1);
    std::atomic<bool> listening = false;
    const Work staying_work{.progress = [&](double) { listening = true, listening.notify_all(); }, .stop = {}};
    auto staying = std::async(std::launch::async, [&] { return read(staying_work); });
    listening.wait(false);  // its progress is reported: it waits
    first.request_stop();
    QCOMPARE(leaving.get().error().code, Errc::cancelled);
    QCOMPARE(gate.stopped.load(), 0);
    gate.open = true;
    QCOMPARE(*staying.get().value(), 5);
    QCOMPARE(gate.entered.load(), 1);
  }

  void the_last_reader_stops_it_and_the_next_starts_anew() {
    Shared shared;
    Gate gate;
    for (int round = 1; round <= 20; ++round) {
      std::stop_source source;
      auto reader = std::async(std::launch::async, [&] {
        return shared.get(1, stoppable(source), [&](const Work& work) { return gate.pass(work, 5); });
      });
      gate.wait_until_entered(round);
      source.request_stop();
      QCOMPARE(reader.get().error().code, Errc::cancelled);
      QCOMPARE(gate.stopped.load(), round);
    }
    gate.open = true;
    QCOMPARE(*shared.get(1, {}, [&](const Work& work) { return gate.pass(work, 6); }).value(), 6);
  }

  void stopped_reader_gets_cancelled() {
    Shared shared;
    std::stop_source source;
    source.request_stop();
    const auto result = shared.get(1, stoppable(source), [](const Work& work) -> Result<int> {
      return work.stop.stop_requested() ? Result<int>(cancelled()) : Result<int>(1);
    });
    QCOMPARE(result.error().code, Errc::cancelled);
  }

  void errors_reach_all_and_are_forgotten() {
    Shared shared;
    Gate gate;
    const auto read = [&] {
      return shared.get(1, {}, [&](const Work& work) -> Result<int> {
        if (auto passed = gate.pass(work, 0); !passed) return passed;
        throw std::bad_alloc();
      });
    };
    std::vector<std::future<Result<Shared::Value>>> readers;
    for (int i = 0; i < 4; ++i) readers.push_back(std::async(std::launch::async, read));
    gate.wait_until_entered(1);
    gate.open = true;
    for (auto& reader : readers) QCOMPARE(reader.get().error().code, Errc::too_large);
    COMPARE_ERROR(shared.get(1, {}, [](const Work&) -> Result<int> { return invalid("no luck"); }), "no luck");
    QCOMPARE(*shared.get(1, {}, [](const Work&) { return Result<int>(3); }).value(), 3);
  }

  /// Readers that come and go at random: each reader that is not stopped gets the value of the key.
  void many_concurrent_readers() {
    SharedComputation<int, std::vector<int>> shared(1);
    std::atomic<int> wrong = 0;
    std::vector<std::jthread> threads;
    for (std::uint64_t seed = 0; seed < 8; ++seed)
      threads.emplace_back([&, seed] {
        SeededRandom random(seed);
        for (int i = 0; i < 300; ++i) {
          const int key = static_cast<int>(random.bits() % 3);
          const auto steps = static_cast<int>(random.bits() % 2000);
          std::stop_source source;
          std::jthread stopper;
          if (random.bits() % 2 == 0) stopper = std::jthread([source]() mutable { source.request_stop(); });
          const auto value =
              shared.get(key, stoppable(source), [key, steps](const Work& work) -> Result<std::vector<int>> {
                for (int step = 0; step < steps; ++step)
                  if (work.stop.stop_requested()) return cancelled();
                return std::vector<int>(100, key);
              });
          if (value ? **value != std::vector<int>(100, key) : value.error().code != Errc::cancelled) ++wrong;
          if (!value && !source.stop_requested()) ++wrong;
        }
      });
    threads.clear();
    QCOMPARE(wrong.load(), 0);
  }
};

VQSCOPE_TEST(SharedComputationTest)
#include "shared_computation_test.moc"
