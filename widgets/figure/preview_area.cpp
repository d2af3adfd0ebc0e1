// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/preview_area.h"

#include "widgets/theme/palette.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr int border = 16;
constexpr double largest = 2;  // times its size

}  // namespace

PreviewArea::PreviewArea(QWidget* parent) : QWidget(parent) {
  setMinimumSize(200, 160);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Preview"));
}

void PreviewArea::setFigure(const QImage& pixels, const QSizeF& size) {
  m_image = pixels;
  m_size = size;
  m_problem.clear();
  m_note.clear();
  m_isNew = true;
  update();
}

void PreviewArea::setProblem(const QString& sentence) {
  if (m_problem == sentence) return;
  m_problem = sentence;
  update();
}

void PreviewArea::setNote(const QString& sentence) {
  m_problem.clear();
  m_note = sentence;
  update();
}

double PreviewArea::scale() const {
  const QSize room = size() - QSize(2 * border, 2 * border);
  return std::min({largest, room.width() / m_size.width(), room.height() / m_size.height()});
}

void PreviewArea::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), currentPalette().window);
  const QRectF room = QRectF(rect()).adjusted(border, border, -border, -border);
  if (m_problem.isEmpty() && m_note.isEmpty() && !m_image.isNull()) {
    QRectF place(QPointF(), m_size * scale());
    place.moveCenter(room.center());
    place.moveTopLeft(place.topLeft().toPoint());
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    // Painter and image hold the same pixels where possible: half of a large image is sampled twice.
    const QSize wanted = (place.size() * devicePixelRatioF()).toSize();
    painter.drawImage(place, m_image.scaled(wanted, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    painter.setPen(currentPalette().line);
    painter.drawRect(place.adjusted(-0.5, -0.5, 0.5, 0.5));
    painter.setPen(currentPalette().secondary);
    painter.drawText(QRectF(rect()).adjusted(0, 0, -6, -1), Qt::AlignRight | Qt::AlignBottom,
                     tr("%1 %").arg(qRound(scale() * 100)));
    if (std::exchange(m_isNew, false)) emit painted();
    return;
  }
  painter.setPen(m_problem.isEmpty() ? currentPalette().secondary : currentPalette().error);
  painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap, m_problem.isEmpty() ? m_note : m_problem);
}

}  // namespace vqscope
