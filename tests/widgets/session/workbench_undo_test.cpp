// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"
#include "tests/widgets/session/edited_workbench.h"

#include <QSignalSpy>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// Which edits are one step of undo.
class WorkbenchUndoTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// As a box does that is hidden with its page and enters what was typed in it.
  void editDuringUndoKeepsRedoSteps() {
    EditedBench bench;
    QVERIFY(bench.edit("Change q_length", withValue(bench, "q_length", Index{1000})));
    QVERIFY(bench.edit("Change T", withValue(bench, "q_length", Index{900}, "rotary")));
    QVERIFY(bench.edit("Change q_length", withValue(bench, "q_length", Index{2000})));
    const Session last = bench.session();
    bool edits = true;
    QObject::connect(&bench, &Workbench::changed, &bench, [&] {
      if (edits) QVERIFY(bench.edit("Typed", withValue(bench, "q_length", Index{345}, "rotary")));
    });
    for (int i = 0; i < 3; ++i) bench.undoStack().undo();
    QCOMPARE(bench.session().pages, default_session().pages);
    for (int i = 0; i < 3; ++i) bench.undoStack().redo();
    QCOMPARE(bench.session(), last);
    edits = false;
    QVERIFY(bench.edit("Change q_length", withValue(bench, "q_length", Index{3000})));
    QCOMPARE(lengthOf(bench), Index{3000});
  }

  void undoRevertsThePendingEntry() {
    EditedBench bench;
    QVERIFY(bench.edit("Change q_length", withValue(bench, "q_length", Index{1000})));
    QObject::connect(&bench, &Workbench::leaving, &bench,
                     [&] { QVERIFY(bench.edit("Typed", withValue(bench, "q_length", Index{345}))); });
    bench.undo();
    QCOMPARE(lengthOf(bench), Index{1000});
    bench.undoStack().redo();
    QCOMPARE(lengthOf(bench), Index{345});
  }

  void oneDragIsOneStep() {
    EditedBench bench;
    for (Index length = 513; length <= 600; ++length)
      QVERIFY(bench.edit("Change q_length", withValue(bench, "q_length", length), EditPhase::ongoing));
    QCOMPARE(bench.undoStack().count(), 1);
    QCOMPARE(lengthOf(bench), Index{600});
    bench.undoStack().undo();
    QCOMPARE(lengthOf(bench), Index{512});
    bench.undoStack().redo();
    QCOMPARE(lengthOf(bench), Index{600});
  }

  /// The end of a drag is a part of it; what is finished at once, or is of another name, is a step
  /// of its own.
  void twoDragsAreTwoSteps() {
    EditedBench bench;
    QVERIFY(bench.edit("a", withValue(bench, "q_length", Index{100}), EditPhase::ongoing));
    QVERIFY(bench.edit("a", withValue(bench, "q_length", Index{150})));
    QVERIFY(bench.edit("a", withValue(bench, "q_length", Index{160}), EditPhase::ongoing));
    QVERIFY(bench.edit("b", withValue(bench, "q_length", Index{200}), EditPhase::ongoing));
    QVERIFY(bench.edit("c", withValue(bench, "q_length", Index{300})));
    QVERIFY(bench.edit("c", withValue(bench, "q_length", Index{400})));
    QCOMPARE(bench.undoStack().count(), 5);
    bench.undoStack().undo();
    QCOMPARE(lengthOf(bench), Index{300});
  }

  /// Values that a drag restores stay restored, and other edits under one key are kept.
  void aDragOfTheLintSettingsIsOneStep() {
    Workbench bench;
    bench.showPage("masks");
    for (const Index window : {3, 4, 5}) {
      ShownPage next = bench.current();
      next.lint.set("window", window);
      QVERIFY(bench.edit("Set window", next, EditPhase::ongoing));
    }
    QCOMPARE(bench.undoStack().count(), 1);
    QCOMPARE(bench.current().lint.integer("window"), Index{5});
  }

  void dragBackToItsStartIsNoUndoStep() {
    EditedBench bench;
    for (const Index length : {600, 700, 512})
      QVERIFY(bench.edit("drag", withValue(bench, "q_length", length), EditPhase::ongoing));
    QCOMPARE(bench.undoStack().count(), 0);
    QVERIFY(!bench.isModified());
    QCOMPARE(lengthOf(bench), Index{512});
  }

  void equalValuesAreNoUndoStep() {
    EditedBench bench;
    QVERIFY(bench.edit("nothing", withValue(bench, "q_length", Index{512})));
    QCOMPARE(bench.undoStack().count(), 0);
  }

  void viewChangesAreNoUndoStep() {
    EditedBench bench;
    QSignalSpy changed(&bench, &Workbench::changed);
    const ViewRange view{10, 20, 30, 40};
    bench.setView("buckets", view);
    QCOMPARE(bench.current().view, std::optional(view));
    QCOMPARE(changed.count(), 0);
    bench.showPage("masks");
    QCOMPARE(bench.current().id, std::string("masks"));
    QCOMPARE(changed.count(), 1);
    bench.showPage("masks");
    bench.showPage("no such page");
    bench.setView("no such page", view);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(bench.undoStack().count(), 0);
    QVERIFY(!bench.isModified());
  }

  /// Undo gives back parameters, it does not jump about in the matrix.
  void undoKeepsTheView() {
    EditedBench bench;
    QVERIFY(bench.edit("a", withValue(bench, "num_buckets", Index{64})));
    const ViewRange view{1, 2, 3, 4};
    bench.setView("buckets", view);
    bench.undoStack().undo();
    QCOMPARE(bench.current().view, std::optional(view));
    bench.undoStack().redo();
    QCOMPARE(bench.current().view, std::optional(view));
  }

  void undoShowsThePageThatItChanges() {
    EditedBench bench;
    QVERIFY(bench.edit("a", withValue(bench, "num_buckets", Index{64})));
    bench.showPage("curves");
    bench.undoStack().undo();
    QCOMPARE(bench.session().current, std::string("buckets"));
  }

  /// A drag that goes on after a save is a change since the save.
  void aDragAcrossASave() {
    EditedBench bench;
    QVERIFY(bench.edit("drag", withValue(bench, "q_length", Index{600}), EditPhase::ongoing));
    bench.markSaved();
    QVERIFY(bench.edit("drag", withValue(bench, "q_length", Index{700}), EditPhase::ongoing));
    QVERIFY(bench.isModified());
    bench.undoStack().undo();
    QVERIFY(lengthOf(bench) == 600 ? !bench.isModified() : bench.isModified());
  }

  /// A field that hides gives up what was typed in it.
  void nestedEditIsItsOwnStep() {
    EditedBench bench;
    bool once = false;
    connect(&bench, &Workbench::changed, &bench, [&] {
      if (!std::exchange(once, true)) QVERIFY(bench.edit("then", withValue(bench, "q_length", Index{7})));
    });
    QVERIFY(bench.edit("first", withValue(bench, "q_length", Index{6})));
    QCOMPARE(lengthOf(bench), Index{7});
    QCOMPARE(bench.undoStack().undoText(), QString("then"));
    bench.undoStack().undo();
    QCOMPARE(lengthOf(bench), Index{6});
    bench.undoStack().undo();
    QCOMPARE(lengthOf(bench), Index{512});
  }

  void anotherSessionResetsTheUndoStack() {
    EditedBench bench;
    QVERIFY(bench.edit("a", withValue(bench, "q_length", Index{9})));
    Session other = default_session();
    other.current = "rotary";
    QSignalSpy changed(&bench, &Workbench::changed);
    bench.setSession(other);
    QCOMPARE(bench.session(), other);
    QCOMPARE(changed.count(), 1);
    QVERIFY(!bench.undoStack().canUndo() && !bench.isModified());
  }
};

VQSCOPE_TEST(WorkbenchUndoTest)
#include "workbench_undo_test.moc"
