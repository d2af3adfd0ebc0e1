// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/reach_view.h"

#include "core/field/tile_grid.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double wheelFactor = 1.25;
constexpr int dragDistance = 4;

}  // namespace

ReachView::ReachView(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Reach through depth"));
  setAccessibleDescription(tr("Tokens that reach the query, by layer. Arrow keys choose a layer and a token."));
}

void ReachView::setContent(std::shared_ptr<const Content> content) {
  const Index before = m_content ? m_content->sight.sequence().length : 0;
  m_content = std::move(content);
  m_hovered.reset();
  if (!m_content) {
    m_chosen.reset();
    m_layer = -1;
  } else {
    const Index length = m_content->sight.sequence().length, layers = m_content->reach.layers();
    if (before != length) fit();
    if (m_chosen) m_chosen = {std::min(m_chosen->layer, layers - 1), std::min(m_chosen->token, length - 1)};
  }
  update();
}

void ReachView::fit() {
  if (m_content) setShown(0, static_cast<double>(m_content->sight.sequence().length));
}

void ReachView::setShown(double first, double last) {
  clamp_span(first, last, m_content->sight.sequence().length);
  m_first = first;
  m_last = last;
  update();
}

void ReachView::zoom(double factor, double around) {
  setShown(around - (around - m_first) / factor, around + (m_last - around) / factor);
}

void ReachView::showLayer(Index layer) {
  m_layer = layer;
  update();
}

void ReachView::showSpot(const Spot& spot) {
  if (!m_content) return;
  m_chosen = {std::clamp<Index>(spot.layer, 0, m_content->reach.layers() - 1),
              std::clamp<Index>(spot.token, 0, m_content->sight.sequence().length - 1)};
  const auto token = static_cast<double>(m_chosen->token);
  if (token < m_first || token >= m_last) fit();
  m_layer = m_chosen->layer;
  emit pointed(m_chosen);
  update();
}

void ReachView::choose(const Spot& spot) {
  showSpot(spot);
  emit layerChosen(static_cast<int>(m_layer));
}

std::optional<ReachView::Spot> ReachView::spotAt(QPointF at) const {
  if (!m_content) return std::nullopt;
  const ReachFrame frame = reachFrame(*this, *m_content, m_first, m_last);
  if (!QRectF(frame.picture).contains(at)) return std::nullopt;
  const auto token = static_cast<Index>(std::floor(frame.tokenAt(at.x())));
  return Spot{frame.layerAt(at.y()), std::clamp<Index>(token, 0, m_content->sight.sequence().length - 1)};
}

void ReachView::paintEvent(QPaintEvent*) {
  if (!m_content) return;
  QPainter painter(this);
  const ReachFrame frame = reachFrame(*this, *m_content, m_first, m_last);
  paintReach(painter, frame, *m_content);
  paintMarks(painter, frame, m_layer, m_hovered ? m_hovered : m_chosen);
  if (!hasFocus()) return;
  painter.setPen(palette().color(QPalette::Highlight));
  painter.drawRect(frame.picture.adjusted(-1, -1, 0, 0));
}

void ReachView::mouseMoveEvent(QMouseEvent* event) {
  if (m_pressed && m_content && (event->buttons() & Qt::LeftButton)) {
    const double moved = event->position().x() - m_pressed->x();
    if (!m_dragged && std::abs(moved) < dragDistance) return;
    m_dragged = true;
    const ReachFrame frame = reachFrame(*this, *m_content, m_first, m_last);
    const double tokens = moved / frame.picture.width() * (m_last - m_first);
    setShown(m_first - tokens, m_last - tokens);
    m_pressed = event->position();
    return;
  }
  const auto spot = spotAt(event->position());
  if (spot == m_hovered) return;
  m_hovered = spot;
  emit pointed(m_hovered ? m_hovered : m_chosen);
  update();
}

void ReachView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  m_pressed = event->position();
  m_dragged = false;
}

void ReachView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const bool clicked = m_pressed && !m_dragged;
  m_pressed.reset();
  if (const auto spot = spotAt(event->position()); clicked && spot) choose(*spot);
}

void ReachView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto spot = spotAt(event->position())) emit maskRequested(static_cast<int>(spot->layer));
}

void ReachView::leaveEvent(QEvent*) {
  m_hovered.reset();
  emit pointed(m_chosen);
  update();
}

void ReachView::wheelEvent(QWheelEvent* event) {
  const auto spot = spotAt(event->position());
  if (!spot) return event->ignore();
  const ReachFrame frame = reachFrame(*this, *m_content, m_first, m_last);
  zoom(std::pow(wheelFactor, event->angleDelta().y() / 120.0), frame.tokenAt(event->position().x()));
  event->accept();
}

void ReachView::keyPressEvent(QKeyEvent* event) {
  if (!m_content) return QWidget::keyPressEvent(event);
  const Index query = m_content->reach.query();
  Spot spot = m_chosen.value_or(Spot{std::max<Index>(0, m_layer), query});
  const auto step = std::max<Index>(1, static_cast<Index>((m_last - m_first) / std::max(1, width()) * 4));
  const double middle = static_cast<double>(spot.token);
  switch (event->key()) {
    case Qt::Key_Up: --spot.layer; break;
    case Qt::Key_Down: ++spot.layer; break;
    case Qt::Key_Left: spot.token -= step; break;
    case Qt::Key_Right: spot.token += step; break;
    case Qt::Key_Plus: return zoom(wheelFactor, middle);
    case Qt::Key_Minus: return zoom(1 / wheelFactor, middle);
    case Qt::Key_0: return fit();
    case Qt::Key_Return:
    case Qt::Key_Enter: emit maskRequested(static_cast<int>(spot.layer)); return;
    default: return QWidget::keyPressEvent(event);
  }
  choose(spot);
}

QMenu* ReachView::makeMenu(const std::optional<Spot>& spot) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (spot) {
    const auto layer = static_cast<int>(spot->layer);
    menu->addAction(tr("Open the mask of layer %1").arg(layer), this, [this, layer] { emit maskRequested(layer); });
    const auto zoomed = static_cast<double>(spot->token);
    menu->addAction(tr("Zoom in on token %1").arg(spot->token), this, [this, zoomed] { zoom(4, zoomed); });
    menu->addSeparator();
  }
  QAction* all = menu->addAction(tr("Show all tokens"), this, &ReachView::fit);
  all->setEnabled(m_content && m_last - m_first < static_cast<double>(m_content->sight.sequence().length));
  menu->addAction(tr("Copy picture"), this, [this] { QGuiApplication::clipboard()->setPixmap(grab()); });
  return menu;
}

/// The spot under the mouse, or the chosen one for the menu key.
void ReachView::contextMenuEvent(QContextMenuEvent* event) {
  if (!m_content) return;
  makeMenu(event->reason() == QContextMenuEvent::Mouse ? spotAt(event->pos()) : m_chosen)->popup(event->globalPos());
}

}  // namespace vqscope
