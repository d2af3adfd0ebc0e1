// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/plot_style.h"
#include "widgets/plot/row_marks.h"

#include <qcustomplot.h>

namespace vqscope {

/// Paints RowMarks along the right border of a plot's map; a pixel of several rows shows the fraction of marked rows.
class RowStrip : public QCPAbstractItem {
  Q_OBJECT
 public:
  explicit RowStrip(QCustomPlot* plot);

  void setMarks(const std::optional<RowMarks>& marks);
  void setStyle(const PlotStyle& style);
  /// The width of the strip and its title.
  int width() const;

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  /// The number of marked rows from `first` to `last`, which may be fractional.
  double fraction(double first, double last) const;

  QString m_title;
  std::vector<Index> m_before;  ///< number of marked rows above each row; empty: no marks
  PlotStyle m_style;
};

}  // namespace vqscope
