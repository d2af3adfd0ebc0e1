// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"
#include "widgets/panel/view_list.h"
#include "widgets/session/workbench.h"

#include <QObject>

#include <map>
#include <string>
#include <string_view>
#include <vector>

class QSplitter;
class QStackedWidget;

namespace vqscope {

class ThumbnailMaker;
class ViewTabs;

/// Entries of a room's list: the encodings and scalings of the survey in Positions, the matrices
/// with their curves in Attention. Empty: the room has no list.
std::vector<ListedSubject> roomSubjects(std::string_view room);

/// The method of a page; null: it shows none.
const Method* shownMethod(const ShownPage& page);

/// In rooms with many methods, Positions and Attention: the list of what there is, above the
/// parameters, and the views of the chosen line, as tabs above the page.
class RoomViews : public QObject {
  Q_OBJECT
 public:
  /// `panels`: the parameters of the pages.
  RoomViews(Workbench& workbench, QWidget* panels, QWidget* window);

  /// The list above the parameters.
  QWidget* side() const;
  /// The views of the chosen line.
  QWidget* tabs() const;

  /// By room: the thousandths of the column that the user gave to its list.
  const std::map<QString, int>& shares() const { return m_shares; }
  void setShares(const std::map<QString, int>& shares);

  /// Shows what belongs to the page on top, and marks the encoding of `values`.
  void sync(const ParameterValues& values);

 signals:
  void viewRequested(const vqscope::ListedView& view);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  ViewList* listOf(const std::string& room);
  void showList(ViewList* list, const std::string& room);
  void divide();
  void showTabs(const ViewList* list);
  void requestThumbnails(const std::string& room);

  Workbench& m_workbench;
  QSplitter* m_side;
  QStackedWidget* m_stack;  ///< the lists
  std::map<QString, int> m_shares;
  QString m_room;  ///< that of the list on top
  ViewTabs* m_tabs;
  std::map<std::string, ViewList*> m_lists;  ///< by room, made when it is first shown
  ViewList* m_list = nullptr;                ///< that of the room on top; null: it has none
  ThumbnailMaker* m_thumbnails;
  bool m_syncing = false;
};

}  // namespace vqscope
