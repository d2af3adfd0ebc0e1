// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/row_marks.h"

#include "core/lint/lint_case.h"
#include "widgets/theme/fonts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr int gap = 5;
constexpr int stripWidth = 9;

}  // namespace

std::optional<RowMarks> lossMarks(const ShownPage& page, Index rows) {
  if (page.method != "visibility" || page.lint.map().empty()) return std::nullopt;
  const auto labels = stated_labels(page.lint, rows);
  if (!labels || labels->empty()) return std::nullopt;
  RowMarks marks{QCoreApplication::translate("RowMarks", "loss"), {}};
  for (const Index label : *labels) marks.rows.push_back(label != no_loss);
  return marks;
}

RowStrip::RowStrip(QCustomPlot* plot) : QCPAbstractItem(plot) {
  setClipToAxisRect(false);
  setSelectable(false);
  setVisible(false);
}

void RowStrip::setMarks(const std::optional<RowMarks>& marks) {
  setVisible(marks.has_value());
  m_before.clear();
  if (!marks) return;
  m_title = marks->title;
  m_before.push_back(0);
  for (const bool marked : marks->rows) m_before.push_back(m_before.back() + (marked ? 1 : 0));
}

void RowStrip::setStyle(const PlotStyle& style) { m_style = style; }

int RowStrip::width() const {
  if (m_before.empty()) return 0;
  return 2 * gap + stripWidth + QFontMetrics(scaledFont(m_style.text, 0.86)).height();
}

double RowStrip::fraction(double first, double last) const {
  const auto most = static_cast<double>(m_before.size() - 1);
  const auto marked = [&](double row) {
    const double at = std::clamp(row, 0.0, most);
    const auto whole = static_cast<std::size_t>(at);
    const Index next = whole + 1 < m_before.size() ? m_before[whole + 1] : m_before[whole];
    return static_cast<double>(m_before[whole]) + (at - std::floor(at)) * static_cast<double>(next - m_before[whole]);
  };
  return last > first ? (marked(last) - marked(first)) / (last - first) : 0;
}

void RowStrip::draw(QCPPainter* painter) {
  if (m_before.empty()) return;
  const QCPAxisRect* map = mParentPlot->axisRect();
  const QCPAxis* axis = map->axis(QCPAxis::atLeft);
  const QRect strip(map->right() + 1 + gap, map->top(), stripWidth, map->height());
  const double scale = std::max(1.0, mParentPlot->bufferDevicePixelRatio());
  const int lines = static_cast<int>(std::lround(strip.height() * scale));
  QImage image(1, std::max(1, lines), QImage::Format_RGB32);
  for (int y = 0; y < image.height(); ++y) {
    const double first = axis->pixelToCoord(strip.top() + y / scale) + 0.5;
    const double last = axis->pixelToCoord(strip.top() + (y + 1) / scale) + 0.5;
    image.setPixelColor(0, y, mixed(m_style.colours.line, m_style.colours.accent, fraction(first, last)));
  }
  painter->save();
  painter->setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter->drawImage(strip, image);
  painter->setFont(scaledFont(m_style.text, 0.86));
  painter->setPen(m_style.colours.secondary);
  painter->translate(strip.right() + gap, strip.center().y());
  painter->rotate(90);
  const int height = painter->fontMetrics().height();
  painter->drawText(QRect(-strip.height() / 2, -height, strip.height(), height), Qt::AlignCenter, m_title);
  painter->restore();
}

}  // namespace vqscope
