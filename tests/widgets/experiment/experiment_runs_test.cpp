// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"
#include "tests/widgets/experiment/shown_experiments.h"
#include "widgets/start/start_parts.h"
#include "widgets/sweep/point_table.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/sweep/sweep_setup.h"
#include "widgets/sweep/vary_list.h"
#include "widgets/theme/palette.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QToolButton>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

/// Runs that are kept: their list, charts of several, and sweeps.
class ExperimentRunsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }
  void beforeEach() override { QDir(QString::fromStdString(default_run_folder())).removeRecursively(); }

  /// A run whose values the form does not have, such as one of an older version, opens in the list.
  void aRunOfOtherParametersOpensInTheList() {
    QVERIFY(kept_runs().keep({.id = "0123456789abcdef",
                              .method = "vq_error_vs_length",
                              .values = default_values(find_method("vq_error_vs_length")->parameters),
                              .curves = {.x_name = "length", .x = {1, 2}, .curves = {{"error", {3, 4}}}},
                              .seconds = 30,
                              .version = "0.1",
                              .when = "2999-01-02T00:00:00Z"}));
    ShownExperiments s;
    const auto rows = s.page.findChild<QWidget*>("emptyResult")->findChildren<LinkRow*>();
    QCOMPARE(rows.size(), 1);
    QVERIFY2(rows.front()->toolTip().contains("It is of version 0.1"), qPrintable(rows.front()->toolTip()));
    const ParameterValues before = s.bench.page("experiments").values;
    rows.front()->click();
    QVERIFY(s.page.runList()->isVisible());
    QTRY_COMPARE(s.runs()->selectionModel()->selectedRows().size(), 1);
    QVERIFY(s.bench.page("experiments").values == before);
  }

  void severalRunsAreOneChartWithABand() {
    keepSlow(0, 1);
    keepSlow(1, 3);
    ShownExperiments s;
    s.page.findChild<QToolButton*>("showRuns")->click();
    QCOMPARE(s.runs()->rowCount(), 2);
    s.runs()->selectAll();
    const CurveSet& curves = s.page.runList()->chart()->curves();
    QCOMPARE(curves.curves[0].y, (std::vector<double>{2, 4}));
    QCOMPARE(curves.bands, (std::vector<CurveBand>{{0, 1, 2}}));
    QCOMPARE(s.page.runList()->findChild<QLabel*>("remark")->text(),
             QString("The runs differ in at most the seed. Error rises from 2 to 4 (2 to 6) (length from 1 to 2)"));
  }

  /// The same experiment with two codebook sizes, in the dialog; its runs stand in the list and not
  /// among the kept.
  void aSweepIsMeasuredBesideAndItsRunsAreListed() {
    ShownExperiments s;
    s.button("sweep")->click();
    SweepDialog& sweep = *s.page.sweep();
    QVERIFY(sweep.isVisible());
    const QTemporaryDir folder;
    sweep.findChild<QLineEdit*>("folder")->setText(folder.filePath("points"));
    sweep.setup()->vary()->setTexts({{"n_code", "4:8:*2"}});
    s.settle();
    int ended = 0;
    QObject::connect(&s.page, &PageWidget::workEnded, &s.page,
                     [&](const QString&, const QString& words) { ended += words.startsWith("2 of 2 points done"); });
    sweep.start();
    s.page.hide();  // another page is looked at
    s.settle();
    QCOMPARE(ended, 1);
    s.page.show();
    QCOMPARE(sweep.points()->points()->totals().computed, Index{2});
    QVERIFY(kept_runs().list()->runs.empty());
    sweep.findChild<QPushButton*>("runs")->click();
    s.settle();
    QVERIFY(!sweep.isVisible() && s.page.runList()->isVisible());
    QCOMPARE(s.runs()->rowCount(), 2);
    QCOMPARE(s.page.runList()->chart()->curves().curves.size(), std::size_t{6});  // both in one chart
    QCOMPARE(s.page.runList()->findChild<QLabel*>("runFolder")->text(), QString("Runs of the sweep points"));
    s.page.runList()->findChild<QPushButton*>("keptRuns")->click();
    s.settle();
    QCOMPARE(s.runs()->rowCount(), 0);
  }

  void openedPointIsShownAlone() {
    ShownExperiments s;
    SweepDialog& sweep = *s.page.sweep();
    const QTemporaryDir folder;
    sweep.findChild<QLineEdit*>("folder")->setText(folder.filePath("points"));
    sweep.setup()->vary()->setTexts({{"n_code", "4,8"}});
    s.settle();
    sweep.start();
    s.settle();
    emit sweep.points()->opened(1);
    s.settle();
    QCOMPARE(s.runs()->rowCount(), 2);
    QCOMPARE(s.runs()->selectionModel()->selectedRows().size(), 1);
    const int row = s.runs()->selectionModel()->selectedRows().front().row();
    QVERIFY(s.runs()->item(row, 2)->text().contains("n_code=8"));
  }

  void sweepTakesFixedValuesFromTheForm() {
    ShownExperiments s;
    s.page.sweep()->setup()->vary()->setTexts({{"n_code", "4,8"}});
    s.request(9);
    QVERIFY2(s.page.sweep()->commandLine().contains(" --set seed=9 "), qPrintable(s.page.sweep()->commandLine()));
  }

  void aSweepThatIsLoadedSetsTheForm() {
    const QTemporaryDir folder;
    ShownExperiments s;
    s.request(4);
    SweepDialog& sweep = *s.page.sweep();
    sweep.findChild<QLineEdit*>("folder")->setText(folder.filePath("points"));
    sweep.setup()->vary()->setTexts({{"n_code", "4,8"}});
    s.settle();
    sweep.start();
    s.settle();
    s.request(6);
    sweep.setup()->vary()->setTexts({});
    s.settle();
    sweep.loadSweep();
    s.settle();
    const auto& values = s.bench.page("experiments").values;
    QCOMPARE(values.integer("seed"), Index{4});
    QCOMPARE(sweep.points()->points()->totals().finished, Index{2});
    s.bench.undoStack().undo();
    QCOMPARE(s.bench.page("experiments").values.integer("seed"), Index{6});
  }

  void runsAreNamedSearchedDeletedAndBroughtBack() {
    keepSlow(0, 1);
    keepSlow(1, 3);
    ShownExperiments s;
    s.page.findChild<QToolButton*>("showRuns")->click();
    s.runs()->item(0, 4)->setText("baseline");
    s.settle();
    QCOMPARE(std::ranges::count(kept_runs().list()->runs, "baseline", [](const auto& run) { return run.note.title; }),
             1);
    s.page.runList()->findChild<QLineEdit*>()->setText("BASE");
    int seen = 0;
    for (int row = 0; row < 2; ++row) seen += s.runs()->isRowHidden(row) ? 0 : 1;
    QCOMPARE(seen, 1);
    s.runs()->selectAll();
    click(s, "Delete");
    QTRY_COMPARE(s.runs()->rowCount(), 1);
    click(s, "Undo delete");
    QTRY_COMPARE(s.runs()->rowCount(), 2);
    QCOMPARE(kept_runs().list()->runs.size(), std::size_t{2});
  }

  /// The list is read again after a deletion or restoration: the error stays shown.
  void failedRestorationIsReported() {
    keepSlow(0, 1);
    const RunStore store = kept_runs();
    const std::string name = store.list()->runs.front().name;
    ShownExperiments s;
    s.page.findChild<QToolButton*>("showRuns")->click();
    s.runs()->selectAll();
    click(s, "Delete");
    QTRY_COMPARE(s.runs()->rowCount(), 0);
    QVERIFY(QFile::copy(QString::fromStdString(store.folder() + "/deleted/" + name + ".json"),
                        QString::fromStdString(store.path(name))));
    click(s, "Undo delete");
    QTRY_COMPARE(s.runs()->rowCount(), 1);
    const auto labels = s.page.runList()->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
      return label->isVisible() && label->text().contains("already exists; the run was not moved");
    }));
  }

 private:
  static void click(ShownExperiments& s, const QString& title) {
    for (auto* button : s.page.runList()->findChildren<QPushButton*>())
      if (button->text() == title) button->click();
    s.settle();
  }
};

VQSCOPE_TEST(ExperimentRunsTest)
#include "experiment_runs_test.moc"
