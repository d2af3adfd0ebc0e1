// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"
#include "widgets/plot/matrix_cursor.h"
#include "widgets/view/plot_drag.h"

#include <functional>

namespace vqscope {

/// Box and ruler over a map: both begin and end at whole cells.
class MapDrag : public PlotDrag {
 public:
  /// `zoom` shows a range of cells.
  MapDrag(QCustomPlot& plot, std::function<void(const ViewRange& range)> zoom);

  /// "query position q", of which the ruler says the last word.
  void setTitles(const QString& rows, const QString& cols);

 protected:
  QPointF snapped(const QPointF& point) const override;
  QString words(const QPointF& from, const QPointF& to) const override;
  QColor rulerColour() const override;
  void zoomInto(const QPointF& upperLeft, const QPointF& lowerRight) override;

 private:
  std::function<void(const ViewRange&)> m_zoom;
  QString m_row;
  QString m_col;
};

/// "Δq 87, Δk −3", the number of cells from one to the other, both included, and for queries and keys the
/// distance k − q at both.
QString rulerWords(const Cell& from, const Cell& to, const QString& row, const QString& col);

}  // namespace vqscope
