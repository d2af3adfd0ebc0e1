// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"
#include "tests/widgets/mask/row/shown_rows.h"
#include "widgets/view/overlay.h"

#include <atomic>
#include <functional>
#include <optional>
#include <semaphore>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Rows that break two rules.
RuleSearch breaking(Index rows, const std::function<bool(Index)>& broken) {
  return [=](Index from, bool forwards, const std::stop_token& stop) -> Result<std::optional<BrokenRow>> {
    const Index step = forwards ? 1 : -1;
    for (Index row = from + step; row >= 0 && row < rows; row += step) {
      if (stop.stop_requested()) return cancelled();
      if (broken(row)) return std::optional(BrokenRow{row, row / 2, {"Future", "Padding"}});
    }
    return std::optional<BrokenRow>();
  };
}

}  // namespace

/// Searches for rows and cells, from one to the next.
class RowSearchTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void searchesByAction() {
    ShownRows s(packed(60, {20, 30}, 10));
    s.trigger("Next row that differs");
    QCOMPARE(s.debugger.cell().row, Index{20});
    s.trigger("Next row without a visible key");
    QCOMPARE(s.debugger.cell().row, Index{50});
    QVERIFY(s.debugger.report().empty());
    s.trigger("Previous row that differs");
    QCOMPARE(s.debugger.cell().row, Index{20});
    s.trigger("Previous row without a visible key");
    QCOMPARE(s.debugger.cell().row, Index{59});
    QCOMPARE(s.messages, QStringList{"Continued from the last row: row 59 has no visible key"});
    s.trigger("Last row");
    QCOMPARE(s.debugger.cell().row, Index{59});
    s.trigger("First row");
    QCOMPARE(s.debugger.cell().row, Index{0});
  }

  void whereTheOtherMaskDiffers() {
    ShownRows s(packed(60, {20, 40}));
    s.debugger.setSecond(packed(60, {25, 35}));
    s.trigger("Next cell that differs");
    QCOMPARE(s.debugger.cell(), (Cell{20, 0}));
    s.trigger("Next cell that differs");
    QCOMPARE(s.debugger.cell(), (Cell{21, 0}));
    s.debugger.setCell({58, 30});
    s.trigger("Next cell that differs");
    QCOMPARE(s.debugger.cell(), (Cell{59, 20}));
    s.trigger("Next cell that differs");
    QCOMPARE(s.messages, QStringList{"Continued from the first row: row 20 differs from the other mask"});
    QCOMPARE(s.debugger.cell(), (Cell{20, 0}));
  }

  /// Past the last row they continue at the first, up to the row itself.
  void searchesWrapAround() {
    ShownRows s(packed(60, {20, 40}));
    s.trigger("Next row without a visible key");
    QCOMPARE(s.messages.takeFirst(), QString("Every row has a visible key"));
    s.trigger("Next row that differs");
    QVERIFY(s.messages.isEmpty());
    for (const char* way : {"Next row that differs", "Previous row that differs"}) {
      s.trigger(way);
      QCOMPARE(s.debugger.cell().row, Index{20});
      QCOMPARE(s.messages.takeFirst(),
               QString("Row 20 is the only row that sees other distances than the row before it"));
    }
    s.debugger.setRuleSearch(breaking(60, [](Index row) { return row < 2; }));
    s.trigger("Next row that breaks a rule");
    QCOMPARE(s.debugger.cell().row, Index{0});
    QCOMPARE(s.messages.takeFirst(), QString("Continued from the first row: row 0 breaks: Future, Padding"));
    s.trigger("Previous row that breaks a rule");
    QCOMPARE(s.debugger.cell().row, Index{1});
    QCOMPARE(s.messages.takeFirst(), QString("Continued from the last row: row 1 breaks: Future, Padding"));
    s.debugger.setRuleSearch(breaking(60, [](Index) { return false; }));
    s.trigger("Next row that breaks a rule");
    QCOMPARE(s.messages, QStringList{"No row breaks a rule"});
    QCOMPARE(s.debugger.cell().row, Index{1});
  }

  void rowsThatBreakARule() {
    ShownRows s(packed(60, {}));
    QVERIFY(!s.action("Next row that breaks a rule")->isEnabled());
    s.debugger.setRuleSearch(breaking(60, [](Index row) { return row % 17 == 16; }));
    s.trigger("Next row that breaks a rule");
    s.trigger("Next row that breaks a rule");
    QCOMPARE(s.debugger.cell(), (Cell{33, 16}));
    QCOMPARE(s.messages.last(), QString("Row 33 breaks: Future, Padding"));
    s.trigger("Previous row that breaks a rule");
    QCOMPARE(s.debugger.cell().row, Index{16});
  }

  /// Row 3 of the second of three samples breaks a rule, and only that.
  void searchesGoThroughAllSamples() {
    ShownRows s(packed(60, {}));
    std::vector<std::pair<Index, QString>> others;
    connect(&s.debugger, &RowDebugger::samplePicked, &s.debugger,
            [&](Index sample, Index, const std::optional<Cell>& cell, const QString& notice) {
              QCOMPARE(*cell, (Cell{3, 1}));
              others.emplace_back(sample, notice);
            });
    s.debugger.setRuleSearch(breaking(60, [](Index) { return false; }));
    SearchedSamples samples{.samples = 3};
    s.debugger.setSamples(samples);
    s.trigger("Next row that breaks a rule");
    QCOMPARE(s.messages.takeFirst(), QString("No row breaks a rule here; the rest of the 3 samples is not searched"));
    samples.make = [](Index sample, Index) -> Result<SearchedMask> {
      if (sample == 2) return invalid("padding alone");
      return SearchedMask{packed(60, {}), breaking(60, [=](Index row) { return sample == 1 && row == 3; })};
    };
    s.debugger.setSamples(samples);
    s.trigger("Next row that breaks a rule");
    QCOMPARE(others, (std::vector<std::pair<Index, QString>>{{1, "Sample 1, row 3 breaks: Future, Padding"}}));
    samples.sample = 2;
    s.debugger.setSamples(samples);
    s.trigger("Next row that breaks a rule");
    QCOMPARE(others.back().second, QString("Continued from the first sample: sample 1, row 3 breaks: Future, Padding"));
    QVERIFY(s.messages.isEmpty());
    s.trigger("Next row without a visible key");
    QCOMPARE(s.messages.takeFirst(), QString("Every row has a visible key (all 3 samples)"));
  }

  /// A search without end: another row, another mask and Escape stop it.
  void aSearchCanBeStopped() {
    ShownRows s(packed(2097152, {}));
    std::atomic<Index> n_calls = 0;
    std::atomic<bool> held = true;
    const auto waiting = [&](Index) {
      ++n_calls;
      held.wait(true);
      return false;
    };
    s.debugger.setRuleSearch(breaking(2097152, waiting));
    const auto search = [&] {
      const Index before = n_calls;
      held = true;
      s.action("Next row that breaks a rule")->trigger();
      QTRY_VERIFY(n_calls > before);
      QVERIFY(s.debugger.isBusy());
    };
    const auto stopped = [&] {
      held = false;
      held.notify_all();
      s.settle();
      QVERIFY(n_calls < 2097152);
    };
    search();
    s.key(Qt::Key_Escape);
    stopped();
    search();
    s.debugger.setCell({10, 0});
    stopped();
    search();
    s.debugger.setMask(packed(40, {}));
    stopped();
    QVERIFY(s.messages.isEmpty());
    QVERIFY(s.picked.empty());
  }

  /// A search of rows that are to be others waits for them; where none come, it is refused.
  void searchWaitsForTheNewRows() {
    ShownRows s(packed(40, {}));
    QVERIFY(s.debugger.findChild<Overlay*>()->freshness().isCurrent());
    s.debugger.setFreshness(Freshness::computing());
    s.action("Next row without a visible key")->trigger();
    QVERIFY(!s.debugger.isBusy() && s.messages.empty());
    s.debugger.setMask(packed(40, {}, 20));
    s.debugger.setFreshness({});
    s.settle();
    QCOMPARE(s.messages + QStringList(QString::number(s.debugger.cell().row)), QStringList{"20"});
    s.debugger.setFreshness(Freshness::outdated("mask_text, line 2, column 14: unexpected )"));
    QTRY_VERIFY(s.debugger.findChild<Overlay*>()->isVisible());
    s.action("Next row without a visible key")->trigger();
    QCOMPARE(s.messages, QStringList{"Fix the error first: mask_text, line 2, column 14: unexpected )"});
    QCOMPARE(s.debugger.cell().row, Index{20});
    s.debugger.setFreshness(Freshness::computing());
    s.action("Next row without a visible key")->trigger();
    s.debugger.setFreshness(Freshness::outdated("no"));
    s.debugger.setFreshness({});
    QVERIFY2(!s.debugger.isBusy(), "what was refused is not done later");
  }
};

VQSCOPE_TEST(RowSearchTest)
#include "row_search_test.moc"
