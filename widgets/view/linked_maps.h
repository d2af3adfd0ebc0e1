// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/note/cell_marks.h"
#include "widgets/view/matrix_view.h"

#include <QSplitter>

#include <vector>

class QToolButton;

namespace vqscope {

class LookMenus;
class MapActions;

/// The maps of a page, in one or more rows. They share cursor and picked cell, and the visible
/// range unless the user unlinks it.
class LinkedMaps : public QSplitter {
  Q_OBJECT
 public:
  explicit LinkedMaps(QWidget* parent = nullptr);

  /// As many maps as there are contents. All have one extent.
  void setContents(const std::vector<MatrixContent>& contents);
  /// One map without a content; no cell is picked.
  void clear();
  /// Arranges the maps row by row in equal sizes; `beside` follows the last one. Does nothing if
  /// nothing changes.
  void arrange(std::size_t columns, QWidget* beside);
  /// Of arranged maps below each other, shows and reads that one; nothing: all.
  void showOnly(std::optional<std::size_t> map);

  /// Further entries for the context menu of each map.
  void setLookMenus(LookMenus* menus);

  std::size_t count() const { return m_count; }
  std::vector<MatrixView*> shown() const { return {m_views.begin(), m_views.begin() + static_cast<int>(m_count)}; }
  MatrixView* first() const { return m_views.front(); }

  /// The map that was last under the mouse or in which a cell was picked; its cell is reported.
  std::size_t read() const { return m_read; }
  MatrixView* readMap() const { return m_views[m_read]; }
  /// The cell under the mouse, else the picked one.
  std::optional<Cell> cell() const { return m_hovered ? m_hovered : m_picked; }

  void setRange(const std::optional<ViewRange>& range);
  void fit();
  void pick(std::size_t map, Cell cell);
  void forgetCells();
  /// Cells with notes, on every map.
  void setNotes(const std::vector<NotedCell>& notes);
  /// Freshness of all contents.
  void setFreshness(const Freshness& freshness);
  bool isBusy() const;

 signals:
  void cellChanged();
  /// Mouse or keyboard chose a cell. It is not picked yet.
  void picking(std::size_t map, const vqscope::Cell& cell);
  /// `whole`: the range of the page, not of a single unlinked map.
  void rangeChanged(const std::optional<vqscope::ViewRange>& range, bool whole);
  void pictureShown(std::size_t map);
  /// Reports the map that is read.
  void freshnessChanged();
  void exportRequested(std::size_t map);
  void pinRequested(std::size_t map);
  void goToRequested();
  void noteRequested(const vqscope::Cell& cell);
  void notified(const QString& sentence, bool bad);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addMap();
  void addLook(std::size_t map);
  void addLinkButton();
  QSplitter* row(std::size_t index);
  void makeEqual();
  void showRows();
  void onHovered(std::size_t map, const std::optional<Cell>& cell);
  void onRangeChanged(std::size_t map, const std::optional<ViewRange>& range);

  std::vector<MatrixView*> m_views;    ///< made when first shown, then kept
  std::vector<MapActions*> m_actions;  ///< of each view
  std::vector<QSplitter*> m_rows;
  std::size_t m_count = 0;
  std::size_t m_read = 0;
  std::size_t m_columns = 0;
  std::size_t m_arranged = 0;  ///< number of arranged maps
  QWidget* m_beside = nullptr;
  std::size_t m_shownRows = 1;
  std::optional<std::size_t> m_only;
  LookMenus* m_look = nullptr;
  bool m_equal = true;  ///< until the user moves a border
  std::optional<Cell> m_hovered;
  std::optional<Cell> m_picked;
  bool m_linked = true;
};

}  // namespace vqscope
