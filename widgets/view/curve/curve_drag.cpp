// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve/curve_drag.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"
#include "widgets/plot/axis/index_ticker.h"
#include "widgets/theme/palette.h"

#include <qcustomplot.h>

#include <cmath>

namespace vqscope {
namespace {

constexpr double leastBox = 6;  // pixels of a side
constexpr int digits = 4;

bool isLogarithmic(const QCPAxis* axis) { return axis->scaleType() == QCPAxis::stLogarithmic; }

QString numberOf(double value, bool isBytes) {
  const QString size = isBytes ? text(byte_count(std::abs(value)))
                               : plotNumber(QString::number(std::abs(value), 'g', digits + 2).toDouble());
  return value < 0 ? QStringLiteral("−") + size : size;
}

}  // namespace

QString distanceWords(const QString& axis, double from, double to, bool isLog, bool isBytes) {
  QString words = QStringLiteral("Δ%1 %2").arg(axis, numberOf(to - from, isBytes));
  if (isLog && from > 0 && to > 0) words += QStringLiteral(" (× %1)").arg(text(to_text(to / from, digits)));
  return words;
}

void CurveDrag::renew(const CurveSet& curves) {
  m_kind.reset();
  m_wholeX = !curves.real_x;
  m_bytes = curves.is_bytes();
  m_box = new QCPItemRect(&m_plot);
  m_line = new QCPItemLine(&m_plot);
  m_label = new QCPItemText(&m_plot);
  for (QCPAbstractItem* item : {static_cast<QCPAbstractItem*>(m_box), static_cast<QCPAbstractItem*>(m_line),
                                static_cast<QCPAbstractItem*>(m_label)}) {
    item->setLayer(QStringLiteral("cursor"));
    item->setVisible(false);
  }
  for (QCPItemPosition* corner : {m_box->topLeft, m_box->bottomRight}) corner->setType(QCPItemPosition::ptAbsolute);
  m_line->setHead(QCPLineEnding(QCPLineEnding::esBar, 9));
  m_line->setTail(QCPLineEnding(QCPLineEnding::esBar, 9));
  m_label->setPadding(QMargins(6, 3, 6, 3));
  m_label->setTextAlignment(Qt::AlignLeft);
  m_label->position->setType(QCPItemPosition::ptAbsolute);
  if (m_ruler) showRuler();
}

/// The nearest point between the axes.
QPointF CurveDrag::inside(const QPointF& position) const {
  const QRect rect = m_plot.axisRect()->rect();
  return {std::clamp(position.x(), double(rect.left()), double(rect.right())),
          std::clamp(position.y(), double(rect.top()), double(rect.bottom()))};
}

QPointF CurveDrag::coordinates(const QPointF& position) const {
  const double x = m_plot.xAxis->pixelToCoord(position.x());
  return {m_wholeX ? std::round(x) : x, m_plot.yAxis->pixelToCoord(position.y())};
}

bool CurveDrag::press(const QMouseEvent& event) {
  const bool isInside = m_plot.axisRect()->rect().contains(event.position().toPoint());
  const bool box = event.modifiers() == Qt::ShiftModifier, ruler = event.modifiers() == Qt::ControlModifier;
  if (event.button() != Qt::LeftButton || !m_box || !isInside) return false;
  clearRuler();
  if (!box && !ruler) return false;
  m_kind = box ? Kind::box : Kind::ruler;
  m_from = event.position();
  return true;
}

bool CurveDrag::move(const QMouseEvent& event) {
  if (!m_kind) return false;
  const QPointF to = inside(event.position());
  if (m_kind == Kind::box) {
    showBox(to);
  } else {
    m_ruler = {coordinates(m_from), coordinates(to)};
    showRuler();
  }
  replot();
  return true;
}

bool CurveDrag::release(const QMouseEvent& event, bool& zoomed) {
  zoomed = false;
  if (!m_kind) return false;
  const bool isBox = m_kind == Kind::box;
  m_kind.reset();
  if (!isBox) return true;
  m_box->setVisible(false);
  const QRectF box = QRectF(m_from, inside(event.position())).normalized();
  zoomed = box.width() >= leastBox && box.height() >= leastBox;
  if (!zoomed) {
    replot();
    return true;
  }
  m_plot.xAxis->setRange(m_plot.xAxis->pixelToCoord(box.left()), m_plot.xAxis->pixelToCoord(box.right()));
  m_plot.yAxis->setRange(m_plot.yAxis->pixelToCoord(box.bottom()), m_plot.yAxis->pixelToCoord(box.top()));
  return true;
}

bool CurveDrag::clearRuler() {
  if (!m_ruler) return false;
  m_ruler.reset();
  m_line->setVisible(false);
  m_label->setVisible(false);
  replot();
  return true;
}

void CurveDrag::showBox(const QPointF& to) {
  const QColor accent = currentPalette().accent;
  QColor fill = accent;
  fill.setAlphaF(0.12F);
  m_box->setPen(QPen(accent, 1));
  m_box->setBrush(fill);
  const QRectF box = QRectF(m_from, to).normalized();
  m_box->topLeft->setCoords(box.topLeft());
  m_box->bottomRight->setCoords(box.bottomRight());
  m_box->setVisible(true);
}

void CurveDrag::showRuler() {
  const Palette& colours = currentPalette();
  const auto [from, to] = *m_ruler;
  m_line->setPen(QPen(colours.text, 1.4));
  m_line->start->setCoords(from);
  m_line->end->setCoords(to);
  m_label->setText(distanceWords(QStringLiteral("x"), from.x(), to.x(), isLogarithmic(m_plot.xAxis), false) +
                   QLatin1Char('\n') +
                   distanceWords(QStringLiteral("y"), from.y(), to.y(), isLogarithmic(m_plot.yAxis), m_bytes));
  m_label->setFont(m_plot.xAxis->labelFont());
  m_label->setColor(colours.text);
  m_label->setBrush(colours.raised);
  m_label->setPen(QPen(colours.line, 1));
  // Beside the end, on the side where there is more room.
  const QPointF end(m_plot.xAxis->coordToPixel(to.x()), m_plot.yAxis->coordToPixel(to.y()));
  const QPoint middle = m_plot.axisRect()->rect().center();
  const bool isLeft = end.x() > middle.x(), isAbove = end.y() > middle.y();
  m_label->position->setCoords(end.x() + (isLeft ? -12 : 12), end.y() + (isAbove ? -8 : 8));
  m_label->setPositionAlignment((isLeft ? Qt::AlignRight : Qt::AlignLeft) | (isAbove ? Qt::AlignBottom : Qt::AlignTop));
  m_line->setVisible(true);
  m_label->setVisible(true);
}

void CurveDrag::replot() const { m_plot.layer(QStringLiteral("cursor"))->replot(); }

}  // namespace vqscope
