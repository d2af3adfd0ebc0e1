// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/plot_drag.h"

#include "widgets/theme/palette.h"

#include <qcustomplot.h>

namespace vqscope {
namespace {

constexpr double leastBox = 6;      // pixels of a side
constexpr double labelMargin = 16;  // above and below the text beside a ruler

}  // namespace

void PlotDrag::makeItems() {
  m_kind.reset();
  m_box = new QCPItemRect(&m_plot);
  m_rim = new QCPItemLine(&m_plot);
  m_line = new QCPItemLine(&m_plot);
  m_label = new QCPItemText(&m_plot);
  std::vector<QCPAbstractItem*> all = rulerItems();
  all.push_back(m_box);
  for (QCPAbstractItem* item : all) {
    item->setLayer(QStringLiteral("cursor"));
    item->setVisible(false);
  }
  for (QCPItemPosition* corner : {m_box->topLeft, m_box->bottomRight}) corner->setType(QCPItemPosition::ptAbsolute);
  for (QCPItemLine* line : {m_rim, m_line}) {
    for (QCPItemPosition* end : {line->start, line->end}) end->setAxes(&m_x, &m_y);
    line->setHead(QCPLineEnding(QCPLineEnding::esBar, 9));
    line->setTail(QCPLineEnding(QCPLineEnding::esBar, 9));
  }
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
  for (QCPAbstractItem* item : rulerItems()) item->setVisible(false);
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
  m_rim->setPen(QPen(colours.panel, 4));
  m_line->setPen(QPen(rulerColour(), 1.6));
  for (QCPItemLine* line : {m_rim, m_line}) {
    line->start->setCoords(from);
    line->end->setCoords(to);
  }
  m_label->setText(words(from, to));
  m_label->setFont(m_x.labelFont());
  m_label->setColor(colours.text);
  m_label->setBrush(colours.raised);
  m_label->setPen(QPen(colours.line, 1));
  placeLabel({m_x.coordToPixel(from.x()), m_y.coordToPixel(from.y())},
             {m_x.coordToPixel(to.x()), m_y.coordToPixel(to.y())});
  for (QCPAbstractItem* item : rulerItems()) item->setVisible(true);
}

/// Beside the end, on the side where there is more room, and not on the ruler: above it if it comes from
/// below, as far as the plot is high enough.
void PlotDrag::placeLabel(const QPointF& from, const QPointF& to) {
  const QRect plot = m_plot.axisRect()->rect();
  const auto lines = m_label->text().count(QLatin1Char('\n')) + 1;
  const double height = static_cast<double>(lines) * QFontMetricsF(m_label->font()).lineSpacing() + labelMargin;
  const bool isLeft = to.x() > plot.center().x();
  const bool fitsBelow = to.y() + height < plot.bottom();
  const bool fitsAbove = to.y() - height > plot.top();
  const bool isAbove = from.y() > to.y() ? fitsAbove || !fitsBelow : !fitsBelow;
  m_label->position->setCoords(to.x() + (isLeft ? -12 : 12), to.y() + (isAbove ? -8 : 8));
  m_label->setPositionAlignment((isLeft ? Qt::AlignRight : Qt::AlignLeft) | (isAbove ? Qt::AlignBottom : Qt::AlignTop));
}

std::vector<QCPAbstractItem*> PlotDrag::rulerItems() const { return {m_rim, m_line, m_label}; }

QColor PlotDrag::rulerColour() const { return currentPalette().text; }

void PlotDrag::replot() const { m_plot.layer(QStringLiteral("cursor"))->replot(); }

}  // namespace vqscope
