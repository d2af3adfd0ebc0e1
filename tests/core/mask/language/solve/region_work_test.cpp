// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/region_work.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;

class RegionWorkTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void steps_are_taken_until_none_is_left() {
    RegionWork work({10, {}});
    QVERIFY(work.spend(3));  // and one for the asking
    QCOMPARE(work.left(), Index{6});
    QVERIFY(work.spend(5));
    QCOMPARE(work.left(), Index{0});
    QVERIFY(!work.failed());
    QVERIFY(!work.spend(0));
    QVERIFY(work.failed());
    QVERIFY(work.left() < 0);
  }

  void failed_work_stays_failed() {
    RegionWork work({1000, {}});
    QVERIFY(work.fail().is_empty());
    QVERIFY(work.failed() && !work.spend(1));
    const CellSet one = CellSet::whole({0, 2}, {0, 2});
    QVERIFY(work.joined(one, one, Combine::both).is_empty());
  }

  void regions_are_joined() {
    RegionWork work({1000, {}});
    const CellSet left = CellSet::whole({0, 2}, {0, 4}), right = CellSet::whole({0, 2}, {3, 6});
    const auto columns = [&](Combine how) { return work.joined(left, right, how).columns(); };
    QCOMPARE(columns(Combine::both), (Range{3, 4}));
    QCOMPARE(columns(Combine::either), (Range{0, 6}));
    QCOMPARE(columns(Combine::first_only), (Range{0, 3}));
    QCOMPARE(work.joined(left, right, Combine::one_of).size(), std::size_t{2});
    QVERIFY(!work.failed() && work.left() < 1000);
  }

  void a_join_beyond_the_budget_is_empty() {
    RegionWork work({1, {}});
    const CellSet left = CellSet::whole({0, 2}, {0, 4}), right = CellSet::whole({0, 2}, {3, 6});
    QVERIFY(work.joined(left, right, Combine::either).is_empty());
    QVERIFY(work.failed());
  }

  void common_columns_are_appended() {
    RegionWork work({1000, {}});
    CellSet out;
    const CellSet a = CellSet::whole({4, 9}, {0, 5}), b = CellSet::whole({4, 9}, {3, 8});
    work.intersect({4, 9}, a, b, out);
    QCOMPARE(out.size(), std::size_t{1});
    QCOMPARE(out.bands()[0].rows, (Range{4, 9}));
    QCOMPARE(out.columns(), (Range{3, 5}));
    const Index left = work.left();
    work.intersect({9, 11}, {}, b, out);
    QCOMPARE(out.size(), std::size_t{1});
    QCOMPARE(work.left(), left - 1);
  }

  void stop_is_checked_at_the_first_step_and_then_at_intervals() {
    std::stop_source stop;
    RegionWork work({1 << 20, stop.get_token()});
    QVERIFY(work.spend(0));
    stop.request_stop();
    int steps = 0;
    while (work.spend(0) && steps < 5000) ++steps;
    QVERIFY2(work.failed() && steps <= 4097, qPrintable(QString::number(steps)));
    RegionWork late({1 << 20, stop.get_token()});
    QVERIFY(!late.spend(0));
  }

  void an_attempt_that_fits_is_kept_and_paid_for() {
    RegionWork work({100, {}});
    const auto made = work.attempt(50, [&] {
      work.spend(9);
      return CellSet::whole({0, 1}, {0, 1});
    });
    QVERIFY(made && !made->is_empty());
    QCOMPARE(work.left(), Index{90});
  }

  void failed_attempt_keeps_only_its_steps() {
    RegionWork work({100, {}});
    QVERIFY(!work.attempt(20, [&] {
      work.spend(60);
      return CellSet{};
    }));
    QVERIFY(!work.failed());
    QCOMPARE(work.left(), Index{80});
    // One that cannot be solved takes what it took.
    QVERIFY(!work.attempt(20, [&] {
      work.spend(4);
      return work.fail();
    }));
    QVERIFY(!work.failed());
    QCOMPARE(work.left(), Index{75});
    QVERIFY(work.spend(0));
  }

  void attempt_that_spends_the_budget_fails_the_work() {
    RegionWork work({10, {}});
    QVERIFY(!work.attempt(1000, [&] {
      work.spend(50);
      return CellSet{};
    }));
    QVERIFY(work.failed());
  }

  void stop_within_an_attempt_fails_the_work() {
    std::stop_source stop;
    RegionWork work({1000, stop.get_token()});
    QVERIFY(!work.attempt(10, [&] {
      stop.request_stop();
      return work.fail();
    }));
    QVERIFY(work.failed());
  }
};

VQSCOPE_TEST(RegionWorkTest)
#include "region_work_test.moc"
