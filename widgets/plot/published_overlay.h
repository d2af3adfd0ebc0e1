// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "widgets/plot/plot_style.h"

#include <qcustomplot.h>

#include <QList>

namespace vqscope {

/// Published values over computed curves: hollow markers on dotted lines, on a separate logarithmic axis at the right,
/// to distinguish them clearly.
class PublishedOverlay {
 public:
  explicit PublishedOverlay(QCustomPlot& plot) : m_plot(plot) {}

  /// Adds its graphs to the plot, whose old ones are gone; nothing: hides the axis.
  void show(const std::optional<Published>& published);
  void restyle(const PlotStyle& style);
  /// `range` extended to all of its x values.
  QCPRange widened(QCPRange range) const;
  bool isShown() const { return !m_graphs.isEmpty(); }

 private:
  QCustomPlot& m_plot;
  QList<QCPGraph*> m_graphs;
};

}  // namespace vqscope
