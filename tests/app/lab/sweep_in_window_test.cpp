// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "core/catalogue/registry.h"
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "widgets/experiment/experiment_page.h"
#include "widgets/sweep/point_table.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/sweep/sweep_setup.h"
#include "widgets/sweep/vary_list.h"

#include <QDir>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The window on the page of experiments, with points of milliseconds and a sweep of nine.
struct ShownWindow {
  QTemporaryDir folder;
  MainWindow window;

  ShownWindow() {
    window.show();
    ShownPage shown = window.workbench().page("experiments");
    shown.method = "vq_error_vs_length";
    for (const auto& [name, value] : {std::pair{"steps", 3}, {"train_keys", 256}, {"length_max", 256}, {"seed", 5}})
      shown.values.set(name, Index{value});
    QVERIFY(window.workbench().edit("ask", shown));
    window.workbench().showPage("experiments");
    settle();
    page()->findChild<QPushButton*>("sweep")->click();
    dialog().findChild<QLineEdit*>("folder")->setText(folder.filePath("window"));
    dialog().findChild<QSpinBox*>("seeds")->setValue(3);
    dialog().setup()->vary()->setTexts({{"n_code", "8:32:*2"}});
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy() && !dialog().isBusy(), 120000); }
  ExperimentPage* page() { return window.findChild<ExperimentPage*>(); }
  SweepDialog& dialog() { return *page()->sweep(); }
};

QStringList filesIn(const QTemporaryDir& folder, const QString& name) {
  return QDir(folder.filePath(name)).entryList(QDir::Files);
}

}  // namespace

/// A sweep in the window writes the same files as `vqscope sweep`.
class SweepInWindowTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void theTableHasTheBytesOfTheCommandLine() {
    ShownWindow s;
    s.dialog().start();
    s.settle();
    QCOMPARE(s.dialog().points()->points()->totals().computed, Index{9});
    s.dialog().saveTable(s.folder.filePath("window.csv"));
    s.settle();
    // The command that the dialog offers, into another folder.
    QString command = s.dialog().commandLine();
    QVERIFY2(command.startsWith("vqscope sweep vq_error_vs_length "), qPrintable(command));
    command = programPath() + command.mid(7).replace(s.folder.filePath("window"), s.folder.filePath("program"));
    QCOMPARE(QProcess::execute("/bin/sh", {"-c", command}), 0);
    QCOMPARE(filesIn(s.folder, "program"), filesIn(s.folder, "window"));
    QCOMPARE(contentOf(s.folder, "program/sweep.json"), contentOf(s.folder, "window/sweep.json"));
    QCOMPARE(runProgram(s.folder, {"merge", "program", "--out", "program.csv"}).status, 0);
    QCOMPARE(runProgram(s.folder, {"merge", "window", "--out", "merged.csv"}).status, 0);
    const QByteArray table = contentOf(s.folder, "window.csv");
    QVERIFY2(table.startsWith("point,n_code,seed,series,length,value\n"), table.left(80));
    QCOMPARE(table, contentOf(s.folder, "program.csv"));
    QCOMPARE(table, contentOf(s.folder, "merged.csv"));
  }

  /// From the values of the page when the experiment is chosen.
  void everyExperimentHasThePointsOfItsCommand_data() {
    QTest::addColumn<QString>("id");
    for (const Method& method : methods())
      if (method.category == "experiments" && method.curves())
        QTest::newRow(method.id.c_str()) << QString::fromStdString(method.id);
  }
  void everyExperimentHasThePointsOfItsCommand() {
    QFETCH(QString, id);
    const Method& method = *find_method(id.toStdString());
    Workbench bench;
    ShownPage page = bench.page("experiments");
    page.method = method.id;
    QVERIFY(bench.edit("ask", page));
    page = bench.page("experiments");
    SweepPlan plan{.method = &method, .values = carried_values(method, page.values), .varied = {}};
    const auto* seed = find_spec(method.parameters, "seed");
    const auto isNumber = [](const ParameterSpec& spec) {
      return spec.kind == ParameterKind::integer || spec.kind == ParameterKind::real;
    };
    const auto& first = *std::ranges::find_if(method.parameters, isNumber);
    if (seed)
      plan.seeds = 2;
    else
      plan.varied = {{first.name, format_value(first.default_value)}};
    const auto sweep = sweep_of(plan);
    QVERIFY2(sweep, sweep ? "" : sweep.error().message.c_str());
    QStringList words;
    for (const auto& word : sweep_words(plan, *sweep, "out", 1)) words << QString::fromStdString(word);
    const QTemporaryDir folder;
    const auto listed = runProgram(folder, words << "--list");
    QCOMPARE(listed.err, QByteArray());
    QCOMPARE(listed.out.count('\n'), seed ? 2 : 1);
    QVERIFY2(listed.out.contains(sweep_point(*sweep, 0).id.c_str()), listed.out);
  }

  /// One finds what the other has finished.
  void theCommandLineContinuesTheSweepOfTheWindow() {
    ShownWindow s;
    const auto shard = runProgram(s.folder, {"sweep", "vq_error_vs_length", "--vary", "n_code=8:32:*2", "--seeds", "3",
                                             "--set", "steps=3", "--set", "train_keys=256", "--set", "length_max=256",
                                             "--set", "seed=5", "--out", "window", "--shard", "1/3"});
    QCOMPARE(shard.err, QByteArray("vqscope: 9 points, shard 1/3: 3 computed, 0 already there\n"));
    s.dialog().start();
    s.settle();
    QCOMPARE(s.dialog().points()->points()->totals().computed, Index{6});
    QCOMPARE(s.dialog().points()->points()->totals().finished, Index{9});
  }

  /// Closing stops as it does for other long work; what is finished stays.
  void closedWindowKeepsFinishedPoints() {
    QTemporaryDir folder;
    {
      ShownWindow s;
      s.dialog().findChild<QLineEdit*>("folder")->setText(folder.filePath("window"));
      s.dialog().setup()->vary()->setTexts({{"n_code", "8:256"}});
      s.dialog().findChild<QSpinBox*>("jobs")->setValue(2);
      s.settle();
      s.dialog().start();
      QTRY_VERIFY(s.dialog().points()->points()->totals().finished > 2);
      s.window.close();
    }
    QVERIFY(FieldScheduler::waitForAll(60'000));
    const auto files = filesIn(folder, "window");
    QVERIFY2(files.size() > 3 && files.size() < 748, qPrintable(QString::number(files.size())));
    const auto merged = runProgram(folder, {"merge", "window", "--out", "window.csv"});
    QCOMPARE(merged.status, 1);
    QVERIFY2(!merged.err.contains("damaged or incomplete run"), merged.err);
  }
};

VQSCOPE_TEST(SweepInWindowTest)
#include "sweep_in_window_test.moc"
