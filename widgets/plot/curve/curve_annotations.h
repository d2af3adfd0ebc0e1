// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "widgets/plot/plot_style.h"

#include <qcustomplot.h>

#include <QList>

namespace vqscope {

/// Marks, levels and spans of curves: lines with labels, of which none covers another.
class CurveAnnotations {
 public:
  explicit CurveAnnotations(QCustomPlot& plot) : m_plot(plot) {}

  /// After the items of the plot were cleared.
  void forget();
  void add(const CurveSet& set);
  /// A sentence at the lower left.
  void addNote(const QString& words);
  /// Whether labels need a strip above the curves.
  bool needHeadroom() const { return !m_labels.isEmpty() || !m_levels.empty(); }
  /// Labels that would overlap move down a line. After the layout.
  void arrange();
  void restyle(const PlotStyle& style);

 private:
  void addLine(double at, bool vertical);
  void addLabel(double x, const std::string& label, Qt::Alignment alignment);
  /// Cuts the names of levels that are longer than the axis, and hides them in a plot that is
  /// hardly wider than a word.
  void fitLevelLabels();

  QCustomPlot& m_plot;
  std::vector<CurveLevel> m_levels;
  QList<QCPItemStraightLine*> m_lines;  ///< items are the plot's
  QList<QCPItemText*> m_labels;         ///< along the top
  QList<QCPItemText*> m_levelLabels;    ///< in the order of the levels
  QCPItemText* m_note = nullptr;
};

}  // namespace vqscope
