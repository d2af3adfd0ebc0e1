// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/matrix_plottable.h"

#include "core/base/text.h"
#include "widgets/theme/fonts.h"

#include <cmath>

namespace vqscope {
namespace {

constexpr double smallestNumberedCell = 28;  // pixels

Range cellsIn(const QCPRange& range, Index extent) {
  const double first = std::clamp(std::floor(range.lower + 0.5), 0.0, static_cast<double>(extent));
  const double last = std::clamp(std::ceil(range.upper + 0.5), 0.0, static_cast<double>(extent));
  return {static_cast<Index>(first), static_cast<Index>(last)};
}

QString cellText(const Field& field, Index row, Index col) {
  const double value = field.at(row, col);
  return QString::fromStdString(field.cell_type() == CellType::float32 ? to_text(value, 3) : to_text(value));
}

QColor readableOn(QRgb colour) { return qGray(colour) > 140 ? QColor(Qt::black) : QColor(Qt::white); }

}  // namespace

MatrixPlottable::MatrixPlottable(QCPAxis* colAxis, QCPAxis* rowAxis) : QCPAbstractPlottable(colAxis, rowAxis) {
  setAntialiased(false);
  removeFromLegend();
}

QCPRange MatrixPlottable::getKeyRange(bool& found, QCP::SignDomain) const {
  found = m_picture != nullptr;
  return found ? QCPRange(-0.5, static_cast<double>(m_picture->request.field->extent().cols) - 0.5) : QCPRange();
}

QCPRange MatrixPlottable::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
  found = m_picture != nullptr;
  return found ? QCPRange(-0.5, static_cast<double>(m_picture->request.field->extent().rows) - 0.5) : QCPRange();
}

QRectF MatrixPlottable::pixelRect(double rowFirst, double rowLast, double colFirst, double colLast) const {
  const QPointF topLeft(keyAxis()->coordToPixel(colFirst - 0.5), valueAxis()->coordToPixel(rowFirst - 0.5));
  return {topLeft, QPointF(keyAxis()->coordToPixel(colLast - 0.5), valueAxis()->coordToPixel(rowLast - 0.5))};
}

void MatrixPlottable::draw(QCPPainter* painter) {
  if (!m_picture) return;
  const ViewRange& range = m_picture->request.range;
  painter->save();
  painter->setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter->drawImage(pixelRect(range.row_first, range.row_last, range.col_first, range.col_last), m_picture->image);
  painter->restore();
  drawNumbers(*painter);
  drawMarks(*painter);
}

void MatrixPlottable::drawNumbers(QCPPainter& painter) const {
  const QSizeF cell = pixelRect(0, 1, 0, 1).size();
  if (cell.width() < smallestNumberedCell || cell.height() < smallestNumberedCell) return;
  const Field& field = *m_picture->request.field;
  const Range rows = cellsIn(valueAxis()->range(), field.extent().rows);
  const Range cols = cellsIn(keyAxis()->range(), field.extent().cols);
  painter.save();
  painter.setFont(scaledFont(monospaceFont(), 0.86));
  const QFontMetricsF metrics(painter.font());
  for (Index row = rows.begin; row < rows.end; ++row) {
    for (Index col = cols.begin; col < cols.end; ++col) {
      const QString text = cellText(field, row, col);
      if (metrics.horizontalAdvance(text) > cell.width() - 4) continue;
      const auto r = static_cast<double>(row);
      const auto c = static_cast<double>(col);
      painter.setPen(readableOn(m_picture->request.scale.cellColour(field, row, col)));
      painter.drawText(pixelRect(r, r + 1, c, c + 1), Qt::AlignCenter, text);
    }
  }
  painter.restore();
}

void MatrixPlottable::drawMarks(QCPPainter& painter) const {
  painter.save();
  painter.setFont(scaledFont(uiFont(), 0.86));
  const QFontMetricsF metrics(painter.font());
  const QRectF inside = keyAxis()->axisRect()->rect();
  for (const Mark& mark : m_picture->request.field->marks()) {
    const bool row = mark.axis == Mark::Axis::row;
    const double at = (row ? valueAxis() : keyAxis())->coordToPixel(mark.at - 0.5);
    if (row ? at < inside.top() || at > inside.bottom() : at < inside.left() || at > inside.right()) continue;
    painter.setPen(QPen(m_markColour, 1.5, Qt::DashLine));
    if (row)
      painter.drawLine(QPointF(inside.left(), at), QPointF(inside.right(), at));
    else
      painter.drawLine(QPointF(at, inside.top()), QPointF(at, inside.bottom()));
    const QString label = QString::fromStdString(mark.label);
    QRectF box(0, 0, metrics.horizontalAdvance(label) + 10, metrics.height() + 4);
    box.moveTopRight(row ? QPointF(inside.right() - 6, at + 4) : QPointF(at - 4, inside.top() + 6));
    if (box.bottom() > inside.bottom()) box.moveBottom(at - 4);
    painter.fillRect(box, QColor(0, 0, 0, 150));
    painter.setPen(QColor(Qt::white));
    painter.drawText(box, Qt::AlignCenter, label);
  }
  painter.restore();
}

}  // namespace vqscope
