// SPDX-License-Identifier: GPL-3.0-or-later
// What a page of fields says of pictures that are not, or not yet, of its values.
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/widgets/page/shown_field.h"
#include "widgets/theme/palette.h"

#include <QAction>
#include <QSignalSpy>

using namespace vqscope;
using namespace vqscope::test;

class FieldPageFreshnessTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  /// Both sides have the same tokens, but not always the same number of pairs.
  void mapShowsWhyADifferenceIsImpossible() {
    ShownField s("rotary");
    s.change([](ShownPage& state) {
      state.compare = CompareMode::difference;
      state.values.set("head_dim", Index{128});
      state.other.set("head_dim", Index{24});
    });
    const QString problem = s.problem();
    QVERIFY2(problem.contains("× 64") && problem.contains("× 12"), qPrintable(problem));
    QCOMPARE(s.badge(), QString("not up to date"));
    s.bench.undoStack().undo();
    s.settle();
    QCOMPARE(s.problem(), QString());
    QCOMPARE(s.badge(), QString("exact"));
  }

  /// A picture of another method is no last valid result.
  void aMethodThatFailsLeavesNoOtherPicture() {
    ShownField s("rotary");
    QVERIFY(s.maps()[0]->picture());
    ShownPage next = s.state();
    next.method = "rope_cos";
    next.compare = CompareMode::difference;
    next.other.set("head_dim", Index{24});
    QVERIFY(s.bench.edit("change", next));
    QTRY_VERIFY_WITH_TIMEOUT(!s.page.isBusy(), 120000);
    QVERIFY(s.page.freshness().isOutdated());
    QVERIFY(!s.maps()[0]->picture() && !s.page.extent());
    QCOMPARE(s.badge(), QString("no result"));
    QCOMPARE(s.maps()[0]->header()->title(), QString("RoPE cos"));
    const QString problem = s.problem();
    QVERIFY2(problem.contains("× 12") && !problem.contains("last valid result"), qPrintable(problem));
    s.bench.undoStack().undo();
    s.settle();
    QCOMPARE(s.badge(), QString("exact"));
  }

  /// Neither pictures nor cells, curves and errors of the former session.
  void anotherSessionBeginsEmpty() {
    ShownField s("masks");
    QVERIFY(s.page.goTo({3, 2}));
    QSignalSpy answered(&s.page, &PageWidget::answered);
    s.page.forget();
    QCOMPARE(answered.count(), 1);
    QVERIFY(!s.page.extent() && !s.page.mask() && !s.page.lintCase());
    QVERIFY(!s.maps()[0]->picture() && !s.maps()[0]->picked());
    QCOMPARE(s.maps()[0]->header()->title(), QString());
    for (auto* view : s.page.findChildren<CurveView*>()) QVERIFY(view->curves().x.empty());
    s.page.sync();
    s.settle();
    QCOMPARE(s.page.extent(), std::optional(Extent{512, 512}));
    QCOMPARE(s.badge(), QString("exact"));
    QVERIFY(!s.report);
  }

  /// From the edit until its pictures are shown, no badge calls the former values exact.
  void formerValuesAreMarked() {
    ShownField s("masks");
    QSignalSpy answered(&s.page, &PageWidget::answered);
    const auto before = s.page.mask();
    QVERIFY(s.page.freshness().isCurrent());
    ShownPage next = s.state();
    next.values.set("q_length", Index{99});
    QVERIFY(s.bench.edit("change", next));
    QVERIFY(s.page.freshness().state == Freshness::State::computing);
    QCOMPARE(s.badge(), QString("computing"));
    QVERIFY2(s.page.mask() == before, "what is told is still of what is shown");
    QCOMPARE(s.page.extent(), std::optional(Extent{512, 512}));
    QString badge;
    connect(&s.page, &PageWidget::answered, this, [&] { badge = s.badge(); });
    QTRY_COMPARE(answered.count(), 1);
    QVERIFY2(badge == "computing", "the mask is there, and its picture still to come");
    QVERIFY(s.page.freshness().isCurrent() && s.page.mask() != before);
    s.settle();
    QCOMPARE(s.badge(), QString("exact"));
    QVERIFY(s.frames.back().freshness.isCurrent());
  }

  /// Back at the values of what is shown there is nothing to wait for.
  void undoneEditIsCurrentAtOnce() {
    ShownField s;
    ShownPage next = s.state();
    next.values.set("q_length", Index{99});
    QVERIFY(s.bench.edit("change", next));
    QVERIFY(!s.page.freshness().isCurrent());
    s.bench.undoStack().undo();
    QVERIFY(s.page.freshness().isCurrent());
    QCOMPARE(s.badge(), QString("exact"));
    s.settle();
    QCOMPARE(s.page.extent(), std::optional(Extent{512, 512}));
  }

  /// After an invalid entry, maps and curves show the last valid values.
  void errorsOfTheFormMarkEverything() {
    ShownField s("masks");
    s.page.setDraftProblem("mask_text, line 2, column 14: unexpected )");
    QVERIFY(s.page.freshness().isOutdated());
    QCOMPARE(s.badge(), QString("not up to date"));
    QCOMPARE(s.problem(), QString("Shows the last valid result: the mask's text has an error (line 2)"));
    QTRY_VERIFY(s.problemLabel()->isVisible());
    const auto* plot = s.maps()[0]->findChild<QCustomPlot*>();
    QVERIFY2(s.problemLabel()->geometry().bottom() < plot->axisRect()->top(), "it covers neither map nor legend");
    int covered = 0;
    for (auto* view : s.page.findChildren<CurveView*>()) covered += view->freshness().isOutdated() ? 1 : 0;
    QVERIFY2(covered >= 3, "keys seen, row and column profile");
    s.page.setDraftProblem({});
    QVERIFY(s.page.freshness().isCurrent());
    QCOMPARE(s.badge(), QString("exact"));
  }

  /// Work of a hidden page stops; shown again, the page is made.
  void aPageThatIsLeftStops() {
    ShownField s;
    ShownPage next = s.state();
    next.values.set("q_length", Index{99});
    QVERIFY(s.bench.edit("change", next));
    s.page.hide();
    QVERIFY(!s.page.isBusy());
    QVERIFY(!s.page.freshness().isCurrent());
    s.page.show();
    s.page.sync();
    s.settle();
    QCOMPARE(s.page.extent(), std::optional(Extent{99, 99}));
    QVERIFY(s.page.freshness().isCurrent());
  }

  /// Before the first matrix is there, and while the session is ahead of the maps.
  void missingMatrixIsNotRead() {
    Workbench bench;
    FieldPage page(bench, *find_page_info("buckets"), nullptr);
    page.sync();
    QVERIFY(!page.extent() && !page.mask());
    QCOMPARE(page.maps()[0]->header()->title(), QString("T5 bucket"));
    COMPARE_ERROR(page.goTo({0, 0}), "the matrix is still being computed; try again when it is shown");
    page.zoom(0.5);
    page.fit();
    page.announce();
    QCOMPARE(page.exportTargets().front().method->id, std::string("t5_bucket"));
  }

  /// B's picture comes, B's buttons are pressed, the mouse is on B: and B has gone.
  void aComparisonIsLeftBeforeItsPicture() {
    ShownField s;
    ShownPage next = s.state();
    next.compare = CompareMode::side_by_side;
    next.other = next.values;
    next.other.set("num_buckets", Index{8});
    QVERIFY(s.bench.edit("compare", next));
    QTRY_COMPARE(s.page.maps().size(), std::size_t{2});
    auto* b = s.page.maps()[1];
    s.bench.undoStack().undo();
    std::vector<std::string> requested;
    connect(&s.page, &PageWidget::exportRequested, this,
            [&](const ExportTarget& target) { requested.push_back(target.method->id); });
    const auto use = [&] {
      emit b->pictureShown();
      emit b->cellHovered(Cell{3, 3});
      emit b->cellPicked(Cell{3, 3});
      emit b->rangeChanged(ViewRange{0, 9, 0, 9});
      for (auto* action : b->actions())
        if (action->text().startsWith("Export")) action->trigger();
    };
    use();
    QCOMPARE(requested, std::vector<std::string>{"t5_bucket"});
    QTRY_COMPARE(s.page.maps().size(), std::size_t{1});
    use();
    QCOMPARE(requested.size(), std::size_t{1});
    s.page.fit();
    s.settle();
  }
};

VQSCOPE_TEST(FieldPageFreshnessTest)
#include "field_page_freshness_test.moc"
