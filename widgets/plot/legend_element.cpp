// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/legend_element.h"

#include "widgets/paint/colour_map.h"
#include "widgets/plot/index_ticker.h"
#include "widgets/theme/fonts.h"

namespace vqscope {
namespace {

constexpr double rampHeight = 12;
constexpr double legendGap = 6;

/// The name of a term may be a whole expression.
QString shortName(const QString& name) {
  constexpr int most = 28;
  return name.size() <= most ? name : name.left(most - 1) + QChar(0x2026);
}

}  // namespace

QFont LegendElement::font() const { return scaledFont(m_style.text, 0.86); }

void LegendElement::setScale(const ColourScale& scale, bool hasNotANumber) {
  m_scale = scale;
  m_swatches.clear();
  m_captions.clear();
  if (scale.kind == ValueScale::visibility) {
    m_swatches.append({scale.visible, QCustomPlot::tr("visible"), false, ScalePart{}});
    if (!scale.reasons.empty()) m_swatches.append({0, QCustomPlot::tr("masked by"), true});
    for (std::size_t i = 0; i < scale.reasons.size(); ++i)
      m_swatches.append({scale.reasonColours[i], shortName(QString::fromStdString(scale.reasons[i])), false,
                         ScalePart{ScalePart::Kind::term, static_cast<int>(i), static_cast<int>(i)}});
    if (scale.reasons.empty()) m_swatches.append({scale.masked, QCustomPlot::tr("masked")});
  } else if (!scale.categories.empty()) {
    for (const CategoryGroup& group : scale.groups)
      m_captions.append({static_cast<double>(group.first) / static_cast<double>(scale.categories.size()),
                         QString::fromStdString(group.label)});
  } else if (scale.kind == ValueScale::cyclic) {
    const bool both = scale.signedTurn;
    m_captions = {{0, QStringLiteral("0")},
                  {0.25, QStringLiteral("π/2")},
                  {0.5, both ? QStringLiteral("±π") : QStringLiteral("π")},
                  {0.75, both ? QStringLiteral("−π/2") : QStringLiteral("3π/2")},
                  {1, both ? QStringLiteral("0 rad") : QStringLiteral("2π rad")}};
    m_swatches.append({scale.neutral, QCustomPlot::tr("pixel spans whole turns")});
  } else {
    const double middle = (scale.low + scale.high) / 2;
    m_captions = {{0, (scale.clipsLow ? QStringLiteral("≤ ") : QString()) + plotNumber(scale.low)},
                  {0.5, plotNumber(middle)},
                  {1, (scale.clipsHigh ? QStringLiteral("≥ ") : QString()) + plotNumber(scale.high)}};
  }
  if (hasNotANumber) m_swatches.append({scale.notANumber, QStringLiteral("NaN")});
}

QSize LegendElement::minimumOuterSizeHint() const {
  const double line = QFontMetricsF(font()).height();
  const double ramp = hasRamp() ? rampHeight + legendGap / 2 + line : 0;
  const double swatches = m_swatches.isEmpty() ? 0 : swatchPlaces().last().y() + line + legendGap / 2;
  return {100, static_cast<int>(std::ceil(ramp + swatches + 2 * legendGap))};
}

QSize LegendElement::maximumOuterSizeHint() const { return {QWIDGETSIZE_MAX, minimumOuterSizeHint().height()}; }

QRectF LegendElement::ramp() const {
  const QRectF mine = rect();
  const QRectF above = m_map ? QRectF(m_map->rect()) : mine;
  return {above.left(), mine.top() + legendGap, above.width(), rampHeight};
}

void LegendElement::draw(QCPPainter* painter) {
  if (!m_scale.map) return;  // no picture yet
  painter->save();
  painter->setAntialiasing(false);
  painter->setFont(font());
  if (hasRamp()) {
    if (m_scale.categories.empty())
      drawRamp(*painter);
    else
      drawCategories(*painter);
    drawCaptions(*painter);
  }
  drawSwatches(*painter, swatchTop());
  painter->restore();
}

double LegendElement::swatchTop() const {
  if (!hasRamp()) return rect().top() + legendGap;
  return ramp().bottom() + legendGap / 2 + QFontMetricsF(font()).height() + legendGap / 2;
}

void LegendElement::drawRamp(QCPPainter& painter) const {
  QImage line(256, 1, QImage::Format_RGB32);
  for (int i = 0; i < 256; ++i) line.setPixel(i, 0, m_scale.map->at(i / 255.0));
  painter.drawImage(ramp(), line);
}

void LegendElement::drawCategories(QCPPainter& painter) const {
  const QRectF all = ramp();
  const auto count = static_cast<int>(m_scale.categories.size());
  const double width = all.width() / count;
  const double space = width > 6 ? 2 : 0;
  for (int i = 0; i < count; ++i)
    painter.fillRect(QRectF(all.left() + i * width, all.top(), width - space, all.height()),
                     QColor(m_scale.categories[static_cast<std::size_t>(i)]));
}

void LegendElement::drawCaptions(QCPPainter& painter) const {
  const QRectF all = ramp();
  const QFontMetricsF metrics(font());
  painter.setPen(m_style.colours.secondary);
  double free = all.left() - 1;
  const bool swatchNames = !m_scale.categories.empty();
  for (const Caption& caption : m_captions) {
    const double width = metrics.horizontalAdvance(caption.text);
    const double shift = swatchNames || caption.at == 0 ? 0 : caption.at == 1 ? width : width / 2;
    const QRectF box(all.left() + caption.at * all.width() - shift, all.bottom() + legendGap / 2, width + 1,
                     metrics.height());
    if (box.left() < free) continue;
    painter.drawText(box, Qt::AlignLeft | Qt::AlignTop, caption.text);
    free = box.right() + 2 * legendGap;
  }
}

double LegendElement::swatchWidth(const Swatch& swatch) const {
  const QFontMetricsF metrics(font());
  return metrics.horizontalAdvance(swatch.text) + (swatch.heading ? 0 : metrics.height() * 0.62 + legendGap);
}

QList<QPointF> LegendElement::swatchPlaces() const {
  QList<QPointF> places;
  const double room = ramp().width();
  QPointF at;
  for (const Swatch& swatch : m_swatches) {
    const double width = swatchWidth(swatch);
    if (at.x() > 0 && at.x() + width > room) at = {0, at.y() + QFontMetricsF(font()).height()};
    places.append(at);
    at.rx() += width + (swatch.heading ? 1.5 : 3) * legendGap;
  }
  return places;
}

void LegendElement::drawSwatches(QCPPainter& painter, double top) const {
  const QFontMetricsF metrics(font());
  const double side = metrics.height() * 0.62;
  const QList<QPointF> places = swatchPlaces();
  for (qsizetype i = 0; i < m_swatches.size(); ++i) {
    const Swatch& swatch = m_swatches[i];
    QPointF at = places[i] + QPointF(ramp().left(), top);
    if (!swatch.heading) {
      const QRectF square(at.x(), at.y() + (metrics.height() - side) / 2, side, side);
      painter.fillRect(square, QColor(swatch.colour));
      painter.setPen(m_style.colours.secondary);
      painter.drawRect(square);
      at.rx() += side + legendGap;
    }
    painter.setPen(m_style.colours.secondary);
    painter.drawText(QRectF(at, QSizeF(metrics.horizontalAdvance(swatch.text) + 1, metrics.height())),
                     Qt::AlignLeft | Qt::AlignVCenter, swatch.text);
  }
}

}  // namespace vqscope
