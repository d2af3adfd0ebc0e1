// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/map/map_drag.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"

#include <qcustomplot.h>

#include <cmath>
#include <cstdlib>

namespace vqscope {
namespace {

QString signedText(Index value) {
  const QString size = text(grouped(std::abs(value)));
  return value < 0 ? QStringLiteral("−") + size : size;
}

Cell cellOf(const QPointF& point) { return {static_cast<Index>(point.y()), static_cast<Index>(point.x())}; }

QString lastWord(const QString& title) { return title.section(QLatin1Char(' '), -1); }

}  // namespace

QString rulerWords(const Cell& from, const Cell& to, const QString& row, const QString& col) {
  const Index rows = to.row - from.row, cols = to.col - from.col;
  QString words = QStringLiteral("Δ%1 %2, Δ%3 %4").arg(row, signedText(rows), col, signedText(cols));
  words += QStringLiteral("\n%1 × %2 cells").arg(text(grouped(std::abs(rows) + 1)), text(grouped(std::abs(cols) + 1)));
  if (row == QLatin1String("q") && col == QLatin1String("k"))
    words += QStringLiteral("\nk − q: %1 → %2").arg(signedText(from.col - from.row), signedText(to.col - to.row));
  return words;
}

MapDrag::MapDrag(QCustomPlot& plot, std::function<void(const ViewRange&)> zoom)
    : PlotDrag(plot, *plot.xAxis2, *plot.yAxis), m_zoom(std::move(zoom)) {
  makeItems();
}

void MapDrag::setTitles(const QString& rows, const QString& cols) {
  m_row = lastWord(rows);
  m_col = lastWord(cols);
}

/// The middle of a cell has its index as its coordinate.
QPointF MapDrag::snapped(const QPointF& point) const { return {std::round(point.x()), std::round(point.y())}; }

QString MapDrag::words(const QPointF& from, const QPointF& to) const {
  return rulerWords(cellOf(from), cellOf(to), m_row, m_col);
}

/// That of the picked cell, which maps leave free.
QColor MapDrag::rulerColour() const { return currentPalette().warning; }

void MapDrag::zoomInto(const QPointF& upperLeft, const QPointF& lowerRight) {
  m_zoom({std::floor(upperLeft.y() + 0.5), std::ceil(lowerRight.y() + 0.5), std::floor(upperLeft.x() + 0.5),
          std::ceil(lowerRight.x() + 0.5)});
}

}  // namespace vqscope
