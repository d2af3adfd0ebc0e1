// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/axis/value_tickers.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"
#include "widgets/plot/axis/index_ticker.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double usedRoom = 0.9;  // of the room that the number of ticks leaves a label
/// Powers of two between two ticks: all divide the ten from one unit to the next.
constexpr std::array byteSteps{1, 2, 5, 10, 20};

}  // namespace

QVector<double> PointTicker::createTickVector(double, const QCPRange& range) {
  QVector<double> ticks;
  if (range.lower <= 0) return ticks;
  const double apart = usedRoom * std::log(range.upper / range.lower) / (tickCount() + 1);
  for (const double point : m_points)
    if (range.contains(point) && (ticks.isEmpty() || std::log(point / ticks.back()) >= apart)) ticks.append(point);
  return ticks;
}

QVector<double> PointTicker::createSubTickVector(int, const QVector<double>&) {
  return {m_points.begin(), m_points.end()};
}

QString PointTicker::getTickLabel(double tick, const QLocale&, QChar, int) { return plotNumber(tick); }

double ByteTicker::getTickStep(const QCPRange& range) {
  const double most = std::max({std::abs(range.lower), std::abs(range.upper), 1.0});
  const double unit = std::pow(1024, std::floor(std::log2(most) / 10));
  return std::max(QCPAxisTicker::getTickStep(QCPRange(range.lower / unit, range.upper / unit)) * unit, 1.0);
}

QVector<double> ByteTicker::createTickVector(double step, const QCPRange& range) {
  if (!m_logarithmic || range.lower <= 0) return QCPAxisTicker::createTickVector(step, range);
  const double first = std::log2(range.lower), last = std::log2(range.upper);
  const auto ticksOf = [&](int powers) {
    QVector<double> ticks;
    for (double power = std::ceil(first / powers) * powers; power <= last; power += powers)
      ticks.append(std::exp2(power));
    return ticks;
  };
  auto powers = std::ranges::find_if(byteSteps, [&](int each) { return (last - first) / each <= tickCount() + 1; });
  if (powers == byteSteps.end()) --powers;
  // One tick says nothing of the scale.
  while (powers != byteSteps.begin() && ticksOf(*powers).size() < 2) --powers;
  return ticksOf(*powers);
}

QString ByteTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  return std::abs(tick) < 0.5 ? QStringLiteral("0") : text(byte_count(tick));
}

}  // namespace vqscope
