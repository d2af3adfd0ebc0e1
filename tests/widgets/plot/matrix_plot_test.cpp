// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/matrix_plot.h"

#include "tests/support/test_main.h"
#include "tests/widgets/plot/matrix_cases.h"
#include "widgets/plot/legend_element.h"

#include <qcustomplot.h>

#include <QTest>

#include <limits>
#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A matrix in a plot, laid out and painted as the window and the exporter do.
class ShownMatrix {
 public:
  explicit ShownMatrix(PictureRequest request, QSize size = {640, 560}) : m_map(m_plot), m_request(std::move(request)) {
    m_plot.resize(size);
    m_plot.setViewport(QRect(QPoint(), size));
    m_map.setStyle(figureStyle());
    m_map.setTitles("query position q", "key position k");
    m_map.setRange(m_request.range);
    show({1, 1});  // the legend's height decides the map's
    show(m_map.mapSize());
    m_image = m_plot.toPixmap(size.width(), size.height()).toImage();
  }

  QCustomPlot& plot() { return m_plot; }
  MatrixPlot& map() { return m_map; }
  const PictureRequest& request() const { return m_request; }
  const QImage& image() const { return m_image; }
  QRect mapRect() const { return m_plot.axisRect()->rect(); }
  QRgb pixel(QPoint at) const { return m_image.pixel(at) | 0xff000000U; }

  /// Pixels of a cell, without its border.
  QRect inside(Index row, Index col) const {
    const auto x = [&](double at) { return m_plot.xAxis2->coordToPixel(at); };
    const auto y = [&](double at) { return m_plot.yAxis->coordToPixel(at); };
    const auto r = static_cast<double>(row);
    const auto c = static_cast<double>(col);
    return QRectF(QPointF(x(c - 0.5), y(r - 0.5)), QPointF(x(c + 0.5), y(r + 0.5)))
        .toAlignedRect()
        .adjusted(3, 3, -3, -3);
  }

  std::set<QRgb> colours(const QRect& rect) const {
    std::set<QRgb> found;
    for (int y = rect.top(); y <= rect.bottom(); ++y)
      for (int x = rect.left(); x <= rect.right(); ++x) found.insert(pixel({x, y}));
    return found;
  }

 private:
  void show(QSize pixels) {
    m_request.pixels = pixels;
    m_map.setPicture(renderPicture(m_request, {std::numeric_limits<Index>::max(), 2}, {}));
    m_plot.replot(QCustomPlot::rpImmediateRefresh);
  }

  QCustomPlot m_plot;
  MatrixPlot m_map;
  PictureRequest m_request;
  QImage m_image;
};

ShownMatrix shown(const char* id, const ParameterValues::Map& set) { return ShownMatrix(requestOf(id, set, {1, 1})); }

/// Rows of the rectangle with a pixel of another colour than `background`.
int rowsWithOther(const QImage& image, const QRect& rect, QRgb background) {
  int rows = 0;
  for (int y = rect.top(); y <= rect.bottom(); ++y)
    for (int x = rect.left(); x <= rect.right(); ++x)
      if ((image.pixel(x, y) | 0xff000000U) != background) {
        ++rows;
        break;
      }
  return rows;
}

}  // namespace

class MatrixPlotTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rowZeroIsAtTheTop() {
    ShownMatrix s = shown("t5_bucket", {{"q_length", Index{4}}});
    QVERIFY(s.inside(0, 0).top() < s.inside(3, 0).top());
    QVERIFY(s.inside(0, 0).left() < s.inside(0, 3).left());
    for (Index row = 0; row < 4; ++row)
      for (Index col = 0; col < 4; ++col) {
        const QRgb expected = s.request().scale.colourOf(s.request().field->at(row, col));
        QVERIFY2(s.pixel(s.inside(row, col).topLeft()) == expected,
                 qPrintable(QString("cell (%1, %2)").arg(row).arg(col)));
      }
    // The top right corner is a future key, bucket 16 + 3; the bottom left one a past key, bucket
    // 3.
    QCOMPARE(s.pixel(s.inside(0, 3).topLeft()), s.request().scale.categories[19]);
    QCOMPARE(s.pixel(s.inside(3, 0).topLeft()), s.request().scale.categories[3]);
  }

  /// A legend that shrank would make the map larger, the larger map another picture, and that the
  /// legend grow again.
  void theLegendOfTheSameCellsDoesNotShrink() {
    ShownMatrix s = shown("rope_phase_error", {{"q_length", Index{64}}});
    const auto heightWith = [&](bool zeros, double lastRow) {
      auto picture = std::make_shared<MatrixPicture>(*s.map().picture());
      picture->request.range.row_last = lastRow;
      picture->request.scale.hasZero = zeros;
      picture->request.scale.decoderPast = zeros ? std::optional(Index{0}) : std::nullopt;
      s.map().setPicture(picture);
      s.plot().replot(QCustomPlot::rpImmediateRefresh);
      return s.mapRect().height();
    };
    const int without = heightWith(false, 32);
    const int with = heightWith(true, 32);
    QVERIFY(with < without);
    QCOMPARE(heightWith(false, 32), with);
    QCOMPARE(heightWith(false, 16), without);
  }

  void theMapFillsItsAxes() {
    const ShownMatrix s = shown("t5_bucket", {{"q_length", Index{500}}});
    const QRgb panel = palette(Theme::light).panel.rgb();
    QCOMPARE(s.colours(s.mapRect().adjusted(1, 1, -1, -1)).count(panel), std::size_t{0});
  }

  void aDiagonalOfOnePixelIsInEveryRow() {
    const ShownMatrix s(identity(4096, {1, 1}));
    const QRect map = s.mapRect().adjusted(1, 1, -1, -1);
    QCOMPARE(rowsWithOther(s.image(), map, s.request().scale.reasonColours[1]), map.height());
  }

  /// The reason for a plottable of our own. Should this begin to fail, QCustomPlot has become
  /// better.
  void libraryColourMapLosesThinLines() {
    constexpr int length = 2048;
    QCustomPlot plot;
    plot.setViewport(QRect(0, 0, 640, 560));
    auto* map = new QCPColorMap(plot.xAxis, plot.yAxis);
    map->setInterpolate(false);
    map->data()->setSize(length, length);
    map->data()->setRange({0, length - 1}, {0, length - 1});
    for (int i = 0; i < length; ++i) map->data()->setCell(i, i, 1);
    map->setGradient(QCPColorGradient::gpGrayscale);
    map->setDataRange({0, 1});
    plot.rescaleAxes();
    const QImage image = plot.toPixmap(640, 560).toImage();
    const QRect rect = plot.axisRect()->rect().adjusted(2, 2, -2, -2);
    QVERIFY(rowsWithOther(image, rect, 0xff000000U) < rect.height());
  }

  void largeCellsHaveTheirNumbers() {
    const ShownMatrix s = shown("t5_bucket", {{"q_length", Index{8}}});
    QVERIFY(s.inside(0, 0).width() >= 28 && s.inside(0, 0).height() >= 28);
    for (Index i = 0; i < 8; ++i) {
      const auto colours = s.colours(s.inside(i, 7 - i));
      QVERIFY2(colours.size() > 1, qPrintable(QString("no number in row %1").arg(i)));
      QVERIFY(colours.contains(s.request().scale.colourOf(s.request().field->at(i, 7 - i))));
    }
  }

  void smallCellsHaveNone() {
    const ShownMatrix s = shown("t5_bucket", {{"q_length", Index{32}}});
    QVERIFY(s.inside(0, 0).width() < 28);
    for (Index i = 0; i < 32; ++i) QCOMPARE(s.colours(s.inside(i, 31 - i)).size(), std::size_t{1});
  }

  /// As much of a title as its axis has space for.
  void titlesFitTheirAxes() {
    ShownMatrix s = shown("t5_bucket", {{"q_length", Index{4}}});
    QCOMPARE(s.plot().yAxis->label(), QString("query position q"));
    for (const int height : {200, 120, 560}) {
      s.plot().setViewport(QRect(0, 0, 640, height));
      s.plot().replot(QCustomPlot::rpImmediateRefresh);
      const QFontMetrics metrics(s.plot().yAxis->labelFont());
      const int room = 2 * (s.plot().axisRect()->rect().center().y());
      QVERIFY2(metrics.horizontalAdvance(s.plot().yAxis->label()) <= room, qPrintable(QString::number(height)));
    }
    QCOMPARE(s.plot().yAxis->label(), QString("query position q"));
  }

  void theLegendShowsEveryBucket() {
    ShownMatrix s = shown("t5_bucket", {{"q_length", Index{200}}, {"num_buckets", Index{8}}});
    auto* legend = s.plot().plotLayout()->element(1, 0);
    QVERIFY(legend);
    const QRect rect = legend->rect();
    QVERIFY2(rect.height() > 10 && rect.width() > 100, "no legend");
    QVERIFY(rect.top() >= s.mapRect().bottom());
    const auto colours = s.colours(rect);
    for (std::size_t i = 0; i < s.request().scale.categories.size(); ++i)
      QVERIFY2(colours.contains(s.request().scale.categories[i]), qPrintable(QString("no bucket %1").arg(i)));
  }

  void theLegendShowsTheTerms() {
    ShownMatrix s = shown("visibility", {{"mask", std::string("sliding_window")}, {"q_length", Index{512}}});
    const auto colours = s.colours(s.plot().plotLayout()->element(1, 0)->rect());
    QVERIFY(colours.contains(s.request().scale.visible));
    for (const QRgb term : s.request().scale.reasonColours) QVERIFY(colours.contains(term));
  }

  /// A few labels with names of their own have swatches, which wrap where a bar would drop names.
  void aNarrowLegendNamesEachLabel() {
    ShownMatrix s(requestOf("mask_reach", {{"q_length", Index{32}}}, {200, 200}), {300, 260});
    const auto* legend = qobject_cast<LegendElement*>(s.plot().plotLayout()->element(1, 0));
    QVERIFY(legend);
    std::set<std::string> names;
    for (int y = legend->rect().top(); y <= legend->rect().bottom(); ++y)
      for (int x = legend->rect().left(); x <= legend->rect().right(); ++x)
        if (const auto part = legend->partAt({static_cast<double>(x), static_cast<double>(y)}))
          names.insert(nameOf(s.request().scale, *part));
    QCOMPARE(names, (std::set<std::string>{"after the query", "another document", "direct", "not reached",
                                           "through layers below"}));
  }

  void rangesAreRestored() {
    ShownMatrix s = shown("t5_bucket", {{"q_length", Index{512}}});
    const ViewRange range{12.25, 40, 100, 133.5};
    s.map().setRange(range);
    QCOMPARE(s.map().range(), range);
    QVERIFY(s.map().picture());
  }

  /// Each token has its text while a cell is as high as a line of text; further out there are
  /// numbers alone.
  void tokensStandOnTheAxes() {
    ShownMatrix s = shown("visibility", {{"q_length", Index{6}}});
    const auto labels = [&](QCPAxis* axis) {
      s.plot().replot(QCustomPlot::rpImmediateRefresh);
      QStringList all;
      for (const QString& label : axis->tickVectorLabels()) all << label;
      return all;
    };
    s.map().setTokens({"The", " cat", "sat"}, {.rows = true, .cols = true, .first_query = 1});
    const QStringList rows = labels(s.plot().yAxis);
    QVERIFY2(rows.contains("␣cat  0") && rows.contains("sat  1") && rows.contains("2"), qPrintable(rows.join(", ")));
    const QStringList cols = labels(s.plot().xAxis2);
    QVERIFY2(cols.contains("0  The") && cols.contains("2  sat") && cols.contains("3"), qPrintable(cols.join(", ")));
    QCOMPARE(s.plot().xAxis2->tickLabelRotation(), -90.0);
    s.map().setRange({0, 500, 0, 500});
    QVERIFY(!labels(s.plot().yAxis).contains("␣cat  0"));
    QCOMPARE(s.plot().xAxis2->tickLabelRotation(), 0.0);
    s.map().setRange({0, 6, 0, 6});
    s.map().setTokens({}, {});
    QVERIFY(!labels(s.plot().yAxis).contains("␣cat  0"));
    QCOMPARE(s.plot().xAxis2->tickLabelRotation(), 0.0);
  }

  /// While the next picture is on its way the last one stays in its place.
  void anOldPictureIsStretchedToItsCells() {
    ShownMatrix s = shown("t5_bucket", {{"q_length", Index{16}}});
    s.map().setRange({0, 4, 0, 4});
    const QImage image = s.plot().toPixmap(640, 560).toImage();
    const QRect cell = s.inside(2, 1);
    QCOMPARE(image.pixel(cell.topLeft()) | 0xff000000U, s.request().scale.colourOf(s.request().field->at(2, 1)));
  }
};

VQSCOPE_TEST(MatrixPlotTest)
#include "matrix_plot_test.moc"
