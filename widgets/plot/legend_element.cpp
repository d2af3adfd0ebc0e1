// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/legend_element.h"

#include "widgets/paint/colour_map.h"
#include "widgets/plot/axis/index_ticker.h"
#include "widgets/theme/fonts.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double rampHeight = 12;
constexpr double legendGap = 6;
constexpr double narrowest = 220;

constexpr double mostDecades = 6;  // captions between the ends

/// The value as a caption shows it, without the digits of float32's rounding.
double shortValue(double value) { return QString::number(value, 'g', 4).toDouble(); }

/// The name of a term may be a whole expression.
QString shortName(const QString& name) {
  constexpr int most = 28;
  return name.size() <= most ? name : name.left(most - 1) + QChar(0x2026);
}

}  // namespace

void LegendElement::setParts(bool names, bool bar) {
  m_names = names;
  m_bar = bar;
}

QFont LegendElement::font() const { return scaledFont(m_style.text, 0.86); }

void LegendElement::setScale(const ColourScale& scale, bool hasNotANumber) {
  m_scale = scale;
  m_swatches.clear();
  m_captions.clear();
  m_notes.clear();
  if (scale.kind == ValueScale::visibility) {
    m_swatches.append({scale.visible, QCustomPlot::tr("visible"), false, ScalePart{}});
    if (!scale.reasons.empty()) m_swatches.append({0, QCustomPlot::tr("masked by"), true});
    for (std::size_t i = 0; i < scale.reasons.size(); ++i)
      m_swatches.append({scale.reasonColours[i], shortName(QString::fromStdString(scale.reasons[i])), false,
                         ScalePart{ScalePart::Kind::term, static_cast<int>(i), static_cast<int>(i)}});
    if (scale.reasons.empty()) m_swatches.append({scale.masked, QCustomPlot::tr("masked")});
  } else if (scale.isMaskDifference()) {
    m_swatches = {{scale.rampColour(1), QCustomPlot::tr("only A")},
                  {scale.rampColour(0), QCustomPlot::tr("only B")},
                  {scale.reasonColours.front(), QCustomPlot::tr("both")},
                  {scale.zero, QCustomPlot::tr("none")}};
  } else if (namesEachLabel(scale)) {
    for (std::size_t i = 0; i < scale.groups.size(); ++i) {
      const auto label = static_cast<int>(i);
      m_swatches.append({scale.categories[i], QString::fromStdString(scale.groups[i].label), false,
                         ScalePart{ScalePart::Kind::labels, label, label}});
    }
  } else if (!scale.categories.empty()) {
    for (const CategoryGroup& group : scale.groups)
      m_captions.append({static_cast<double>(group.first) / static_cast<double>(scale.categories.size()),
                         QString::fromStdString(group.label)});
  } else if (scale.kind == ValueScale::cyclic) {
    const bool both = scale.signedTurn;
    // In the order in which they give way where there is no space for all, the last first.
    m_captions = {{0, QStringLiteral("0")},
                  {1, both ? QStringLiteral("0 rad") : QStringLiteral("2π rad")},
                  {0.5, both ? QStringLiteral("±π") : QStringLiteral("π")},
                  {0.25, QStringLiteral("π/2")},
                  {0.75, both ? QStringLiteral("−π/2") : QStringLiteral("3π/2")}};
    m_swatches.append({scale.neutral, QCustomPlot::tr("pixel spans whole turns")});
  } else {
    addNumbers();
  }
  if (scale.mixes)
    m_notes.append(scale.mostFrequent ? QCustomPlot::tr("pixel over several: the most frequent of a sample")
                                      : QCustomPlot::tr("pixel over several: their colours, mixed by cells"));
  for (const QString& note : std::as_const(m_notes)) m_swatches.append({0, note, true});
  if (scale.decoderPast)
    m_swatches.append({scale.unused, QCustomPlot::tr("keys after the query: not used by a decoder")});
  if (scale.hasZero) m_swatches.append({scale.zero, QCustomPlot::tr("0: no error")});
  if (hasNotANumber) m_swatches.append({scale.notANumber, QStringLiteral("NaN")});
}

/// Numbers along the ramp; an end beyond which the picture has values shows their extreme.
void LegendElement::addNumbers() {
  const ColourScale& scale = m_scale;
  const auto end = [&scale](double at, bool clips, const char* sign, double value, const QString& extreme) {
    const QString number = plotNumber(value);
    if (!clips) return Caption{at, number};
    const QString brief = QString::fromUtf8(sign) + QLatin1Char(' ') + number;
    return Caption{at, scale.merged ? brief : QStringLiteral("%1 (%2)").arg(brief, extreme), brief};
  };
  const QString lowest = QCustomPlot::tr("min %1").arg(plotNumber(shortValue(scale.lowest)));
  const QString highest = QCustomPlot::tr("max %1").arg(plotNumber(shortValue(scale.highest)));
  // The ends come first: where there is no space for all, the others give way.
  m_captions = {end(0, scale.clipsLow, "≤", scale.low, lowest), end(1, scale.clipsHigh, "≥", scale.high, highest)};
  if (scale.logarithmic) {
    const double first = std::ceil(std::log10(scale.low) + 1e-9);
    const double last = std::floor(std::log10(scale.high) - 1e-9);
    const double step = std::max(1.0, std::ceil((last - first + 1) / mostDecades));
    for (double power = last; power >= first; power -= step) {
      const double value = std::pow(10, power);
      m_captions.append({scale.placeOf(value), plotNumber(value)});
    }
  } else if (scale.low < 0 && scale.high > 0) {
    m_captions.append({scale.placeOf(0), QStringLiteral("0")});
  } else {
    m_captions.append({0.5, plotNumber(shortValue((scale.low + scale.high) / 2))});
  }
}

