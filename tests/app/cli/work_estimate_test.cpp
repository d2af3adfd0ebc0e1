// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/progress_line.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class WorkEstimateTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void whole_time_is_extrapolated_from_a_part() {
    WorkEstimate estimate;
    QVERIFY(!estimate.sentence());
    estimate.add(0, 0);
    QVERIFY(!estimate.sentence());
    estimate.add(0.025, 10);
    QCOMPARE(*estimate.secondsInAll(), 400.0);
    QCOMPARE(*estimate.secondsLeft(), 390.0);
    QCOMPARE(*estimate.sentence(),
             std::string("2.5 % done after 10 s; all of it takes about 6.7 min; Ctrl+C stops it"));
    estimate.add(1, 300);
    QVERIFY(!estimate.sentence());
  }

  /// Half was done before: the other half takes 100 s.
  void estimate_excludes_earlier_work() {
    WorkEstimate estimate;
    estimate.add(0.5, 1);
    QVERIFY(!estimate.secondsInAll());
    estimate.add(0.6, 21);
    QCOMPARE(*estimate.secondsInAll(), 101.0);
  }
};

VQSCOPE_TEST(WorkEstimateTest)
#include "work_estimate_test.moc"
