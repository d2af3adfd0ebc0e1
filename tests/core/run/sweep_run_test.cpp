// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep_run.h"

#include "core/run/sweep_table.h"
#include "tests/core/run/test_sweep.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <mutex>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// `line`, whose points with slope 2 fail.
const Method& fragile_method() {
  static const Method method = [] {
    Method made = line_method();
    const auto make = made.curves()->make;
    std::get<CurveRecipe>(made.recipe).make = [make](const ParameterValues& values,
                                                     const Work& work) -> Result<CurveSet> {
      work.report(0.5);
      if (values.real("slope") == 2) return invalid("the line is too steep");
      return make(values, work);
    };
    return made;
  }();
  return method;
}

Sweep fragile_sweep() {
  Sweep sweep = line_sweep();
  sweep.method = &fragile_method();
  return sweep;
}

/// The last report on each point.
struct Reports {
  std::mutex mutex;
  std::map<Index, PointReport> last;
  Index halves = 0;

  SweepRun run(const std::string& folder, Index jobs = 1) {
    return {.folder = folder,
            .points = {0, 1, 2, 3, 4, 5},
            .jobs = jobs,
            .version = "1.0",
            .stop = {},
            .notify = [this](const PointReport& report) {
              const std::lock_guard lock(mutex);
              last[report.point] = report;
              if (report.state == PointState::running && report.fraction == 0.5) ++halves;
            }};
  }
  Index count(PointState state) const {
    return std::ranges::count_if(last, [&](const auto& each) { return each.second.state == state; });
  }
};

std::string table_of(const Sweep& sweep, const std::string& folder) {
  StringSink sink;
  const auto report = merge_sweep(sweep, {folder}, sink);
  return report ? sink.text() : report.error().message;
}

}  // namespace

class SweepRunTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  void parallel_jobs_give_the_same_table() {
    const Sweep sweep = line_sweep();
    for (const Index jobs : {1, 4}) {
      const std::string folder = path() + "/" + std::to_string(jobs);
      QVERIFY(begin_sweep(folder, sweep));
      Reports reports;
      QVERIFY(carry_out_points(sweep, reports.run(folder, jobs)));
      QCOMPARE(reports.count(PointState::computed), Index{6});
    }
    QCOMPARE(table_of(sweep, path() + "/4"), table_of(sweep, path() + "/1"));
  }

  void finished_points_are_found() {
    const Sweep sweep = line_sweep();
    QVERIFY(!finished_points(path(), sweep)->front());
    QVERIFY(begin_sweep(path(), sweep));
    const auto seconds = carry_out(path(), sweep, sweep_point(sweep, 4), "1.0", {});
    QVERIFY(seconds);
    const auto finished = finished_points(path(), sweep);
    QCOMPARE(finished->size(), std::size_t{6});
    QCOMPARE((*finished)[4], std::optional(*seconds));
    QCOMPARE(std::ranges::count(*finished, std::optional<double>()), 5);
    Reports reports;
    QVERIFY(carry_out_points(sweep, reports.run(path(), 2)));
    QCOMPARE(reports.count(PointState::found), Index{1});
    QCOMPARE(reports.last[4].seconds, *seconds);
  }

  void another_sweep_in_the_folder_is_refused_and_left() {
    QVERIFY(begin_sweep(path(), line_sweep()));
    Sweep other = line_sweep();
    other.varied.pop_back();
    QCOMPARE(finished_points(path(), other).error().message,
             path() + "/sweep.json belongs to another sweep; choose another folder");
  }

  void the_first_failure_ends_a_sweep() {
    const Sweep sweep = fragile_sweep();
    QVERIFY(begin_sweep(path(), sweep));
    Reports reports;
    const auto done = carry_out_points(sweep, reports.run(path()));
    QVERIFY(!done);
    QCOMPARE(done.error().message, std::string("point slope=2 seed=0: the line is too steep"));
    QCOMPARE(reports.count(PointState::computed), Index{3});
    QCOMPARE(reports.last.size(), std::size_t{4});
  }

  void sweep_continues_after_a_failure_if_set() {
    Sweep sweep = fragile_sweep();
    std::ranges::reverse(sweep.varied[0].values);
    QVERIFY(begin_sweep(path(), sweep));
    Reports reports;
    SweepRun run = reports.run(path());
    run.continue_on_failure = true;
    QVERIFY(carry_out_points(sweep, run));
    QCOMPARE(reports.count(PointState::failed), Index{3});
    QCOMPARE(reports.count(PointState::computed), Index{3});
    QCOMPARE(reports.last[1].sentence, std::string("point slope=2 seed=1: the line is too steep"));
    QCOMPARE(reports.halves, Index{6});
  }

  void stop_keeps_finished_points() {
    const Sweep sweep = line_sweep();
    QVERIFY(begin_sweep(path(), sweep));
    Reports reports;
    std::stop_source stop;
    SweepRun run = reports.run(path());
    run.continue_on_failure = true;
    run.stop = stop.get_token();
    run.notify = [&, notify = run.notify](const PointReport& report) {
      notify(report);
      if (report.point == 2 && report.state == PointState::running) stop.request_stop();
    };
    const auto done = carry_out_points(sweep, run);
    QVERIFY(!done && done.error().code == Errc::cancelled);
    QCOMPARE(reports.count(PointState::computed), Index{2});
    QCOMPARE(reports.last[2].state, PointState::waiting);
    QCOMPARE(reports.last.size(), std::size_t{3});
    QCOMPARE(std::ranges::count(*finished_points(path(), sweep), std::optional<double>()), 4);
  }

 private:
  std::string path() const { return m_folder->path().toStdString(); }
  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(SweepRunTest)
#include "sweep_run_test.moc"
