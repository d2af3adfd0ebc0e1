// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"
#include "tests/widgets/sweep/sweep_case.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QSignalSpy>
#include <QToolButton>

using namespace vqscope;
using namespace vqscope::test;

class SweepDialogTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void pointsAreCountedWhileTheyAreTyped() {
    ShownSweep s;
    QVERIFY(!s.button("start")->isEnabled());
    s.find<QComboBox>("varyName")->setCurrentText("slope");
    s.find<QLineEdit>("varyValues")->setText("1:8:*2");
    s.settle();
    QCOMPARE(s.words("count"), QString("4 points"));
    s.find<QSpinBox>("seeds")->setValue(3);
    s.settle();
    QCOMPARE(s.words("count"), QString("12 points"));
    QVERIFY(s.button("start")->isEnabled());
    QCOMPARE(s.dialog.points()->model()->rowCount(), 12);
    const QStringList second{s.cell(1, 0), s.cell(1, 1), s.cell(1, 2), s.cell(1, 3), s.cell(1, 4)};
    QCOMPARE(second, (QStringList{"2", "1", "1", "waiting", ""}));
  }

  void errorsAreShownAndPreventTheStart_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("values");
    QTest::addColumn<QString>("sentence");
    const auto add = [](const char* tag, const char* name, const char* values, const char* sentence) {
      QTest::newRow(tag) << name << values << sentence;
    };
    add("nothing", "", "", "Enter a parameter that varies, or more than one seed.");
    add("no values", "slope", "", "slope is empty but must be a number from 0 to 1000");
    add("no name", "", "1,2", "--vary: missing parameter for the values 1,2");
    add("unknown", "slop", "1,2", "--vary: unknown parameter slop of line; did you mean slope?");
    add("range", "slope", "3:1",
        "--vary slope is 3:1, a range must be lo:hi, lo:hi:step with a step above 0, or "
        "lo:hi:*factor with a factor above 1 and lo above 0");
    add("out of range", "slope", "1,2000", "point slope=2000: slope is 2000 but must be a number from 0 to 1000");
    add("too many", "slope", "0:1000:1e-4", "--vary slope takes more than 100000 values; use a larger step");
    add("twice", "slope", "1,1", "--vary slope has the value 1 twice");
    add("not looked at", "bend", "2,3", "point bend=2: bend is not used while kind is straight");
  }
  void errorsAreShownAndPreventTheStart() {
    QFETCH(QString, name);
    QFETCH(QString, values);
    QFETCH(QString, sentence);
    ShownSweep s;
    s.request({{name.toStdString(), values.toStdString()}});
    QCOMPARE(s.words("count"), sentence);
    QVERIFY(!s.button("start")->isEnabled() && !s.button("copy")->isEnabled());
    QCOMPARE(s.dialog.points()->model()->rowCount(), 0);
    s.dialog.start();
    QVERIFY(!s.dialog.isRunning());
  }

  void aFolderIsAWholePath() {
    ShownSweep s;
    s.find<QSpinBox>("jobs")->setValue(1);
    s.request({{"slope", "1,2"}});
    s.find<QLineEdit>("folder")->setText("here");
    s.settle();
    QCOMPARE(s.words("count"), QString("the folder of results is here but must be an absolute path"));
    s.find<QLineEdit>("folder")->setText("~/sweep");
    s.settle();
    QVERIFY(s.dialog.commandLine().endsWith(" --out " + QDir::homePath() + "/sweep"));
    s.find<QLineEdit>("folder")->setText("");
    s.settle();
    const QString own = s.find<QLineEdit>("folder")->placeholderText();
    QVERIFY(own.contains("/vqscope/sweeps/line-") && s.dialog.commandLine().contains(" --out " + own));
  }

  void tenMillionPointsAreRefused() {
    ShownSweep s;
    s.request({{"slope", "1:1000"}, {"bend", "1"}, {"sizes", "1;2;3;4;5;6;7;8;9;10"}}, 1000);
    QCOMPARE(s.words("count"),
             QString("the sweep has 10000000 points but must have at most 100000: vary fewer values"));
  }

  void aSweepLeavesTheTableOfTheCommandLine() {
    ShownSweep s;
    s.request({{"slope", "1,2"}}, 3);
    s.run();
    QCOMPARE(s.totals().computed, Index{6});
    QCOMPARE(s.words("state"), QString("6 of 6 points done"));
    QVERIFY(s.dialog.findChild<QTabWidget*>()->currentWidget() == s.dialog.merged());
    QCOMPARE(s.words("mergedWords"), QString("24 rows."));
    const auto* rows = s.dialog.merged()->table()->model();
    QCOMPARE(rows->index(5, 3).data().toString(), QString("y"));
    QCOMPARE(rows->index(5, 4).data().toString() + " " + rows->index(5, 5).data().toString(), QString("0 1"));
    QVERIFY(!s.button("start")->isEnabled());
    s.dialog.saveTable(s.folder.filePath("table.csv"));
    s.settle();
    QVERIFY(s.words("words").startsWith("Wrote "));
    QCOMPARE(*read_text(s.path("table.csv"), 1 << 20), s.merged(line_sweep()));
  }

  void rowsAreCopied() {
    ShownSweep s;
    s.request({{"slope", "1,2"}});
    QApplication::clipboard()->setText("before");
    for (QTableView* table : {static_cast<QTableView*>(s.dialog.points()), s.dialog.merged()->table()}) {
      QVERIFY(!table->model()->data({}, Qt::DisplayRole).isValid());
      table->setCurrentIndex({});
      QTest::keySequence(table, QKeySequence::Copy);
    }
    s.dialog.points()->setCurrentIndex(s.dialog.points()->model()->index(1, 1));
    QTest::keySequence(s.dialog.points(), QKeySequence::Copy);
    QCOMPARE(QApplication::clipboard()->text(), QString("2"));
    for (auto* action : s.dialog.points()->actions())
      if (action->text() == "Copy row") action->trigger();
    QCOMPARE(QApplication::clipboard()->text(), QString("2\t2\twaiting\t"));
  }

  void aFileThatCannotBeWrittenIsNamed() {
    ShownSweep s;
    s.request({{"slope", "1,2"}});
    s.run();
    s.dialog.saveTable(s.folder.filePath("no/table.csv"));
    s.settle();
    QVERIFY2(s.words("words").contains("no/table.csv"), qPrintable(s.words("words")));
  }

  void finishedPointsAreFound() {
    ShownSweep s;
    s.request({{"slope", "1,4"}}, 2);
    s.run();
    s.request({{"slope", "1,5"}}, 2, "other");
    QCOMPARE(s.totals().finished, Index{0});
    QVERIFY(s.dialog.findChild<QTabWidget*>()->currentWidget() == s.dialog.points());
    s.request({{"slope", "1,4"}}, 2);
    QCOMPARE(s.words("count"), QString("4 points, all finished"));
    QCOMPARE(s.cell(3, 3), QString("done before"));
    s.request({{"slope", "1,5"}}, 2);
    QCOMPARE(s.words("count"), text(s.path() + "/sweep.json belongs to another sweep; choose another folder"));
  }

  void failedPointShowsItsErrorAndTheOthersContinue() {
    ShownSweep s(moody_method());
    s.request({{"slope", "1,2,4"}});
    s.run();
    QCOMPARE(s.words("state"), QString("2 of 3 points done · 1 failed"));
    QCOMPARE(s.cell(1, 2), QString("failed: point slope=2: the line is too steep"));
    QCOMPARE(s.words("words"), QString("point slope=2: the line is too steep"));
    s.button("copy")->click();
    s.dialog.points()->selectRow(1);
    QCOMPARE(s.words("words"), QString("point slope=2: the line is too steep"));
    QVERIFY(s.dialog.findChild<QTabWidget*>()->currentWidget() == s.dialog.points());
    QCOMPARE(s.button("start")->text(), QString("Continue"));
  }

  void stopKeepsFinishedPoints() {
    ShownSweep s(moody_method());
    s.find<QSpinBox>("jobs")->setValue(2);
    s.request({{"slope", "3,1,4"}});
    QSignalSpy progress(&s.dialog, &SweepDialog::progressShown);
    s.button("start")->click();
    QTRY_COMPARE(s.totals().finished, Index{2});
    QTRY_COMPARE(s.cell(0, 2), QString("running, 40 %"));
    QVERIFY(!s.dialog.setup()->isEnabled());
    QCOMPARE(progress.last().first().toString(), QString("2/3"));
    s.button("stop")->click();
    s.settle();
    QCOMPARE(s.words("state"), QString("2 of 3 points done · stopped"));
    QCOMPARE(s.cell(0, 2), QString("waiting"));
    QCOMPARE(s.words("mergedWords"), QString("8 rows. Points that are not finished: 1."));
    QVERIFY(progress.last().first().toString().isEmpty());
    QVERIFY(s.button("start")->isEnabled());
  }

  void runningPointsAreScrolledIntoView() {
    ShownSweep s(moody_method());
    s.find<QSpinBox>("jobs")->setValue(1);
    std::string values = "4";
    for (int i = 5; i < 103; ++i) values += "," + std::to_string(i);
    s.request({{"slope", values + ",3"}});
    s.button("start")->click();
    QTRY_COMPARE(s.cell(99, 2), QString("running, 40 %"));
    auto* table = s.dialog.points();
    const auto isInView = [&](int row) {
      return table->viewport()->rect().contains(table->visualRect(table->model()->index(row, 0)));
    };
    QTRY_VERIFY(isInView(99));
    table->scrollToTop();
    table->follow();
    QVERIFY(isInView(0));
    s.button("stop")->click();
    s.settle();
  }

  void closedDialogContinuesTheSweep() {
    ShownSweep s(moody_method());
    s.request({{"slope", "3,1"}});
    s.button("start")->click();
    s.button("close")->click();
    QVERIFY(!s.dialog.isVisible());
    QTRY_COMPARE(s.totals().finished, Index{1});
    QVERIFY(s.dialog.isRunning());
    s.dialog.stopSweep();
    s.settle();
  }

  /// As in the program: the points stop, and no file is partial.
  void destroyedDialogEndsTheSweep() {
    QTemporaryDir folder;
    {
      ShownSweep s(moody_method());
      s.request({{"slope", "1,3"}}, 1, {});
      s.find<QLineEdit>("folder")->setText(folder.filePath("sweep"));
      s.settle();
      s.button("start")->click();
      QTRY_COMPARE(s.totals().finished, Index{1});
      s.dialog.findChild<QTabWidget*>()->setCurrentWidget(s.dialog.merged());
    }
    QVERIFY(FieldScheduler::waitForAll(60'000));
    QCOMPARE(QDir(folder.filePath("sweep")).entryList(QDir::Files | QDir::Hidden).size(), 2);
  }

  /// Computed points stay shown, whatever changes in the form.
  void formChangeWaitsForTheSweep() {
    ShownSweep s(moody_method());
    s.request({{"slope", "3,4"}});
    s.button("start")->click();
    auto values = default_values(moody_method().parameters);
    values.set("seed", Index{7});
    s.dialog.setBase(moody_method(), values);
    QVERIFY(!s.dialog.commandLine().contains("seed"));
    QVERIFY(!s.button("takeForm")->isVisible());
    QTRY_COMPARE(s.totals().finished, Index{1});
    s.dialog.stopSweep();
    s.settle();
    QCOMPARE(s.words("state"), QString("1 of 2 points done · stopped"));
    QVERIFY(s.button("takeForm")->isVisible());
    s.button("takeForm")->click();
    s.settle();
    QVERIFY(!s.button("takeForm")->isVisible());
    QVERIFY2(s.words("count").contains("belongs to another sweep"), qPrintable(s.words("count")));
  }

  void editingTheSweepAdoptsTheForm() {
    ShownSweep s;
    s.request({{"slope", "1"}});
    s.run();
    auto values = default_values(line_method().parameters);
    values.set("seed", Index{7});
    s.dialog.setBase(line_method(), values);
    QVERIFY(s.button("takeForm")->isVisible());
    s.dialog.setBase(line_method(), default_values(line_method().parameters));
    QVERIFY(!s.button("takeForm")->isVisible());
    s.dialog.setBase(line_method(), values);
    s.request({{"slope", "2"}}, 1, "other");
    QVERIFY(s.dialog.commandLine().contains(" --set seed=7 "));
  }

  void theSweepOfAFolderIsLoaded() {
    ShownSweep s;
    s.request({{"slope", "1:2:0.5"}, {"kind", "straight,bent"}}, 2);
    s.run();
    const QString line = s.dialog.commandLine();
    ShownSweep later;
    QSignalSpy loaded(&later.dialog, &SweepDialog::loaded);
    QVERIFY(!later.button("load")->isVisible());
    later.find<QLineEdit>("folder")->setText(text(s.path()));
    later.settle();
    QVERIFY(later.button("load")->isVisible());
    later.button("load")->click();
    later.settle();
    QCOMPARE(later.words("count"), QString("12 points, all finished"));
    QVERIFY(!later.button("load")->isVisible());
    QCOMPARE(later.dialog.setup()->vary()->texts(),
             (std::vector<VaryText>{{"slope", "1,1.5,2"}, {"kind", "straight,bent"}, {"seed", "0,1"}}));
    QCOMPARE(loaded.size(), 1);
  }

  void aDamagedSweepIsNamed() {
    ShownSweep s;
    s.request({{"slope", "1"}});
    s.run();
    QFile file(text(s.path()) + "/sweep.json");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{}");
    file.close();
    s.dialog.loadSweep();
    s.settle();
    QVERIFY2(s.words("words").contains("it is not a sweep of vqscope"), qPrintable(s.words("words")));
  }

  void copiedCommandRunsTheSweep() {
    ShownSweep s;
    s.find<QSpinBox>("jobs")->setValue(2);
    s.request({{"slope", "1:8:*2"}}, 2);
    s.button("copy")->click();
    const QString line = "vqscope sweep line --vary 'slope=1:8:*2' --seeds 2 --out " + text(s.path()) + " --jobs 2";
    QCOMPARE(QApplication::clipboard()->text(), line);
    QVERIFY(s.words("words").startsWith("Copied: vqscope sweep line"));
  }

  void linesCanBeAddedAndRemoved() {
    ShownSweep s;
    s.button("addParameter")->click();
    s.request({{"slope", "1,2"}, {"kind", "straight,bent"}});
    QCOMPARE(s.words("count"), QString("4 points"));
    s.find<QToolButton>("removeParameter")->click();
    s.settle();
    QCOMPARE(s.dialog.setup()->vary()->texts(), (std::vector<VaryText>{{"kind", "straight,bent"}}));
    QCOMPARE(s.words("count"), QString("2 points"));
  }

  void aRunIsOpenedFromItsPoint() {
    ShownSweep s;
    s.request({{"slope", "1,2"}});
    QSignalSpy requested(&s.dialog, &SweepDialog::runsRequested);
    emit s.dialog.points()->activated(s.dialog.points()->model()->index(1, 0));
    QCOMPARE(requested.size(), 0);
    s.run();
    emit s.dialog.points()->activated(s.dialog.points()->model()->index(1, 0));
    QCOMPARE(requested.size(), 1);
    QVERIFY(QFile::exists(requested[0][0].toString() + "/" + requested[0][1].toString() + ".json"));
  }
};

VQSCOPE_TEST(SweepDialogTest)
#include "sweep_dialog_test.moc"
