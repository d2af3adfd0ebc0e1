// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

#include <functional>
#include <optional>

class QAction;
class QCustomPlot;
class QMenu;
class QWidget;

namespace vqscope {

class CurvePlot;
class ViewHeader;

/// Actions on curves: entries of the context menu, and of the legend.
class CurveActions : public QObject {
  Q_OBJECT
 public:
  /// Parts of one view; `isZoomed`: whether its range stays when other curves are shown.
  struct Parts {
    QWidget& view;
    ViewHeader& header;
    QCustomPlot& plot;
    CurvePlot& curves;
    std::function<bool()> isZoomed;
  };
  explicit CurveActions(Parts parts);

  /// The menu of the view; with a curve, first what its entry of the legend offers. The caller
  /// shows it.
  QMenu* makeMenu(const std::optional<std::size_t>& curve);
  void toggle(std::size_t curve);

 private:
  void addEntries(QMenu& menu, std::size_t curve);
  void addMultiples(QMenu& menu);
  void addColours(QMenu& menu, std::size_t curve);
  QMenu* listMenu(QMenu* parent);
  void shown();

  QWidget& m_view;
  ViewHeader& m_header;
  QCustomPlot& m_plot;
  CurvePlot& m_curves;
  std::function<bool()> m_isZoomed;
  QAction* m_copyData;
  QList<QAction*> m_tableCopies;
  QAction* m_copyPicture;
};

}  // namespace vqscope
