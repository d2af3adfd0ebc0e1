// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/plot_drag.h"

#include "widgets/theme/palette.h"

#include <qcustomplot.h>

namespace vqscope {
namespace {

constexpr double leastBox = 6;  // pixels of a side

}  // namespace

void PlotDrag::makeItems() {
  m_kind.reset();
  m_box = new QCPItemRect(&m_plot);
  m_line = new QCPItemLine(&m_plot);
  m_label = new QCPItemText(&m_plot);
  for (QCPAbstractItem* item : {static_cast<QCPAbstractItem*>(m_box), static_cast<QCPAbstractItem*>(m_line),
                                static_cast<QCPAbstractItem*>(m_label)}) {
    item->setLayer(QStringLiteral("cursor"));
    item->setVisible(false);
  }
  for (QCPItemPosition* corner : {m_box->topLeft, m_box->bottomRight}) corner->setType(QCPItemPosition::ptAbsolute);
  for (QCPItemPosition* end : {m_line->start, m_line->end}) end->setAxes(&m_x, &m_y);
  m_line->setHead(QCPLineEnding(QCPLineEnding::esBar, 9));
  m_line->setTail(QCPLineEnding(QCPLineEnding::esBar, 9));
  m_label->setPadding(QMargins(6, 3, 6, 3));
  m_label->setTextAlignment(Qt::AlignLeft);
  m_label->position->setType(QCPItemPosition::ptAbsolute);
  if (m_ruler) showRuler();
}

/// The nearest point between the axes.
QPointF PlotDrag::inside(const QPointF& position) const {
  const QRect rect = m_plot.axisRect()->rect();
  return {std::clamp(position.x(), double(rect.left()), double(rect.right())),
          std::clamp(position.y(), double(rect.top()), double(rect.bottom()))};
}

QPointF PlotDrag::coordinates(const QPointF& position) const {
  return {m_x.pixelToCoord(position.x()), m_y.pixelToCoord(position.y())};
}

bool PlotDrag::press(const QMouseEvent& event) {
  const bool isInside = m_plot.axisRect()->rect().contains(event.position().toPoint());
  const bool box = event.modifiers() == Qt::ShiftModifier, ruler = event.modifiers() == Qt::ControlModifier;
  if (event.button() != Qt::LeftButton || !m_box || !isInside) return false;
  clearRuler();
  if (!box && !ruler) return false;
  m_kind = box ? Kind::box : Kind::ruler;
  m_from = event.position();
  return true;
}

bool PlotDrag::move(const QMouseEvent& event) {
  if (!m_kind) return false;
  const QPointF to = inside(event.position());
  if (m_kind == Kind::box) {
    showBox(to);
  } else {
    m_ruler = {snapped(coordinates(m_from)), snapped(coordinates(to))};
    showRuler();
  }
  replot();
  return true;
}

bool PlotDrag::release(const QMouseEvent& event, bool& zoomed) {
  zoomed = false;
  if (!m_kind) return false;
  const bool isBox = m_kind == Kind::box;
  m_kind.reset();
  if (!isBox) return true;
  m_box->setVisible(false);
  replot();
  const QRectF box = QRectF(m_from, inside(event.position())).normalized();
  zoomed = box.width() >= leastBox && box.height() >= leastBox;
  if (zoomed) zoomInto(coordinates(box.topLeft()), coordinates(box.bottomRight()));
  return true;
}

bool PlotDrag::clearRuler() {
  if (!m_ruler) return false;
  m_ruler.reset();
  m_line->setVisible(false);
  m_label->setVisible(false);
  replot();
  return true;
}

void PlotDrag::showBox(const QPointF& to) {
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

void PlotDrag::showRuler() {
  const Palette& colours = currentPalette();
  const auto [from, to] = *m_ruler;
  m_line->setPen(QPen(rulerColour(), 1.6));
  m_line->start->setCoords(from);
  m_line->end->setCoords(to);
  m_label->setText(words(from, to));
  m_label->setFont(m_x.labelFont());
  m_label->setColor(colours.text);
  m_label->setBrush(colours.raised);
  m_label->setPen(QPen(colours.line, 1));
  // Beside the end, on the side where there is more room.
  const QPointF end(m_x.coordToPixel(to.x()), m_y.coordToPixel(to.y()));
  const QPoint middle = m_plot.axisRect()->rect().center();
  const bool isLeft = end.x() > middle.x(), isAbove = end.y() > middle.y();
  m_label->position->setCoords(end.x() + (isLeft ? -12 : 12), end.y() + (isAbove ? -8 : 8));
  m_label->setPositionAlignment((isLeft ? Qt::AlignRight : Qt::AlignLeft) | (isAbove ? Qt::AlignBottom : Qt::AlignTop));
  m_line->setVisible(true);
  m_label->setVisible(true);
}

QColor PlotDrag::rulerColour() const { return currentPalette().text; }

void PlotDrag::replot() const { m_plot.layer(QStringLiteral("cursor"))->replot(); }

}  // namespace vqscope
