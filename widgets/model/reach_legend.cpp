// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/reach_legend.h"

#include "widgets/model/reach_painter.h"
#include "widgets/theme/fonts.h"

#include <QPainter>

namespace vqscope {
namespace {

constexpr int swatch = 22;
constexpr int swatchHeight = 11;

}  // namespace

void ReachLegend::setContent(const ReachView::Content* content) {
  m_entries.clear();
  if (content) {
    const auto& layers = content->sight.schedule().layers;
    const auto has = [&](auto... kinds) {
      return std::ranges::any_of(layers, [&](const ModelLayer& layer) { return ((layer.attention == kinds) || ...); });
    };
    const bool selects = std::ranges::any_of(layers, selects_keys);
    if (has(LayerAttention::sliding, LayerAttention::chunked) || selects)
      m_entries.push_back({tr("direct"), ReachKind::direct, LayerAttention::sliding});
    if (has(LayerAttention::full))
      m_entries.push_back({tr("direct, full layer"), ReachKind::direct, LayerAttention::full});
    if (selects) m_entries.push_back({tr("possible, if selected"), ReachKind::possible});
    if (has(LayerAttention::state)) m_entries.push_back({tr("in the state"), ReachKind::direct, LayerAttention::state});
    m_entries.push_back({tr("through layers below"), ReachKind::indirect});
    if (content->sight.documents() > 1) m_entries.push_back({tr("out of another document"), ReachKind::crossing});
  }
  updateGeometry();
  update();
}

int ReachLegend::arranged(int width, QPainter* painter) const {
  const QFontMetrics metrics(scaledFont(uiFont(), 0.87));
  const int line = metrics.height() + 4;
  const ReachColours colours = reachColours(currentPalette());
  int x = 0, y = 0;
  for (const Entry& entry : m_entries) {
    const int wide = swatch + 6 + metrics.horizontalAdvance(entry.words) + 16;
    if (x > 0 && x + wide > width) x = 0, y += line;
    if (painter) {
      const QRect bar(x, y + (line - swatchHeight) / 2, swatch, swatchHeight);
      painter->fillRect(bar, spanColour(colours, {.attention = entry.attention}, entry.kind));
      if (entry.kind == ReachKind::crossing) painter->fillRect(bar, QBrush(currentPalette().panel, Qt::BDiagPattern));
      painter->setPen(currentPalette().secondary);
      painter->drawText(QRect(x + swatch + 6, y, wide, line), Qt::AlignVCenter | Qt::AlignLeft, entry.words);
    }
    x += wide;
  }
  return y + line;
}

void ReachLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(scaledFont(uiFont(), 0.87));
  arranged(width(), &painter);
}

}  // namespace vqscope
