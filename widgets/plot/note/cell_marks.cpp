// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/note/cell_marks.h"

#include "widgets/theme/palette.h"

namespace vqscope {
namespace {

const QString noteLayer = QStringLiteral("notes");
constexpr double dotRadius = 4.5;
constexpr double markReach = 8;  // pixels from the middle of a dot at which the mouse means it

}  // namespace

CellMarks::CellMarks(QCustomPlot* plot) : QCPAbstractItem(plot) {
  plot->addLayer(noteLayer);
  plot->layer(noteLayer)->setMode(QCPLayer::lmBuffered);
  setLayer(noteLayer);
  setSelectable(false);
  setClipToAxisRect(true);
}

void CellMarks::setStyle(const Palette& colours) {
  m_fill = colours.violet;
  m_rim = colours.panel;
}

void CellMarks::setNotes(std::vector<NotedCell> notes) {
  if (notes == m_notes) return;
  m_notes = std::move(notes);
  if (layer()) layer()->replot();
}

QPointF CellMarks::pixelOf(const Cell& cell) const {
  return {mParentPlot->xAxis2->coordToPixel(static_cast<double>(cell.col)),
          mParentPlot->yAxis->coordToPixel(static_cast<double>(cell.row))};
}

const NotedCell* CellMarks::noteAt(const QPointF& position) const {
  if (!mParentPlot->axisRect()->rect().contains(position.toPoint())) return nullptr;
  for (const auto& note : m_notes)
    if (QLineF(pixelOf(note.cell), position).length() <= markReach) return &note;
  return nullptr;
}

void CellMarks::draw(QCPPainter* painter) {
  const QRectF map = QRectF(mParentPlot->axisRect()->rect()).adjusted(-markReach, -markReach, markReach, markReach);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QPen(m_rim, 2));
  painter->setBrush(m_fill);
  for (const auto& note : m_notes)
    if (const QPointF at = pixelOf(note.cell); map.contains(at)) painter->drawEllipse(at, dotRadius, dotRadius);
  painter->restore();
}

}  // namespace vqscope
