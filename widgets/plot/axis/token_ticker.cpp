// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/axis/token_ticker.h"

#include "widgets/parts/text.h"

#include <cmath>

namespace vqscope {
namespace {

/// The part of the plot's length that margins, titles and legend leave in most cases.
constexpr double usualFraction = 0.7;

}  // namespace

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
