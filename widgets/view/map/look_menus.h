// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <QObject>

#include <vector>

class QAction;
class QMenu;
class QWidget;

namespace vqscope {

class MapActions;

/// The choices of how a page shows its maps, as menus of the maps: what a pixel shows, colours,
/// square cells, comparison. The page sets the look and makes the edits.
class LookMenus : public QObject {
  Q_OBJECT
 public:
  explicit LookMenus(QWidget* parent);

  struct Look {
    Aggregate aggregate = Aggregate::automatic;
    std::string colourMap;  ///< empty: automatic
    bool square = false;
    CompareMode compare = CompareMode::none;
    std::vector<Aggregate> offered = {};  ///< what a pixel can show of the values
  };
  void setLook(const Look& look);
  std::vector<QMenu*> menus() const { return {m_aggregate, m_colours, m_compare, m_curves}; }
  QMenu* compareMenu() const { return m_compare; }
  QMenu* curvesMenu() const { return m_curves; }
  /// The curves that can be pinned beside the maps; choosing one pins it, or takes it away.
  struct PinnedCurve {
    std::string id;
    QString title;
    QString group;
    bool pinned = false;
  };
  void setCurves(const std::vector<PinnedCurve>& curves);
  /// Adds the menus to the context menu of the map.
  void addTo(MapActions& map);

 signals:
  void aggregateChosen(vqscope::Aggregate aggregate);
  /// Empty: automatic.
  void coloursChosen(const std::string& id);
  void squareChosen(bool square);
  void compareChosen(vqscope::CompareMode mode);
  void curvePinned(const std::string& id, bool pinned);

 private:
  QMenu* addMenu(const QString& title);
  static QAction* addChoice(QMenu& menu, const QString& title);

  QMenu* m_aggregate;
  QMenu* m_colours;
  QMenu* m_compare;
  QMenu* m_curves;
  QAction* m_square;
};

}  // namespace vqscope
