// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "tests/support/environment.h"
#include "tests/support/needs_lab.h"
#include "tests/support/random_edits.h"
#include "tests/support/test_main.h"

#include <QSignalSpy>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// What an edit that is refused must leave as it was: the session and both ways through its steps.
struct Standing {
  Session session;
  QStringList steps;
  int index = 0;
  friend bool operator==(const Standing&, const Standing&) = default;
};

Standing standing(Workbench& bench) {
  Standing now{bench.session(), {}, bench.undoStack().index()};
  for (int i = 0; i < bench.undoStack().count(); ++i) now.steps << bench.undoStack().text(i);
  return now;
}

/// The session without what undo leaves alone: page on top, visible ranges and axes.
Session undoable(Session session) {
  session.current.clear();
  for (auto& page : session.workspaces) {
    page.view.reset();
    page.axes.clear();
  }
  return session;
}

/// The page by whose values two sessions differ; empty: none.
std::string differing(const Session& a, const Session& b) {
  if (a.subject != b.subject) return "subject";
  for (const auto& page : a.workspaces)
    if (*find_workspace(b, page.id) != page) return page.id;
  return {};
}

}  // namespace

class RefusedEditsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The second half of a view is refused: nothing of the first stands, and redo leads on.
  void aRefusedViewChangesNothing() {
    NEEDS_LAB();
    Workbench bench;
    bench.showWorkspace("buckets");
    WorkspaceState next = bench.current();
    next.values.set("q_length", Index{1000});
    QVERIFY(bench.edit("Change q_length", next));
    bench.undo();
    const Standing before = standing(bench);
    QSignalSpy changed(&bench, &Workbench::changed);
    ParameterValues values;
    values.set("data", std::string("tensors"));
    QVERIFY(!bench.choose("Show", "vq", *find_method("vq_cache"), values));
    QVERIFY(standing(bench) == before);
    QCOMPARE(changed.count(), 0);
    bench.undoStack().redo();
    QCOMPARE(find_workspace(bench.session(), "buckets")->values.integer("q_length"), Index{1000});
  }

  void aViewShowsItsPageAlsoWhereNothingChanges() {
    Workbench bench;
    const Method& shown = *find_method(find_workspace(bench.session(), "rotary")->method);
    QSignalSpy changed(&bench, &Workbench::changed);
    QVERIFY(bench.choose("Show", "rotary", shown, {}));
    QCOMPARE(bench.session().current, std::string("rotary"));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(bench.undoStack().count(), 0);
  }

  /// A model sets three pages; undo and redo show the last of them.
  void aModelIsOneStepOverSeveralPages() {
    Workbench bench;
    bench.showWorkspace("buckets");
    const Session before = bench.session();
    ConfigReport report;
    report.schedule = parse_layers("5*sliding:64,full").value();
    QSignalSpy changed(&bench, &Workbench::changed);
    QVERIFY(bench.adoptModel("gemma", {}, report));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(bench.undoStack().count(), 1);
    const Session after = bench.session();
    QCOMPARE(after.current, std::string("model"));
    QCOMPARE(find_workspace(after, "masks")->values.integer("sliding_window"), Index{64});
    bench.undoStack().undo();
    QCOMPARE(differing(undoable(bench.session()), undoable(before)), std::string());
    bench.undoStack().redo();
    QCOMPARE(bench.session(), after);
    QVERIFY(bench.adoptModel("gemma", {}, report));
    QCOMPARE(bench.undoStack().count(), 1);
  }

  /// Random edits of every kind: what is refused changes nothing, not even what can be redone, and undo takes back all
  /// that was accepted.
  void randomEdits() {
    const int persons = countFrom("VQSCOPE_SESSIONS", 30);
    int refused = 0;
    for (int i = 0; i < persons; ++i) {
      Workbench bench;
      RandomEdits person(bench, static_cast<std::uint64_t>(1000 + i));
      for (int step = 0; step < 60; ++step) {
        const Standing before = standing(bench);
        if (person.step()) continue;
        ++refused;
        const Standing after = standing(bench);
        QVERIFY2(after == before, qPrintable(QStringLiteral("person %1, step %2").arg(i).arg(step)));
      }
      while (bench.undoStack().canRedo()) bench.undoStack().redo();
      const Session last = undoable(bench.session());
      while (bench.undoStack().canUndo()) bench.undoStack().undo();
      const std::string first = differing(undoable(bench.session()), undoable(default_session()));
      QVERIFY2(first.empty(), qPrintable(QStringLiteral("person %1: undo leaves %2").arg(i).arg(first.c_str())));
      while (bench.undoStack().canRedo()) bench.undoStack().redo();
      const std::string again = differing(undoable(bench.session()), last);
      QVERIFY2(again.empty(), qPrintable(QStringLiteral("person %1: redo misses %2").arg(i).arg(again.c_str())));
    }
    QVERIFY(refused > persons);
  }
};

VQSCOPE_TEST(RefusedEditsTest)
#include "refused_edits_test.moc"
