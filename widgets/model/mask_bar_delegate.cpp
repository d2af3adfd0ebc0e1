// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/mask_bar_delegate.h"

#include "widgets/model/layer_model.h"
#include "widgets/model/reach_painter.h"

#include <QApplication>
#include <QLinearGradient>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr int barWidth = 44;
constexpr int barHeight = 12;
constexpr int gap = 7;

/// Part of the bar for a window of so many tokens: on a logarithmic scale, because most are far
/// below T.
double shareOf(Index window, Index tokens) {
  if (tokens <= 1) return 1;
  const double fraction = std::log(static_cast<double>(window) + 1) / std::log(static_cast<double>(tokens) + 1);
  return std::clamp(fraction * fraction, 0.12, 1.0);
}

}  // namespace

void MaskBarDelegate::paintBar(QPainter& painter, const QRectF& bar, const ModelLayer& layer) const {
  const Palette& p = currentPalette();
  const QColor colour = maskColour(reachColours(p), layer.attention);
  painter.setPen(Qt::NoPen);
  painter.setBrush(mixed(p.panel, p.secondary, 0.2));
  painter.drawRoundedRect(bar, 2.5, 2.5);
  QRectF seen = bar;
  if (layer.attention == LayerAttention::none) return;
  if (layer.attention == LayerAttention::sliding || layer.attention == LayerAttention::chunked) {
    const double width = std::max(5.0, bar.width() * shareOf(layer.window, m_tokens));
    seen.setLeft(layer.two_sided ? bar.center().x() - width / 2 : bar.right() - width);
    if (layer.two_sided) seen.setWidth(width);
  }
  if (selects_keys(layer)) {  // a part of the keys, and the window for certain
    painter.setBrush(QBrush(colour, Qt::Dense4Pattern));
    painter.drawRoundedRect(seen, 2.5, 2.5);
    if (layer.window == 0) return;
    seen.setLeft(bar.right() - std::max(5.0, bar.width() * shareOf(layer.window, m_tokens)));
  }
  painter.setBrush(selects_keys(layer) ? reachColours(p).window : colour);
  if (layer.attention == LayerAttention::state) {
    QLinearGradient fade(seen.topLeft(), seen.topRight());
    fade.setColorAt(0, mixed(p.panel, colour, 0.25));
    fade.setColorAt(1, colour);
    painter.setBrush(fade);
  }
  painter.drawRoundedRect(seen, 2.5, 2.5);
  if (layer.attention != LayerAttention::chunked) return;
  painter.setPen(QPen(p.panel, 1.5));  // borders of chunks
  for (double x = seen.left(); x > bar.left() + 3; x -= std::max(7.0, seen.width()))
    painter.drawLine(QPointF(x, bar.top()), QPointF(x, bar.bottom()));
}

void MaskBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem drawn = option;
  initStyleOption(&drawn, index);
  const QString words = drawn.text;
  drawn.text.clear();
  QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &drawn, painter, option.widget);
  const auto* layer = static_cast<const ModelLayer*>(index.data(LayerModel::layerRole).value<const void*>());
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const QRectF bar(option.rect.left() + 4, option.rect.center().y() - barHeight / 2 + 0.5, barWidth, barHeight);
  if (layer) paintBar(*painter, bar, *layer);
  painter->setPen(currentPalette().text);
  painter->setFont(drawn.font);
  const QRect rest = option.rect.adjusted(4 + barWidth + gap, 0, -2, 0);
  painter->drawText(rest, Qt::AlignVCenter | Qt::AlignLeft,
                    drawn.fontMetrics.elidedText(words, Qt::ElideRight, rest.width()));
  painter->restore();
}

QSize MaskBarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const int words = option.fontMetrics.horizontalAdvance(index.data().toString());
  return {4 + barWidth + gap + words + 6, std::max(barHeight + 6, option.fontMetrics.height() + 4)};
}

}  // namespace vqscope
