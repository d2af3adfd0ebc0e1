// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/window_layout.h"
#include "widgets/mask/editor/mask_editor.h"

#include <QObject>

class QAction;
class QDockWidget;
class QMainWindow;

namespace vqscope {

class PageStack;
class RowDebugger;
class SideDocks;

/// The editor of the mask's text as a dock as high as the window: beside the parameters where there is
/// room, else a tab with them.
class MaskTextDock : public QObject {
  Q_OBJECT
 public:
  MaskTextDock(QMainWindow& window, PageStack& pages, SideDocks& docks);

  /// Shows and hides the dock; it is only on pages of masks.
  QAction* toggle() const { return m_toggle; }
  MaskEditor* editor() const { return m_editor; }
  /// The page in front, or the side of a comparison that its form edits, has changed.
  void sync();
  /// The row debugger has the mask of the page in front: shows the values of its cell.
  void showMask();

  void storeIn(WindowLayout& layout) const;
  void apply(const WindowLayout& layout);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void showDock();
  void place();

  QMainWindow& m_window;
  PageStack& m_pages;
  const RowDebugger& m_rows;
  MaskEditor* m_editor;
  QDockWidget* m_dock;
  QDockWidget* m_beside = nullptr;  ///< of the parameters
  QAction* m_toggle;
  bool m_isTab = false;
  int m_widthBefore = 0;  ///< of the parameters, in whose place the text is a tab
  int m_widthGiven = 0;   ///< of the text
};

}  // namespace vqscope
