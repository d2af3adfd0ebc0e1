// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/field_page.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/theme/palette.h"
#include "widgets/view/curve_view.h"

#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A page on screen; as in the window it follows what the workbench says.
struct Shown {
  Workbench bench;
  FieldPage page;
  std::string id;
  std::optional<CellReport> report;
  std::vector<FrameReport> frames;
  QStringList problems;

  explicit Shown(const char* name = "buckets") : page(bench, *findWorkspaceInfo(name), nullptr), id(name) {
    QObject::connect(&bench, &Workbench::changed, &page, &FieldPage::sync);
    QObject::connect(&page, &WorkspacePage::cellShown, &page, [this](const auto& cell) { report = cell; });
    QObject::connect(&page, &WorkspacePage::frameShown, &page, [this](const auto& frame) { frames.push_back(frame); });
    QObject::connect(&page, &WorkspacePage::problem, &page, [this](const auto& sentence) { problems << sentence; });
    page.resize(1100, 600);
    page.sync();
    page.show();
    settle();
  }

  WorkspaceState state() const { return *findWorkspace(bench.session(), id); }
  void change(const std::function<void(WorkspaceState&)>& change) {
    WorkspaceState next = state();
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
  void settle() {
    QTRY_VERIFY(!page.isBusy());
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

std::string factOf(const std::optional<CellReport>& report, std::string_view name) {
  if (report)
    for (const auto& [fact, value] : report->facts)
      if (fact == name) return value;
  return {};
}

}  // namespace

class FieldPageTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void oneMapAndItsCurves() {
    Shown s;
    QCOMPARE(s.maps().size(), std::size_t{1});
    QCOMPARE(s.page.extent(), std::optional(Extent{512, 512}));
    QCOMPARE(s.page.mainMethod()->id, std::string("t5_bucket"));
    QVERIFY(!s.frames.empty() && s.frames.back().exact);
    int curves = 0;
    for (auto* view : s.page.findChildren<CurveView*>()) curves += view->curves().x.empty() ? 0 : 1;
    QVERIFY2(curves >= 3, "staircase, row and column profile");
  }

  void anEditChangesThePicture() {
    Shown s;
    const auto before = s.maps()[0]->picture();
    s.change([](WorkspaceState& state) { state.values.set("q_length", Index{77}); });
    QVERIFY(s.maps()[0]->picture() != before);
    QCOMPARE(s.page.extent(), std::optional(Extent{77, 77}));
    s.bench.undoStack().undo();
    s.settle();
    QCOMPARE(s.maps()[0]->picture()->image, before->image);
  }

  void refusedEditsKeepThePicture() {
    Shown s;
    const auto before = s.maps()[0]->picture();
    WorkspaceState next = s.state();
    next.values.set("num_buckets", Index{31});
    QVERIFY(!s.bench.edit("bad", next));
    s.settle();
    QCOMPARE(s.maps()[0]->picture(), before);
  }

  void bothMapsShareTheirRange() {
    Shown s;
    s.change([](WorkspaceState& state) {
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
    Shown s;
    s.change([](WorkspaceState& state) { state.compare = CompareMode::side_by_side; });
    const auto maps = s.maps();
    QCOMPARE(maps.size(), std::size_t{2});
    Plot from(*maps[0]);
    Plot other(*maps[1]);
    moveMouse(from.widget(), from.middleOf({100, 300}));
    QCOMPARE(from.cursorLines(), 2);
    QCOMPARE(other.cursorLines(), 2);
    QVERIFY(s.report);
    moveMouse(from.widget(), QPoint(1, from.widget()->height() - 1));
    QCOMPARE(other.cursorLines(), 0);
    QTest::mouseClick(other.widget(), Qt::LeftButton, {}, other.middleOf({200, 17}));
    QVERIFY(maps[0]->picked());
    QCOMPARE(maps[0]->picked(), maps[1]->picked());
  }

  void theDifferenceOfEqualSidesIsNothing() {
    for (const char* name : {"buckets", "rotary"}) {
      Shown s(name);
      s.change([](WorkspaceState& state) {
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
    Shown s;
    s.change([](WorkspaceState& state) {
      state.compare = CompareMode::difference;
      state.other.set("num_buckets", Index{16});
    });
    const Method& method = *find_method("t5_bucket");
    const auto a = make_field(method, carried_values(method, s.state().values)).value();
    const auto b = make_field(method, carried_values(method, s.state().other)).value();
    const auto& shown = *s.maps()[0]->content().field;
    for (Index col = 0; col < 512; col += 37) QCOMPARE(shown.at(200, col), a->at(200, col) - b->at(200, col));
    s.change([](WorkspaceState& state) { state.compare = CompareMode::none; });
    QCOMPARE(s.maps()[0]->content().field->at(200, 0), a->at(200, 0));
  }

  void goingToACell() {
    Shown s;
    s.bench.setView("buckets", std::nullopt);
    s.maps()[0]->setRange(ViewRange{0, 20, 0, 20});
    QVERIFY(s.page.goTo({400, 7}));
    QCOMPARE(s.maps()[0]->picked(), std::optional(Cell{400, 7}));
    const ViewRange range = s.maps()[0]->visibleRange();
    QVERIFY(range.row_first <= 400 && range.row_last >= 401 && range.col_first <= 7);
    QVERIFY(s.report);
    s.settle();
  }

  void goingOutside_data() {
    QTest::addColumn<Index>("row");
    QTest::addColumn<Index>("col");
    QTest::newRow("row") << Index{512} << Index{0};
    QTest::newRow("column") << Index{0} << Index{600};
    QTest::newRow("negative") << Index{-1} << Index{5};
    QTest::newRow("far") << (Index{1} << 62) << -(Index{1} << 62);
  }

  void goingOutside() {
    QFETCH(Index, row);
    QFETCH(Index, col);
    Shown s;
    COMPARE_ERROR(s.page.goTo({row, col}), "cell (" + std::to_string(row) + ", " + std::to_string(col) +
                                               ") is outside of the matrix, rows are 0 to 511 and columns 0 to 511");
    QVERIFY(!s.maps()[0]->picked());
    QVERIFY(!s.maps()[0]->range());
  }

  void theCellUnderTheMouseIsReported() {
    Shown s;
    s.change([](WorkspaceState& state) { state.values.set("q_length", Index{16}); });
    Plot plot(*s.maps()[0]);
    moveMouse(plot.widget(), plot.middleOf({9, 3}));
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
    Shown s;
    QVERIFY(s.page.goTo({500, 500}));
    QVERIFY(s.report);
    s.change([](WorkspaceState& state) { state.values.set("q_length", Index{10}); });
    QVERIFY(!s.report);
  }

  void whatCanBeExported() {
    Shown s;
    auto targets = s.page.exportTargets();
    QCOMPARE(targets.front().method->id, std::string("t5_bucket"));
    QVERIFY(!targets.front().view);
    s.maps()[0]->setRange(ViewRange{1, 5, 2, 9});
    QCOMPARE(s.page.exportTargets().front().view, std::optional(ViewRange{1, 5, 2, 9}));
    s.change([](WorkspaceState& state) {
      state.compare = CompareMode::side_by_side;
      state.other.set("num_buckets", Index{16});
    });
    targets = s.page.exportTargets();
    QVERIFY(targets.size() >= 3);
    QCOMPARE(targets[1].values.integer("num_buckets"), Index{16});
  }

  void everyPageOfFieldsWorks() {
    for (const auto& info : workspaceInfos()) {
      if (info.fields.empty()) continue;
      Shown s(info.id.c_str());
      for (const auto& method : info.fields) {
        s.change([&](WorkspaceState& state) { state.method = method; });
        QCOMPARE(s.page.mainMethod()->id, method);
        QVERIFY(s.page.goTo({1, 1}));
        QVERIFY(s.report && !s.report->facts.empty());
        s.page.zoom(0.5);
        s.settle();
        s.page.fit();
        s.settle();
      }
      QVERIFY2(s.problems.isEmpty(), qPrintable(s.problems.join('\n')));
    }
  }

  void longSequences() {
    Shown s;
    s.change([](WorkspaceState& state) { state.values.set("q_length", Index{2097152}); });
    QVERIFY(s.maps()[0]->picture()->exact);
    QVERIFY(s.page.goTo({2097151, 0}));
    s.settle();
  }
};

VQSCOPE_TEST(FieldPageTest)
#include "field_page_test.moc"
