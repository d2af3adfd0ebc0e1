// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <atomic>
#include <latch>
#include <set>
#include <thread>
#include <vector>

using namespace vqscope;

class PooledThreadTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void destructor_waits_for_the_task() {
    for (int i = 0; i < 200; ++i) {
      int done = 0;  // not atomic: to wait is to see what was written
      {
        const PooledThread thread([&] { ++done; });
      }
      QCOMPARE(done, 1);
    }
  }

  void task_runs_on_another_thread() {
    std::thread::id id = std::this_thread::get_id();
    {
      const PooledThread thread([&] { id = std::this_thread::get_id(); });
    }
    QVERIFY(id != std::this_thread::get_id());
  }

  /// Tasks that wait for each other all run, however many there are.
  void no_task_waits_for_a_thread() {
    constexpr int count = 40;
    std::latch all(count);
    std::vector<PooledThread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back([&] { all.arrive_and_wait(); });
    threads.clear();
    QVERIFY(all.try_wait());
  }

  /// A task that starts and awaits another, which starts and awaits another …
  void tasks_begin_tasks() {
    int depth = 0;
    const std::function<void()> deeper = [&] {
      if (++depth < 30) PooledThread{deeper};
    };
    { const PooledThread thread(deeper); }
    QCOMPARE(depth, 30);
  }

  /// The end of a task is reported a moment before its thread is idle, so there may be some of
  /// them.
  void tasks_take_threads_again() {
    std::set<std::thread::id> ids;
    for (int i = 0; i < 1000; ++i) const PooledThread thread([&] { ids.insert(std::this_thread::get_id()); });
    QVERIFY2(ids.size() < 250, std::to_string(ids.size()).c_str());
  }

  void finished_task_releases_its_captures() {
    auto held = std::make_shared<int>(1);
    const std::weak_ptr<int> watched = held;
    PooledThread thread([held = std::move(held)] { QCOMPARE(*held, 1); });
    thread = {};
    QVERIFY(watched.expired());
  }

  void another_task_waits_for_the_first() {
    std::atomic<int> done = 0;
    PooledThread thread([&] { ++done; });
    thread = PooledThread([&] { done += 10; });
    QVERIFY(done == 1 || done == 11);
    thread = {};
    QCOMPARE(done.load(), 11);
    const PooledThread none;
    const PooledThread moved = PooledThread([&] { ++done; });
  }
};

VQSCOPE_TEST(PooledThreadTest)
#include "pooled_thread_test.moc"
