// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/thumbnail/thumbnail.h"

#include "core/config/model_config.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

QColor colourOf(const ModelLayer& layer, const Palette& colours) {
  switch (layer.attention) {
    case LayerAttention::sliding: return colours.accent;
    case LayerAttention::chunked: return colours.violet;
    case LayerAttention::state: return colours.warning;
    case LayerAttention::none: return colours.line;
    case LayerAttention::sparse:
    case LayerAttention::compressed: return mixed(colours.panel, colours.good, 0.5);
    case LayerAttention::full: break;
  }
  return layer.rope < 0 && layer.positions == "none" ? colours.teal : colours.good;
}

/// 0 to 1: the share of the height.
double reachOf(const ModelLayer& layer, double longest) {
  if (layer.attention == LayerAttention::none) return 0.06;
  const bool windowed = layer.attention == LayerAttention::sliding || layer.attention == LayerAttention::chunked;
  if (!windowed || layer.window <= 0) return 1;
  return std::clamp(std::log2(1.0 + static_cast<double>(layer.window)) / std::log2(1 + longest), 0.06, 1.0);
}

void paintLayers(QPainter& painter, const QRectF& area, const ConfigReport& report, const Palette& colours) {
  Index longest = 8192;
  for (const RopeUse& rope : report.ropes) longest = std::max(longest, rope.max_position_embeddings);
  const auto& layers = report.schedule.layers;
  const double step = area.width() / static_cast<double>(layers.size());
  const double gap = std::min(1.0, step / 4);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const double height = area.height() * reachOf(layers[i], static_cast<double>(longest));
    painter.fillRect(QRectF(area.left() + static_cast<double>(i) * step, area.bottom() - height, step - gap, height),
                     colourOf(layers[i], colours));
  }
}

}  // namespace

QImage layerThumbnail(const ThumbnailRequest& request, const std::stop_token& stop) {
  const Palette& colours = palette(request.theme);
  QImage image(request.pixels, QImage::Format_ARGB32_Premultiplied);
  image.fill(colours.window);
  QPainter painter(&image);
  const double margin = 8 * request.pixelRatio;
  const QRectF all = QRectF(image.rect()).adjusted(margin, margin, -margin, -margin);
  const auto count = static_cast<double>(request.configs.size());
  const double height = (all.height() - margin * (count - 1)) / count;
  double top = all.top();
  for (const std::string& config : request.configs) {
    if (stop.stop_requested()) return {};
    const auto report = read_model_config(config);
    if (!report || report->schedule.layers.empty()) return {};
    paintLayers(painter, QRectF(all.left(), top, all.width(), height), *report, colours);
    top += height + margin;
  }
  return image;
}

}  // namespace vqscope
