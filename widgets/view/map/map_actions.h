// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/changes.h"
#include "widgets/plot/matrix_cursor.h"
#include "widgets/session/field_scheduler.h"

#include <QMenu>
#include <QObject>
#include <QPointer>

#include <optional>

class QAction;

namespace vqscope {

class MatrixView;

/// Operations on a map and its cells, as actions of the view and in its context menu.
class MapActions : public QObject {
  Q_OBJECT
 public:
  /// The view owns them, and shows the menu on request.
  explicit MapActions(MatrixView& view);

  /// An additional entry of the map's owner, after its own.
  void addHostAction(QAction* action);
  /// The menu for this cell; nothing: for the map only.
  QMenu* makeMenu(const std::optional<Cell>& cell);
  bool isBusy() const { return m_reading.isBusy() || m_searching.isBusy(); }

  void zoomToDiagonal();
  /// Zooms to the first differing region of a difference, else to the change nearest to the cell,
  /// and picks its cell.
  void zoomToChange();

 signals:
  void goToRequested();
  void noteRequested(const vqscope::Cell& cell);
  void notified(const QString& sentence, bool bad);

 private:
  void addCopyActions();
  void addZoomActions();
  QAction* add(const QString& title);
  QMenu* lightMenu(QMenu* parent) const;
  /// chosen(), or nothing after this message.
  std::optional<Cell> pointedCell(const QString& refusal);
  /// The cell to copy.
  std::optional<Cell> copied();
  void copyValue();
  void copyReport();
  void update();
  /// The cell of the open menu, else that under the mouse, else the picked one; nothing if the
  /// matrix does not have it.
  std::optional<Cell> chosen() const;
  /// The chosen cell, else that in the middle of the view.
  Cell place() const;
  void showChange(const std::optional<ChangeCell>& change, const std::optional<Rect>& bounds);

  MatrixView& m_view;
  QPointer<QMenu> m_menu;
  std::optional<Cell> m_cell;  ///< of m_menu
  QAction* m_copyValue;
  QAction* m_copyReport;
  QAction* m_copyPicture;
  QAction* m_goTo;
  QAction* m_note;
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
