// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <optional>

class QAction;
class QCustomPlot;
class QMenu;

namespace vqscope {

class CurvePlot;
class CurveView;

/// What can be done with curves: entries of the context menu, and of the legend.
class CurveActions : public QObject {
  Q_OBJECT
 public:
  CurveActions(CurveView& view, QCustomPlot& plot, CurvePlot& curves);

  /// The menu of the view; with a curve, first what its entry of the legend offers. The caller shows it.
  QMenu* makeMenu(const std::optional<std::size_t>& curve);
  void toggle(std::size_t curve);

 private:
  void addEntries(QMenu& menu, std::size_t curve);
  void addColours(QMenu& menu, std::size_t curve);
  QMenu* listMenu(QMenu* parent);
  void shown();

  CurveView& m_view;
  QCustomPlot& m_plot;
  CurvePlot& m_curves;
  QAction* m_copyData;
  QAction* m_copyPicture;
};

}  // namespace vqscope
