// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace vqscope {

/// Where the names of lines stand beside one of their points, as the middle of the left edge of each
/// name: the places that cover least of the other names, points and lines. All in pixels.
std::vector<QPointF> placesAtPoints(const std::vector<QPolygonF>& lines, const std::vector<QSizeF>& sizes,
                                    const QRectF& within);

}  // namespace vqscope
