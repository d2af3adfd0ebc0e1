// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/thumbnail/thumbnail.h"

#include <QPainter>

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index mostPoints = 160;  ///< of a curve

/// The curves of the method, unless they are measured on request.
QImage curvesOf(const ThumbnailRequest& request, const std::stop_token& stop) {
  const CurveRecipe* recipe = request.method->curves();
  if (!recipe || recipe->origin == CurveOrigin::measured) return {};
  ParameterValues values = request.values;
  if (const ParameterValue* points = values.find("points"); points && std::holds_alternative<Index>(*points))
    values.set("points", std::min(mostPoints, std::get<Index>(*points)));
  const auto curves = make_curves(*request.method, values, Work{{}, stop});
  return curves && !stop.stop_requested() ? curveThumbnail(*curves, request) : QImage();
}

QImage sideBySide(const ThumbnailRequest& request, const std::stop_token& stop) {
  const int gap = std::max(1, qRound(2 * request.pixelRatio));
  ThumbnailRequest half = request;
  half.other.reset();
  half.pixels.setWidth(std::max(1, (request.pixels.width() - gap) / 2));
  const QImage a = renderThumbnail(half, stop);
  half.values = *request.other;
  const QImage b = renderThumbnail(half, stop);
  if (a.isNull() || b.isNull()) return a;
  QImage both(request.pixels, QImage::Format_ARGB32_Premultiplied);
  both.fill(palette(request.theme).line);
  QPainter painter(&both);
  painter.drawImage(0, 0, a);
  painter.drawImage(request.pixels.width() - b.width(), 0, b);
  return both;
}

}  // namespace

bool ThumbnailRequest::isLike(const ThumbnailRequest& with) const {
  return method == with.method && values == with.values && other == with.other && difference == with.difference &&
         pixels == with.pixels && theme == with.theme;
}

QImage renderThumbnail(const ThumbnailRequest& request, const std::stop_token& stop) {
  if (request.pixels.isEmpty()) return {};
  if (request.kept) return curveThumbnail(*request.kept, request);
  if (!request.method) return request.configs.empty() ? QImage() : layerThumbnail(request, stop);
  if (request.other && !request.difference) return sideBySide(request, stop);
  return request.method->field() ? fieldThumbnail(request, stop) : curvesOf(request, stop);
}

}  // namespace vqscope
