// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/workers.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <atomic>
#include <stdexcept>
#include <thread>

using namespace vqscope;

class WorkersTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void scratch_buffer_keeps_its_content() {
    Scratch scratch;
    float* first = scratch.floats(100);
    first[99] = 7;
    QCOMPARE(scratch.floats(50), first);
    QCOMPARE(scratch.floats(100)[99], 7.0F);
    QVERIFY(scratch.floats(1000) != nullptr);
  }

  void every_item_is_done_once_by_one_worker() {
    for (const std::size_t threads : {1U, 2U, 5U}) {
      std::vector<std::vector<Index>> workers(threads);
      share_out(workers, 100, {}, 0, 100, [](Index i, std::vector<Index>& mine) { mine.push_back(i); });
      std::vector<Index> done;
      for (const auto& mine : workers) done.insert(done.end(), mine.begin(), mine.end());
      std::ranges::sort(done);
      QCOMPARE(done.size(), std::size_t{100});
      for (Index i = 0; i < 100; ++i) QCOMPARE(done[static_cast<std::size_t>(i)], i);
    }
  }

  void no_items() {
    std::vector<int> workers(3);
    share_out(workers, 0, {}, 0, 0, [](Index, int&) { QFAIL("there is no item"); });
  }

  /// On the caller's thread, with what was done before.
  void progress_includes_earlier_work() {
    std::vector<double> fractions;
    const Work work{[&](double fraction) { fractions.push_back(fraction); }, {}};
    std::vector<int> workers(1);
    share_out(workers, 4, work, 4, 8, [](Index, int&) {});
    QCOMPARE(fractions, (std::vector<double>{0.625, 0.75, 0.875, 1}));
  }

  /// The caller does one of eight items, and the other worker the last.
  void progress_includes_items_of_other_threads() {
    std::atomic<int> begun = 0;
    std::atomic<bool> reported = false;
    std::vector<double> fractions;
    const Work work{[&](double fraction) {
                      fractions.push_back(fraction);
                      reported = true;
                    },
                    {}};
    const auto caller = std::this_thread::get_id();
    std::vector<int> workers(2);
    share_out(workers, 8, work, 0, 8, [&](Index, int&) {
      const bool own = std::this_thread::get_id() == caller;
      if (!own && ++begun < 7) return;
      while (own ? begun < 7 : !reported) std::this_thread::yield();
    });
    QCOMPARE(fractions, (std::vector<double>{0.875, 1}));
  }

  void stop_skips_the_remaining_items() {
    std::stop_source source;
    std::vector<int> workers(1);
    Index done = 0;
    share_out(workers, 100, {{}, source.get_token()}, 0, 100, [&](Index i, int&) {
      ++done;
      if (i == 9) source.request_stop();
    });
    QCOMPARE(done, Index{10});
  }

  void an_exception_reaches_the_caller() {
    std::vector<int> workers(3);
    const auto failing = [&] {
      share_out(workers, 100, {}, 0, 100, [](Index i, int&) {
        if (i == 50) throw std::runtime_error("as an example");
      });
    };
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, failing());
  }
};

VQSCOPE_TEST(WorkersTest)
#include "workers_test.moc"
