// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/field/field_page.h"

#include "core/lint/lint.h"
#include "tests/support/compare.h"
#include "tests/support/needs_lab.h"
#include "tests/support/test_main.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/theme/palette.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/profile_column.h"
#include "widgets/view/view_header.h"

#include <QAction>
#include <QLabel>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>
#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A page on screen; as in the window it follows the workbench.
struct ShownField {
  Workbench bench;
  FieldPage page;
  std::string id;
  std::optional<CellReport> report;
  std::string method;  ///< whose the report is
  std::vector<FrameReport> frames;

  explicit ShownField(const char* name = "buckets") : page(bench, *find_page_info(name), nullptr), id(name) {
    QObject::connect(&bench, &Workbench::changed, &page, &FieldPage::sync);
    QObject::connect(&page, &PageWidget::readoutShown, &page, [this](const auto& readout) {
      report = readout ? std::optional(readout->report) : std::nullopt;
      method = readout ? readout->method->id : std::string();
    });
    QObject::connect(&page, &PageWidget::frameShown, &page, [this](const auto& frame) { frames.push_back(frame); });
    page.resize(1100, 600);
    page.sync();
    page.show();
    settle();
  }

  ShownPage state() const { return bench.page(id); }
  void change(const std::function<void(ShownPage&)>& change) {
    ShownPage next = state();
    change(next);
    const auto done = bench.edit("change", next);
    QVERIFY2(done, done ? "" : done.error().message.c_str());
    settle();
  }
  std::vector<MatrixView*> maps() const {
    std::vector<MatrixView*> shown;
    for (auto* view : page.findChildren<MatrixView*>())
      if (view->isVisible()) shown.push_back(view);
    return shown;
  }
  /// Until what the mouse is on has been read.
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), 120000);
    for (auto* view : maps())
      QTRY_VERIFY(view->picture() && view->picture()->request.field == view->content().field &&
                  view->picture()->request.range == view->visibleRange());
  }
};

std::set<QRgb> coloursOf(const QImage& image) {
  std::set<QRgb> colours;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, y));
  return colours;
}

/// The sentence on a map that is not up to date.
QString problemOf(const MatrixView& view) {
  for (const auto* label : view.findChildren<QLabel*>())
    if (label->property("class") == "problem" && !label->text().isEmpty()) return label->text();
  return {};
}

QString badgeOf(const QWidget& view) {
  for (const auto* label : view.findChildren<QLabel*>())
    if (label->property("class") == "badge") return label->text();
  return {};
}

QString titleOf(const CurveView& view) { return view.findChild<ViewHeader*>()->title(); }

std::string factOf(const std::optional<CellReport>& report, std::string_view name) {
  if (report)
    for (const auto& [fact, value] : report->facts)
      if (fact == name) return value;
  return {};
}

}  // namespace

class FieldPageTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void oneMapAndItsCurves() {
    ShownField s;
    QCOMPARE(s.maps().size(), std::size_t{1});
    QCOMPARE(s.page.extent(), std::optional(Extent{512, 512}));
    QCOMPARE(s.page.mainMethod()->id, std::string("t5_bucket"));
    QVERIFY(!s.frames.empty() && s.frames.back().exact);
    int curves = 0;
    for (auto* view : s.page.findChildren<CurveView*>()) curves += view->curves().x.empty() ? 0 : 1;
    QVERIFY2(curves >= 3, "staircase, row and column profile");
  }

  /// Labels of -100 and zeros of the loss mask stand beside the mask, and are read with the cell.
  void lossIsShownBesideTheMask() {
    ShownField s("masks");
    QVERIFY(!s.maps()[0]->content().rowMarks);
    s.change([](ShownPage& state) {
      state.values.set("q_length", Index{4});
      state.lint.set("labels", std::vector<Index>{-100, 5, 6, 7});
      state.lint.set("loss_mask", std::vector<Index>{1, 1, 0, 1});
    });
    const auto& marks = s.maps()[0]->content().rowMarks;
    QVERIFY(marks);
    QVERIFY((marks->rows == std::vector<bool>{false, true, false, true}));
    emit s.maps()[0]->cellHovered(Cell{2, 0});
    s.settle();
    QCOMPARE(factOf(s.report, "loss"), std::string("no"));
    emit s.maps()[0]->cellHovered(Cell{3, 0});
    s.settle();
    QCOMPARE(factOf(s.report, "loss"), std::string("yes"));
    s.change([](ShownPage& state) { state.values.set("q_length", Index{5}); });
    QVERIFY2(!s.maps()[0]->content().rowMarks, "labels of another length belong to no row");
  }

  void anEditChangesThePicture() {
    ShownField s;
    const auto before = s.maps()[0]->picture();
    s.change([](ShownPage& state) { state.values.set("q_length", Index{77}); });
    QVERIFY(s.maps()[0]->picture() != before);
    QCOMPARE(s.page.extent(), std::optional(Extent{77, 77}));
    s.bench.undoStack().undo();
    s.settle();
    QCOMPARE(s.maps()[0]->picture()->image, before->image);
  }

  void refusedEditsKeepThePicture() {
    ShownField s;
    const auto before = s.maps()[0]->picture();
    ShownPage next = s.state();
    next.values.set("num_buckets", Index{31});
    QVERIFY(!s.bench.edit("bad", next));
    s.settle();
    QCOMPARE(s.maps()[0]->picture(), before);
  }

  void bothMapsShareTheirRange() {
    ShownField s;
    s.change([](ShownPage& state) {
      state.compare = CompareMode::side_by_side;
      state.other.set("num_buckets", Index{8});
    });
    const auto maps = s.maps();
    QCOMPARE(maps.size(), std::size_t{2});
    for (MatrixView* from : maps) {
      Plot plot(*from);
      wheel(plot.widget(), plot.rect().center(), 2);
      QVERIFY(from->range());
      QCOMPARE(maps[0]->visibleRange(), maps[1]->visibleRange());
      QCOMPARE(s.state().view, from->range());
    }
    s.settle();
    s.page.fit();
    for (const MatrixView* view : maps) QVERIFY(!view->range());
    QVERIFY(!s.state().view);
    QCOMPARE(s.bench.undoStack().count(), 1);
  }

  void bothMapsShareTheirCursor() {
    ShownField s;
    s.change([](ShownPage& state) { state.compare = CompareMode::side_by_side; });
    const auto maps = s.maps();
    QCOMPARE(maps.size(), std::size_t{2});
    Plot from(*maps[0]);
    Plot other(*maps[1]);
    moveMouse(from.widget(), from.middleOf({100, 300}));
    QCOMPARE(from.cursorLines(), 2);
    QCOMPARE(other.cursorLines(), 2);
    s.settle();
    QVERIFY(s.report);
    moveMouse(from.widget(), QPoint(1, from.widget()->height() - 1));
    QCOMPARE(other.cursorLines(), 0);
    QTest::mouseClick(other.widget(), Qt::LeftButton, {}, other.middleOf({200, 17}));
    QVERIFY(maps[0]->picked());
    QCOMPARE(maps[0]->picked(), maps[1]->picked());
  }

  /// The cell under the mouse is read, and the readout names its map.
  void theMapUnderTheMouseIsRead() {
    ShownField s;
    s.change([](ShownPage& state) {
      state.compare = CompareMode::side_by_side;
      state.values.set("q_length", Index{16});
      state.other.set("q_length", Index{16});
      state.other.set("num_buckets", Index{8});
    });
    for (const char* side : {"A", "B"}) {
      MatrixView& map = *s.page.maps()[side[0] == 'A' ? 0 : 1];
      Plot plot(map);
      moveMouse(plot.widget(), plot.middleOf({13, 2}));
      s.settle();
      QVERIFY(s.report);
      COMPARE_TEXT(factOf(s.report, "map"), side);
      QCOMPARE(s.report->why, map.content().field->report(13, 2).why);
      s.settle();
      bool found = false;
      for (const auto* view : s.page.findChildren<CurveView*>())
        found = found || titleOf(*view) == QString("%1 · Row profile").arg(side);
      QVERIFY2(found, side);
    }
    s.page.announce();
    s.settle();
    COMPARE_TEXT(factOf(s.report, "map"), "B");
    s.change([](ShownPage& state) { state.compare = CompareMode::none; });
    COMPARE_TEXT(factOf(s.report, "map"), "");
  }

  /// Both sides have the same tokens, but not always the same number of pairs.
  void mapShowsWhyADifferenceIsImpossible() {
    ShownField s("rotary");
    s.change([](ShownPage& state) {
      state.compare = CompareMode::difference;
      state.values.set("head_dim", Index{128});
      state.other.set("head_dim", Index{24});
    });
    const QString problem = problemOf(*s.maps()[0]);
    QVERIFY2(problem.contains("× 64") && problem.contains("× 12"), qPrintable(problem));
    QCOMPARE(badgeOf(*s.maps()[0]), QString("not up to date"));
    s.bench.undoStack().undo();
    s.settle();
    QCOMPARE(problemOf(*s.maps()[0]), QString());
    QCOMPARE(badgeOf(*s.maps()[0]), QString("exact"));
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
    QCOMPARE(badgeOf(*s.maps()[0]), QString("no result"));
    QCOMPARE(s.maps()[0]->header()->title(), QString("RoPE cos"));
    const QString problem = problemOf(*s.maps()[0]);
    QVERIFY2(problem.contains("× 12") && !problem.contains("last valid result"), qPrintable(problem));
    s.bench.undoStack().undo();
    s.settle();
    QCOMPARE(badgeOf(*s.maps()[0]), QString("exact"));
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
    QCOMPARE(badgeOf(*s.maps()[0]), QString("exact"));
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
    QCOMPARE(badgeOf(*s.maps()[0]), QString("computing"));
    QVERIFY2(s.page.mask() == before, "what is told is still of what is shown");
    QCOMPARE(s.page.extent(), std::optional(Extent{512, 512}));
    QString badge;
    connect(&s.page, &PageWidget::answered, this, [&] { badge = badgeOf(*s.maps()[0]); });
    QTRY_COMPARE(answered.count(), 1);
    QVERIFY2(badge == "computing", "the mask is there, and its picture still to come");
    QVERIFY(s.page.freshness().isCurrent() && s.page.mask() != before);
    s.settle();
    QCOMPARE(badgeOf(*s.maps()[0]), QString("exact"));
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
    QCOMPARE(badgeOf(*s.maps()[0]), QString("exact"));
    s.settle();
    QCOMPARE(s.page.extent(), std::optional(Extent{512, 512}));
  }

  /// After an invalid entry, maps and curves show the last valid values.
  void errorsOfTheFormMarkEverything() {
    ShownField s("masks");
    s.page.setDraftProblem("mask_text, line 2, column 14: unexpected )");
    QVERIFY(s.page.freshness().isOutdated());
    QCOMPARE(badgeOf(*s.maps()[0]), QString("not up to date"));
    QCOMPARE(problemOf(*s.maps()[0]), QString("Shows the last valid result: the mask's text has an error (line 2)"));
    int covered = 0;
    for (auto* view : s.page.findChildren<CurveView*>()) covered += view->freshness().isOutdated() ? 1 : 0;
    QVERIFY2(covered >= 3, "keys seen, row and column profile");
    s.page.setDraftProblem({});
    QVERIFY(s.page.freshness().isCurrent());
    QCOMPARE(badgeOf(*s.maps()[0]), QString("exact"));
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

  void curvesAreReadAsTheirOwnMethod() {
    ShownField s;
    QVERIFY(s.page.goTo({5, 5}));
    s.settle();
    QCOMPARE(s.method, std::string("t5_bucket"));
    for (auto* view : s.page.findChildren<CurveView*>()) {
      if (!view->isVisible() || titleOf(*view).contains("profile")) continue;
      auto* plot = view->findChild<QCustomPlot*>();
      moveMouse(plot, plot->axisRect()->rect().center());
      QVERIFY(s.report && s.method != "t5_bucket");
      QVERIFY(find_method(s.method)->curves());
      moveMouse(plot, QPoint(1, plot->height() - 1));
      s.settle();
      QCOMPARE(s.method, std::string("t5_bucket"));
      COMPARE_TEXT(factOf(s.report, "q"), "5");
    }
  }

  void differenceOfEqualSidesIsZero() {
    for (const char* name : {"buckets", "rotary"}) {
      ShownField s(name);
      s.change([](ShownPage& state) {
        state.compare = CompareMode::difference;
        state.other = state.values;
      });
      QCOMPARE(s.maps().size(), std::size_t{1});
      const MatrixContent& content = s.maps()[0]->content();
      for (const Cell cell : {Cell{0, 0}, Cell{300, 4}, Cell{511, 31}})
        QCOMPARE(content.field->at(cell.row, cell.col), 0.0);
      const auto colours = coloursOf(s.maps()[0]->picture()->image);
      QVERIFY2(colours == std::set<QRgb>{content.scale.colourOf(0)}, name);
    }
  }

  void theDifferenceOfUnlikeSides() {
    ShownField s;
    s.change([](ShownPage& state) {
      state.compare = CompareMode::difference;
      state.other.set("num_buckets", Index{16});
    });
    const Method& method = *find_method("t5_bucket");
    const auto a = make_field(method, carried_values(method, s.state().values)).value();
    const auto b = make_field(method, carried_values(method, s.state().other)).value();
    const auto& shown = *s.maps()[0]->content().field;
    for (Index col = 0; col < 512; col += 37) QCOMPARE(shown.at(200, col), a->at(200, col) - b->at(200, col));
    s.change([](ShownPage& state) { state.compare = CompareMode::none; });
    QCOMPARE(s.maps()[0]->content().field->at(200, 0), a->at(200, 0));
  }

  /// Where nothing is compared a method's linked maps stand in the place of the one.
  void linkedMapsStandBesideEachOther() {
    NEEDS_LAB();
    ShownField s("vq");
    s.page.resize(1500, 600);  // for a row of maps
    s.change([](ShownPage& state) {
      state.method = "vq_weights";
      state.values.set("q_length", Index{128});
    });
    const auto maps = s.page.maps();
    QCOMPARE(maps.size(), std::size_t{3});
    QCOMPARE(s.maps().size(), std::size_t{3});
    const char* const titles[] = {"with keys", "with codewords", "difference"};
    for (std::size_t i = 0; i < 3; ++i) QCOMPARE(maps[i]->content().title, QString(titles[i]));
    QCOMPARE(maps[0]->content().subtitle, QString("T 128"));  // without "exact": the title says it
    const auto at = [&](std::size_t map, Index row, Index col) { return maps[map]->content().field->at(row, col); };
    QCOMPARE(at(2, 90, 17), at(1, 90, 17) - at(0, 90, 17));
    QVERIFY2(at(2, 90, 17) != 0, "codewords are not the keys");
    QCOMPARE(maps[0]->content().scale.low, 0.0);
    QCOMPARE(maps[2]->content().scale.low, -maps[2]->content().scale.high);
  }

  void linkedMapsShareCursorAndRange() {
    NEEDS_LAB();
    ShownField s("vq");
    s.page.resize(1500, 600);  // for a row of maps
    s.change([](ShownPage& state) { state.method = "vq_weights"; });
    for (MatrixView* from : s.page.maps()) {
      Plot plot(*from);
      wheel(plot.widget(), plot.rect().center(), 2);
      QVERIFY(from->range());
      for (const auto* each : s.page.maps()) QCOMPARE(each->visibleRange(), from->visibleRange());
      QCOMPARE(s.state().view, from->range());
      s.page.fit();
      moveMouse(plot.widget(), plot.rect().center());
      s.settle();
      QCOMPARE(factOf(s.report, "map"), from->content().title.toStdString());
      for (auto* each : s.page.maps()) QCOMPARE(Plot(*each).cursorLines(), 2);
    }
    QCOMPARE(s.method, std::string("vq_weight_error"));
    s.settle();
    QVERIFY(s.page.goTo({300, 200}));
    for (const auto* each : s.page.maps()) QCOMPARE(each->picked(), std::optional(Cell{300, 200}));
    s.settle();
    QCOMPARE(factOf(s.report, "map"), std::string("with keys"));
  }

  void linkedMapsAreExportedOneByOne() {
    NEEDS_LAB();
    ShownField s("vq");
    s.change([](ShownPage& state) { state.method = "vq_weights"; });
    const auto targets = s.page.exportTargets();
    QVERIFY(targets.size() >= 3);
    QCOMPARE(targets[0].name, std::string("with keys"));
    QCOMPARE(targets[0].values.choice("weights"), std::string("exact"));
    QCOMPARE(targets[1].values.choice("weights"), std::string("quantised"));
    QCOMPARE(targets[2].method->id, std::string("vq_weight_error"));
    std::vector<std::string> requested;
    connect(&s.page, &PageWidget::exportRequested, this,
            [&](const ExportTarget& target) { requested.push_back(target.name); });
    for (auto* view : s.page.maps())
      for (auto* button : view->header()->findChildren<QToolButton*>())
        if (button->toolTip() == "Export this map") button->click();
    QCOMPARE(requested, (std::vector<std::string>{"with keys", "with codewords", "difference"}));
  }

  /// Three maps in a narrow page stand in two rows, and the curves take the place that is left.
  void linkedMapsWrap() {
    NEEDS_LAB();
    ShownField s("vq");
    s.change([](ShownPage& state) { state.method = "vq_weight_error"; });
    s.page.resize(850, 700);
    s.change([](ShownPage& state) { state.method = "vq_weights"; });
    QVERIFY2(std::abs(s.page.maps()[2]->width() - s.page.maps()[1]->width()) < 3, "halves at once");
    const auto top = [&](std::size_t map) {
      const MatrixView* view = s.page.maps()[map];
      return view->mapTo(&s.page, QPoint(0, 0)).y();
    };
    const auto* profiles = s.page.findChild<ProfileColumn*>();
    s.page.resize(400, 400);
    s.page.resize(850, 700);
    s.settle();
    QCOMPARE(top(1), top(0));
    QVERIFY(top(2) > top(1));
    QVERIFY(profiles->isVisible() && profiles->mapTo(&s.page, QPoint(0, 0)).y() == top(2));
    QVERIFY2(std::abs(profiles->width() - s.page.maps()[2]->width()) < 3, "halves");
    // Where halves are too small, one is in front, with tabs for the others and the curves.
    auto* tabs = s.page.findChild<QTabBar*>();
    for (const QSize low : {QSize(850, 650), QSize(650, 700), QSize(430, 340)}) {
      s.page.resize(low);
      QVERIFY2(tabs->isVisible(), qPrintable(QStringLiteral("%1x%2").arg(low.width()).arg(low.height())));
    }
    QCOMPARE(tabs->count(), 4);
    QVERIFY(s.page.maps()[0]->height() > 280 && !s.page.maps()[1]->isVisible() && !profiles->isVisible());
    tabs->setCurrentIndex(1);
    QVERIFY(s.page.maps()[1]->isVisible() && !s.page.maps()[0]->isVisible());
    tabs->setCurrentIndex(3);
    QVERIFY(profiles->isVisible() && !s.page.maps()[1]->isVisible());
    QVERIFY2(profiles->findChild<CurveView*>()->height() >= 200, "curves have the place of the map, and scroll");
    s.settle();
    QVERIFY(s.page.goTo({3, 2}));
    QVERIFY(s.page.maps()[0]->isVisible());
    s.page.resize(1500, 600);
    s.settle();
    QVERIFY(!tabs->isVisible());
    QCOMPARE(top(2), top(0));
    QVERIFY(profiles->isVisible());
    s.change([](ShownPage& state) {
      state.compare = CompareMode::side_by_side;
      state.other = state.values;
    });
    QCOMPARE(s.page.maps().size(), std::size_t{2});
    QCOMPARE(s.page.maps()[0]->content().title, QString("A"));
    s.change([](ShownPage& state) {
      state.method = "vq_weight_error";
      state.compare = CompareMode::none;
    });
    QCOMPARE(s.page.maps().size(), std::size_t{1});
    QCOMPARE(s.maps().size(), std::size_t{1});
  }

  /// Not every map and curve repeats it.
  void oneMapSaysAnError() {
    NEEDS_LAB();
    ShownField s("vq");
    s.page.resize(850, 700);
    s.settle();
    s.page.setDraftProblem("n_code is 0");
    const auto said = [&] {
      const auto labels = s.page.findChildren<QLabel*>();
      return std::ranges::count_if(
          labels, [](const QLabel* label) { return label->isVisible() && label->text().contains("n_code is 0"); });
    };
    QTRY_COMPARE(said(), 1);
  }

  void goingToACell() {
    ShownField s;
    s.bench.setView("buckets", std::nullopt);
    s.maps()[0]->setRange(ViewRange{0, 20, 0, 20});
    QVERIFY(s.page.goTo({400, 7}));
    QCOMPARE(s.maps()[0]->picked(), std::optional(Cell{400, 7}));
    const ViewRange range = s.maps()[0]->visibleRange();
    QVERIFY(range.row_first <= 400 && range.row_last >= 401 && range.col_first <= 7);
    s.settle();
    QVERIFY(s.report);
  }

  void goToOutsideOfTheMatrixIsAnError_data() {
    QTest::addColumn<Index>("row");
    QTest::addColumn<Index>("col");
    QTest::newRow("row") << Index{512} << Index{0};
    QTest::newRow("column") << Index{0} << Index{600};
    QTest::newRow("negative") << Index{-1} << Index{5};
    QTest::newRow("far") << (Index{1} << 62) << -(Index{1} << 62);
  }

  void goToOutsideOfTheMatrixIsAnError() {
    QFETCH(Index, row);
    QFETCH(Index, col);
    ShownField s;
    COMPARE_ERROR(s.page.goTo({row, col}), "cell (" + std::to_string(row) + ", " + std::to_string(col) +
                                               ") is outside the matrix; rows are 0 to 511 and columns 0 to 511");
    QVERIFY(!s.maps()[0]->picked());
    QVERIFY(!s.maps()[0]->range());
  }

  void theCellUnderTheMouseIsReported() {
    ShownField s;
    s.change([](ShownPage& state) { state.values.set("q_length", Index{16}); });
    Plot plot(*s.maps()[0]);
    moveMouse(plot.widget(), plot.middleOf({9, 3}));
    s.settle();
    const CellReport expected = s.maps()[0]->content().field->report(9, 3);
    QVERIFY(s.report);
    QCOMPARE(s.report->facts, expected.facts);
    QCOMPARE(s.report->why, expected.why);
    QCOMPARE(factOf(s.report, expected.facts[0].first), expected.facts[0].second);
    moveMouse(plot.widget(), QPoint(1, plot.widget()->height() - 1));
    QVERIFY(!s.report);
  }

  /// A cell that was picked in a larger matrix is outside of the smaller one.
  void aSmallerMatrixHasNoReportForALostCell() {
    ShownField s;
    QVERIFY(s.page.goTo({500, 500}));
    s.settle();
    QVERIFY(s.report);
    s.change([](ShownPage& state) { state.values.set("q_length", Index{10}); });
    QVERIFY(!s.report);
  }

  void exportTargetsOfThePage() {
    ShownField s;
    auto targets = s.page.exportTargets();
    QCOMPARE(targets.front().method->id, std::string("t5_bucket"));
    QVERIFY(!targets.front().view);
    s.maps()[0]->setRange(ViewRange{1, 5, 2, 9});
    QCOMPARE(s.page.exportTargets().front().view, std::optional(ViewRange{1, 5, 2, 9}));
    s.change([](ShownPage& state) {
      state.compare = CompareMode::side_by_side;
      state.other.set("num_buckets", Index{16});
    });
    targets = s.page.exportTargets();
    QVERIFY(targets.size() >= 3);
    QCOMPARE(targets[1].values.integer("num_buckets"), Index{16});
  }

  void everyPageOfFieldsWorks() {
    for (const auto& info : page_infos()) {
      if (info.fields.empty()) continue;
      ShownField s(info.id.c_str());
      for (const auto& method : info.fields) {
        s.change([&](ShownPage& state) { state.method = method; });
        QCOMPARE(s.page.mainMethod()->id, method);
        QVERIFY(s.page.goTo({1, 1}));
        s.settle();
        QVERIFY(s.report && !s.report->facts.empty());
        s.page.zoom(0.5);
        s.settle();
        s.page.fit();
        s.settle();
      }
      QVERIFY2(problemOf(*s.maps()[0]).isEmpty(), qPrintable(problemOf(*s.maps()[0])));
    }
  }

  void longSequences() {
    ShownField s;
    s.change([](ShownPage& state) { state.values.set("q_length", Index{2097152}); });
    QVERIFY(s.maps()[0]->picture()->exact);
    QVERIFY(s.page.goTo({2097151, 0}));
    s.settle();
  }

  /// Also for blocks, picked cells are those of the mask.
  void blocksKeepTheirMask() {
    ShownField s("masks");
    s.change([](ShownPage& next) {
      next.method = "mask_blocks";
      next.values.set("q_length", Index{300});
      next.values.set("block_size", Index{64});
    });
    QVERIFY(s.page.blocks());
    QVERIFY(s.page.mask()->extent() == (Extent{300, 300}));
    QVERIFY(*s.page.extent() == (Extent{5, 5}));
    const auto given = s.page.lintCase();
    QVERIFY(given->mask == s.page.mask());
    QCOMPARE(given->layout.q_length(), Index{300});
    std::vector<Cell> picked;
    connect(&s.page, &PageWidget::cellPicked, this, [&](Cell cell) { picked.push_back(cell); });
    QVERIFY(s.page.goTo({2, 1}));
    QVERIFY(s.page.goToKey({299, 130}));
    QCOMPARE(picked, (std::vector<Cell>{{128, 64}, {299, 130}}));
    s.settle();
    QCOMPARE(factOf(s.report, "queries"), std::string("256 to 299"));
    QCOMPARE(factOf(s.report, "keys"), std::string("128 to 191"));
    COMPARE_ERROR(s.page.goToKey({300, 0}),
                  "cell (300, 0) is outside the matrix; rows are 0 to 299 and columns 0 to 299");
  }

  /// The mask that is on screen is the one that is checked; it is not made again.
  void textsAreCheckedAsTheyAreShown() {
    ShownField s("masks");
    for (const char* method : {"visibility", "mask_blocks"}) {
      s.change([&](ShownPage& next) {
        next.method = method;
        next.values.set("mask", std::string("custom"));
        next.values.set("mask_text", std::string("kv_idx <= q_idx + far"));
        next.values.set("text.far", Index{0});
        next.values.set("q_length", Index{40});
      });
      const auto given = s.page.lintCase();
      QVERIFY(given && given->mask == s.page.mask());
      QVERIFY(given->objective_assumed);
      QVERIFY(lint_mask(*given).findings.empty());
    }
  }
};

VQSCOPE_TEST(FieldPageTest)
#include "field_page_test.moc"
