// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve/end_labels.h"

#include "widgets/plot/curve/point_places.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vqscope {
namespace {

constexpr int besideAxes = 8;      // pixels between the axes and a name
constexpr int least = 300;         // pixels of a plot that has room for names beside its curves
constexpr double mostWidth = 0.3;  // of the plot's
constexpr double mostHeight = 0.95;
constexpr int aboveAndBelow = 60;  // pixels of titles and ticks before the first layout
constexpr double moved = 3;        // pixels from which on a line leads to the name

}  // namespace

std::vector<double> placesApart(const std::vector<double>& wanted, double height, double top, double bottom) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return wanted[i]; });
  std::vector<double> down(wanted.size()), up(wanted.size()), places(wanted.size());
  // The middle of two rows that are apart is apart too: one pushed down, one pushed up.
  double free = top;
  for (const std::size_t i : order) free = (down[i] = std::max(std::clamp(wanted[i], top, bottom), free)) + height;
  free = bottom;
  for (auto i = order.rbegin(); i != order.rend(); ++i)
    free = (up[*i] = std::min(std::clamp(wanted[*i], top, bottom), free)) - height;
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = (down[i] + up[i]) / 2;
  free = bottom;
  for (auto i = order.rbegin(); i != order.rend(); ++i) free = (places[*i] = std::min(places[*i], free)) - height;
  free = top;
  for (const std::size_t i : order) free = (places[i] = std::max(places[i], free)) + height;
  return places;
}

void EndLabels::forget() {
  m_labels.clear();
  m_shown = false;
}

void EndLabels::setEntries(std::vector<Entry> entries) {
  for (const Label& label : m_labels) {
    m_plot.removeItem(label.text);
    m_plot.removeItem(label.leader);
  }
  m_labels.clear();
  for (Entry& entry : entries) {
    Label label{std::move(entry), new QCPItemText(&m_plot), new QCPItemLine(&m_plot)};
    label.text->setText(label.entry.name);
    label.text->setFont(m_font);
    label.text->setColor(label.entry.colour);
    label.text->setBrush(Qt::NoBrush);
    label.text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    label.text->position->setType(QCPItemPosition::ptAbsolute);
    QColor pale = label.entry.colour;
    pale.setAlphaF(0.5F * pale.alphaF());
    label.leader->setPen(QPen(pale, 1));
    for (QCPItemPosition* end : {label.leader->start, label.leader->end}) end->setType(QCPItemPosition::ptAbsolute);
    for (QCPAbstractItem* item :
         {static_cast<QCPAbstractItem*>(label.text), static_cast<QCPAbstractItem*>(label.leader)}) {
      item->setClipToAxisRect(false);
      item->setVisible(m_shown);
    }
    m_labels.push_back(std::move(label));
  }
}

double EndLabels::height() const { return QFontMetricsF(m_font).height(); }

double EndLabels::widest() const {
  const QFontMetricsF metrics(m_font);
  double most = 0;
  for (const Label& label : m_labels) most = std::max(most, metrics.horizontalAdvance(label.entry.name));
  return most;
}

int EndLabels::margin() const {
  if (m_atPoints) return 0;
  return besideAxes + static_cast<int>(std::ceil(widest())) + besideAxes / 2;
}

bool EndLabels::fit() const {
  if (m_labels.size() < 2 || m_labels.size() > most()) return false;
  if (m_atPoints) return m_plot.viewport().width() >= least;
  const QRect all = m_plot.viewport();
  const double room = m_plot.axisRect()->height() > 0
                          ? std::min(m_plot.axisRect()->height(), all.height() - aboveAndBelow)
                          : all.height() - aboveAndBelow;
  return all.width() >= least && margin() <= mostWidth * all.width() &&
         height() * static_cast<double>(m_labels.size()) <= mostHeight * room;
}

void EndLabels::setShown(bool shown) {
  m_shown = shown;
  for (const Label& label : m_labels) {
    label.text->setVisible(shown);
    label.leader->setVisible(shown);
  }
}

double EndLabels::endOf(const Entry& entry, const QRect& rect) const {
  const QCPRange keys = m_plot.xAxis->range();
  const bool positive = entry.graph->valueAxis()->scaleType() == QCPAxis::stLogarithmic;
  const auto data = entry.graph->data();
  auto at = data->findEnd(keys.upper, false);
  if (entry.hidden) return rect.bottom();
  while (at != data->constBegin()) {
    --at;
    if (std::isfinite(at->value) && (!positive || at->value > 0))
      return std::clamp(entry.graph->valueAxis()->coordToPixel(at->value), double(rect.top()), double(rect.bottom()));
  }
  return rect.bottom();
}

void EndLabels::place() {
  if (!m_shown) return;
  if (m_atPoints) return placeAtPoints();
  const QRect rect = m_plot.axisRect()->rect();
  std::vector<double> wanted;
  for (const Label& label : m_labels) wanted.push_back(endOf(label.entry, rect));
  const double half = height() / 2;
  const auto places = placesApart(wanted, height(), rect.top() + half, rect.bottom() - half + 1);
  for (std::size_t i = 0; i < m_labels.size(); ++i) {
    const Label& label = m_labels[i];
    label.text->position->setCoords(rect.right() + besideAxes, places[i]);
    label.leader->setVisible(!label.entry.hidden && std::abs(places[i] - wanted[i]) > moved);
    label.leader->start->setCoords(rect.right() + 1, wanted[i]);
    label.leader->end->setCoords(rect.right() + besideAxes - 1, places[i]);
  }
}

void EndLabels::placeAtPoints() {
  std::vector<QPolygonF> lines;
  std::vector<QSizeF> sizes;
  const QFontMetricsF metrics(m_font);
  for (const Label& label : m_labels) {
    QPolygonF line;
    for (const QCPGraphData& point : *label.entry.graph->data())
      line.append(label.entry.graph->coordsToPixels(point.key, point.value));
    lines.push_back(label.entry.hidden ? QPolygonF() : line);
    sizes.emplace_back(metrics.horizontalAdvance(label.entry.name), height());
  }
  const auto places = placesAtPoints(lines, sizes, m_plot.axisRect()->rect());
  for (std::size_t i = 0; i < m_labels.size(); ++i) {
    m_labels[i].text->position->setCoords(places[i]);
    m_labels[i].text->setVisible(!m_labels[i].entry.hidden);
    m_labels[i].leader->setVisible(false);
  }
}

std::optional<std::size_t> EndLabels::at(const QPointF& position) const {
  if (!m_shown) return std::nullopt;
  for (std::size_t i = 0; i < m_labels.size(); ++i) {
    const QPointF left = m_labels[i].text->position->pixelPosition();
    const double width = QFontMetricsF(m_font).horizontalAdvance(m_labels[i].entry.name);
    if (QRectF(left.x() - besideAxes / 2, left.y() - height() / 2, width + besideAxes, height()).contains(position))
      return i;
  }
  return std::nullopt;
}

}  // namespace vqscope
