// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/row_label.h"

#include "widgets/theme/palette.h"

#include <QPainter>

namespace vqscope {
namespace {

constexpr int gap = 5;

}  // namespace

RowLabel::RowLabel(const ParameterSpec& spec, QWidget* parent)
    : QWidget(parent), m_title(QString::fromStdString(spec.title())) {
  const QString name = QString::fromStdString(spec.name);
  if (m_title.compare(name, Qt::CaseInsensitive) != 0) m_name = name;
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void RowLabel::hideTitle() { m_title.clear(); }

QSize RowLabel::sizeHint() const {
  const auto metrics = fontMetrics();
  return {metrics.horizontalAdvance(m_title) + gap + metrics.horizontalAdvance(m_name), metrics.height()};
}

QSize RowLabel::minimumSizeHint() const { return {30, fontMetrics().height()}; }

void RowLabel::paintEvent(QPaintEvent*) {
  const Palette& p = currentPalette();
  const auto metrics = fontMetrics();
  QPainter painter(this);
  const QString title = metrics.elidedText(m_title, Qt::ElideRight, width());
  painter.setPen(p.text);
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, title);
  const int left = m_title.isEmpty() ? 0 : metrics.horizontalAdvance(title) + gap;
  const QRect rest = rect().adjusted(left, 0, 0, 0);
  // Hide a name that does not fit; the tooltip has it.
  if (metrics.horizontalAdvance(m_name) > rest.width()) return;
  painter.setPen(p.secondary);
  painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, m_name);
}

}  // namespace vqscope