QSize LegendElement::minimumOuterSizeHint() const {
  const double line = QFontMetricsF(font()).height();
  const double ramp = hasRamp() ? rampHeight + legendGap / 2 + line : 0;
  const double swatches = shownSwatches() == 0 ? 0 : swatchPlaces().last().y() + line + legendGap / 2;
  const double all = ramp + swatches;
  return {1, std::max(m_leastHeight, static_cast<int>(std::ceil(all > 0 ? all + 2 * legendGap : legendGap)))};
}

QSize LegendElement::maximumOuterSizeHint() const { return {QWIDGETSIZE_MAX, minimumOuterSizeHint().height()}; }

QRectF LegendElement::ramp() const {
  const QRectF mine = rect();
  const QRectF above = m_map ? QRectF(m_map->rect()) : mine;
  // Below a narrow map, the legend is wider.
  const QRectF plot = QRectF(mParentPlot->viewport()).adjusted(legendGap, 0, -legendGap, 0);
  const double width = std::max(above.width(), std::min(narrowest, plot.width()));
  const double centred = above.center().x() - width / 2;
  const double left = std::max(plot.left(), std::min(centred, plot.right() - width));
  return {width > above.width() ? std::round(left) : above.left(), mine.top() + legendGap, width, rampHeight};
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
  for (int i = 0; i < 256; ++i) line.setPixel(i, 0, m_scale.rampColour(i / 255.0));
  const QRectF all = ramp();
  painter.drawImage(all, line);
  // An end with values beyond it is an arrow: its corners are cut off.
  painter.save();
  painter.setAntialiasing(true);
  painter.setPen(Qt::NoPen);
  painter.setBrush(m_style.colours.panel);
  const double tip = all.height();
  const auto cut = [&](double end, double inwards) {
    const double middle = all.center().y();
    for (const double corner : {all.top() - 1, all.bottom() + 1})
      painter.drawPolygon(QPolygonF({QPointF(end - inwards / tip, corner), QPointF(end + inwards, corner),
                                     QPointF(end - inwards / tip, middle)}));
  };
  if (m_scale.clipsLow) cut(all.left(), tip);
  if (m_scale.clipsHigh) cut(all.right(), -tip);
  painter.restore();
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

bool LegendElement::isNarrow() const {
  double both = 4 * legendGap;
  for (const Caption& caption : m_captions)
    if (caption.at == 0 || caption.at == 1) both += QFontMetricsF(font()).horizontalAdvance(caption.text);
  return both > ramp().width();
}

void LegendElement::drawCaptions(QCPPainter& painter) const {
  const QRectF all = ramp();
  const QFontMetricsF metrics(font());
  painter.setPen(m_style.colours.secondary);
  QList<QRectF> taken;
  const bool swatchNames = !m_scale.categories.empty();
  const bool narrow = isNarrow();
  for (const Caption& caption : m_captions) {
    const QString& words = narrow && !caption.brief.isEmpty() ? caption.brief : caption.text;
    const double width = metrics.horizontalAdvance(words);
    const double shift = swatchNames || caption.at == 0 ? 0 : caption.at == 1 ? width : width / 2;
    const QRectF box(all.left() + caption.at * all.width() - shift, all.bottom() + legendGap / 2, width + 1,
                     metrics.height());
    const QRectF apart = box.adjusted(-2 * legendGap, 0, 2 * legendGap, 0);
    if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(apart); })) continue;
    // The name of a group of labels begins at its first; the last may be longer than its group.
    const double room = swatchNames ? mParentPlot->viewport().right() - box.left() : box.width();
    painter.drawText(box, Qt::AlignLeft | Qt::AlignTop, metrics.elidedText(words, Qt::ElideRight, room));
    taken.append(box);
  }
}

double LegendElement::swatchWidth(const Swatch& swatch) const {
  const QFontMetricsF metrics(font());
  return metrics.horizontalAdvance(fittingText(swatch)) + (swatch.heading ? 0 : metrics.height() * 0.62 + legendGap);
}

QString LegendElement::fittingText(const Swatch& swatch) const {
  const QFontMetricsF metrics(font());
  const double room = ramp().width() - (swatch.heading ? 0 : metrics.height() * 0.62 + legendGap);
  if (metrics.horizontalAdvance(swatch.text) <= room) return swatch.text;
  const QString name = swatch.heading ? swatch.text : swatch.text.section(QLatin1Char(':'), 0, 0);
  return metrics.elidedText(name, Qt::ElideRight, room);
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
  for (qsizetype i = 0; i < shownSwatches(); ++i) {
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
    const QString words = fittingText(swatch);
    painter.drawText(QRectF(at, QSizeF(metrics.horizontalAdvance(words) + 1, metrics.height())),
                     Qt::AlignLeft | Qt::AlignVCenter, words);
  }
}

}  // namespace vqscope
