// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/point_model.h"

#include "tests/core/run/test_sweep.h"
#include "tests/support/test_main.h"
#include "widgets/sweep/checked_sweep.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The six points of line_sweep(), the first of which is finished.
struct SixPoints {
  PointModel model;
  QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

  SixPoints() {
    std::vector<std::optional<double>> finished(6);
    finished[0] = 1.5;
    model.setSweep(std::make_shared<const Sweep>(line_sweep()), finished);
  }
  QString cell(int row, int column, int role = Qt::DisplayRole) const {
    return model.data(model.index(row, column), role).toString();
  }
  QStringList line(int row) const {
    QStringList words;
    for (int column = 0; column < model.columnCount(); ++column) words << cell(row, column);
    return words;
  }
  void take(const PointReport& report) { model.take({{report.point, report}}); }
};

}  // namespace

class PointModelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void noSweepHasNoPoints() {
    PointModel model;
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.columnCount(), 0);
    QVERIFY(!model.headerData(0, Qt::Horizontal, Qt::DisplayRole).isValid());
    model.take({{0, {}}});
    QCOMPARE(model.totals().points, Index{0});
    QVERIFY(model.unfinished().empty() && !model.firstOf(PointState::waiting));
  }

  void aLineHasNumberValuesStateAndSeconds() {
    SixPoints s;
    QCOMPARE(s.model.rowCount(), 6);
    QStringList titles;
    for (int column = 0; column < s.model.columnCount(); ++column)
      titles << s.model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    QCOMPARE(titles, (QStringList{"Point", "slope", "seed", "State", "Seconds"}));
    QCOMPARE(s.line(0), (QStringList{"1", "1", "0", "done before", "1.5"}));
    QCOMPARE(s.line(5), (QStringList{"6", "2", "2", "waiting", ""}));
    QCOMPARE(s.cell(5, 0, Qt::ToolTipRole), "ID " + QString::fromStdString(sweep_point(line_sweep(), 5).id));
  }

  void reportsChangeStateAndTotals() {
    SixPoints s;
    s.take({.point = 1, .state = PointState::running, .fraction = 0.5});
    QCOMPARE(s.cell(1, 3), QString("running, 50 %"));
    QCOMPARE(s.model.data(s.model.index(1, 3), PointModel::fractionRole).toDouble(), 0.5);
    QVERIFY(!s.model.data(s.model.index(2, 3), PointModel::fractionRole).isValid());
    QCOMPARE(s.model.totals().fraction, 1.5 / 6);
    s.take({.point = 1, .state = PointState::computed, .seconds = 2});
    s.take({.point = 2, .state = PointState::failed, .sentence = "the line is too steep"});
    QCOMPARE(s.line(1), (QStringList{"2", "1", "1", "done", "2"}));
    QCOMPARE(s.cell(2, 3), QString("failed: the line is too steep"));
    const PointTotals totals = s.model.totals();
    QCOMPARE(totals.points, Index{6});
    QCOMPARE(totals.finished, Index{2});
    QCOMPARE(totals.computed, Index{1});
    QCOMPARE(totals.failed, Index{1});
    QCOMPARE(totals.fraction, 3.0 / 6);
    QCOMPARE(s.model.unfinished(), (std::vector<Index>{2, 3, 4, 5}));
    QCOMPARE(s.model.firstOf(PointState::failed), std::optional(2));
  }

  void restResetsRunningAndFailedPoints() {
    SixPoints s;
    s.take({.point = 3, .state = PointState::running, .fraction = 0.9});
    s.take({.point = 4, .state = PointState::failed, .sentence = "no"});
    s.model.rest();
    QCOMPARE(s.model.firstOf(PointState::waiting), std::optional(1));
    QVERIFY(!s.model.firstOf(PointState::running) && !s.model.firstOf(PointState::failed));
    QCOMPARE(s.model.totals().fraction, 1.0 / 6);
    QCOMPARE(s.model.totals().failed, Index{0});
  }

  /// Whatever order of reports: the totals are those of the states.
  void totalsAgreeWithTheStates() {
    SixPoints s;
    const PointState states[] = {PointState::waiting, PointState::running, PointState::computed, PointState::failed,
                                 PointState::found};
    for (int i = 0; i < 60; ++i) {
      s.take({.point = i * 7 % 6, .state = states[i * 3 % 5], .fraction = 0.25});
      Index finished = 0, failed = 0;
      double done = 0;
      for (int row = 0; row < 6; ++row) {
        const PointReport& point = s.model.point(row);
        finished += point.state == PointState::found || point.state == PointState::computed;
        failed += point.state == PointState::failed;
        if (point.state == PointState::running) done += point.fraction;
      }
      QCOMPARE(s.model.totals().finished, finished);
      QCOMPARE(s.model.totals().failed, failed);
      QCOMPARE(s.model.totals().fraction, (done + static_cast<double>(finished + failed)) / 6);
    }
  }

  void progressKeepsTheLatestReportPerPoint() {
    PointProgress progress;
    progress.take({.point = 1, .state = PointState::running, .fraction = 0.1});
    progress.take({.point = 1, .state = PointState::running, .fraction = 0.7});
    progress.take({.point = 0, .state = PointState::computed});
    const auto all = progress.all();
    QCOMPARE(all.size(), std::size_t{2});
    QCOMPARE(all.at(1).fraction, 0.7);
    QVERIFY(progress.all().empty());
  }
};

VQSCOPE_TEST(PointModelTest)
#include "point_model_test.moc"
