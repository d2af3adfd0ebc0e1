// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve/point_places.h"

#include <QLineF>

#include <algorithm>
#include <array>
#include <limits>

namespace vqscope {
namespace {

constexpr double besidePoint = 7;  // pixels between the middle of a point and a name
constexpr double ofName = 100, ofPoint = 20, ofLine = 4, ofEdge = 60;  // what covering one costs
constexpr double ofLaterPlace = 0.1;

/// Right, left, above and below a point.
std::array<QRectF, 4> rectsBeside(const QPointF& point, const QSizeF& size) {
  const double middle = point.y() - size.height() / 2, centre = point.x() - size.width() / 2;
  return {QRectF(QPointF(point.x() + besidePoint, middle), size),
          QRectF(QPointF(point.x() - besidePoint - size.width(), middle), size),
          QRectF(QPointF(centre, point.y() - besidePoint / 2 - size.height()), size),
          QRectF(QPointF(centre, point.y() + besidePoint / 2), size)};
}

bool crosses(const QRectF& rect, const QLineF& line) {
  if (rect.contains(line.p1()) || rect.contains(line.p2())) return true;
  return line.intersects({rect.topLeft(), rect.bottomRight()}, nullptr) == QLineF::BoundedIntersection ||
         line.intersects({rect.bottomLeft(), rect.topRight()}, nullptr) == QLineF::BoundedIntersection;
}

double costOf(const QRectF& rect, const std::vector<QPolygonF>& lines, const std::vector<QRectF>& taken,
              const QRectF& within) {
  double cost = within.contains(rect) ? 0 : ofEdge;
  for (const QRectF& other : taken) cost += rect.intersects(other) ? ofName : 0;
  for (const QPolygonF& line : lines)
    for (qsizetype i = 0; i < line.size(); ++i) {
      cost += rect.contains(line[i]) ? ofPoint : 0;
      if (i > 0) cost += crosses(rect, {line[i - 1], line[i]}) ? ofLine : 0;
    }
  return cost;
}

}  // namespace

std::vector<QPointF> placesAtPoints(const std::vector<QPolygonF>& lines, const std::vector<QSizeF>& sizes,
                                    const QRectF& within) {
  std::vector<QPointF> places;
  std::vector<QRectF> taken;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    QRectF best(within.topLeft(), sizes[i]);
    double least = std::numeric_limits<double>::infinity(), later = 0;
    for (qsizetype point = lines[i].size(); point-- > 0;)
      for (const QRectF& rect : rectsBeside(lines[i][point], sizes[i])) {
        const double cost = costOf(rect, lines, taken, within) + ofLaterPlace * later++;
        if (cost >= least) continue;
        least = cost;
        best = rect;
      }
    taken.push_back(best);
    places.emplace_back(best.left(), best.center().y());
  }
  return places;
}

}  // namespace vqscope
