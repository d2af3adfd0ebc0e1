// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/thumbnail/thumbnail.h"

#include "widgets/plot/plot_style.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr std::size_t mostCurves = 8;

/// Maps values of one axis to pixels.
class Scale {
 public:
  explicit Scale(bool logarithmic) : m_logarithmic(logarithmic) {}

  void take(double value) {
    const double v = mapped(value);
    if (!std::isfinite(v)) return;
    m_low = std::min(m_low, v);
    m_high = std::max(m_high, v);
  }
  bool isEmpty() const { return !(m_low <= m_high); }
  /// NaN for what is not on the axis.
  double at(double value, double first, double last) const {
    const double span = m_high - m_low;
    return span > 0 ? first + (mapped(value) - m_low) / span * (last - first) : (first + last) / 2;
  }

 private:
  double mapped(double value) const { return !m_logarithmic ? value : value > 0 ? std::log(value) : NAN; }

  bool m_logarithmic;
  double m_low = INFINITY;
  double m_high = -INFINITY;
};

class CurvePainter {
 public:
  CurvePainter(const CurveSet& curves, const ThumbnailRequest& request)
      : m_curves(curves),
        m_colours(palette(request.theme)),
        m_ratio(request.pixelRatio),
        m_image(request.pixels, QImage::Format_ARGB32_Premultiplied),
        m_x(curves.log_x),
        m_y(curves.log_y) {
    for (std::size_t i = 0; i < curves.curves.size() && m_shown.size() < mostCurves; ++i)
      if (!curves.is_edge(i)) m_shown.push_back(i);
    for (const double x : curves.x) m_x.take(x);
    for (const std::size_t i : m_shown)
      for (const double y : curves.curves[i].y) m_y.take(y);
    const double margin = 9 * m_ratio;
    m_area = QRectF(m_image.rect()).adjusted(margin, margin, -margin, -margin);
  }

  QImage paint() {
    m_image.fill(m_colours.panel);
    QPainter painter(&m_image);
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter);
    if (m_x.isEmpty() || m_y.isEmpty()) return m_image;
    paintMarks(painter);
    for (std::size_t i = m_shown.size(); i-- > 0;) paintCurve(painter, i);
    return m_image;
  }

 private:
  void paintAxes(QPainter& painter) const {
    painter.setPen(QPen(m_colours.line, m_ratio));
    painter.drawLine(m_area.bottomLeft(), m_area.bottomRight());
    painter.drawLine(m_area.bottomLeft(), m_area.topLeft());
  }

  void paintMarks(QPainter& painter) const {
    QPen pen(m_colours.secondary, m_ratio);
    pen.setDashPattern({3, 3});
    painter.setPen(pen);
    for (const CurveMark& mark : m_curves.marks) {
      const double x = m_x.at(mark.x, m_area.left(), m_area.right());
      if (x >= m_area.left() && x <= m_area.right())
        painter.drawLine(QPointF(x, m_area.top()), QPointF(x, m_area.bottom()));
    }
  }

  /// Gaps split the line; a point alone is a dot.
  void paintCurve(QPainter& painter, std::size_t shown) const {
    const CurveStyle style = curveStyle(static_cast<int>(shown), m_colours);
    painter.setPen(QPen(style.colour, 1.6 * m_ratio, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const Curve& curve = m_curves.curves[m_shown[shown]];
    QPolygonF line;
    const auto flush = [&] {
      if (line.size() == 1) painter.drawPoint(line.front());
      if (line.size() > 1) painter.drawPolyline(line);
      line.clear();
    };
    for (std::size_t i = 0; i < std::min(m_curves.x.size(), curve.y.size()); ++i) {
      const QPointF at(m_x.at(m_curves.x[i], m_area.left(), m_area.right()),
                       m_y.at(curve.y[i], m_area.bottom(), m_area.top()));
      if (!std::isfinite(at.x()) || !std::isfinite(at.y())) {
        flush();
        continue;
      }
      if (m_curves.steps && !line.empty()) line << QPointF(at.x(), line.back().y());
      line << at;
    }
    flush();
  }

  const CurveSet& m_curves;
  const Palette& m_colours;
  double m_ratio;
  QImage m_image;
  QRectF m_area;
  Scale m_x;
  Scale m_y;
  std::vector<std::size_t> m_shown;  ///< indices into the set's curves
};

}  // namespace

QImage curveThumbnail(const CurveSet& curves, const ThumbnailRequest& request) {
  return CurvePainter(curves, request).paint();
}

}  // namespace vqscope
