// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/experiment_page.h"

#include "core/catalogue/experiment_presets.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/widgets/experiment/shown_experiments.h"
#include "widgets/experiment/experiment_bar.h"
#include "widgets/experiment/overview/experiment_cards.h"
#include "widgets/experiment/overview/experiment_overview.h"
#include "widgets/experiment/training_panel.h"
#include "widgets/start/start_parts.h"
#include "widgets/theme/palette.h"
#include "widgets/view/view_header.h"

#include <QDir>
#include <QLabel>
#include <QToolButton>

using namespace vqscope;
using namespace vqscope::test;

class ExperimentPageTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Whatever was shown before: one step of undo, the note of the question, and none when a value
  /// is another.
  void questions_set_the_form() {
    ShownExperiments s;
    auto* note = s.page.findChild<QFrame*>(QStringLiteral("presetNote"));
    QVERIFY(!note->isVisible());
    for (const char* before : {"vq_error_vs_length", "vq_model", "length_generalisation"})
      for (const ExperimentPreset& preset : experiment_presets()) {
        if (!preset.experiment->curves()) continue;
        ShownPage other = s.bench.page("experiments");
        other.method = before;
        QVERIFY(s.bench.edit("other", other));
        const auto start = s.bench.page("experiments");
        emit s.page.overview()->questionChosen({&preset, false}, false);
        const auto& state = s.bench.page("experiments");
        QCOMPARE(state.method, preset.experiment->id);
        QVERIFY2(carried_values(*preset.experiment, state.values) == preset.values, preset.id.c_str());
        QVERIFY(note->isVisible());
        QVERIFY(note->findChildren<QLabel*>().front()->text().toStdString() == preset.title);
        auto* more = note->findChild<QToolButton*>("moreOfQuestion");
        QCOMPARE(note->findChildren<QLabel*>()[1]->text().toStdString(), preset.brief);
        more->click();
        QVERIFY(note->findChildren<QLabel*>()[1]->text().toStdString().starts_with(preset.note));
        more->click();
        ShownPage changed = state;
        changed.values.set("seed", Index{77});
        QVERIFY(s.bench.edit("seed", changed));
        QVERIFY(!note->isVisible());
        s.bench.undo();
        QVERIFY(note->isVisible());
        s.bench.undo();
        QCOMPARE(s.bench.page("experiments"), start);
      }
  }

  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void beforeEach() override { QDir(QString::fromStdString(default_run_folder())).removeRecursively(); }

  /// Until something is set: the questions, and every experiment of the page once.
  void beginsWithTheQuestions() {
    Workbench bench;
    ExperimentPage page(bench, *find_page_info("experiments"), nullptr);
    QObject::connect(&bench, &Workbench::changed, &page, &ExperimentPage::sync);
    QObject::connect(&bench, &Workbench::opened, &page, &ExperimentPage::forget);
    page.resize(1000, 600);
    page.show();
    page.sync();
    QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), 60000);
    QVERIFY(page.overview()->isVisible() && !page.hasSides());
    QVERIFY(!page.findChild<CurveView*>()->isVisible() && !page.findChild<QPushButton*>("run")->isVisible());
    QVERIFY(page.overview()->questions().size() > 10);
    std::vector<std::string> grouped;
    for (const MethodGroup& group : page.info().groups)
      grouped.insert(grouped.end(), group.methods.begin(), group.methods.end());
    std::vector<std::string> all = page.info().choices();
    std::ranges::sort(grouped);
    std::ranges::sort(all);
    QCOMPARE(grouped, all);
    QCOMPARE(page.overview()->experiments().size(), all.size());
    page.overview()->experiments()[1]->click();
    QCOMPARE(bench.page("experiments").method, std::string("length_generalisation"));
    QVERIFY(!page.overview()->isVisible() && page.hasSides());
    QVERIFY(page.findChild<QPushButton*>("run")->isVisible());
    page.findChild<QToolButton*>("questions")->click();
    QVERIFY(page.overview()->isVisible());
    bench.setSession(default_session());
    QVERIFY(page.overview()->isVisible());
  }

  /// A question shows its last result with its date; one without can be run by its button.
  void questionsHaveTheirLastResult() {
    const auto presets = experiment_presets();
    const auto preset = std::ranges::find(presets, "vq_codebook_extrapolation", &ExperimentPreset::id);
    QVERIFY(kept_runs().keep({.id = run_id(*preset->experiment, preset->values),
                              .method = preset->experiment->id,
                              .values = preset->values,
                              .curves = {.x_name = "length",
                                         .y_title = "output error",
                                         .x = {256, 1024},
                                         .curves = {{"alibi", {0.4, 0.6}}},
                                         .marks = {{256, "training length 256"}}},
                              .seconds = 30,
                              .version = "1.0",
                              .when = time_now()}));
    ShownExperiments s;
    s.page.setOverviewShown(true);
    QStringList said;
    for (QuestionCard* card : s.page.overview()->questions()) {
      const bool measured = card->text().toStdString() == preset->title;
      QCOMPARE(card->fullButton()->isVisible(), !measured);
      if (measured) said = card->accessibleDescription().split('\n');
    }
    QCOMPARE(said, (QStringList{"The output error grows 1.5 times with alibi (to 0.6) at 4× the training length",
                                "today, took 30 s"}));
    emit s.page.overview()->questionChosen({&*preset, false}, true);
    QVERIFY(!s.view().isBusy());  // the result is there
    QCOMPARE(s.page.findChild<QLabel*>("result")->text(), said[0] + " (today, took 30 s)");
  }

  /// The whole text stands on a card of the least width.
  void cardsAreNotCut() {
    ShownExperiments s;
    for (QuestionCard* card : s.page.overview()->questions())
      QVERIFY2(!card->isCut(ExperimentOverview::leastCard), qPrintable(card->text()));
    for (ExperimentCard* card : s.page.overview()->experiments())
      QVERIFY2(!card->isCut(ExperimentOverview::leastCard), qPrintable(card->text()));
  }

  /// A result of the quick form says so, leaves the full one to be run, and opens the quick values.
  void quickResultsSaySo() {
    const auto chosen = require_preset_choice("vq_codebook_size:quick").value();
    const Method& method = *chosen.preset->experiment;
    QVERIFY(kept_runs().keep({.id = run_id(method, chosen.values()),
                              .method = method.id,
                              .values = chosen.values(),
                              .curves = {.x_name = "n_code", .x = {4, 64}, .curves = {{"vq", {2.5, 2}}}},
                              .seconds = 9,
                              .version = "1.0",
                              .when = time_now()}));
    ShownExperiments s;
    s.page.setOverviewShown(true);
    const auto& cards = s.page.overview()->questions();
    const auto card = std::ranges::find_if(
        cards, [&](const QuestionCard* each) { return each->text().toStdString() == chosen.preset->title; });
    QVERIFY((*card)->accessibleDescription().startsWith("Quick: Vq falls from 2.5 to 2"));
    QVERIFY(!(*card)->quickButton()->isVisible() && (*card)->fullButton()->text().startsWith("Full ≈ "));
    (*card)->click();
    QVERIFY(carried_values(method, s.bench.page("experiments").values) == *chosen.preset->quick);
    auto* other = s.page.findChild<QToolButton*>("otherForm");
    QVERIFY(other->isVisible());
    other->click();
    QVERIFY(carried_values(method, s.bench.page("experiments").values) == chosen.preset->values);
    QVERIFY(s.page.findChild<QWidget*>("emptyResult")->isVisible());  // nothing of the quick form
  }

  /// Nothing that was measured with other values: what to do stands in its place, with the way back.
  void otherValuesShowAnEmptyPlace() {
    keepSlow(0, 1);
    ShownExperiments s;
    auto* empty = s.page.findChild<QWidget*>("emptyResult");
    QVERIFY(!empty->isVisible() && s.view().isVisible());
    QCOMPARE(s.page.findChild<QLabel*>("result")->text(),
             QString("Error rises from 1 to 2 (length from 1 to 2) (today, took 30 s)"));
    s.request(1);
    QVERIFY(empty->isVisible() && !s.view().isVisible());
    QVERIFY(s.view().curves().x.empty());
    QVERIFY(!s.page.findChild<QLabel*>("result")->isVisible());
    QVERIFY(empty->findChild<QPushButton*>("runHere")->isEnabled());
    const auto rows = empty->findChildren<LinkRow*>();
    QCOMPARE(rows.size(), 1);
    rows.front()->click();
    s.settle();
    QCOMPARE(s.bench.page("experiments").values.integer("seed"), Index{0});
    QVERIFY(!empty->isVisible() && !s.view().curves().x.empty());
  }

  /// The focus does not go to a button of something else with the Run that was pressed.
  void theFocusStaysWithTheMeasurement() {
    keepSlow(0, 1);
    ShownExperiments s;
    s.request(1);
    s.button("runHere")->setFocus();
    s.button("runHere")->click();
    QVERIFY(s.page.focusWidget() == s.button("stop"));
    s.settle();
  }

  /// A kept run is that of a tensor as long as its file is older. The file is looked at in the
  /// background: until then nothing is shown or measured.
  void runsBelongToTensorsAsTheyWere() {
    const Method& method = *find_method("vq_error_vs_length");
    const auto useTensors = [](ShownExperiments& shown) {
      ShownPage next = shown.bench.page("experiments");
      next.values.set("data", std::string("tensors"));
      for (const char* length : {"length_max", "q_length"}) next.values.set(length, Index{64});
      for (const char* name : {"q_tensor", "k_tensor"})
        next.values.set(name, dataPath(QString("vq/%1.npy").arg(name[0])).toStdString());
      const auto done = shown.bench.edit("tensors", next);
      QVERIFY2(done, done ? "" : done.error().message.c_str());
    };
    ShownExperiments first;
    useTensors(first);
    const auto values = carried_values(method, first.bench.page("experiments").values);
    for (const char* when : {"1999-01-01T00:00:00Z", "2999-01-01T00:00:00Z"}) {
      QVERIFY(kept_runs().keep({.id = run_id(method, values),
                                .method = method.id,
                                .values = values,
                                .curves = {.x_name = "length", .x = {1, 2}, .curves = {{"error", {1, 2}}}},
                                .seconds = 30,
                                .version = "1.0",
                                .when = when}));
      ShownExperiments s;
      useTensors(s);
      QVERIFY(s.page.freshness().state == Freshness::State::computing);
      s.settle();
      QCOMPARE(s.view().curves().x.empty(), when[0] == '1');
    }
  }

  void measurementStartsOnRequest() {
    ShownExperiments s;
    QVERIFY(s.page.freshness().isOutdated());
    QVERIFY(kept_runs().list()->runs.empty());
    QVERIFY(s.button("run")->isEnabled());
    s.run();
    QVERIFY(s.page.freshness().isCurrent());
    const auto runs = kept_runs().list()->runs;
    QCOMPARE(runs.size(), std::size_t{1});
    QCOMPARE(runs[0].run.values.at("n_code"), std::string("8"));
    QVERIFY(runs[0].run.complete);
  }

  void estimatesUseReadableUnits_data() {
    QTest::addColumn<double>("seconds");
    QTest::newRow("About 99 s") << 99.0;
    QTest::newRow("About 2.5 min") << 150.0;
    QTest::newRow("About 2 h") << 7200.0;
  }

  void estimatesUseReadableUnits() {
    QFETCH(double, seconds);
    keepSlow(0, 1, seconds);
    ShownExperiments s;
    QVERIFY(s.page.findChild<ElidedLabel*>("estimate")->text().startsWith(QTest::currentDataTag()));
  }

  void otherValuesMakeTheResultOldUntilRunIsPressed() {
    keepSlow(0, 1);
    ShownExperiments s;
    QVERIFY(s.page.freshness().isCurrent());  // measured before
    const auto labels = s.view().header()->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) { return label->text() == "measured"; }));
    QVERIFY(s.page.findChild<ElidedLabel*>("estimate")->text().startsWith("About 30 s"));
    s.request(1);
    QVERIFY(s.page.freshness().isOutdated());
    QCOMPARE(s.page.findChild<QLabel*>("runEstimate")->text(), QString("The last run, with other values, took 30 s"));
    s.bench.undoStack().undo();
    s.page.sync();
    s.settle();
    QVERIFY(s.page.freshness().isCurrent());
    QCOMPARE(kept_runs().list()->runs.size(), std::size_t{1});
  }

  /// The place of an experiment without a result is empty, whatever stood there.
  void chartOfAnotherExperimentIsRemoved() {
    keepSlow(0, 1);
    ShownExperiments s;
    QVERIFY(!s.view().curves().x.empty());
    ShownPage next = s.bench.page("experiments");
    next.method = "vq_model";
    QVERIFY(s.bench.edit("Show", next));
    s.settle();
    QVERIFY(s.view().curves().x.empty());
    QCOMPARE(s.view().header()->title(), QString::fromStdString(find_method("vq_model")->title));
    QVERIFY(s.view().freshness().isEmpty);
    s.bench.undoStack().undo();
    s.settle();
    QVERIFY(!s.view().curves().x.empty());
    s.bench.setSession(default_session());
    s.settle();
    QVERIFY(s.view().curves().x.empty());
  }

  /// The panel of a training goes with its experiment, also where a kept run is shown then.
  void trainingOfAnotherExperimentIsRemoved() {
    keepSlow(0, 1);
    ShownExperiments s;
    ShownPage next = s.bench.page("experiments");
    next.method = "train_model";
    for (const auto& [name, value] : {std::pair{"steps", 4},
                                      {"d_model", 8},
                                      {"n_layers", 1},
                                      {"n_heads", 2},
                                      {"d_ff", 8},
                                      {"batch_rows", 2},
                                      {"length", 16},
                                      {"warmup_steps", 1}})
      next.values.set(name, Index{value});
    QVERIFY(s.bench.edit("train", next));
    s.run();
    auto* panel = s.page.findChild<TrainingPanel*>();
    QVERIFY(panel->isVisible());
    s.bench.undoStack().undo();
    s.settle();
    QVERIFY(!s.view().curves().x.empty());
    QVERIFY(!panel->isVisible());
  }

  /// It goes on and is kept, and its curves are not shown in place of those of the new session.
  void aRunOfAFormerSessionIsKeptAndNotShown() {
    ShownExperiments s;
    s.button("run")->click();
    s.bench.setSession(default_session());
    QVERIFY(s.view().curves().x.empty());
    s.settle();
    QVERIFY(s.view().curves().x.empty());
    QCOMPARE(kept_runs().list()->runs.size(), std::size_t{1});
  }

  void measurementOfAHiddenPageIsKept() {
    ShownExperiments s;
    s.button("run")->click();
    s.page.hide();
    s.settle();
    QCOMPARE(kept_runs().list()->runs.size(), std::size_t{1});
  }
};

VQSCOPE_TEST(ExperimentPageTest)
#include "experiment_page_test.moc"
