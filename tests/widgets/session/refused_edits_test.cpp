// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/registry.h"
#include "tests/support/environment.h"
#include "tests/support/needs_lab.h"
#include "tests/support/random_edits.h"
#include "tests/support/session_values.h"
#include "tests/support/test_main.h"

#include <QSignalSpy>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// State that a refused edit must keep: the session, both ways through its steps, and which of them
/// is saved.
struct Standing {
  Session session;
  QStringList steps;
  int index = 0;
  int saved = 0;
  friend bool operator==(const Standing&, const Standing&) = default;
};

Standing standing(Workbench& bench) {
  Standing now{bench.session(), {}, bench.undoStack().index(), bench.undoStack().cleanIndex()};
  for (int i = 0; i < bench.undoStack().count(); ++i) now.steps << bench.undoStack().text(i);
  return now;
}

/// The session without what undo leaves alone: page on top, visible ranges and axes.
Session undoable(Session session) {
  session.current.clear();
  for (auto& page : session.pages) {
    page.view.reset();
    page.axes.clear();
  }
  return session;
}

/// Differences of two sessions, apart from state without undo; empty: none.
std::string differing(const Session& first, const Session& second) {
  const Session a = undoable(first), b = undoable(second);
  if (a.subject != b.subject) return "subject";
  for (const auto& page : a.pages)
    if (*find_page(b, page.id) != page) return page.id;
  return session_text(a) == session_text(b) ? "" : "text";
}

/// The page whose shown state differs from its stored state; empty: none.
std::string wronglyShown(const Workbench& bench) {
  for (const auto& info : page_infos())
    if (bench.page(info.id) != shown_page(bench.session(), info.id)) return info.id;
  return {};
}

/// Why the last step cannot be taken back and made again; empty: it can.
std::string stuck(Workbench& bench, const Session& before) {
  const Session after = bench.session();
  bench.undoStack().undo();
  if (const auto left = differing(bench.session(), before); !left.empty()) return "undo leaves " + left;
  bench.undoStack().redo();
  const auto missed = differing(bench.session(), after);
  return missed.empty() ? "" : "redo misses " + missed;
}

/// Error after a random step; empty: none.
std::string wrongAfter(Workbench& bench, const Standing& before, bool taken) {
  if (!taken) return standing(bench) == before ? "" : "the refused edit changes something";
  if (bench.undoStack().index() == before.index + 1)
    if (auto problem = stuck(bench, before.session); !problem.empty()) return problem;
  return {};
}

}  // namespace

class RefusedEditsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The second half of a view is refused: nothing of the first stands, and redo leads on.
  void refusedViewKeepsTheSession() {
    NEEDS_LAB();
    Workbench bench;
    bench.showPage("buckets");
    ShownPage next = bench.current();
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
    QCOMPARE(bench.page("buckets").values.integer("q_length"), Index{1000});
  }

  void viewShowsItsPageWithoutAChange() {
    Workbench bench;
    const Method& shown = *find_method(bench.page("rotary").method);
    QSignalSpy changed(&bench, &Workbench::changed);
    QVERIFY(bench.choose("Show", "rotary", shown, {}));
    QCOMPARE(bench.session().current, std::string("rotary"));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(bench.undoStack().count(), 0);
  }

  /// A model sets three pages; undo and redo show the last of them.
  void aModelIsOneStepOverSeveralPages() {
    Workbench bench;
    bench.showPage("buckets");
    const Session before = bench.session();
    ConfigReport report;
    report.schedule = parse_layers("5*sliding:64,full").value();
    QSignalSpy changed(&bench, &Workbench::changed);
    QVERIFY(bench.adoptModel({{}, report, {.name = "gemma"}}));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(bench.undoStack().count(), 1);
    const Session after = bench.session();
    QCOMPARE(after.current, std::string("model"));
    QCOMPARE(shown_page(after, "masks").values.integer("sliding_window"), Index{64});
    bench.undoStack().undo();
    QCOMPARE(differing(bench.session(), before), std::string());
    bench.undoStack().redo();
    QCOMPARE(bench.session(), after);
    QVERIFY(bench.adoptModel({{}, report, {.name = "gemma"}}));
    QCOMPARE(bench.undoStack().count(), 1);
  }

  /// Random edits of every kind, saved now and then. What is refused changes nothing, not even what
  /// can be redone or what is saved. What is accepted is taken back and made again, at once and at
  /// the end. The session is the same when it is saved and opened, and the pages follow from what
  /// it keeps.
  void randomEdits() {
    const int persons = countFrom("VQSCOPE_SESSIONS", 30);
    int refused = 0;
    for (int i = 0; i < persons; ++i) {
      Workbench bench;
      RandomEdits person(bench, static_cast<std::uint64_t>(1000 + i));
      for (int step = 0; step < 60; ++step) {
        const Standing before = standing(bench);
        const bool taken = person.step();
        refused += !taken;
        std::string problem = wrongAfter(bench, before, taken);
        if (step % 6 == 0 && problem.empty()) problem = lost(bench.session());
        if (step % 6 == 3 && problem.empty()) problem = wronglyShown(bench);
        QVERIFY2(problem.empty(),
                 qPrintable(QStringLiteral("seed %1, step %2: %3").arg(1000 + i).arg(step).arg(problem.c_str())));
        if (step % 20 == 19) bench.markSaved();
      }
      while (bench.undoStack().canRedo()) bench.undoStack().redo();
      const Session last = bench.session();
      while (bench.undoStack().canUndo()) bench.undoStack().undo();
      const std::string first = differing(bench.session(), default_session());
      QVERIFY2(first.empty(), qPrintable(QStringLiteral("seed %1: undo leaves %2").arg(1000 + i).arg(first.c_str())));
      while (bench.undoStack().canRedo()) bench.undoStack().redo();
      const std::string again = differing(bench.session(), last);
      QVERIFY2(again.empty(), qPrintable(QStringLiteral("seed %1: redo misses %2").arg(1000 + i).arg(again.c_str())));
    }
    QVERIFY(refused > persons);
  }
};

VQSCOPE_TEST(RefusedEditsTest)
#include "refused_edits_test.moc"
