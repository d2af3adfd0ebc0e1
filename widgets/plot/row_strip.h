// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/plot_style.h"
#include "widgets/plot/row_marks.h"

#include <qcustomplot.h>

namespace vqscope {

/// Paints RowMarks along the right border of a plot's map; a pixel of many rows has the share of them that are marked.
class RowStrip : public QCPAbstractItem {
  Q_OBJECT
 public:
  explicit RowStrip(QCustomPlot* plot);

  void setMarks(const std::optional<RowMarks>& marks);
  void setStyle(const PlotStyle& style);
  /// What the strip and its title take beside the map.
  int width() const;

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  /// Of the rows first to last, in rows and parts of them, how many are marked.
  double share(double first, double last) const;

  QString m_title;
  std::vector<Index> m_before;  ///< marked rows above each; empty: no marks
  PlotStyle m_style;
};

}  // namespace vqscope
