// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/matrix_view.h"

#include "tests/support/test_main.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/theme/palette.h"
#include "widgets/view/map/map_drag.h"
#include "widgets/view/view_header.h"

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A view on screen with its first picture.
struct ShownMap {
  MatrixView view;
  Plot plot{view};
  std::vector<std::optional<ViewRange>> ranges;
  std::vector<Cell> picked;
  std::vector<std::optional<Cell>> hovered;

  explicit ShownMap(const ParameterValues::Map& set = {{"q_length", Index{512}}}, const char* id = "t5_bucket") {
    QObject::connect(&view, &MatrixView::rangeChanged, &view, [this](const auto& range) { ranges.push_back(range); });
    QObject::connect(&view, &MatrixView::cellHovered, &view, [this](const auto& cell) { hovered.push_back(cell); });
    QObject::connect(&view, &MatrixView::cellPicked, &view, [this](const Cell& cell) {
      picked.push_back(cell);
      view.setPicked(cell);
    });
    view.resize(620, 560);
    view.setContent(contentOf(id, set));
    view.show();
    settle();
  }

  /// Pixels of the screen that the map has.
  QSize mapPixels() const { return (QSizeF(plot.rect().size()) * view.devicePixelRatioF()).toSize(); }

  /// Until the picture is that of the range in view.
  void settle() {
    QTRY_VERIFY(view.picture() && !view.isBusy() && view.picture()->request.range == view.visibleRange() &&
                view.picture()->request.field == view.content().field && view.picture()->request.pixels == mapPixels());
  }
};

bool contains(const ViewRange& range, Cell cell) {
  const auto row = static_cast<double>(cell.row);
  const auto col = static_cast<double>(cell.col);
  return range.row_first <= row && row + 1 <= range.row_last && range.col_first <= col && col + 1 <= range.col_last;
}

double rows(const ViewRange& range) { return range.row_last - range.row_first; }

}  // namespace

class MatrixViewTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void beginsWithTheWholeMatrix() {
    ShownMap s;
    QVERIFY(!s.view.range());
    QCOMPARE(s.view.visibleRange(), (ViewRange{0, 512, 0, 512}));
    QVERIFY(s.view.picture()->exact);
    QVERIFY(s.view.frameMilliseconds() > 0);
    QVERIFY2(s.ranges.empty(), "nobody has changed the range");
    QCOMPARE(s.view.picture()->request.pixels, s.mapPixels());
  }

  void theWheelZoomsAtTheCursor() {
    ShownMap s;
    for (const double fraction : {0.2, 0.5, 0.9}) {
      const QPointF at(s.plot.rect().left() + fraction * s.plot.rect().width(),
                       s.plot.rect().top() + (1 - fraction) * s.plot.rect().height());
      const QPointF before = s.plot.cellAt(at);
      const double size = rows(s.view.visibleRange());
      wheel(s.plot.widget(), at, 1);
      const QPointF after = s.plot.cellAt(at);
      QVERIFY2(std::abs(after.x() - before.x()) < 1e-6 && std::abs(after.y() - before.y()) < 1e-6,
               qPrintable(QString("the cell under the mouse moved from (%1, %2) to (%3, %4)")
                              .arg(before.y())
                              .arg(before.x())
                              .arg(after.y())
                              .arg(after.x())));
      QVERIFY(rows(s.view.visibleRange()) < size);
      QVERIFY(s.view.range());
      QCOMPARE(s.ranges.back(), s.view.range());
    }
    s.settle();
  }

  void zoomingOutEndsAtTheWholeMatrix() {
    ShownMap s;
    const QPointF middle = s.plot.rect().center();
    wheel(s.plot.widget(), middle, 3);
    wheel(s.plot.widget(), middle, -40);
    QCOMPARE(s.view.visibleRange(), (ViewRange{0, 512, 0, 512}));
    QVERIFY2(!s.view.range(), "the whole matrix is no range of its own");
    QVERIFY(!s.ranges.back());
  }

  /// Shift drags a box of whole cells to zoom into; a stop of the way back.
  void aBoxIsZoomedInto() {
    ShownMap s;
    const auto pixel = [&s](double row, double col) {
      const QRectF map = s.plot.rect();
      return QPointF(map.left() + col / 512 * map.width(), map.top() + row / 512 * map.height()).toPoint();
    };
    drag(s.plot.widget(), pixel(300, 300), pixel(100, 50), Qt::ShiftModifier);
    const ViewRange range = s.view.visibleRange();
    QVERIFY(std::abs(range.row_first - 100) <= 2 && std::abs(range.row_last - 300) <= 2);
    QVERIFY(std::abs(range.col_first - 50) <= 2 && std::abs(range.col_last - 300) <= 2);
    QCOMPARE(range.row_first, std::floor(range.row_first));
    QCOMPARE(s.ranges.size(), std::size_t{1});
    QVERIFY(s.picked.empty());
    drag(s.plot.widget(), pixel(100, 100), pixel(100, 103), Qt::ShiftModifier);
    QCOMPARE(s.view.visibleRange(), range);
    s.view.goBack();
    QVERIFY(!s.view.range());
  }

  void aRulerMeasures() {
    ShownMap s;
    const QPoint from = s.plot.rect().center();
    drag(s.plot.widget(), from, from + QPoint(120, 40), Qt::ControlModifier);
    QVERIFY(!s.view.range());
    QVERIFY(s.picked.empty());
    const QString words = s.plot.shownText();
    QVERIFY2(words.startsWith("Δquery ") && words.endsWith(" cells"), qPrintable(words));
    wheel(s.plot.widget(), from, 2);
    QCOMPARE(s.plot.shownText(), words);  // it measures cells, not pixels
    QTest::keyClick(&s.view, Qt::Key_Escape);
    QCOMPARE(s.plot.shownText(), QString());
    drag(s.plot.widget(), from, from + QPoint(50, 0), Qt::ControlModifier);
    QVERIFY(!s.plot.shownText().isEmpty());
    s.view.setContent(contentOf("t5_bucket", {{"q_length", Index{64}}}));
    QCOMPARE(s.plot.shownText(), QString());
  }

  void rulersSayCells() {
    QCOMPARE(rulerWords({0, 10}, {87, 7}, "q", "k"), QStringLiteral("Δq 87, Δk −3\n88 × 4 cells\nk − q: 10 → −80"));
    QCOMPARE(rulerWords({5, 5}, {5, 5}, "token", "pair"), QStringLiteral("Δtoken 0, Δpair 0\n1 × 1 cells"));
    QCOMPARE(rulerWords({0, 0}, {0, 9999}, "q", "pair").replace(QChar(0x202F), ' '),
             QStringLiteral("Δq 0, Δpair 9 999\n1 × 10 000 cells"));
  }

  void zoomingInEndsAtOneCell() {
    ShownMap s;
    for (int i = 0; i < 100; ++i) wheel(s.plot.widget(), s.plot.rect().center(), 5);
    const ViewRange range = s.view.visibleRange();
    QVERIFY2(rows(range) >= 1 - 1e-9 && rows(range) < 2, qPrintable(QString::number(rows(range))));
    s.settle();
    s.view.zoom(0.5);
    QVERIFY(rows(s.view.visibleRange()) >= 1 - 1e-9);
  }

  void draggingPans() {
    ShownMap s;
    s.view.setRange(ViewRange{100, 200, 100, 200});
    s.settle();
    const QPoint from = s.plot.rect().center();
    const QPointF held = s.plot.cellAt(from);
    const QPoint to = from + QPoint(60, -40);
    drag(s.plot.widget(), from, to);
    const QPointF there = s.plot.cellAt(to);
    QVERIFY2(std::abs(there.x() - held.x()) < 0.5 && std::abs(there.y() - held.y()) < 0.5,
             "the cell that was taken hold of is not under the mouse");
    QVERIFY(std::abs(rows(s.view.visibleRange()) - 100) < 1e-6);
    QVERIFY(s.picked.empty());
    QVERIFY(!s.ranges.empty());
    s.settle();
  }

  void panningStopsAtTheBorder() {
    ShownMap s;
    s.view.setRange(ViewRange{0, 100, 400, 512});
    s.settle();
    drag(s.plot.widget(), s.plot.rect().center(), s.plot.rect().center() + QPoint(-200, 200));
    const ViewRange range = s.view.visibleRange();
    QCOMPARE(range.row_first, 0.0);
    QCOMPARE(range.col_last, 512.0);
    QVERIFY(std::abs(rows(range) - 100) < 1e-6);
    QVERIFY(std::abs(range.col_last - range.col_first - 112) < 1e-6);
  }

  void aDoubleClickFits() {
    ShownMap s;
    s.view.setRange(ViewRange{100, 200, 100, 200});
    s.settle();
    QTest::mouseDClick(s.plot.widget(), Qt::LeftButton, {}, s.plot.rect().center());
    QVERIFY(!s.view.range());
    QCOMPARE(s.view.visibleRange(), (ViewRange{0, 512, 0, 512}));
    QVERIFY(!s.ranges.empty() && !s.ranges.back());
    s.settle();
  }

  void aClickPicksTheCellUnderTheMouse() {
    ShownMap s({{"q_length", Index{16}}});
    for (const Cell cell : {Cell{0, 0}, Cell{15, 15}, Cell{3, 11}}) {
      QTest::mouseClick(s.plot.widget(), Qt::LeftButton, {}, s.plot.middleOf(cell));
      QVERIFY2(s.picked.back() == cell,
               qPrintable(QString("(%1, %2)").arg(s.picked.back().row).arg(s.picked.back().col)));
    }
  }

  void mouseEmitsItsCell() {
    ShownMap s({{"q_length", Index{16}}});
    moveMouse(s.plot.widget(), s.plot.middleOf({5, 9}));
    QCOMPARE(s.hovered.back(), std::optional(Cell{5, 9}));
    QCOMPARE(s.plot.cursorLines(), 2);
    moveMouse(s.plot.widget(), QPoint(2, s.plot.widget()->height() - 2));
    QVERIFY2(!s.hovered.back(), "there is no cell beside the map");
    QCOMPARE(s.plot.cursorLines(), 0);
  }

  void arrowKeysMoveThePickedCell() {
    ShownMap s;
    s.view.setPicked(Cell{10, 20});
    const auto after = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
      QTest::keyClick(&s.view, key, modifiers);
      return s.picked.back();
    };
    QCOMPARE(after(Qt::Key_Right), (Cell{10, 21}));
    QCOMPARE(after(Qt::Key_Down), (Cell{11, 21}));
    QCOMPARE(after(Qt::Key_Left), (Cell{11, 20}));
    QCOMPARE(after(Qt::Key_Up), (Cell{10, 20}));
    QCOMPARE(after(Qt::Key_Down, Qt::ShiftModifier), (Cell{20, 20}));
    QCOMPARE(after(Qt::Key_Left, Qt::ShiftModifier), (Cell{20, 10}));
  }

  void arrowKeysKeepTheCellInView() {
    ShownMap s;
    s.view.setRange(ViewRange{100, 110, 100, 110});
    s.settle();
    s.view.setPicked(Cell{109, 109});
    for (int i = 0; i < 25; ++i) {
      QTest::keyClick(&s.view, i % 2 ? Qt::Key_Down : Qt::Key_Right);
      QVERIFY2(contains(s.view.visibleRange(), s.picked.back()), qPrintable(QString("after %1 keys").arg(i + 1)));
      QVERIFY(std::abs(rows(s.view.visibleRange()) - 10) < 1e-6);
    }
    s.settle();
  }

  void arrowKeysStopAtTheBorder() {
    ShownMap s({{"q_length", Index{4}}});
    s.view.setPicked(Cell{0, 3});
    QTest::keyClick(&s.view, Qt::Key_Up);
    QCOMPARE(s.picked.back(), (Cell{0, 3}));
    QTest::keyClick(&s.view, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(s.picked.back(), (Cell{0, 3}));
  }

  void aFarCellIsBroughtIntoView() {
    ShownMap s({{"q_length", Index{2097152}}});
    s.view.setRange(ViewRange{0, 1000, 0, 1000});
    s.settle();
    for (const Cell cell : {Cell{2097151, 2097151}, Cell{0, 2097151}, Cell{1'000'000, 17}}) {
      s.view.reveal(cell);
      QVERIFY(contains(s.view.visibleRange(), cell));
      QVERIFY(std::abs(rows(s.view.visibleRange()) - 1000) < 1e-3);
    }
    s.settle();
  }

  void anotherSizeKeepsTheWholeMatrix() {
    ShownMap s;
    s.view.setContent(contentOf("t5_bucket", {{"q_length", Index{700}}, {"kv_length", Index{900}}}));
    s.settle();
    QVERIFY(!s.view.range());
    QCOMPARE(s.view.visibleRange(), (ViewRange{0, 700, 0, 900}));
    QVERIFY(s.ranges.empty());
  }

  void rangeIsKeptWhenTheContentChanges() {
    ShownMap s;
    const ViewRange range{100, 200, 50, 150};
    s.view.setRange(range);
    s.view.setContent(contentOf("t5_bucket", {{"q_length", Index{512}}, {"num_buckets", Index{8}}}));
    s.settle();
    QCOMPARE(s.view.visibleRange(), range);
  }

  void aRangeBeyondASmallerMatrixIsMovedIntoIt() {
    ShownMap s;
    s.view.setRange(ViewRange{400, 500, 400, 500});
    s.view.setPicked(Cell{450, 450});
    s.view.setContent(contentOf("t5_bucket", {{"q_length", Index{120}}}));
    s.settle();
    const ViewRange range = s.view.visibleRange();
    QVERIFY(range.row_first >= 0 && range.row_last <= 120 && range.col_first >= 0 && range.col_last <= 120);
    QVERIFY2(!s.view.picked(), "the picked cell is gone");
  }

  void theLastPictureStaysUntilTheNext() {
    ShownMap s;
    const auto before = s.view.picture();
    s.view.setContent(contentOf("t5_bucket", {{"q_length", Index{512}}, {"num_buckets", Index{8}}}));
    QCOMPARE(s.view.picture(), before);
    s.settle();
    QVERIFY(s.view.picture() != before);
  }

  void manyChangesEndWithTheLast() {
    ShownMap s;
    for (Index length = 600; length < 660; ++length) {
      s.view.setContent(contentOf("t5_bucket", {{"q_length", length}}));
      QCoreApplication::processEvents();
    }
    s.settle();
    QCOMPARE(s.view.picture()->request.field->extent(), (Extent{659, 659}));
  }

  void aNewSizeHasANewPicture() {
    ShownMap s;
    const QSize before = s.view.picture()->request.pixels;
    s.view.resize(900, 400);
    QTRY_VERIFY(s.view.picture()->request.pixels != before);
    s.settle();
    QCOMPARE(s.view.picture()->request.pixels, s.mapPixels());
  }

  void squareCells() {
    ShownMap s;
    MatrixContent content = contentOf("t5_bucket", {{"q_length", Index{100}}, {"kv_length", Index{300}}});
    content.keepAspect = true;
    s.view.setContent(content);
    s.settle();
    const QSizeF cell(s.plot.rect().width() / 300.0, s.plot.rect().height() / 100.0);
    QVERIFY2(std::abs(cell.width() / cell.height() - 1) < 0.05,
             qPrintable(QString("%1 by %2").arg(cell.width()).arg(cell.height())));
  }

  /// The pixels on screen agree with the field, not only the picture in memory.
  void pixelsOnScreen() {
    ShownMap s({{"q_length", Index{64}}});
    const QImage image = s.plot.widget()->grab().toImage();
    const auto& content = s.view.content();
    for (const Cell cell : {Cell{0, 63}, Cell{63, 0}, Cell{20, 30}, Cell{63, 63}}) {
      const QRgb expected = content.scale.colourOf(content.field->at(cell.row, cell.col));
      QCOMPARE(image.pixel(s.plot.middleOf(cell)), expected);
    }
  }

  void destructionWithRunningWork() {
    for (int i = 0; i < 10; ++i) {
      auto view = std::make_unique<MatrixView>();
      view->resize(500, 500);
      view->setContent(contentOf("rope_phase", {{"q_length", Index{2097152}}}));
      view->show();
      QCoreApplication::processEvents();
    }
    QCoreApplication::processEvents();
  }
};

VQSCOPE_TEST(MatrixViewTest)
#include "matrix_view_test.moc"
