// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/matrix_plot.h"

#include "widgets/plot/axis/index_ticker.h"
#include "widgets/plot/legend_element.h"
#include "widgets/plot/matrix_plottable.h"
#include "widgets/plot/plot_style.h"
#include "widgets/plot/row_marks.h"

#include <qcustomplot.h>

#include <cmath>

namespace vqscope {
namespace {

void prepareTicks(QCPAxis& axis, int mapPixels, int plotPixels) {
  axis.ticker()->setTickCount(tickCountFor(axis, mapPixels));
  if (auto* tokens = dynamic_cast<TokenTicker*>(axis.ticker().data())) tokens->prepare(axis, plotPixels);
}

/// The title itself, its first and last word, "query q", or its last, "q": as much as has space.
QString fittingTitle(const QString& title, const QFont& font, int room) {
  const QFontMetrics metrics(font);
  const QString last = title.section(QLatin1Char(' '), -1);
  for (const QString& words : {title, title.section(QLatin1Char(' '), 0, 0) + QLatin1Char(' ') + last})
    if (metrics.horizontalAdvance(words) <= room) return words;
  return metrics.elidedText(last, Qt::ElideRight, room);
}

/// A title is centred on its axis and does not leave the plot.
void fitTitles(QCustomPlot& plot, const QString& rows, const QString& cols) {
  const QPoint middle = plot.axisRect()->rect().center();
  const QRect all = plot.viewport();
  const auto room = [](int before, int behind) { return std::max(0, 2 * std::min(before, behind)); };
  const int high = room(middle.y() - all.top(), all.bottom() - middle.y());
  const int wide = room(middle.x() - all.left(), all.right() - middle.x());
  plot.yAxis->setLabel(fittingTitle(rows, plot.yAxis->labelFont(), high));
  plot.xAxis2->setLabel(fittingTitle(cols, plot.xAxis2->labelFont(), wide));
}

}  // namespace

MatrixPlot::MatrixPlot(QCustomPlot& plot) : m_plot(plot), m_titles(std::make_shared<Titles>()) {
  plot.setAutoAddPlottableToLegend(false);
  plot.xAxis->setVisible(false);
  plot.yAxis2->setVisible(false);
  plot.xAxis2->setVisible(true);
  plot.yAxis->setRangeReversed(true);
  for (QCPAxis* axis : {plot.xAxis2, plot.yAxis}) {
    axis->setTicker(QSharedPointer<IndexTicker>::create());
    axis->grid()->setVisible(false);
  }
  QObject::connect(&plot, &QCustomPlot::beforeReplot, &plot, [&plot, titles = m_titles] {
    prepareTicks(*plot.xAxis2, plot.axisRect()->width(), plot.viewport().width());
    prepareTicks(*plot.yAxis, plot.axisRect()->height(), plot.viewport().height());
    plot.plotLayout()->update(QCPLayoutElement::upLayout);  // after a change of the plot's size
    fitTitles(plot, titles->rows, titles->cols);
  });
  m_plottable = new MatrixPlottable(plot.xAxis2, plot.yAxis);
  m_legend = new LegendElement(&plot);
  m_legend->alignTo(plot.axisRect());
  plot.plotLayout()->addElement(1, 0, m_legend);
  plot.plotLayout()->setRowSpacing(0);
  m_strip = new RowStrip(&plot);
  plot.axisRect()->setMinimumMargins(leastMargins());
  setVisible(false);  // until there is a picture
}

bool MatrixPlot::setAspect(const std::optional<QSizeF>& cells) {
  QCPAxisRect* rect = m_plot.axisRect();
  rect->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
  rect->setMinimumMargins(leastMargins());
  if (!cells) return true;
  constexpr int least = 24;
  rect->setMinimumSize(least, least);
  // Below a narrower map the legend needs more lines, which again reduces the height of the map.
  bool square = true;
  for (int pass = 0; pass < 6; ++pass) {
    m_plot.plotLayout()->update(QCPLayoutElement::upPreparation);
    m_plot.plotLayout()->update(QCPLayoutElement::upMargins);
    m_plot.plotLayout()->update(QCPLayoutElement::upLayout);
    const QSize room = rect->size();
    const double side = std::min(room.width() / cells->width(), room.height() / cells->height());
    const auto pixels = [&](double count) { return static_cast<int>(std::lround(side * count)); };
    square = pixels(cells->width()) >= least && pixels(cells->height()) >= least;
    const QSize fitting(std::max(least, pixels(cells->width())), std::max(least, pixels(cells->height())));
    if (fitting == room) break;
    rect->setMaximumSize(fitting);
  }
  centre();
  return square;
}

/// A map that is narrower than the plot has equal space on both sides.
void MatrixPlot::centre() {
  QCPAxisRect* rect = m_plot.axisRect();
  const int space = m_plot.plotLayout()->rect().width() - rect->outerRect().width();
  if (space < 2) return;
  QMargins margins = leastMargins();
  margins.setLeft(rect->margins().left() + space / 2);
  rect->setMinimumMargins(margins);
}

QMargins MatrixPlot::leastMargins() const { return QMargins(8, 4, 12, 0) + QMargins(0, 0, m_strip->width(), 0); }

void MatrixPlot::setParts(bool axes, bool names, bool bar) {
  for (QCPAxis* axis : {m_plot.xAxis2, m_plot.yAxis}) axis->setVisible(axes);
  m_legend->setParts(names, bar);
}

QString notSquare() { return QCustomPlot::tr("cells not square: one side would be too narrow"); }

void MatrixPlot::setTitles(const QString& rows, const QString& cols) {
  *m_titles = {rows, cols};
  m_plot.yAxis->setLabel(rows);
  m_plot.xAxis2->setLabel(cols);
}

void MatrixPlot::showColumnTitle(bool shown) {
  const QColor colour = shown ? m_plot.yAxis->labelColor() : QColor(Qt::transparent);
  if (colour == m_plot.xAxis2->labelColor()) return;
  m_plot.xAxis2->setLabelColor(colour);
  m_plot.replot(QCustomPlot::rpQueuedReplot);
}

void MatrixPlot::setTokens(const TokenTexts& texts, const TokenAxes& axes) {
  const auto set = [&](QCPAxis& axis, bool tokens, Index first) {
    axis.setTickLabelRotation(0);
    if (tokens && !texts.empty())
      axis.setTicker(QSharedPointer<TokenTicker>::create(texts, first));
    else
      axis.setTicker(QSharedPointer<IndexTicker>::create());
  };
  // Cached labels are cut at the usual height of a line: Ġ would lose its dot.
  m_plot.setPlottingHint(QCP::phCacheLabels, texts.empty());
  set(*m_plot.yAxis, axes.rows, axes.first_query);
  set(*m_plot.xAxis2, axes.cols, 0);
}

void MatrixPlot::setStyle(const PlotStyle& style) {
  stylePlot(m_plot, style);
  m_legend->setStyle(style);
  m_plottable->setStyle(style);
  m_strip->setStyle(style);
}

void MatrixPlot::setScale(const ColourScale& scale) { m_legend->setScale(scale, false); }

void MatrixPlot::setRowMarks(const std::optional<RowMarks>& marks) {
  m_strip->setMarks(marks);
  m_plot.axisRect()->setMinimumMargins(leastMargins());
}

void MatrixPlot::setPicture(std::shared_ptr<const MatrixPicture> picture) {
  // Entries that a picture adds to the legend change the size of the map, and so the next picture.
  // If the legend also shrank for the same cells, it would request pictures without end.
  const auto& shown = m_plottable->picture();
  const QSize viewport = m_plot.viewport().size();
  const bool again = shown && shown->request.field == picture->request.field &&
                     shown->request.range == picture->request.range && viewport == m_viewport;
  m_viewport = viewport;
  m_legend->setLeastHeight(again ? m_legend->minimumOuterSizeHint().height() : 0);
  m_legend->setScale(picture->request.scale, picture->hasNotANumber);
  m_plottable->setPicture(std::move(picture));
  setVisible(true);
}

void MatrixPlot::clear() {
  m_plottable->setPicture(nullptr);
  setRowMarks(std::nullopt);
  setVisible(false);
}

void MatrixPlot::setVisible(bool visible) {
  m_plot.axisRect()->setVisible(visible);
  m_legend->setVisible(visible);
}

const std::shared_ptr<const MatrixPicture>& MatrixPlot::picture() const { return m_plottable->picture(); }

void MatrixPlot::setRange(const ViewRange& range) {
  m_plot.xAxis2->setRange(range.col_first - 0.5, range.col_last - 0.5);
  m_plot.yAxis->setRange(range.row_first - 0.5, range.row_last - 0.5);
}

ViewRange MatrixPlot::range() const {
  const QCPRange cols = m_plot.xAxis2->range();
  const QCPRange rows = m_plot.yAxis->range();
  return {rows.lower + 0.5, rows.upper + 0.5, cols.lower + 0.5, cols.upper + 0.5};
}

QSize MatrixPlot::mapSize() const { return m_plot.axisRect()->size(); }

std::optional<ScalePart> MatrixPlot::legendPartAt(const QPointF& position) const {
  return m_legend->visible() ? m_legend->partAt(position) : std::nullopt;
}

QString MatrixPlot::legendTipAt(const QPointF& position) const {
  return m_legend->visible() ? m_legend->tipAt(position) : QString();
}

}  // namespace vqscope
