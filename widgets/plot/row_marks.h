// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"
#include "widgets/plot/plot_style.h"

#include <qcustomplot.h>
#include <QString>

#include <optional>
#include <vector>

namespace vqscope {

/// A flag for each row of a matrix, shown beside it: which queries have a loss.
struct RowMarks {
  QString title;
  std::vector<bool> rows;
  friend bool operator==(const RowMarks&, const RowMarks&) = default;
};

/// The queries with a loss, from the labels and the loss mask of the expected mask; the matrix has
/// that many rows. Null if neither is given or they do not fit.
std::optional<RowMarks> lossMarks(const ShownPage& page, Index rows);

/// Paints RowMarks along the right border of a plot's map; a pixel of several rows shows the
/// fraction of marked rows.
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
