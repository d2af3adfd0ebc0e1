// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <mutex>
#include <new>
#include <set>
#include <stdexcept>

using namespace vqscope;

class ParallelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void every_item_once() {
    for (const int threads : {-1, 0, 1, 2, 7})
      for (const Index count : {0, 1, 2, 5, 1000}) {
        std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
        parallel_for(count, threads, [&](Index i) { ++seen[static_cast<std::size_t>(i)]; });
        for (const auto& times : seen) QCOMPARE(times.load(), 1);
      }
  }

  void single_thread_runs_on_the_caller_in_order() {
    std::vector<Index> order;
    parallel_for(100, 1, [&](Index i) {
      QCOMPARE(std::this_thread::get_id(), caller);
      order.push_back(i);
    });
    QVERIFY(std::ranges::is_sorted(order));
    QCOMPARE(order.size(), std::size_t{100});
  }

  void threads_are_bounded_by_items_and_limit() {
    std::mutex mutex;
    std::set<std::thread::id> ids;
    const auto note = [&](Index) {
      const std::scoped_lock lock(mutex);
      ids.insert(std::this_thread::get_id());
    };
    parallel_for(1000, 3, note);
    QVERIFY(ids.size() <= 3);
    ids.clear();
    parallel_for(1, 8, note);
    QCOMPARE(ids, std::set{caller});
  }

  void an_exception_reaches_the_caller_and_ends_the_rest() {
    for (const int threads : {1, 2, 7}) {
      std::atomic<Index> done = 0;
      const auto fails_at_ten = [&](Index i) {
        if (i == 10) throw std::bad_alloc();
        ++done;
      };
      QVERIFY_THROWS_EXCEPTION(std::bad_alloc, parallel_for(1'000'000, threads, fails_at_ten));
      QVERIFY(done < 1'000'000);
    }
  }

  /// If several items throw, one of the exceptions is thrown.
  void one_of_several_exceptions_is_thrown() {
    std::atomic<int> thrown = 0;
    const auto fails = [&](Index i) {
      ++thrown;
      throw std::runtime_error(std::to_string(i));
    };
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, parallel_for(1000, 4, fails));
    QVERIFY(thrown >= 1 && thrown <= 4);
  }

 private:
  std::thread::id caller = std::this_thread::get_id();
};

VQSCOPE_TEST(ParallelTest)
#include "parallel_test.moc"
