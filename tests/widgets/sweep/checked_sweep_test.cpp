// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/checked_sweep.h"

#include "core/io/bytes/file_source.h"
#include "core/run/sweep_folder.h"
#include "tests/core/run/test_sweep.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "widgets/sweep/merged_table.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class CheckedSweepTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  void variedParametersAreCheckedFirst() {
    const auto none = checkSweep({.method = &line_method(), .values = defaults(), .varied = {}}, path(), {});
    QVERIFY(!none && none.error().code == Errc::not_found);
    COMPARE_ERROR(checkSweep(plan(), "here", {}), "the folder of results is here but must be an absolute path");
  }

  void folderIsRequiredWithoutAHome() {
    const QByteArray data = qgetenv("XDG_DATA_HOME");
    qputenv("XDG_DATA_HOME", "/somewhere");
    const auto own = checkSweep(plan(), {}, {});
    QVERIFY(own && (*own)->folder.starts_with("/somewhere/vqscope/sweeps/line-"));
    data.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", data);
  }

  void finishedPointsAreFound() {
    const auto before = checkSweep(plan(), path(), {});
    QVERIFY(before && (*before)->finished.size() == 2 && !(*before)->finished[0]);
    const Sweep& sweep = *(*before)->sweep;
    QVERIFY(begin_sweep(path(), sweep));
    QVERIFY(carry_out(path(), sweep, sweep_point(sweep, 1), "1.0", {}));
    const auto after = checkSweep(plan(), path(), {});
    QVERIFY(after && !(*after)->finished[0] && (*after)->finished[1]);
    SweepPlan other = plan();
    other.varied = {{"slope", "3,4"}};
    COMPARE_ERROR(checkSweep(other, path(), {}),
                  path() + "/sweep.json belongs to another sweep; choose another folder");
  }

  /// The saved table has all that the one in the window has.
  void theTableIsWritten() {
    const auto checked = checkSweep(plan(), path(), {});
    const Sweep& sweep = *(*checked)->sweep;
    const std::string file = path() + ".csv";
    COMPARE_ERROR(writeMerged(sweep, path(), file, {}), path() + ": No such file or directory");
    QVERIFY(begin_sweep(path(), sweep));
    COMPARE_ERROR(writeMerged(sweep, path(), file, {}), "no point of the sweep is finished");
    for (const Index point : {0, 1}) QVERIFY(carry_out(path(), sweep, sweep_point(sweep, point), "1.0", {}));
    const auto size = writeMerged(sweep, path(), file, {});
    const std::string table = *read_text(file, 1 << 20);
    QVERIFY(size && *size == static_cast<double>(table.size()));
    const auto rows = mergedRows(sweep, path(), {});
    QVERIFY(rows && rows->count == std::ranges::count(table, '\n') - 1);
    QCOMPARE(rows->columns, (std::vector<std::string>{"point", "slope", "series", "length", "value"}));
    QVERIFY(rows->report.complete());
  }

 private:
  static ParameterValues defaults() { return default_values(line_method().parameters); }
  static SweepPlan plan() { return {.method = &line_method(), .values = defaults(), .varied = {{"slope", "1,2"}}}; }
  std::string path() const { return m_folder->filePath("sweep").toStdString(); }
  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(CheckedSweepTest)
#include "checked_sweep_test.moc"
