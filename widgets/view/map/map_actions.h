// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/changes.h"
#include "widgets/plot/matrix_cursor.h"
#include "widgets/session/field_scheduler.h"

#include <QObject>

#include <optional>

class QAction;
class QMenu;

namespace vqscope {

class MatrixView;

/// What can be done with a map and its cells, as actions of the view and in its context menu.
class MapActions : public QObject {
  Q_OBJECT
 public:
  /// The view owns them, and shows the menu when it is asked for.
  explicit MapActions(MatrixView& view);

  /// An entry of whoever shows the map, which comes after its own.
  void addHostAction(QAction* action);
  /// The menu for this cell; nothing: for the map only.
  QMenu* makeMenu(const std::optional<Cell>& cell);
  bool isBusy() const { return m_reading.isBusy() || m_searching.isBusy(); }

  void zoomToDiagonal();
  /// Zooms to the first differing region of a difference, else to the change nearest to the cell, and picks its cell.
  void zoomToChange();

 signals:
  void goToAsked();
  void said(const QString& sentence, bool bad);

 private:
  void addCopyActions();
  void addZoomActions();
  QAction* add(const QString& title);
  QMenu* lightMenu(QMenu* parent) const;
  void copyValue();
  void copyReport();
  void update();
  /// The cell of the menu, else the picked one, else that in the middle of the view.
  Cell place() const;
  void showChange(const std::optional<ChangeCell>& change, const std::optional<Rect>& bounds);

  MatrixView& m_view;
  std::optional<Cell> m_cell;  ///< of the open menu
  QAction* m_copyValue;
  QAction* m_copyReport;
  QAction* m_copyPicture;
  QAction* m_goTo;
  QAction* m_fit;
  QAction* m_back;
  QAction* m_diagonal;
  QAction* m_change;
  QAction* m_overview;
  QList<QAction*> m_host;
  FieldScheduler m_reading;
  FieldScheduler m_searching;
};

}  // namespace vqscope
