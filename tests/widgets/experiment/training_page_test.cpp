// SPDX-License-Identifier: GPL-3.0-or-later
// Models that are trained on the page of experiments.
#include "core/catalogue/registry.h"
#include "core/io/bytes/file_source.h"
#include "core/run/run_store.h"
#include "tests/support/test_main.h"
#include "tests/widgets/experiment/kept_runs.h"
#include "widgets/experiment/experiment_bar.h"
#include "widgets/experiment/experiment_page.h"
#include "widgets/experiment/generate_dialog.h"
#include "widgets/experiment/run_files.h"
#include "widgets/experiment/training_panel.h"
#include "widgets/form/parameter_form.h"
#include "widgets/parts/live_curves.h"
#include "widgets/theme/palette.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/view_header.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>

#include <array>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr std::array<std::pair<const char*, Index>, 8> small_sizes{{{"steps", 6},
                                                                    {"d_model", 8},
                                                                    {"n_layers", 1},
                                                                    {"n_heads", 2},
                                                                    {"d_ff", 8},
                                                                    {"batch_rows", 2},
                                                                    {"length", 16},
                                                                    {"warmup_steps", 1}}};

/// As if the last training of that size had taken its time, so that none begins by itself.
void keepSlowRun() {
  const Method& method = *find_method("train_model");
  ParameterValues values = default_values(method.parameters);
  for (const auto& [name, value] : small_sizes) values.set(name, value);
  values.set("seed", Index{99});
  QVERIFY(kept_runs().keep({.id = "0123456789abcdef",
                            .method = method.id,
                            .values = values,
                            .curves = {.x_name = "step", .x = {1}, .curves = {{"loss", {1}}}},
                            .seconds = 30,
                            .version = "1.0",
                            .when = "2999-01-01T00:00:00Z"}));
}

/// A model that trains in a few milliseconds.
struct ShownTraining {
  Workbench bench;
  ExperimentPage page{bench, *find_page_info("experiments"), nullptr};
  QStringList messages;

  ShownTraining() {
    QObject::connect(&bench, &Workbench::changed, &page, &ExperimentPage::sync);
    QObject::connect(&page, &PageWidget::notified, &page,
                     [this](const QString& sentence) { messages.append(sentence); });
    ShownPage next = bench.page("experiments");
    next.method = "train_model";
    for (const auto& [name, value] : small_sizes) next.values.set(name, value);
    QVERIFY(bench.edit("ask", next));
    page.resize(1000, 700);
    page.show();
    page.sync();
    settle();
  }
  void set(const char* name, ParameterValue value) {
    ShownPage next = bench.page("experiments");
    next.values.set(name, std::move(value));
    QVERIFY(bench.edit(name, next));
    page.sync();
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), 60000); }
  QPushButton* button(const char* name) { return page.findChild<QPushButton*>(name); }
  CurveView& view() { return *page.findChild<CurveView*>(); }
  TrainingPanel* panel() { return page.findChild<TrainingPanel*>(); }
  QString status() { return page.findChild<ElidedLabel*>("trainingStatus")->text(); }
  void run() {
    button("run")->click();
    settle();
  }
};

}  // namespace

class TrainingPageTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }
  void beforeEach() override { QDir(QString::fromStdString(default_run_folder())).removeRecursively(); }

  void aTrainingIsShownAndKept() {
    ShownTraining s;
    QVERIFY(!s.panel()->isVisible());
    s.run();
    QVERIFY(s.page.freshness().isCurrent());
    QCOMPARE(s.view().curves().x.size(), std::size_t{6});
    QVERIFY(s.panel()->isVisible());
    QVERIFY2(s.status().startsWith("step 6 of 6, loss "), qPrintable(s.status()));
    QVERIFY(s.page.findChild<ElidedLabel*>("trainingSpeed")->text().contains("ended after "));
    QVERIFY(s.page.findChild<QLabel*>("trainingSample")->text().contains(" writes: "));
    const auto runs = kept_runs().list()->runs;
    QCOMPARE(runs.size(), std::size_t{1});
    QCOMPARE(runs[0].run.method, std::string("train_model"));
    QCOMPARE(runs[0].run.curves[0].y, s.view().curves().curves[0].y);
  }

  /// On a low page the words on what has ended leave their lines to the picture.
  void aLowPageKeepsItsPicture() {
    ShownTraining s;
    s.run();
    const auto* sample = s.page.findChild<QLabel*>("trainingSample");
    s.page.resize(900, 800);
    QTRY_VERIFY(sample->isVisible());
    s.page.resize(900, 500);
    QTRY_VERIFY(!sample->isVisible() && s.panel()->isVisible());
    s.page.resize(900, 330);
    QTRY_VERIFY2(s.view().height() > 150, qPrintable(QString::number(s.view().height())));
  }

  /// Neither what was trained nor its model belongs to other values.
  void otherValuesHideTheModel() {
    keepSlowRun();
    ShownTraining s;
    s.run();
    QVERIFY(s.button("saveModel")->isVisible() && s.button("generate")->isVisible());
    s.set("d_ff", Index{9});
    QVERIFY(!s.panel()->isVisible());
    QVERIFY(s.page.freshness().isOutdated());
  }

  /// A pause lasts until it is continued; a stop during it keeps the steps so far and their model.
  void pausedAndStopped() {
    ShownTraining s;
    s.set("steps", Index{100000});
    s.button("run")->click();
    QTRY_VERIFY_WITH_TIMEOUT(s.button("pause")->isVisible(), 60000);
    s.button("pause")->click();
    QCOMPARE(s.button("pause")->text(), QString("Continue"));
    QVERIFY(s.view().live()->isPaused());
    s.button("pause")->click();
    QVERIFY(!s.view().live()->isPaused() && s.view().isBusy());
    s.button("pause")->click();
    s.button("stop")->click();
    s.settle();
    QVERIFY(s.view().isStopped());
    QVERIFY(s.view().curves().x.size() < 100000);
    QVERIFY(s.button("saveModel")->isVisible());
    QVERIFY(s.page.findChild<ElidedLabel*>("trainingSpeed")->text().contains("stopped after "));
    const auto runs = kept_runs().list()->runs;
    QCOMPARE(runs.size(), std::size_t{1});
    QVERIFY(!runs[0].run.complete);
    QVERIFY(s.button("run")->isEnabled() && !s.button("stop")->isVisible());
  }

  /// Exports use the shown measurement; a stopped one is measured again.
  void exportsTheShownMeasurement() {
    keepSlowRun();
    ShownTraining s;
    QVERIFY(!s.page.exportTargets().front().curves);
    s.run();
    const auto target = s.page.exportTargets().front();
    QVERIFY(target.curves && target.curves->curves[0].y == s.view().curves().curves[0].y);
    s.set("d_ff", Index{9});
    QVERIFY(!s.page.exportTargets().front().curves);
    s.set("steps", Index{100000});
    s.button("run")->click();
    QVERIFY(s.page.exportTargets().front().coming);  // not trained twice
    s.button("stop")->click();
    s.settle();
    QVERIFY(!s.page.exportTargets().front().curves && !s.page.exportTargets().front().coming);
  }

  void savesAllFilesOfTheModel() {
    ShownTraining s;
    s.run();
    const Method& method = *find_method("train_model");
    const auto values = carried_values(method, s.bench.page("experiments").values);
    const auto result = make_run(method, {}, values);
    const QTemporaryDir folder;
    const auto paths = runPaths(*result, folder.filePath("m.SafeTensors"));
    QCOMPARE(paths.at("config.json"), folder.filePath("m.config.json"));
    QVERIFY(saveRun(*result, paths));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files),
             (QStringList{"m.config.json", "m.csv", "m.safetensors", "m.state.safetensors"}));
    const auto refused = saveRun(*result, runPaths(*result, folder.filePath("none/m")));
    QVERIFY(!refused && refused.error().message.find("none") != std::string::npos);
  }

  /// Chosen files take part in the run, and a result without them is not shown as if it were of
  /// them.
  void filesOfTheRun() {
    const QTemporaryDir folder;
    QFile file(folder.filePath("corpus.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("to be or not to be, ").repeated(100));
    file.close();
    ShownTraining s;
    auto* files = s.page.findChild<RunFilesButton*>();
    QVERIFY(files->isVisible());
    s.run();
    files->choose("text", folder.filePath("corpus.txt").toStdString());
    s.settle();
    QCOMPARE(s.bench.page("experiments").values.choice("data"), std::string("text"));
    QCOMPARE(files->text(), QString("Files (1)"));
    QVERIFY(s.page.freshness().isCurrent());            // measured at once, as the last training was short
    QCOMPARE(s.view().curves().levels.front().y, 8.0);  // bits per byte
    QCOMPARE(kept_runs().list()->runs.size(), std::size_t{2});
    QVERIFY(kept_runs().list()->runs[0].run.values.contains("text") !=
            kept_runs().list()->runs[1].run.values.contains("text"));
    files->choose("text", {});
    s.settle();
    QVERIFY2(s.view().freshness().cause.startsWith("text is missing"), qPrintable(s.view().freshness().cause));
    files->choose("resume", "/nonexistent/x");
    s.settle();
    QVERIFY2(s.view().freshness().cause.startsWith("cannot read /nonexistent/x"),
             qPrintable(s.view().freshness().cause));
  }

  void theModelWrites() {
    ShownTraining s;
    s.run();
    s.button("generate")->click();
    auto* dialog = s.page.findChild<GenerateDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    const auto* written = dialog->findChild<QPlainTextEdit*>("written");
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), 60000);
    const std::string prompt = dialog->form()->values().text("prompt_text");
    QVERIFY(!prompt.empty());
    QVERIFY(written->toPlainText().toStdString().starts_with(prompt));
    QVERIFY(written->isEnabled());
    ParameterValues other = dialog->form()->values();
    other.set("prompt_text", std::string("no token: é"));
    dialog->form()->setValues(other);
    dialog->write();
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), 60000);
    QVERIFY(dialog->findChild<QLabel*>("writtenState")->text().startsWith("Prompt_text: 'n' stands") ||
            dialog->findChild<QLabel*>("writtenState")->text().contains("is not a token"));
    QVERIFY(!written->isEnabled());  // of other values
  }

  /// While models train, their losses are the picture, and a stop before the first result keeps
  /// them.
  void lossesAreThePicture() {
    ShownTraining s;
    ShownPage next = s.bench.page("experiments");
    next.method = "length_extrapolation";
    next.values.set("models", std::vector<std::string>{"nope"});
    for (const auto& [name, value] : {std::pair{"train_steps", Index{20000}},
                                      {"train_length", 32},
                                      {"seed_count", 1},
                                      {"batch_rows", 2},
                                      {"longest_multiple", 2}})
      next.values.set(name, value);
    QVERIFY(s.bench.edit("ask", next));
    s.settle();
    s.button("run")->click();
    QTRY_VERIFY_WITH_TIMEOUT(s.button("pause")->isVisible(), 60000);
    auto* losses = s.panel()->findChild<CurveView*>();
    QTRY_VERIFY_WITH_TIMEOUT(losses->isVisible() && !s.view().isVisible(), 60000);  // with the first report
    auto* toggle = s.page.findChild<QToolButton*>("showLosses");
    QVERIFY(toggle->isChecked());
    toggle->click();
    QVERIFY(!losses->isVisible() && s.view().isVisible());
    toggle->click();
    QVERIFY(losses->isVisible());
    QVERIFY2(s.page.findChild<ElidedLabel*>("trainingSpeed")->text().startsWith("0 of 1 models trained · "),
             qPrintable(s.page.findChild<ElidedLabel*>("trainingSpeed")->text()));
    s.button("stop")->click();
    QVERIFY(!s.button("stop")->isEnabled());
    s.settle();
    QVERIFY(s.page.findChild<ElidedLabel*>("trainingSpeed")->text().contains("stopped after "));
    QVERIFY(losses->isVisible() && !losses->curves().x.empty());
    QVERIFY(s.button("run")->isEnabled());
  }

  /// The losses of trainings within another experiment have a chart of their own.
  void trainingsOfAnExperiment() {
    ShownTraining s;
    ShownPage next = s.bench.page("experiments");
    next.method = "length_extrapolation";
    next.values.set("models", std::vector<std::string>{"nope", "alibi"});
    for (const auto& [name, value] :
         {std::pair{"train_steps", Index{4}}, {"train_length", 32}, {"seed_count", 2}, {"longest_multiple", 2}})
      next.values.set(name, value);
    const auto done = s.bench.edit("ask", next);
    QVERIFY2(done, done ? "" : done.error().message.c_str());
    s.page.sync();
    s.settle();
    s.run();
    QVERIFY2(s.status().endsWith("4 trainings ended"), qPrintable(s.status()));
    QVERIFY(!s.button("saveModel")->isVisible());
    const auto losses = s.view().live()->trainings().losses();
    QCOMPARE(losses.curves.size(), std::size_t{2});
    QVERIFY(s.view().curves().curves[0].name.starts_with(losses.curves[0].name));  // of the same colour
  }
};

VQSCOPE_TEST(TrainingPageTest)
#include "training_page_test.moc"
