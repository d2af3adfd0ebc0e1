// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/matrix_plottable.h"

#include "widgets/theme/fonts.h"

namespace vqscope {
namespace {

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
  painter.save();
  painter.setFont(scaledFont(m_style.numbers, 0.86));
  const QFontMetricsF metrics(painter.font());
  for (const CellText& cell : m_picture->numbers) {
    const auto row = static_cast<double>(cell.row);
    const auto col = static_cast<double>(cell.col);
    const QRectF place = pixelRect(row, row + 1, col, col + 1);
    if (metrics.horizontalAdvance(cell.text) > place.width() - 4 || metrics.height() > place.height()) continue;
    painter.setPen(readableOn(cell.colour));
    painter.drawText(place, Qt::AlignCenter, cell.text);
  }
  painter.restore();
}

void MatrixPlottable::drawMarks(QCPPainter& painter) const {
  painter.save();
  painter.setFont(scaledFont(m_style.text, 0.86));
  const QFontMetricsF metrics(painter.font());
  const QRectF inside = keyAxis()->axisRect()->rect();
  for (const Mark& mark : m_picture->marks) {
    const bool row = mark.axis == Mark::Axis::row;
    const double at = (row ? valueAxis() : keyAxis())->coordToPixel(mark.at - 0.5);
    if (row ? at < inside.top() || at > inside.bottom() : at < inside.left() || at > inside.right()) continue;
    painter.setPen(QPen(m_style.colours.warning, 1.5, Qt::DashLine));
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
