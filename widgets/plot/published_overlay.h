// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "widgets/plot/plot_style.h"

#include <qcustomplot.h>

#include <QList>

namespace vqscope {

/// Published values over computed curves: hollow markers on dotted lines. Values of another
/// quantity have a separate logarithmic axis at the right.
class PublishedOverlay {
 public:
  explicit PublishedOverlay(QCustomPlot& plot) : m_plot(plot) {}

  /// Adds its graphs to the plot, whose old ones are gone; nothing: hides the axis. Values with the
  /// title of the plot's own y axis are on that axis.
  void show(const std::optional<Published>& published, const std::string& ownTitle);
  /// `lines` is the number of computed lines, after whose colours these come.
  void restyle(const PlotStyle& style, int lines);
  /// `range` of the own y axis extended to the values on it.
  QCPRange widenedY(QCPRange range, bool logarithmic) const;
  /// `range` extended to all of its x values.
  QCPRange widened(QCPRange range) const;
  bool isShown() const { return !m_graphs.isEmpty(); }

 private:
  QCustomPlot& m_plot;
  bool m_sharesAxis = false;
  QList<QCPGraph*> m_graphs;
};

}  // namespace vqscope
