// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/overlay.h"

#include "widgets/theme/palette.h"

#include <QEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QPainter>

#include <algorithm>

namespace vqscope {
namespace {

/// A result within this time replaces the previous one without an overlay, like a frame of a film.
constexpr int idle_timeout = 200;  // milliseconds
constexpr int margin = 12;         // pixels
constexpr int washed = 165;        // of 255
constexpr int widestInEmpty = 420;

}  // namespace

Overlay::Overlay(QWidget* over, Banner banner) : QWidget(over), m_place(banner), m_banner(new QLabel(this)) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  m_banner->setWordWrap(true);
  m_banner->setTextFormat(Qt::PlainText);
  m_banner->setProperty("class", "problem");
  m_idleTimeout.setParent(this);
  m_idleTimeout.setSingleShot(true);
  m_idleTimeout.setInterval(idle_timeout);
  connect(&m_idleTimeout, &QTimer::timeout, this, [this] {
    // While a slider is dragged, results come and go: greying them in between would flash.
    if (QGuiApplication::mouseButtons() != Qt::NoButton) return m_idleTimeout.start();
    show();
    place();
  });
  over->installEventFilter(this);
  hide();
}

void Overlay::setFreshness(const Freshness& freshness) {
  if (freshness == m_freshness) return;
  m_freshness = freshness;
  m_banner->setText(freshness.banner());
  showBanner();
  if (freshness.isCurrent()) {
    m_idleTimeout.stop();
    return hide();
  }
  if (isHidden() && !m_idleTimeout.isActive()) m_idleTimeout.start();
  place();
  update();
}

void Overlay::setBanner(Banner banner) {
  m_place = banner;
  showBanner();
  place();
}

void Overlay::showBanner() { m_banner->setVisible(m_place != Banner::nowhere && m_freshness.isOutdated()); }

void Overlay::place() {
  if (isHidden()) return;
  setGeometry(parentWidget()->rect());
  raise();
  if (m_banner->isHidden()) return;
  int room = std::max(120, width() - 2 * margin);
  if (m_freshness.isEmpty) room = std::min(room, widestInEmpty);
  m_banner->setFixedWidth(room);
  m_banner->setFixedHeight(m_banner->heightForWidth(room));
  const int lowest = std::max(0, height() - m_banner->height() - margin);
  if (m_freshness.isEmpty)
    m_banner->move(std::max(0, width() - room) / 2, lowest / 2);
  else
    m_banner->move(margin, m_place == Banner::top ? margin : lowest);
}

bool Overlay::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) place();
  return QWidget::eventFilter(watched, event);
}

void Overlay::paintEvent(QPaintEvent*) {
  QColor wash = currentPalette().panel;
  wash.setAlpha(washed);
  QPainter painter(this);
  painter.fillRect(rect(), wash);
  if (m_freshness.isOutdated()) return;
  const QString word = m_freshness.badge() + QStringLiteral("…");
  QRect place = painter.fontMetrics().boundingRect(word).adjusted(-8, -4, 8, 4);
  place.moveCenter(rect().center());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(currentPalette().panel);
  painter.drawRoundedRect(place, 6, 6);
  painter.setPen(currentPalette().secondary);
  painter.drawText(place, Qt::AlignCenter, word);
}

}  // namespace vqscope
