// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve/curve_annotations.h"

#include "widgets/parts/text.h"
#include "widgets/theme/fonts.h"

#include <array>

namespace vqscope {

void CurveAnnotations::forget() {
  m_levels.clear();
  m_lines.clear();
  m_labels.clear();
  m_levelLabels.clear();
  m_note = nullptr;
}

void CurveAnnotations::add(const CurveSet& set) {
  m_levels = set.levels;
  for (std::size_t i = 0; i < set.segments.size(); ++i) {
    const CurveSegment& segment = set.segments[i];
    if (i > 0) addLine(segment.from, true);
    addLabel((segment.from + segment.to) / 2, segment.label, Qt::AlignTop | Qt::AlignHCenter);
  }
  for (const CurveMark& mark : set.marks) {
    addLine(mark.x, true);
    addLabel(mark.x, mark.label, Qt::AlignTop | Qt::AlignLeft);
  }
  for (const CurveLevel& level : set.levels) {
    addLine(level.y, false);
    auto* label = new QCPItemText(&m_plot);
    label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    label->position->setCoords(1, level.y);
    label->setPositionAlignment(Qt::AlignBottom | Qt::AlignRight);
    label->setPadding(QMargins(4, 0, 4, 1));
    label->setText(text(level.label));
    m_levelLabels.append(label);
  }
}

void CurveAnnotations::addLine(double at, bool vertical) {
  auto* line = new QCPItemStraightLine(&m_plot);
  m_lines.append(line);
  double end = 0;
  for (QCPItemPosition* point : {line->point1, line->point2}) {
    if (vertical)
      point->setTypeY(QCPItemPosition::ptAxisRectRatio);
    else
      point->setTypeX(QCPItemPosition::ptAxisRectRatio);
    point->setCoords(vertical ? at : end, vertical ? end : at);
    end = 1;
  }
}

void CurveAnnotations::addLabel(double x, const std::string& label, Qt::Alignment alignment) {
  auto* item = new QCPItemText(&m_plot);
  item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  item->position->setCoords(x, 0);
  item->setPositionAlignment(alignment);
  item->setPadding(QMargins(4, 2, 4, 0));
  item->setText(text(label));
  m_labels.append(item);
}

void CurveAnnotations::arrange() {
  fitLevelLabels();
  const QRect rect = m_plot.axisRect()->rect();
  std::array<double, 4> free;
  free.fill(-1e9);
  for (QCPItemText* label : m_labels) {
    const QFontMetricsF metrics(label->font());
    const double width = metrics.horizontalAdvance(label->text()) + 8;
    const double at = m_plot.xAxis->coordToPixel(label->position->key());
    const bool centred = label->positionAlignment().testFlag(Qt::AlignHCenter);
    const bool flips = !centred && at + width > rect.right() && at - width >= rect.left();
    if (!centred) label->setPositionAlignment(Qt::AlignTop | (flips ? Qt::AlignRight : Qt::AlignLeft));
    const double left = centred ? at - width / 2 : flips ? at - width : at;
    std::size_t line = 0;
    while (line + 1 < free.size() && left < free[line]) ++line;
    free[line] = left + width;
    label->position->setCoords(label->position->key(), static_cast<double>(line) * metrics.height() / rect.height());
    label->setVisible(at >= rect.left() - 1 && at <= rect.right() + 1);
  }
}

void CurveAnnotations::fitLevelLabels() {
  constexpr int padding = 8;
  const int room = m_plot.axisRect()->width() - padding;
  for (qsizetype i = 0; i < m_levelLabels.size(); ++i) {
    const QFontMetrics metrics(m_levelLabels[i]->font());
    const std::string& whole = m_levels[static_cast<std::size_t>(i)].label;
    m_levelLabels[i]->setText(metrics.elidedText(text(whole), Qt::ElideRight, room));
    m_levelLabels[i]->setVisible(room >= 6 * metrics.averageCharWidth());
  }
}

void CurveAnnotations::addNote(const QString& words) {
  m_note = new QCPItemText(&m_plot);
  m_note->position->setType(QCPItemPosition::ptAxisRectRatio);
  m_note->position->setCoords(0, 1);
  m_note->setPositionAlignment(Qt::AlignBottom | Qt::AlignLeft);
  m_note->setPadding(QMargins(4, 0, 4, 1));
  m_note->setText(words);
}

void CurveAnnotations::restyle(const PlotStyle& style) {
  for (QCPItemStraightLine* line : m_lines) line->setPen(QPen(style.colours.secondary, 1, Qt::DashLine));
  QList<QCPItemText*> labels = m_labels + m_levelLabels;
  if (m_note) labels.append(m_note);
  QColor behind = style.colours.panel;
  behind.setAlphaF(0.75F);
  for (QCPItemText* label : labels) {
    label->setColor(style.colours.secondary);
    label->setFont(scaledFont(style.text, 0.82));
    label->setBrush(behind);
  }
}

}  // namespace vqscope
