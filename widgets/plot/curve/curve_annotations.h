// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "widgets/plot/plot_style.h"

#include <qcustomplot.h>

#include <QList>
#include <QString>

#include <array>

namespace vqscope {

/// Marks, levels and spans of curves: lines with labels, of which none covers another.
class CurveAnnotations {
 public:
  explicit CurveAnnotations(QCustomPlot& plot) : m_plot(plot) {}

  /// After the items of the plot were cleared.
  void forget();
  void add(const CurveSet& set);
  void setShown(bool shown);
  /// A sentence at the lower left; `shorter` where it does not fit.
  void addNote(const QString& words, const QString& shorter);
  /// Whether labels need a strip above the curves.
  bool needHeadroom() const { return !m_labels.isEmpty() || !m_levels.empty(); }
  /// Labels that would overlap move down a line, and those beyond the axes are cut or, where hardly a
  /// word is left, hidden. After the layout.
  void arrange();
  void restyle(const PlotStyle& style);

 private:
  /// A label along the top, at its place or in the middle of a segment.
  struct TopLabel {
    QCPItemText* item;
    QString whole;
    bool centred;
  };

  void addLine(double at, bool vertical);
  void addLabel(double x, const std::string& label, bool centred);
  /// Returns the place of the label.
  QRectF placeLabel(const TopLabel& label, std::array<double, 4>& free);
  /// A name of a level stands above its line, else below, where no label of `taken` is.
  void placeLevelLabel(qsizetype number, QList<QRectF>& taken);
  void fitNote();

  QCustomPlot& m_plot;
  std::vector<CurveLevel> m_levels;
  bool m_levelsLeft = false;            ///< their labels are at the left edge
  QList<QCPItemStraightLine*> m_lines;  ///< items are the plot's
  QList<TopLabel> m_labels;
  QList<QCPItemText*> m_levelLabels;  ///< in the order of the levels
  QCPItemText* m_note = nullptr;
  bool m_shown = true;
  QStringList m_noteWords;  ///< the longer ones first
};

}  // namespace vqscope
