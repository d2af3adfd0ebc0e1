// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/matrix_cursor.h"

#include "widgets/theme/palette.h"

#include <qcustomplot.h>

#include <algorithm>

namespace vqscope {
namespace {

const QString cursorLayer = QStringLiteral("cursor");
constexpr double leastHalf = 3;  // pixels; a smaller cell gets a box of this size, to be visible

/// With a rim of the opposite lightness, so that the line is visible on any map.
class RimmedLine : public QCPItemStraightLine {
 public:
  using QCPItemStraightLine::QCPItemStraightLine;

 protected:
  void draw(QCPPainter* painter) override {
    const QPen line = pen();
    const int lightness = 255 - line.color().lightness();
    setPen(QPen(QColor(lightness, lightness, lightness, 90), 3));
    QCPItemStraightLine::draw(painter);
    setPen(line);
    QCPItemStraightLine::draw(painter);
  }
};

double halfSide(const QCPAxis& axis, int pixels) {
  return std::max(0.5, leastHalf * axis.range().size() / std::max(1, pixels));
}

}  // namespace

MatrixCursor::MatrixCursor(QCustomPlot& plot) : m_plot(plot) {
  plot.addLayer(cursorLayer);
  plot.layer(cursorLayer)->setMode(QCPLayer::lmBuffered);
  m_rowLine = addLine();
  m_colLine = addLine();
  m_box = new QCPItemRect(&plot);
  for (auto* position : m_box->positions()) position->setAxes(plot.xAxis2, plot.yAxis);
  m_box->setLayer(cursorLayer);
  m_box->setBrush(Qt::NoBrush);
  m_box->setVisible(false);
}

QCPItemStraightLine* MatrixCursor::addLine() {
  auto* line = new RimmedLine(&m_plot);
  for (auto* position : line->positions()) position->setAxes(m_plot.xAxis2, m_plot.yAxis);
  line->setLayer(cursorLayer);
  line->setVisible(false);
  return line;
}

void MatrixCursor::setStyle(const Palette& colours) {
  const QPen line(colours.dark ? QColor(255, 255, 255, 150) : QColor(0, 0, 0, 120), 1);
  m_rowLine->setPen(line);
  m_colLine->setPen(line);
  m_box->setPen(QPen(colours.warning, 2));
}

void MatrixCursor::show(const std::optional<Cell>& hovered, const std::optional<Cell>& picked) {
  m_rowLine->setVisible(hovered.has_value());
  m_colLine->setVisible(hovered.has_value());
  if (hovered) {
    const auto row = static_cast<double>(hovered->row);
    const auto col = static_cast<double>(hovered->col);
    m_rowLine->point1->setCoords(0, row);
    m_rowLine->point2->setCoords(1, row);
    m_colLine->point1->setCoords(col, 0);
    m_colLine->point2->setCoords(col, 1);
  }
  m_box->setVisible(picked.has_value());
  if (picked) {
    const double halfCol = halfSide(*m_plot.xAxis2, m_plot.axisRect()->width());
    const double halfRow = halfSide(*m_plot.yAxis, m_plot.axisRect()->height());
    const auto row = static_cast<double>(picked->row);
    const auto col = static_cast<double>(picked->col);
    m_box->topLeft->setCoords(col - halfCol, row - halfRow);
    m_box->bottomRight->setCoords(col + halfCol, row + halfRow);
  }
  m_plot.layer(cursorLayer)->replot();
}

}  // namespace vqscope
