// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/curve/curve_cursor.h"

#include "widgets/plot/curve_plot.h"
#include "widgets/theme/palette.h"

#include <qcustomplot.h>

#include <algorithm>

namespace vqscope {

CurveCursor::CurveCursor(QCustomPlot& plot) : m_plot(plot) {
  plot.addLayer(QStringLiteral("cursor"));
  plot.layer(QStringLiteral("cursor"))->setMode(QCPLayer::lmBuffered);
}

void CurveCursor::renew() {
  m_line = new QCPItemStraightLine(&m_plot);
  m_line->setLayer(QStringLiteral("cursor"));
  m_line->setVisible(false);
  m_line->setPen(QPen(currentPalette().secondary, 1));
}

std::optional<std::size_t> CurveCursor::show(const CurveSet& curves, std::optional<double> x, bool line) {
  m_at = x;
  if (!m_line || curves.x.empty()) return std::nullopt;
  m_line->setVisible(x.has_value() && line);
  std::optional<std::size_t> sample;
  if (x) {
    sample = nearestSample(curves, *x);
    m_line->point1->setCoords(curves.x[*sample], 0);
    m_line->point2->setCoords(curves.x[*sample], 1);
    m_line->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_line->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
  m_plot.layer(QStringLiteral("cursor"))->replot();
  return sample;
}

double CurveCursor::moved(const CurveSet& curves, int samples, double start) const {
  const auto last = static_cast<std::ptrdiff_t>(curves.x.size()) - 1;
  const auto from = static_cast<std::ptrdiff_t>(nearestSample(curves, m_at.value_or(start)));
  return curves.x[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(from + (m_at ? samples : 0), 0, last))];
}

}  // namespace vqscope
