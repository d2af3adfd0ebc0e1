// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/axis/index_ticker.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"

#include <cmath>

namespace vqscope {
namespace {

/// The part of the plot's length that margins, titles and legend leave in most cases.
constexpr double usualFraction = 0.7;

/// Powers of ten whose exponents are multiples of the step.
QVector<double> wholePowers(const QCPRange& range, double step) {
  QVector<double> ticks;
  for (double exponent = step * std::floor(std::log10(range.lower) / step); exponent <= std::log10(range.upper);
       exponent += step)
    if (const double tick = std::pow(10, exponent); range.contains(tick)) ticks.append(tick);
  return ticks;
}

}  // namespace

QString plotNumber(double value) {
  if (value != std::floor(value) || std::abs(value) >= 1e12) return QString::fromStdString(to_text(value, 5));
  // Four digits have no separator, as in most papers.
  if (std::abs(value) < 10000) return QString::number(static_cast<qint64>(value));
  return QString::fromStdString(grouped(static_cast<Index>(value)));
}

int tickCountFor(const QCPAxis& axis, int pixels) {
  const QFontMetrics metrics(axis.tickLabelFont());
  if (axis.orientation() == Qt::Vertical) return std::clamp(pixels / (3 * metrics.height()), 2, 9);
  const QCPRange range = axis.range();
  const QString longest = plotNumber(std::round(std::max(std::abs(range.lower), std::abs(range.upper))));
  return std::clamp(pixels / (metrics.horizontalAdvance(longest) + 24), 2, 9);
}

double IndexTicker::getTickStep(const QCPRange& range) {
  const double step = QCPAxisTicker::getTickStep(range);
  // 2.5 would be between cells and shown as 3.
  return step == std::floor(step) ? step : std::max(1.0, 2 * step);
}

int IndexTicker::getSubTickCount(double) { return 0; }

QString IndexTicker::getTickLabel(double tick, const QLocale&, QChar, int) { return plotNumber(std::round(tick)); }

QVector<double> LogTicker::createTickVector(double step, const QCPRange& range) {
  constexpr double fewest = 0.7;
  constexpr double most = 3;
  constexpr int few = 3;  // ticks, of which QCustomPlot's would be one more than fit
  const double decades = range.lower > 0 ? std::log10(range.upper / range.lower) : 0;
  // Within a decade, there would be at most one round logarithmic tick.
  // NOLINTNEXTLINE(bugprone-parent-virtual-call): the linear ticks of the parent's parent are meant
  if (decades < fewest) return QCPAxisTicker::createTickVector(QCPAxisTicker::getTickStep(range), range);
  if (decades > most && tickCount() > few) return QCPAxisTickerLog::createTickVector(step, range);
  if (decades > most) return wholePowers(range, std::ceil(decades / tickCount()));
  const bool between = 3 * decades <= tickCount() + 1;
  QVector<double> ticks;
  for (double power = std::pow(10, std::floor(std::log10(range.lower))); power <= range.upper; power *= 10)
    for (const double first : {1.0, 2.0, 5.0})
      if (const double tick = first * power; (first == 1 || between) && range.contains(tick)) ticks.append(tick);
  return ticks;
}

QString LogTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  const double magnitude = std::abs(tick);
  if (magnitude == 0 || (magnitude >= 1e-3 && magnitude < 1e7)) return plotNumber(tick);
  const int exponent = static_cast<int>(std::floor(std::log10(magnitude) + 1e-9));
  return QStringLiteral("%1e%2").arg(QString::number(magnitude / std::pow(10, exponent), 'g', 4)).arg(exponent);
}

QString NumberTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  // Removes rounding noise: 0 may come as 1e-17, 0.3 as 0.30000000000000004.
  const double rounded = std::round(tick * 1e12) / 1e12;
  return plotNumber(std::abs(tick) < 1e-9 ? tick : rounded);
}

void TokenTicker::prepare(QCPAxis& axis, int plotPixels) {
  const int line = QFontMetrics(axis.tickLabelFont()).height();
  m_upright = axis.orientation() == Qt::Horizontal;
  m_shown = axis.range().size() * line <= plotPixels * usualFraction;
  axis.setTickLabelRotation(m_upright && m_shown ? -90 : 0);
}

double TokenTicker::getTickStep(const QCPRange& range) { return m_shown ? 1 : IndexTicker::getTickStep(range); }

/// The number is the end at the axis.
QString TokenTicker::getTickLabel(double tick, const QLocale& locale, QChar format, int precision) {
  QString number = IndexTicker::getTickLabel(tick, locale, format, precision);
  if (!m_shown) return number;
  const QString token = text(shown_token(m_texts, m_first + std::llround(tick)));
  if (token.isEmpty()) return number;
  return m_upright ? number + QStringLiteral("  ") + token : token + QStringLiteral("  ") + number;
}

}  // namespace vqscope
