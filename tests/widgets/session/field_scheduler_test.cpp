// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/field_scheduler.h"

#include "tests/support/test_main.h"

#include <QPointer>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <thread>

using namespace vqscope;

namespace {

/// Work that signals its start and lasts until it is stopped.
std::function<int(std::stop_token)> endless(std::binary_semaphore& begun, std::atomic<bool>& ended) {
  return [&](std::stop_token stop) {
    begun.release();
    while (!stop.stop_requested()) std::this_thread::yield();
    ended = true;
    return -1;
  };
}

/// A static object that work uses.
struct OutlivesWork {
  ~OutlivesWork() {
    if (!workEnded) std::_Exit(3);
  }
  std::atomic<bool> workEnded = false;
};

}  // namespace

class FieldSchedulerTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void resultsArriveOnTheOwnersThread() {
    FieldScheduler scheduler;
    QThread* worked = nullptr;
    QThread* delivered = nullptr;
    int result = 0;
    scheduler.run<int>(
        [&](std::stop_token) {
          worked = QThread::currentThread();
          return 42;
        },
        [&](int value) {
          delivered = QThread::currentThread();
          result = value;
        });
    QVERIFY(scheduler.isBusy());
    QTRY_COMPARE(result, 42);
    QCOMPARE(delivered, QThread::currentThread());
    QVERIFY(worked != delivered);
    QVERIFY(!scheduler.isBusy());
  }

  /// Of several requests during work, only the last is carried out.
  void onlyTheNewestRequestIsDone() {
    FieldScheduler scheduler;
    std::binary_semaphore begun(0);
    std::binary_semaphore go(0);
    std::atomic<int> calls = 0;
    std::vector<int> results;
    scheduler.run<int>(
        [&](std::stop_token) {
          ++calls;
          begun.release();
          go.acquire();
          return 0;
        },
        [&](int value) { results.push_back(value); });
    begun.acquire();
    for (int i = 1; i <= 50; ++i)
      scheduler.run<int>(
          [&calls, i](std::stop_token) {
            ++calls;
            return i;
          },
          [&](int value) { results.push_back(value); });
    go.release();
    QTRY_VERIFY(!results.empty() && results.back() == 50);
    QCOMPARE(calls.load(), 2);
    QVERIFY2(results.size() <= 2, "work that was passed over was delivered");
  }

  void longWorkIsStoppedAndNotDelivered() {
    FieldScheduler scheduler;
    std::binary_semaphore begun(0);
    std::atomic<bool> ended = false;
    std::vector<int> results;
    const auto keep = [&](int value) { results.push_back(value); };
    scheduler.run<int>(endless(begun, ended), keep);
    begun.acquire();
    scheduler.run<int>([](std::stop_token) { return 2; }, keep);
    QTRY_COMPARE(results, std::vector<int>{2});
    QVERIFY(ended);
    QVERIFY(!scheduler.isBusy());
  }

  /// The stop is for that work alone.
  void workAfterStoppedWorkIsNotStopped() {
    FieldScheduler scheduler;
    std::binary_semaphore begun(0);
    std::atomic<bool> ended = false;
    std::optional<bool> stopped;
    scheduler.run<int>(endless(begun, ended), [](int) {});
    begun.acquire();
    scheduler.run<bool>([](std::stop_token stop) { return stop.stop_requested(); },
                        [&](bool value) { stopped = value; });
    QTRY_VERIFY(stopped.has_value());
    QVERIFY(!*stopped);
  }

  void destructionStopsTheWork() {
    std::binary_semaphore begun(0);
    std::atomic<bool> ended = false;
    bool delivered = false;
    {
      FieldScheduler scheduler;
      scheduler.run<int>(endless(begun, ended), [&](int) { delivered = true; });
      begun.acquire();
    }
    QTRY_VERIFY2(ended, "the work was not told to stop");
    QVERIFY(FieldScheduler::waitForAll(10'000));
    QCoreApplication::processEvents();
    QVERIFY(!delivered);
  }

  /// Closing a page must not wait for work that ignores its stop.
  void destructionDoesNotWait() {
    const auto gate = std::make_shared<std::binary_semaphore>(0);
    bool delivered = false;
    {
      FieldScheduler scheduler;
      scheduler.run<int>(
          [gate](std::stop_token) {
            gate->acquire();
            return 0;
          },
          [&](int) { delivered = true; });
    }
    QVERIFY2(!FieldScheduler::waitForAll(0), "the work is still at its gate");
    gate->release();
    QVERIFY(FieldScheduler::waitForAll(10'000));
    QCoreApplication::processEvents();
    QVERIFY(!delivered);
  }

  /// Threads are not joined: the thread of a destroyed scheduler is reused by the next.
  void threadsAreReused() {
    const auto uses = [] {
      FieldScheduler scheduler;
      std::optional<int> counted;
      scheduler.run<int>(
          [](std::stop_token) {
            thread_local int ofThisThread = 0;
            return ++ofThisThread;
          },
          [&](int count) { counted = count; });
      [&] { QTRY_VERIFY(counted.has_value()); }();
      return counted.value_or(0);
    };
    QTRY_VERIFY(uses() > 1);
  }

  /// Newer work does not wait for work that ignores its stop either.
  void workThatIgnoresItsStopIsAbandoned() {
    const auto gate = std::make_shared<std::binary_semaphore>(0);
    FieldScheduler scheduler;
    std::vector<int> results;
    const auto keep = [&](int value) { results.push_back(value); };
    scheduler.run<int>(
        [gate](std::stop_token) {
          gate->acquire();
          return 1;
        },
        keep);
    scheduler.run<int>([](std::stop_token) { return 2; }, keep);
    QTRY_COMPARE(results, std::vector<int>{2});
    gate->release();
    QVERIFY(FieldScheduler::waitForAll(10'000));
    QCoreApplication::processEvents();
    QCOMPARE(results, std::vector<int>{2});
  }

  void stoppedWorkIsNeitherBusyNorDelivered() {
    const auto gate = std::make_shared<std::binary_semaphore>(0);
    FieldScheduler scheduler;
    std::vector<int> results;
    const auto keep = [&](int value) { results.push_back(value); };
    scheduler.run<int>(
        [gate](std::stop_token) {
          gate->acquire();
          return 1;
        },
        keep);
    scheduler.stop();
    QVERIFY(!scheduler.isBusy());
    scheduler.run<int>([](std::stop_token) { return 2; }, keep);
    gate->release();
    QTRY_COMPARE(results, std::vector<int>{2});
    QVERIFY(FieldScheduler::waitForAll(10'000));
    QCoreApplication::processEvents();
    QCOMPARE(results, std::vector<int>{2});
  }

  void workWithBorrowedDataIsAwaited() {
    std::binary_semaphore begun(0);
    std::atomic<bool> ended = false;
    FieldScheduler scheduler;
    scheduler.run<int>(endless(begun, ended), [](int) {});
    begun.acquire();
    scheduler.stopAndWait();
    QVERIFY(ended);
    QVERIFY(!scheduler.isBusy());
  }

  void exceptionsAreErrors() {
    FieldScheduler scheduler;
    std::vector<std::string> errors;
    const auto keep = [&](const Result<int>& result) { errors.push_back(result ? "" : result.error().message); };
    const auto run = [&](const std::function<void()>& fail) {
      const auto before = errors.size();
      scheduler.run<Result<int>>(
          [fail](std::stop_token) -> Result<int> {
            fail();
            return 0;
          },
          keep);
      QTRY_COMPARE(errors.size(), before + 1);
    };
    run([] { throw std::bad_alloc(); });
    QVERIFY2(errors.back().starts_with("there is not enough memory"), errors.back().c_str());
    run([] { throw std::runtime_error("the reason"); });
    QCOMPARE(errors.back(), std::string("the reason"));
    run([] { throw 7; });
    QVERIFY(!errors.back().empty());
    run([] {});
    QCOMPARE(errors.back(), std::string());
  }

  void destructionDropsWaitingWork() {
    std::binary_semaphore begun(0);
    std::atomic<bool> ended = false;
    std::atomic<bool> called = false;
    {
      FieldScheduler scheduler;
      scheduler.run<int>(endless(begun, ended), [](int) {});
      begun.acquire();
      scheduler.run<int>(
          [&](std::stop_token) {
            called = true;
            return 0;
          },
          [](int) {});
    }
    QVERIFY(FieldScheduler::waitForAll(10'000));
    QCoreApplication::processEvents();
    QVERIFY(!called);
  }

  /// The result is in the event queue when its scheduler goes.
  void destructionDropsUndeliveredResults() {
    bool delivered = false;
    auto held = std::make_shared<int>(7);
    {
      FieldScheduler scheduler;
      scheduler.run<std::shared_ptr<int>>([held](std::stop_token) { return held; },
                                          [&](std::shared_ptr<int>) { delivered = true; });
    }
    QVERIFY(FieldScheduler::waitForAll(10'000));
    QCoreApplication::processEvents();
    QVERIFY(!delivered);
    QCOMPARE(held.use_count(), 1L);
  }

  void resultMayStartMoreWork() {
    FieldScheduler scheduler;
    int rounds = 0;
    std::function<void(int)> done = [&](int) {
      if (++rounds < 20) scheduler.run<int>([](std::stop_token) { return 0; }, done);
    };
    scheduler.run<int>([](std::stop_token) { return 0; }, done);
    QTRY_COMPARE(rounds, 20);
    QVERIFY(!scheduler.isBusy());
  }

  void resultMayDestroyItsScheduler() {
    auto* scheduler = new FieldScheduler;
    QPointer<FieldScheduler> alive(scheduler);
    scheduler->run<int>([](std::stop_token) { return 0; }, [&](int) { scheduler->deleteLater(); });
    QTRY_VERIFY(!alive);
  }

  void resultsMayBeMoveOnly() {
    FieldScheduler scheduler;
    std::unique_ptr<int> result;
    scheduler.run<std::unique_ptr<int>>([](std::stop_token) { return std::make_unique<int>(3); },
                                        [&](std::unique_ptr<int> value) { result = std::move(value); });
    QTRY_VERIFY(result);
    QCOMPARE(*result, 3);
  }

  void manySchedulersAtOnce() {
    std::vector<std::unique_ptr<FieldScheduler>> all;
    std::atomic<int> done = 0;
    for (int i = 0; i < 20; ++i) {
      all.push_back(std::make_unique<FieldScheduler>());
      for (int k = 0; k < 10; ++k) all.back()->run<int>([](std::stop_token) { return 0; }, [&](int) { ++done; });
    }
    QTRY_VERIFY(std::ranges::none_of(all, [](const auto& scheduler) { return scheduler->isBusy(); }));
    QVERIFY(done >= 20);
    QVERIFY(FieldScheduler::threads() >= 1);
  }

  /// Abandoned work may read static objects when the program ends: the last test, as others wait for
  /// such work.
  void endsBeforeStaticObjects() {
    FieldScheduler scheduler;
    static OutlivesWork object;  // is destroyed before the static objects of schedulers
    std::binary_semaphore begun(0);
    scheduler.run<int>(
        [&begun](std::stop_token) {
          begun.release();
          std::this_thread::sleep_for(std::chrono::milliseconds(300));
          object.workEnded = true;
          return 0;
        },
        [](int) {});
    begun.acquire();
  }
};

VQSCOPE_TEST(FieldSchedulerTest)
#include "field_scheduler_test.moc"
