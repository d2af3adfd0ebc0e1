// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys on a map: the cell under the mouse, the picked cell, the legend.
#include "widgets/plot/matrix_plot.h"
#include "widgets/plot/note/cell_marks.h"
#include "widgets/view/map/map_drag.h"
#include "widgets/view/matrix_view.h"

#include <qcustomplot.h>

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QTimer>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace vqscope {

void MatrixView::contextMenuEvent(QContextMenuEvent* event) {
  const bool mouse = event->reason() == QContextMenuEvent::Mouse;
  const auto under = mouse ? cellAt(m_plot->mapFrom(this, QPointF(event->pos()))) : m_picked;
  emit menuRequested(under, mouse ? event->globalPos() : m_plot->mapToGlobal(m_plot->axisRect()->rect().center()));
}

/// On the legend, highlights the part there; a second click shows all again.
bool MatrixView::onPlotPress(const QMouseEvent& event) {
  const auto part = m_map->legendPartAt(event.position());
  if (!part || event.button() != Qt::LeftButton) return false;
  setLit(part == m_lit ? std::nullopt : part);
  return true;
}

void MatrixView::setNotes(std::vector<NotedCell> notes) { m_marks->setNotes(std::move(notes)); }

bool MatrixView::showTip(const QPoint& position, const QPoint& global) {
  const NotedCell* note = m_marks->noteAt(position);
  const QString tip = note ? QStringLiteral("<p style='white-space: pre-wrap'>%1</p>").arg(note->text.toHtmlEscaped())
                           : m_map->legendTipAt(position);
  if (tip.isEmpty()) return false;
  QToolTip::showText(global, tip, m_plot);
  return true;
}

std::optional<Cell> MatrixView::cellAt(const QPointF& position) const {
  if (!m_content.field || !m_plot->axisRect()->rect().contains(position.toPoint())) return std::nullopt;
  const Extent extent = m_content.field->extent();
  const auto row = static_cast<Index>(std::floor(m_plot->yAxis->pixelToCoord(position.y()) + 0.5));
  const auto col = static_cast<Index>(std::floor(m_plot->xAxis2->pixelToCoord(position.x()) + 0.5));
  if (row < 0 || col < 0 || row >= extent.rows || col >= extent.cols) return std::nullopt;
  return Cell{row, col};
}

void MatrixView::setHovered(std::optional<Cell> cell) {
  if (cell == m_hovered) return;
  m_hovered = cell;
  updateCursor();
}

void MatrixView::setPicked(std::optional<Cell> cell) {
  if (cell == m_picked) return;
  m_picked = cell;
  updateCursor();
}

void MatrixView::updateCursor() { m_cursor->show(m_hovered, m_picked); }

void MatrixView::movePicked(Index rows, Index cols) {
  if (!m_content.field) return;
  const Extent extent = m_content.field->extent();
  const Cell from = m_picked.value_or(m_hovered.value_or(Cell{}));
  const Cell to{std::clamp<Index>(from.row + rows, 0, extent.rows - 1),
                std::clamp<Index>(from.col + cols, 0, extent.cols - 1)};
  reveal(to);
  emit cellPicked(to);
}

void MatrixView::keyPressEvent(QKeyEvent* event) {
  const Index step = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
  switch (event->key()) {
    case Qt::Key_Left: return movePicked(0, -step);
    case Qt::Key_Right: return movePicked(0, step);
    case Qt::Key_Up: return movePicked(-step, 0);
    case Qt::Key_Down: return movePicked(step, 0);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(0.5);
    case Qt::Key_Minus: return zoom(2);
    case Qt::Key_Escape:
      if (!m_drag->clearRuler()) QWidget::keyPressEvent(event);
      return;
    default: QWidget::keyPressEvent(event);
  }
}

void MatrixView::onPlotResized() {
  layoutMap();
  requestFrame();
}

bool MatrixView::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseMove: {
      const QPointF at = static_cast<QMouseEvent*>(event)->position();
      m_plot->setCursor(m_map->legendPartAt(at) ? Qt::PointingHandCursor : Qt::ArrowCursor);
      const auto cell = cellAt(at);
      setHovered(cell);
      emit cellHovered(cell);
      if (m_drag->move(*static_cast<QMouseEvent*>(event))) return true;
      break;
    }
    case QEvent::Leave:
      setHovered(std::nullopt);
      emit cellHovered(std::nullopt);
      break;
    case QEvent::MouseButtonPress:
      m_pressed = static_cast<QMouseEvent*>(event)->pos();
      setFocus(Qt::MouseFocusReason);
      if (onPlotPress(*static_cast<QMouseEvent*>(event)) || m_drag->press(*static_cast<QMouseEvent*>(event)))
        return true;
      break;
    case QEvent::ToolTip: {
      const auto* help = static_cast<QHelpEvent*>(event);
      if (showTip(help->pos(), help->globalPos())) return true;
      break;
    }
    case QEvent::MouseButtonRelease: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (bool zoomed = false; m_drag->release(*mouse, zoomed)) return true;
      const bool click = (mouse->pos() - m_pressed).manhattanLength() < 4 && mouse->button() == Qt::LeftButton;
      if (const auto cell = cellAt(mouse->position()); click && cell) emit cellPicked(*cell);
      break;
    }
    case QEvent::MouseButtonDblClick:
      if (!m_map->legendPartAt(static_cast<QMouseEvent*>(event)->position())) fit();
      break;
    // The header alone can change the height of the plot. The plot gets its new size after this
    // filter: wait for it.
    case QEvent::Resize: QTimer::singleShot(0, this, &MatrixView::onPlotResized); break;
    case QEvent::Show: requestFrame(); break;
    // Stops the work of a hidden map; requested again when it is shown.
    case QEvent::Hide: m_frames.stop(); break;
    default: break;
  }
  return KeyedView::eventFilter(watched, event);
}

}  // namespace vqscope
