// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys on curves: the readout, zooming, the legend.
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/value_summary.h"
#include "widgets/view/curve/curve_actions.h"
#include "widgets/view/curve/curve_cursor.h"
#include "widgets/view/curve/curve_drag.h"
#include "widgets/view/curve_view.h"

#include <qcustomplot.h>

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QToolTip>

namespace vqscope {

void CurveView::showReadout(const std::optional<double>& x) {
  const auto sample = m_cursor->show(curves(), x, !m_curvePlot->hasMultiples());
  if (m_curvePlot->setSample(sample) && m_curvePlot->hasMultiples()) m_plot->replot(QCustomPlot::rpQueuedReplot);
  if (curves().x.empty()) return;
  emit readoutChanged(sample ? std::optional(reportAt(curves(), *sample)) : std::nullopt);
}

bool CurveView::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseMove:
      if (m_drag->move(*static_cast<QMouseEvent*>(event))) return true;
      onMove(*static_cast<QMouseEvent*>(event));
      break;
    case QEvent::Wheel:
      m_zoomed = true;
      turnWheel(static_cast<QWheelEvent*>(event)->modifiers());
      break;
    case QEvent::Leave:
      showReadout(std::nullopt);
      light(std::nullopt);
      break;
    case QEvent::ToolTip: {
      const auto* help = static_cast<QHelpEvent*>(event);
      const QString title = m_curvePlot->cutTextAt(help->pos());
      if (title.isEmpty()) break;
      QToolTip::showText(help->globalPos(), title, m_plot);
      return true;
    }
    case QEvent::MouseButtonRelease:
      if (onRelease(*static_cast<QMouseEvent*>(event))) return true;
      break;
    case QEvent::MouseButtonPress:
      setFocus(Qt::MouseFocusReason);
      if (onPress(*static_cast<QMouseEvent*>(event))) return true;
      break;
    case QEvent::MouseButtonDblClick:
      // The second press of a fast double click on the legend.
      if (onPress(*static_cast<QMouseEvent*>(event))) return true;
      fit();
      break;
    default: break;
  }
  return KeyedView::eventFilter(watched, event);
}

void CurveView::onMove(const QMouseEvent& event) {
  const QPointF at = event.position();
  const auto named = m_curvePlot->curveInLegend(at);
  m_plot->setCursor(named ? Qt::PointingHandCursor : Qt::ArrowCursor);
  showReadout(m_curvePlot->xAt(at));
  if (event.buttons() != Qt::NoButton)
    m_zoomed = true;
  else
    light(named ? named : m_curvePlot->curveAt(at));
}

/// One curve among several.
void CurveView::light(const std::optional<std::size_t>& curve) {
  if (curve == m_curvePlot->lit() || m_curvePlot->entries().size() < 2) return;
  m_curvePlot->setLit(curve);
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

bool CurveView::onRelease(const QMouseEvent& event) {
  bool zoomed = false;
  if (!m_drag->release(event, zoomed)) return false;
  m_zoomed = m_zoomed || zoomed;
  if (zoomed) m_plot->replot(QCustomPlot::rpQueuedReplot);
  return true;
}

/// Most curves have their whole height in view.
void CurveView::turnWheel(Qt::KeyboardModifiers modifiers) {
  const bool vertical = modifiers & (Qt::ShiftModifier | Qt::ControlModifier);
  m_plot->axisRect()->setRangeZoom(vertical ? Qt::Vertical : Qt::Horizontal);
}

bool CurveView::onPress(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton) return false;
  const auto curve = m_curvePlot->curveInLegend(event.position());
  if (curve) m_actions->toggle(*curve);
  return curve.has_value() || m_curvePlot->hasMultiples() || m_drag->press(event);
}

void CurveView::contextMenuEvent(QContextMenuEvent* event) {
  const bool mouse = event->reason() == QContextMenuEvent::Mouse;
  const auto curve =
      mouse ? m_curvePlot->curveInLegend(m_plot->mapFrom(this, QPointF(event->pos()))) : std::optional<std::size_t>();
  QMenu* menu = m_actions->makeMenu(curve);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->popup(mouse ? event->globalPos() : mapToGlobal(rect().center()));
}

void CurveView::zoom(double factor, bool vertical) {
  QCPAxis* axis = vertical ? m_plot->yAxis : m_plot->xAxis;
  m_zoomed = true;
  axis->scaleRange(factor, m_cursor->at() && !vertical ? *m_cursor->at() : axis->range().center());
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurveView::moveReadout(int samples) {
  if (!curves().x.empty()) showReadout(m_cursor->moved(curves(), samples, m_plot->xAxis->range().lower));
}

void CurveView::keyPressEvent(QKeyEvent* event) {
  const bool vertical = event->modifiers() & Qt::ControlModifier;
  const int step = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
  switch (event->key()) {
    case Qt::Key_Left: return moveReadout(-step);
    case Qt::Key_Right: return moveReadout(step);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(0.5, vertical);
    case Qt::Key_Minus: return zoom(2, vertical);
    case Qt::Key_Escape:
      if (!m_drag->clearRuler()) QWidget::keyPressEvent(event);
      return;
    default: QWidget::keyPressEvent(event);
  }
}

}  // namespace vqscope
