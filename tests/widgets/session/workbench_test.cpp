// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/workbench.h"

#include "core/catalogue/registry.h"
#include "tests/support/compare.h"
#include "tests/support/needs_lab.h"
#include "tests/support/test_main.h"
#include "tests/widgets/session/edited_workbench.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <utility>

using namespace vqscope;
using namespace vqscope::test;

class WorkbenchTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void beginsWithTheDefaultSession() {
    Workbench bench;
    QCOMPARE(bench.session(), default_session());
    QCOMPARE(bench.current().id, std::string("start"));
    QVERIFY(!bench.isModified() && !bench.undoStack().canUndo());
  }

  void editUndoRedo() {
    EditedBench bench;
    const Session before = bench.session();
    QSignalSpy changed(&bench, &Workbench::changed);
    QVERIFY(bench.edit("Change q_length", withValue(bench, "q_length", Index{1000})));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(lengthOf(bench), Index{1000});
    QVERIFY(bench.isModified());
    QCOMPARE(bench.undoStack().undoText(), QString("Change q_length"));
    const Session after = bench.session();
    bench.undoStack().undo();
    QCOMPARE(bench.session(), before);
    QVERIFY(!bench.isModified());
    bench.undoStack().redo();
    QCOMPARE(bench.session(), after);
    QCOMPARE(changed.count(), 3);
  }

  /// Another method brings its own defaults for what stood at the former's, also where they are not
  /// the values asked for.
  void aMethodAndItsValuesAreOneStep() {
    NEEDS_LAB();
    EditedBench bench;
    const Session before = bench.session();
    for (const char* id : {"mask_test", "vq_error_vs_length", "vq_cache_codes", "length_extrapolation"}) {
      const Method& method = *find_method(id);
      ParameterValues values = default_values(method.parameters);
      values.set("seed", Index{5});
      QSignalSpy changed(&bench, &Workbench::changed);
      const auto chosen = bench.choose("Choose", "experiments", method, values);
      QVERIFY2(chosen, chosen ? "" : chosen.error().message.c_str());
      QCOMPARE(changed.count(), 1);
      const auto& state = bench.page("experiments");
      QCOMPARE(state.method, method.id);
      QVERIFY(carried_values(method, state.values) == values);
      const int steps = bench.undoStack().count();
      QVERIFY(bench.choose("Choose", "experiments", method, values));
      QCOMPARE(bench.undoStack().count(), steps);
      bench.undoStack().undo();
      QCOMPARE(bench.session().pages, before.pages);
      bench.undoStack().redo();
      bench.undoStack().undo();
    }
  }

  /// The paper's table has 512 codewords where the other experiments have 64; what was changed
  /// stays.
  void anotherMethodBringsItsDefaults() {
    NEEDS_LAB();
    Workbench workbench;
    ShownPage next = workbench.page("experiments");
    QCOMPARE(next.method, std::string("vq_codebook_training"));
    QCOMPARE(next.values.integer("n_code"), Index{64});
    next.values.set("d_k", Index{32});
    next.method = "vq_table";
    const auto shown = workbench.edit("Show vq_table", next);
    QVERIFY2(shown, shown ? "" : shown.error().message.c_str());
    next = workbench.page("experiments");
    QCOMPARE(next.values.integer("n_code"), Index{512});
    QCOMPARE(next.values.integer("d_k"), Index{32});
    next.method = "vq_codebook_training";
    QVERIFY(workbench.edit("Show vq_codebook_training", next));
    QCOMPARE(workbench.page("experiments").values.integer("n_code"), Index{64});
  }

  /// T follows the documents unless another T is set.
  void theSequenceFollowsItsDocuments() {
    EditedBench bench;
    const auto documents = [&](std::vector<Index> lengths) {
      Subject next = bench.session().subject;
      next.values.set("document_lengths", std::move(lengths));
      return bench.editSubject("Documents", next);
    };
    const auto tokens = [&] { return bench.session().subject.values.integer("q_length"); };
    bench.showPage("masks");
    QVERIFY(documents({300, 212}));
    QCOMPARE(tokens(), Index{512});
    QVERIFY(documents({300, 212, 512}));
    QCOMPARE(tokens(), Index{1024});
    bench.undo();
    QCOMPARE(tokens(), Index{512});
    Subject next = bench.session().subject;
    next.values = ParameterValues();
    next.values.set("q_length", Index{600});
    QVERIFY(bench.editSubject("T", next));
    COMPARE_ERROR(
        documents({300, 212}),
        "document_lengths add up to 512 but must add up to 600 (kv_length 600 minus padding 0), or be empty for "
        "one document");
  }

  /// A value of the bar reaches side B too, as long as B had the same; undo takes it back on both.
  void sharedValuesReachBothSides() {
    EditedBench bench;
    bench.showPage("masks");
    ShownPage compared = bench.current();
    compared.compare = CompareMode::side_by_side;
    QVERIFY(bench.edit("Compare", compared));
    const auto fraction = [&](const char* name, const ParameterValue& value) {
      Subject next = bench.session().subject;
      next.values.set(name, value);
      return bench.editSubject("bar", next).has_value();
    };
    QVERIFY(fraction("document_lengths", std::vector<Index>{300, 212}));
    QCOMPARE(bench.current().other.integers("document_lengths"), (std::vector<Index>{300, 212}));
    QVERIFY(fraction("padding", Index{0}));
    bench.undo();
    bench.undo();
    QVERIFY(bench.current().values.integers("document_lengths").empty());
    QVERIFY(bench.current().other.integers("document_lengths").empty());
    // On another page meanwhile.
    bench.showPage("buckets");
    QVERIFY(fraction("document_lengths", std::vector<Index>{500, 12}));
    const auto other = [&] { return bench.page("masks").other.integers("document_lengths"); };
    QCOMPARE(other(), (std::vector<Index>{500, 12}));
    // A B that only happened to be equal is its own again after undo.
    ShownPage own = bench.page("masks");
    own.other.set("document_lengths", std::vector<Index>{});
    QVERIFY(bench.edit("B", own));
    bench.showPage("buckets");
    QVERIFY(fraction("document_lengths", std::vector<Index>{}));
    QVERIFY(fraction("document_lengths", std::vector<Index>{12, 500}));
    QCOMPARE(other(), (std::vector<Index>{12, 500}));
    const Session last = bench.session();
    bench.undo();
    bench.undo();
    QCOMPARE(bench.page("masks").values.integers("document_lengths"), (std::vector<Index>{500, 12}));
    QVERIFY(other().empty());
    bench.undoStack().redo();
    bench.undoStack().redo();
    QCOMPARE(bench.session(), last);
  }

  void refusedEdits_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<Index>("value");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("range") << "q_length" << Index{0} << "q_length is 0 but must be an integer from 1 to 2147483648";
    QTest::newRow("check") << "num_buckets" << Index{31} << "num_buckets is 31 but must be even when bidirectional";
    QTest::newRow("unknown") << "nonsense" << Index{1} << "unknown parameter nonsense";
  }

  void refusedEdits() {
    QFETCH(QString, name);
    QFETCH(Index, value);
    QFETCH(QString, sentence);
    EditedBench bench;
    QVERIFY(bench.edit("first", withValue(bench, "q_length", Index{99})));
    const Session before = bench.session();
    QSignalSpy changed(&bench, &Workbench::changed);
    COMPARE_ERROR(bench.edit("bad", withValue(bench, qPrintable(name), value)), sentence.toStdString());
    QCOMPARE(bench.session(), before);
    QCOMPARE(bench.undoStack().count(), 1);
    QCOMPARE(changed.count(), 0);
  }

  void savingMakesItClean() {
    EditedBench bench;
    QVERIFY(bench.edit("a", withValue(bench, "q_length", Index{9})));
    bench.markSaved();
    QVERIFY(!bench.isModified());
    bench.undoStack().undo();
    QVERIFY(bench.isModified());
  }

  void leavingIsEmittedBeforeThePageChanges() {
    EditedBench bench;
    QVERIFY(bench.edit("a", withValue(bench, "q_length", Index{6})));
    std::vector<std::string> left;
    connect(&bench, &Workbench::leaving, &bench, [&] { left.push_back(bench.session().current); });
    bench.showPage("rotary");
    bench.showPage("rotary");
    bench.setSession(default_session());
    QCOMPARE(left, (std::vector<std::string>{"buckets", "rotary"}));
  }

  /// Neither can be saved.
  void invalidViewsAndAxesAreIgnored() {
    EditedBench bench;
    const Session before = bench.session();
    bench.setView("buckets", ViewRange{0, std::nan(""), 0, 1});
    bench.setView("buckets", ViewRange{3, 3, 0, 1});
    bench.setView("buckets", ViewRange{0, 1e300, 0, 1});
    bench.setAxes("buckets", "no such curves", {true, true});
    bench.setAxes("no such page", "t5_staircase", {true, true});
    QCOMPARE(bench.session(), before);
  }

  /// As it was left: its file has not got it all.
  void sessionCanBeginModified() {
    EditedBench bench;
    QSignalSpy clean(&bench.undoStack(), &QUndoStack::cleanChanged);
    bench.setSession(default_session(), true);
    QVERIFY(bench.isModified());
    QCOMPARE(clean.count(), 1);
    bench.markSaved();
    QVERIFY(!bench.isModified());
  }

  void presetsOfFiguresAreStepsOfTheSession() {
    Workbench bench;
    const std::vector<FigurePreset> presets{{"paper", {.font_size = 8}}};
    QVERIFY(bench.editFigures("Save", presets));
    QVERIFY(bench.session().figures == presets && bench.isModified());
    bench.undo();
    QVERIFY(bench.session().figures.empty());
    bench.undoStack().redo();
    QVERIFY(bench.session().figures == presets);
    QVERIFY(!bench.editFigures("Save", {{"", {}}}));
    QVERIFY(bench.session().figures == presets);
  }

  void pinnedViewsAreStepsOfTheSession() {
    Workbench bench;
    const Method* alibi = find_method("alibi");
    const std::vector<PinnedView> pins{{.method = "alibi", .values = default_values(alibi->parameters)}};
    QVERIFY(bench.editPins("Pin", pins));
    QVERIFY(bench.editFigures("Save", {{"paper", {}}}));
    QVERIFY(bench.session().pins == pins && bench.isModified());
    bench.undo();
    QVERIFY(bench.session().pins == pins);
    bench.undo();
    QVERIFY(bench.session().pins.empty());
    bench.undoStack().redo();
    QVERIFY(bench.session().pins == pins);
    QVERIFY(!bench.editPins("Pin", {{.method = "none"}}));
  }
};

VQSCOPE_TEST(WorkbenchTest)
#include "workbench_test.moc"
