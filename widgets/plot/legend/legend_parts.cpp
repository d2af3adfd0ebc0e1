// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a legend under the mouse.
#include "widgets/parts/text.h"
#include "widgets/plot/axis/index_ticker.h"
#include "widgets/plot/legend_element.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double reach = 3;  // pixels around what is painted

/// The group of labels that begins at this fraction of the ramp, if its caption is there; else the
/// single label.
ScalePart labelAt(const ColourScale& scale, double fraction) {
  const auto count = static_cast<double>(scale.categories.size());
  const int label = static_cast<int>(std::clamp(std::floor(fraction * count), 0.0, count - 1));
  return {ScalePart::Kind::labels, label, label};
}

}  // namespace

std::optional<ScalePart> LegendElement::partAt(const QPointF& position) const {
  if (!m_scale.map || !QRectF(rect()).contains(position)) return std::nullopt;
  const QRectF bar = ramp();
  const double line = QFontMetricsF(font()).height();
  if (hasRamp() && !m_scale.categories.empty()) {
    if (bar.adjusted(0, -reach, 0, reach).contains(position))
      return labelAt(m_scale, (position.x() - bar.left()) / bar.width());
    // A caption stands for its group.
    const QRectF captions(bar.left(), bar.bottom(), bar.width(), line + reach);
    const auto parts = partsOf(m_scale);
    if (captions.contains(position))
      for (const ScalePart& part : parts) {
        const double fraction =
            (position.x() - bar.left()) / bar.width() * static_cast<double>(m_scale.categories.size());
        if (part.first <= fraction && fraction < part.last + 1) return part;
      }
  }
  const QList<QPointF> places = swatchPlaces();
  const QPointF origin(bar.left(), swatchTop());
  for (qsizetype i = 0; i < places.size(); ++i) {
    const QRectF place(places[i] + origin, QSizeF(swatchWidth(m_swatches[i]), line));
    if (m_swatches[i].part && place.adjusted(-reach, 0, reach, 0).contains(position)) return m_swatches[i].part;
  }
  return std::nullopt;
}

QString LegendElement::tipAt(const QPointF& position) const {
  if (const auto part = partAt(position))
    return QCustomPlot::tr("%1: click to highlight its cells").arg(text(nameOf(m_scale, *part)));
  const QRectF bar = ramp();
  const bool values = hasRamp() && m_scale.categories.empty() && m_scale.map;
  if (!values || !bar.contains(position)) return {};
  const double fraction = (position.x() - bar.left()) / bar.width();
  double value = m_scale.low + fraction * (m_scale.high - m_scale.low);
  if (m_scale.signedTurn && fraction > 0.5) value -= m_scale.high;
  return plotNumber(QString::number(value, 'g', 4).toDouble());
}

}  // namespace vqscope
