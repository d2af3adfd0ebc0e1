// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve/curve_annotations.h"

#include "widgets/parts/text.h"
#include "widgets/theme/fonts.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr int padding = 8;  // pixels, of a label, both sides
constexpr int leading = 2;
constexpr auto labelLayer = QLatin1String("legend");  // over the lines, which would strike labels through
constexpr double leastShown = 0.6;                    // of a name, in a plot that has no room for all of it

/// As QCPItemText measures its text.
double widthOf(const QCPItemText& label) {
  return QFontMetrics(label.font()).boundingRect(0, 0, 0, 0, Qt::TextDontClip, label.text()).width() + padding;
}

}  // namespace

void CurveAnnotations::forget() {
  m_levels.clear();
  m_lines.clear();
  m_labels.clear();
  m_levelLabels.clear();
  m_note = nullptr;
}

void CurveAnnotations::add(const CurveSet& set) {
  m_levels = set.levels;
  m_levelsLeft = set.names_at_points;
  for (std::size_t i = 0; i < set.segments.size(); ++i) {
    const CurveSegment& segment = set.segments[i];
    if (i > 0) addLine(segment.from, true);
    addLabel((segment.from + segment.to) / 2, segment.label, true);
  }
  for (const CurveMark& mark : set.marks) {
    addLine(mark.x, true);
    addLabel(mark.x, mark.label, false);
  }
  for (const CurveLevel& level : set.levels) {
    addLine(level.y, false);
    auto* label = new QCPItemText(&m_plot);
    label->setLayer(QString(labelLayer));
    label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    label->position->setCoords(m_levelsLeft ? 0 : 1, level.y);
    label->setPadding(QMargins(4, 0, 4, 1));
    label->setText(text(level.label));
    m_levelLabels.append(label);
  }
}

void CurveAnnotations::setShown(bool shown) {
  m_shown = shown;
  for (QCPItemStraightLine* line : m_lines) line->setVisible(shown);
  if (shown) return;
  for (const TopLabel& label : m_labels) label.item->setVisible(false);
  for (QCPItemText* label : m_levelLabels) label->setVisible(false);
  if (m_note) m_note->setVisible(false);
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

void CurveAnnotations::addLabel(double x, const std::string& label, bool centred) {
  auto* item = new QCPItemText(&m_plot);
  item->setLayer(QString(labelLayer));
  item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  item->position->setCoords(x, 0);
  item->setPadding(QMargins(4, 2, 4, 0));
  item->setText(text(label));
  m_labels.append({item, item->text(), centred});
}

void CurveAnnotations::arrange() {
  if (!m_shown) return;
  std::array<double, 4> free;
  free.fill(-1e9);
  QList<QRectF> taken;
  for (const TopLabel& label : m_labels) {
    const QRectF place = placeLabel(label, free);
    if (label.item->visible()) taken.append(place);
  }
  for (qsizetype i = 0; i < m_levelLabels.size(); ++i) placeLevelLabel(i, taken);
  fitNote();
}

QRectF CurveAnnotations::placeLabel(const TopLabel& label, std::array<double, 4>& free) {
  const QRect rect = m_plot.axisRect()->rect();
  const QFontMetricsF metrics(label.item->font());
  const double key = label.item->position->key(), at = m_plot.xAxis->coordToPixel(key);
  const double before = at - rect.left(), after = rect.right() - at;
  const double space = std::max(before, after) - padding;
  label.item->setText(label.whole);
  const bool centred = label.centred && widthOf(*label.item) <= 2 * std::min(before, after);
  if (!centred) label.item->setText(metrics.elidedText(label.whole, Qt::ElideRight, space));
  const double width = widthOf(*label.item);
  const bool flips = !centred && width > after && before > after;
  label.item->setPositionAlignment(Qt::AlignTop | (centred ? Qt::AlignHCenter
                                                   : flips ? Qt::AlignRight
                                                           : Qt::AlignLeft));
  const double left = centred ? at - width / 2 : flips ? at - width : at;
  const bool readable = width >= leastShown * metrics.horizontalAdvance(label.whole);
  label.item->setVisible(before >= -1 && after >= -1 && readable);
  std::size_t line = 0;
  while (line + 1 < free.size() && left < free[line]) ++line;
  if (label.item->visible()) free[line] = left + width;
  const double height = metrics.height() + leading, top = static_cast<double>(line) * height;
  label.item->position->setCoords(key, top / rect.height());
  return {left, rect.top() + top, width, height};
}

void CurveAnnotations::placeLevelLabel(qsizetype number, QList<QRectF>& taken) {
  QCPItemText* label = m_levelLabels[number];
  const QRect rect = m_plot.axisRect()->rect();
  const QFontMetricsF metrics(label->font());
  const CurveLevel& level = m_levels[static_cast<std::size_t>(number)];
  const double space = rect.width() - padding;
  label->setText(metrics.elidedText(text(level.label), Qt::ElideRight, space));
  const double width = widthOf(*label);
  const double line = m_plot.yAxis->coordToPixel(level.y);
  const QRectF below(m_levelsLeft ? rect.left() : rect.right() - width, line, width, metrics.height() + leading),
      above = below.translated(0, -below.height());
  const auto isFree = [&](const QRectF& place) {
    return place.top() >= rect.top() - 1 && place.bottom() <= rect.bottom() + 1 &&
           std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(place); });
  };
  const bool stands = isFree(above);
  label->setPositionAlignment((stands ? Qt::AlignBottom : Qt::AlignTop) |
                              (m_levelsLeft ? Qt::AlignLeft : Qt::AlignRight));
  const bool readable = width >= leastShown * metrics.horizontalAdvance(text(level.label));
  label->setVisible(readable && (stands || isFree(below)));
  if (label->visible()) taken.append(stands ? above : below);
}

void CurveAnnotations::fitNote() {
  if (!m_note) return;
  const QFontMetrics metrics(m_note->font());
  const int space = m_plot.axisRect()->width() - static_cast<int>(padding);
  const auto words =
      std::ranges::find_if(m_noteWords, [&](const QString& each) { return metrics.horizontalAdvance(each) <= space; });
  m_note->setVisible(words != m_noteWords.end());
  if (words != m_noteWords.end()) m_note->setText(*words);
}

void CurveAnnotations::addNote(const QString& words, const QString& shorter) {
  m_noteWords = {words, shorter};
  m_note = new QCPItemText(&m_plot);
  m_note->position->setType(QCPItemPosition::ptAxisRectRatio);
  m_note->position->setCoords(0, 1);
  m_note->setPositionAlignment(Qt::AlignBottom | Qt::AlignLeft);
  m_note->setPadding(QMargins(4, 0, 4, 1));
  m_note->setText(words);
}

void CurveAnnotations::restyle(const PlotStyle& style) {
  for (QCPItemStraightLine* line : m_lines) line->setPen(QPen(style.colours.secondary, 1, Qt::DashLine));
  QList<QCPItemText*> labels = m_levelLabels;
  for (const TopLabel& label : m_labels) labels.append(label.item);
  if (m_note) labels.append(m_note);
  QColor behind = style.colours.panel;
  behind.setAlphaF(0.85F);
  for (QCPItemText* label : labels) {
    label->setColor(style.colours.secondary);
    label->setFont(scaledFont(style.text, 0.82));
    label->setBrush(behind);
  }
}

}  // namespace vqscope
